//! Every image model against its reference implementation: the same synthetic checkpoint, the same
//! inputs, the values of intermediate layers and of the output.
use crate::parity;
use crate::photographs;

use neurogauge_core::Image;
use neurogauge_models::{LayerRequest, synthetic_model};
use parity::{check, nothing, on_threads};

#[test]
fn networks_equal_torchvision() {
    for (id, golden) in [
        ("alexnet", "alexnet"),
        ("resnet18", "resnet18"),
        ("resnet50", "resnet50_calm"),
        ("vgg16", "vgg16"),
        ("efficientnet_b1", "efficientnet_b1_calm"),
        ("convnext_tiny", "convnext_tiny"),
        ("swin_t", "swin_t"),
        ("vit_b_16", "vit_b_16"),
    ] {
        check(id, golden, &[], nothing);
    }
    check("inception_v3", "inception_v3", &[], |name| name.starts_with("AuxLogits."));
    // The same layers, without a classifier.
    check("swav_resnet50", "resnet50_calm", &["fc"], |name| name.starts_with("fc."));
}

#[test]
fn branches_and_bottlenecks_give_an_image_the_same_bits_alone_and_in_a_batch() {
    for (id, layer) in [("inception_v3", "fc"), ("efficientnet_b1", "classifier.1")] {
        let model = synthetic_model(id, 0, &[]).unwrap().model;
        let images = ["astronaut", "coffee", "noise"].map(|name| photographs::image(name, 97));
        let rows = |images: &[Image<f32>]| model.features(images, &[LayerRequest::whole(layer)]).unwrap();
        let together = rows(&images);
        for (image, row) in images.iter().zip(together[0].values.chunks(1000)) {
            let alone = rows(std::slice::from_ref(image));
            assert!(alone[0].values == row, "{id}");
        }
    }
}

/// Several threads share the layers of one image, which must not change a bit. Together, the networks have every kind
/// of layer that threads share: products, attention in windows and of a whole image, 3 x 3 and depthwise convolutions,
/// inverted bottlenecks.
#[test]
fn a_single_image_has_the_same_features_on_any_number_of_threads() {
    let networks = [
        ("resnet18", "fc"),
        ("efficientnet_b1", "classifier.1"),
        ("swin_t", "head"),
        ("convnext_tiny", "classifier.2"),
        ("vit_b_16", "heads.head"),
    ];
    for (id, layer) in networks {
        let model = synthetic_model(id, 0, &[]).unwrap().model;
        let image = [photographs::sized("noise", 224, 224)];
        let features = |n| on_threads(n, || model.features(&image, &[LayerRequest::whole(layer)]).unwrap());
        let alone = features(1);
        assert!(alone[0].values.iter().any(|value| *value != 0.0), "{id}");
        for n_threads in [2, 5] {
            assert_eq!(alone, features(n_threads), "{id}, {n_threads} threads");
        }
    }
}
