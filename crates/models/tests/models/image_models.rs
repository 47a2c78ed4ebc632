//! Every image model against its reference implementation: the same synthetic checkpoint, the same
//! inputs, the values of the layers in between and of the output.
use crate::parity;
use crate::photographs;

use neurogauge_core::Image;
use neurogauge_models::synthetic_model;
use parity::{check, nothing, request};

#[test]
fn alexnet_equals_torchvision() {
    check("alexnet", "alexnet", &[], nothing);
}

#[test]
fn resnet18_equals_torchvision() {
    check("resnet18", "resnet18", &[], nothing);
}

#[test]
fn resnet50_equals_torchvision() {
    check("resnet50", "resnet50_calm", &[], nothing);
}

#[test]
fn resnet50_without_a_classifier_has_the_same_layers() {
    check("swav_resnet50", "resnet50_calm", &["fc"], |name| {
        name.starts_with("fc.")
    });
}

#[test]
fn vgg16_equals_torchvision() {
    check("vgg16", "vgg16", &[], nothing);
}

#[test]
fn inception_v3_equals_torchvision() {
    check("inception_v3", "inception_v3", &[], |name| {
        name.starts_with("AuxLogits.")
    });
}

#[test]
fn efficientnet_b1_equals_torchvision() {
    check("efficientnet_b1", "efficientnet_b1_calm", &[], nothing);
}

#[test]
fn convnext_tiny_equals_torchvision() {
    check("convnext_tiny", "convnext_tiny", &[], nothing);
}

#[test]
fn swin_t_equals_torchvision() {
    check("swin_t", "swin_t", &[], nothing);
}

#[test]
fn branches_and_bottlenecks_give_an_image_the_same_bits_alone_and_in_a_batch() {
    for (id, layer) in [("inception_v3", "fc"), ("efficientnet_b1", "classifier.1")] {
        let model = synthetic_model(id, 0, &[]).unwrap().model;
        let images = ["astronaut", "coffee", "noise"].map(|name| photographs::image(name, 97));
        let rows = |images: &[Image<f32>]| model.features(images, &[request(layer)]).unwrap();
        let together = rows(&images);
        for (image, row) in images.iter().zip(together[0].values.chunks(1000)) {
            let alone = rows(std::slice::from_ref(image));
            assert!(alone[0].values == row, "{id}");
        }
    }
}
