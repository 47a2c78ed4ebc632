//! `--precision bf16`: linear maps whose factors are rounded to bf16.

use crate::clip_models::layer_of;
use crate::parity::{golden, worst};
use neurogauge_core::Image;
use neurogauge_models::{LayerRequest, Pooling, synthetic_model};

/// What differs is the order of sums, which now and then rounds a factor of the next map the other way.
#[test]
fn a_transformer_is_what_pytorch_makes_of_rounded_factors() {
    let name = "clip_vit_reduced_bf16_products";
    let golden = golden(name);
    let difference = |id: &str| {
        let model = synthetic_model(id, 0, &[]).unwrap().model;
        worst(model.as_ref(), name, &golden, layer_of)
    };
    let (plain, rounded) = (
        difference("clip_vit_reduced_hf"),
        difference("clip_vit_reduced_hf-bf16-products"),
    );
    println!("f32 {plain:e}, bf16 {rounded:e} standard deviations");
    assert!(rounded < 0.01, "{rounded}");
    assert!(plain > 2.0 * rounded, "{plain} {rounded}");
}

/// Every family with linear maps: the option reaches them, and changes little.
#[test]
fn the_option_reaches_every_family_of_transformers() {
    for (id, layer, size_px) in [
        ("clip_vit_reduced_hf", "image_embeds", 70),
        ("clip_vit_reduced", "image_embeds", 80),
        ("swin_t", "head", 64),
        ("siglip2_vit_b_16_reduced", "head", 224),
        ("pe_core_vit_b_16_reduced", "head", 224),
        ("dinov3_vit_b_16_reduced", "head", 64),
    ] {
        let values = |id: &str| {
            let model = synthetic_model(id, 0, &[]).unwrap().model;
            let noise = neurogauge_core::synthetic::Synthetic::new("noise", 5);
            let n = (size_px * size_px * 3) as u64;
            let pixels = (0..n).map(|i| noise.uniform(i) * 4.0 - 2.0).collect();
            let image = Image::new(size_px, size_px, pixels).unwrap();
            let layer = layer.to_owned();
            let request = LayerRequest {
                layer,
                pooling: Pooling::None,
            };
            model
                .features(&[image], &[request])
                .unwrap()
                .remove(0)
                .values
        };
        let (plain, rounded) = (values(id), values(&format!("{id}-bf16-products")));
        let squares = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>();
        let change = squares(&mut plain.iter().zip(&rounded).map(|(a, b)| a - b));
        let relative = (change / squares(&mut plain.iter().copied())).sqrt();
        println!("{id}: {relative:e}");
        assert!((1e-5..0.05).contains(&relative), "{id}: {relative}");
    }
}
