//! Networks through the engine's own operations, as graphics processors run them, against the kernels of
//! the processor, which other tests hold against the reference implementations: every layer, for images of
//! the smallest sizes.
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{DeviceChoice, LayerRequest, Pooling, synthetic_model, synthetic_model_on};
use std::collections::BTreeMap;

/// Largest difference in standard deviations of the layer's values.
const TOLERANCE: f64 = 1e-4;

/// The golden's damping of the synthetic weights, which keeps a deep network from amplifying rounding errors.
fn damped(golden: &str) -> Vec<(String, f32)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/models");
    let text = std::fs::read_to_string(format!("{folder}/{golden}.json")).unwrap();
    let golden: serde_json::Value = serde_json::from_str(&text).unwrap();
    let damped = golden["damped"].clone();
    let damped: BTreeMap<String, f32> = serde_json::from_value(damped).unwrap_or_default();
    damped.into_iter().collect()
}

fn noise(seed: u64, (width_px, height_px): (usize, usize)) -> Image<f32> {
    let noise = Synthetic::new("noise", seed);
    let values = (0..(width_px * height_px * 3) as u64).map(|i| noise.uniform(i) * 4.0 - 2.0);
    Image::new(width_px, height_px, values.collect()).unwrap()
}

fn deviation(values: &[f32]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
    let squares = values.iter().map(|&x| (f64::from(x) - mean).powi(2));
    (squares.sum::<f64>() / n).sqrt()
}

/// Two images at every layer of model `id`.
fn check(id: &str, golden: &str, size_px: (usize, usize)) {
    let damped = damped(golden);
    let images = [noise(1, size_px), noise(2, size_px)];
    let run = |device| {
        let synthetic = synthetic_model_on(id, 0, &damped, device).unwrap();
        let layers = synthetic.model.layers().into_iter();
        let requests: Vec<LayerRequest> = layers.map(|layer| LayerRequest::of(layer, Pooling::None)).collect();
        let features = synthetic.model.features(&images, &requests).unwrap();
        (requests, features)
    };
    let ((requests, packed), (_, tensors)) = (run(DeviceChoice::Cpu), run(DeviceChoice::CpuF64));
    let mut worst = (0.0, "");
    for ((request, packed), tensors) in requests.iter().zip(&packed).zip(&tensors) {
        assert_eq!(packed.n_features, tensors.n_features, "{}", request.layer);
        let std = deviation(&packed.values);
        for (a, b) in packed.values.iter().zip(&tensors.values) {
            let error = (f64::from(*a) - f64::from(*b)).abs() / std;
            assert!(error < TOLERANCE, "{id}, {}: {a} {b}", request.layer);
            worst = if error > worst.0 {
                (error, &request.layer)
            } else {
                worst
            };
        }
    }
    println!("{id} at {size_px:?} px: {:e} at {}", worst.0, worst.1);
}

#[test]
fn alexnet() {
    check("alexnet", "alexnet", (63, 70));
}

#[test]
fn resnet18() {
    check("resnet18", "resnet18", (65, 33));
}

#[test]
fn inception_v3() {
    check("inception_v3", "inception_v3", (75, 91));
}

#[test]
fn efficientnet_b1() {
    check("efficientnet_b1", "efficientnet_b1_calm", (71, 39));
}

#[test]
fn convnext_tiny() {
    check("convnext_tiny", "convnext_tiny", (64, 49));
}

/// Maps that windows do not cover evenly, with seams in both directions.
#[test]
fn swin_t() {
    check("swin_t", "swin_t", (61, 45));
}

#[test]
fn clip_vit() {
    check("clip_vit_reduced_hf", "clip_vit_reduced", (70, 70));
}

/// Learned queries, and rotations of neighbouring features.
#[test]
fn perception_encoder() {
    let id = "pe_core_vit_b_16";
    check(&format!("{id}_reduced"), &format!("timm_{id}"), (224, 224));
}

/// Registers, scaled layers, and rotations of features half a head apart.
#[test]
fn dinov3() {
    let id = "dinov3_vit_b_16";
    check(&format!("{id}_reduced"), &format!("timm_{id}"), (48, 32));
}

#[test]
fn siglip() {
    let id = "siglip2_vit_b_16";
    check(&format!("{id}_reduced"), &format!("timm_{id}"), (224, 224));
}

#[test]
fn clip_rn50() {
    check("clip_rn50", "clip_openai_rn50_calm", (224, 224));
}

#[test]
#[ignore = "takes 2 GB"]
fn the_others() {
    check("vgg16", "vgg16", (32, 40));
    check("resnet50", "resnet50_calm", (64, 64));
    check("vit_b_16", "vit_b_16", (224, 224));
}

#[test]
fn layers_are_pooled_and_bad_requests_refused_alike() {
    let images = [noise(1, (70, 70))];
    let request = |layer: &str, pooling| LayerRequest::of(layer, pooling);
    let block = "vision_model.encoder.layers.1";
    let requests = [
        request(block, Pooling::Mean),
        request(block, Pooling::MeanWithoutClassToken),
        request(block, Pooling::ClassToken),
        request("vision_model.embeddings.patch_embedding", Pooling::Mean),
    ];
    let id = "clip_vit_reduced_hf";
    let packed = synthetic_model(id, 0, &[]).unwrap().model;
    let tensors = synthetic_model_on(id, 0, &[], DeviceChoice::CpuF64).unwrap().model;
    let (a, b) = (packed.features(&images, &requests).unwrap(), tensors.features(&images, &requests).unwrap());
    for (a, b) in a.iter().zip(&b) {
        let std = deviation(&a.values);
        let close = |(a, b): (&f32, &f32)| f64::from((a - b).abs()) < TOLERANCE * std;
        assert!(a.values.iter().zip(&b.values).all(close));
    }
    assert!(tensors.features(&[], &requests).unwrap()[0].values.is_empty());
    let error = tensors.features(&[noise(1, (71, 70))], &requests).unwrap_err();
    assert!(error.to_string().contains("image 0 is 71 x 70 px"), "{error}");
    let error = tensors.features(&images, &[request("nothing", Pooling::None)]).unwrap_err();
    assert!(error.to_string().contains("no layer \"nothing\""), "{error}");
}
