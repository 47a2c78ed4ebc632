//! Every image model against its reference implementation: the same synthetic checkpoint, the same
//! inputs, the values of the layers in between and of the output.
use crate::parity;
use crate::photographs;

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{LayerRequest, Pooling, synthetic_model};
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
    check("swav_resnet50", "resnet50_calm", &["fc"], |name| name.starts_with("fc."));
}

#[test]
fn vgg16_equals_torchvision() {
    check("vgg16", "vgg16", &[], nothing);
}

#[test]
fn inception_v3_equals_torchvision() {
    check("inception_v3", "inception_v3", &[], |name| name.starts_with("AuxLogits."));
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

/// One image in a pool of several threads: these share its layers, which must not change a bit. Between them the
/// networks have every layer that is shared: products, attention in windows and of a whole image, 3 x 3 and depthwise
/// convolutions, inverted bottlenecks.
#[test]
fn a_single_image_has_the_same_features_on_any_number_of_threads() {
    let networks = [
        ("resnet18", "fc"),
        ("efficientnet_b1", "classifier.1"),
        ("swin_t", "head"),
        ("convnext_tiny", "classifier.2"),
        ("videomae_vit_b_16", "classifier"),
    ];
    for (id, layer) in networks {
        let model = synthetic_model(id, 0, &[]).unwrap().model;
        let frames = if id.starts_with("videomae") { 16 } else { 1 };
        let noise = Synthetic::new("noise", 1);
        let n_values = (224 * 224 * 3 * frames) as u64;
        let values = (0..n_values).map(|i| noise.uniform(i)).collect();
        let image = [Image::new(224, 224 * frames, values).unwrap()];
        let requests = [LayerRequest::of(layer, Pooling::None)];
        let features = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| model.features(&image, &requests).unwrap())
        };
        let alone = features(1);
        assert!(alone[0].values.iter().any(|value| *value != 0.0), "{id}");
        for n_threads in [2, 5] {
            assert_eq!(alone, features(n_threads), "{id}, {n_threads} threads");
        }
    }
}
