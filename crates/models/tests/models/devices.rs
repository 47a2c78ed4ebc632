//! Networks with the engine's own operations, as on graphics processors, against the processor's kernels, which other
//! tests compare with the reference implementations: every layer, for images of the smallest sizes.
use crate::parity::{damped, golden as golden_of, moments};
use crate::photographs::noise;
use neurogauge_core::Image;
use neurogauge_models::{DeviceChoice, LayerRequest, Pooling, synthetic_model, synthetic_model_on};

/// Largest difference, in standard deviations of the layer's values.
const TOLERANCE: f64 = 1e-4;

/// Compares every layer of model `id` for two images, or for one if they are large.
fn check(id: &str, golden: &str, size_px: (usize, usize)) {
    let damped = damped(&golden_of(golden));
    let seeds = if size_px.0 > 100 { 1..2 } else { 1..3 };
    let images: Vec<Image<f32>> = seeds.map(|seed| noise(seed, size_px, |value| value * 4.0 - 2.0)).collect();
    let run = |device| {
        let synthetic = synthetic_model_on(id, 0, &damped, device).unwrap();
        let layers = synthetic.model.layers().into_iter();
        let requests: Vec<LayerRequest> = layers.map(LayerRequest::whole).collect();
        let features = synthetic.model.features(&images, &requests).unwrap();
        (requests, features)
    };
    let ((requests, packed), (_, tensors)) = (run(DeviceChoice::Cpu), run(DeviceChoice::CpuF64));
    let mut worst = (0.0, "");
    for ((request, packed), tensors) in requests.iter().zip(&packed).zip(&tensors) {
        assert_eq!(packed.n_features, tensors.n_features, "{}", request.layer);
        let (_, std) = moments(&packed.values);
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
fn every_network_computes_alike_both_ways() {
    for (id, golden, size_px) in [
        ("alexnet", "alexnet", (63, 70)),
        ("resnet18", "resnet18", (65, 33)),
        ("inception_v3", "inception_v3", (75, 91)),
        ("efficientnet_b1", "efficientnet_b1_calm", (71, 39)),
        ("convnext_tiny", "convnext_tiny", (64, 49)),
        // Maps that windows do not divide, with seams in both directions.
        ("swin_t", "swin_t", (61, 45)),
        ("clip_vit_reduced_hf", "clip_vit_reduced", (70, 70)),
        // Learned queries, and rotations of neighbouring features.
        ("pe_core_vit_b_16_reduced", "timm_pe_core_vit_b_16", (224, 224)),
        // Registers, scaled layers, and rotations of features half a head apart.
        ("dinov3_vit_b_16_reduced", "timm_dinov3_vit_b_16", (48, 32)),
        ("siglip2_vit_b_16_reduced", "timm_siglip2_vit_b_16", (224, 224)),
        ("clip_rn50", "clip_openai_rn50_calm", (224, 224)),
    ] {
        check(id, golden, size_px);
    }
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
    let images = [noise(1, (70, 70), |value| value)];
    let block = "vision_model.encoder.layers.1";
    let requests = [
        LayerRequest::new(block, Pooling::Mean),
        LayerRequest::new(block, Pooling::MeanWithoutClassToken),
        LayerRequest::new(block, Pooling::ClassToken),
        LayerRequest::new("vision_model.embeddings.patch_embedding", Pooling::Mean),
    ];
    let id = "clip_vit_reduced_hf";
    let packed = synthetic_model(id, 0, &[]).unwrap().model;
    let tensors = synthetic_model_on(id, 0, &[], DeviceChoice::CpuF64).unwrap().model;
    let (a, b) = (packed.features(&images, &requests).unwrap(), tensors.features(&images, &requests).unwrap());
    for (a, b) in a.iter().zip(&b) {
        let (_, std) = moments(&a.values);
        let close = |(a, b): (&f32, &f32)| f64::from((a - b).abs()) < TOLERANCE * std;
        assert!(a.values.iter().zip(&b.values).all(close));
    }
    assert!(tensors.features(&[], &requests).unwrap()[0].values.is_empty());
    let error = tensors.features(&[noise(1, (71, 70), |value| value)], &requests).unwrap_err();
    assert!(error.to_string().contains("image 0 is 71 x 70 px"), "{error}");
    let error = tensors.features(&images, &[LayerRequest::whole("nothing")]).unwrap_err();
    assert!(error.to_string().contains("no layer \"nothing\""), "{error}");
}
