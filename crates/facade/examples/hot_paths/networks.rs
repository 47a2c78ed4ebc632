//! Products, layers and a small network, with random weights.

use crate::inputs::image;
use crate::{Failure, HotPath, Work};
use neurogauge::models::speed::{Layer, LayerKind, Product, Weights};
use neurogauge::models::{LayerRequest, synthetic_model};

pub(crate) const PATHS: &[HotPath] = &[
    ("product-f32", || product(Weights::F32)),
    ("product-bf16", || product(Weights::Bf16)),
    ("product-f16", || product(Weights::F16)),
    ("convolution-3x3", || layer(LayerKind::ALL[0].1)),
    ("convolution-7x7", || layer(LayerKind::ALL[1].1)),
    ("depthwise-convolution", || layer(LayerKind::ALL[2].1)),
    ("self-attention", || layer(LayerKind::SelfAttention)),
    ("layer-norm", || layer(LayerKind::LayerNorm)),
    ("mlp", || layer(LayerKind::Mlp)),
    ("log-softmax", || layer(LayerKind::LogSoftmax)),
    ("clip-image-tower", image_tower),
];

fn product(weights: Weights) -> Result<Work, Failure> {
    let mut product = Product::new((197, 384, 384), weights);
    Ok(Box::new(move || {
        product.seconds();
        Ok(product.operations())
    }))
}

fn layer(kind: LayerKind) -> Result<Work, Failure> {
    let layer = Layer::new(kind)?;
    Ok(Box::new(move || Ok(f64::from(layer.first_value()?))))
}

/// That of a CLIP with three blocks, of images of 80 px.
fn image_tower() -> Result<Work, Failure> {
    let network = synthetic_model("clip_vit_reduced", 0, &[])?.model;
    let images = [image("image", 80)];
    let request = [LayerRequest::whole("image_embeds")];
    Ok(Box::new(move || Ok(f64::from(network.features(&images, &request)?[0].values[0]))))
}
