//! Tests `--precision bf16`: linear maps whose factors are rounded to bf16.

use crate::clip_models::layer_of;
use crate::parity::{devices, golden, worst};
use crate::photographs;
use neurogauge_models::{DeviceChoice, LayerRequest, synthetic_model_on};

/// The documented tolerance, in standard deviations of a layer.
const TOLERANCE: f64 = 0.02;

/// Differences come from the order of sums, and on devices from their precision, which sometimes rounds a factor of the
/// next map the other way.
#[test]
fn a_transformer_is_what_pytorch_makes_of_rounded_factors() {
    let name = "clip_vit_reduced_bf16_products";
    let golden = golden(name);
    for device in devices() {
        let difference = |id: &str| {
            let model = synthetic_model_on(id, 0, &[], device).unwrap().model;
            worst(model.as_ref(), name, &golden, layer_of)
        };
        let (plain, rounded) = (difference("clip_vit_reduced_hf"), difference("clip_vit_reduced_hf-bf16-products"));
        println!("{device}: f32 {plain:e}, bf16 {rounded:e} standard deviations");
        assert!(rounded < TOLERANCE, "{device}: {rounded}");
        assert!(plain > 2.0 * rounded, "{device}: {plain} {rounded}");
    }
}

/// Every family with linear maps: the option applies on every device and changes little. Differences between devices
/// are smaller.
#[test]
fn the_option_reaches_every_family_of_transformers() {
    for (id, layer, size_px) in [
        ("clip_vit_reduced_hf", "image_embeds", 70),
        ("clip_vit_reduced", "image_embeds", 80),
        ("swin_t", "head", 64),
        // It has shortcuts of 1 x 1 with stride 2.
        ("resnet18", "avgpool", 64),
        ("siglip2_vit_b_16_reduced", "head", 224),
        ("pe_core_vit_b_16_reduced", "head", 224),
        ("dinov3_vit_b_16_reduced", "head", 64),
    ] {
        let values = |id: &str, device| {
            let model = synthetic_model_on(id, 0, &[], device).unwrap().model;
            let image = photographs::noise(5, (size_px, size_px), |value| value * 4.0 - 2.0);
            model.features(&[image], &[LayerRequest::whole(layer)]).unwrap().remove(0).values
        };
        let squares = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>();
        let change = |from: &[f32], to: &[f32]| {
            let change = squares(&mut from.iter().zip(to).map(|(a, b)| a - b));
            (change / squares(&mut from.iter().copied())).sqrt()
        };
        let products = format!("{id}-bf16-products");
        let plain = values(id, DeviceChoice::Cpu);
        let rounded = values(&products, DeviceChoice::Cpu);
        let wide = values(&products, DeviceChoice::CpuF64);
        let (by_products, by_device) = (change(&plain, &rounded), change(&rounded, &wide));
        println!("{id}: {by_products:e} by the products, {by_device:e} by the device");
        assert!((1e-5..0.05).contains(&by_products), "{id}: {by_products}");
        assert!(by_device < by_products.min(TOLERANCE as f32), "{id}: {by_device}");
    }
}
