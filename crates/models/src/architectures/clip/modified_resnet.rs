//! The image tower that is a ResNet-50 with changes: a stem of three convolutions, maps halved by
//! averages, and attention instead of average pooling at the end.

use super::config::HEAD_WIDTH;
use crate::ModelError;
use crate::architectures::resnet::{Config, EPSILON, STEM_CHANNELS, Stage};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, AttentionPool, Convolution, TokenEmbedding, Window, average_pool};

const CONFIG: Config = Config {
    architecture: "CLIP ResNet-50",
    pooled_strides: true,
    ..Config::RESNET_50_FEATURES
};
const IMAGE_PX: usize = 224;
/// Image pixels per position of the last map, along one side.
const REDUCTION: usize = 32;
/// Length of the embedding that texts and images share.
const N_EMBEDDING: usize = 1024;
/// The pooling window after the stem and in every stage that halves its maps.
const HALF: Window = Window::square(2, 2, 0);

/// CLIP's ResNet-50. Its layers keep OpenAI's names.
pub(crate) struct ModifiedResNet {
    outline: Outline,
    stem: Vec<Convolution>,
    stages: Vec<Stage>,
    tokens: TokenEmbedding,
    pool: AttentionPool,
}

impl ModifiedResNet {
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let half = STEM_CHANNELS / 2;
        let stem = [
            Kernel::square(3, half, 3, 2, 1),
            Kernel::square(half, half, 3, 1, 1),
            Kernel::square(half, STEM_CHANNELS, 3, 1, 1),
        ];
        let stem = (1..).zip(stem).map(|(number, kernel)| {
            let (name, norm) = (format!("visual.conv{number}"), format!("visual.bn{number}"));
            Ok(checkpoint.convolution_norm(&name, &norm, kernel, EPSILON)?.then(Activation::Relu))
        });
        let stem = stem.collect::<Result<Vec<_>, ModelError>>()?;
        let stages = Stage::all(checkpoint, "visual.", CONFIG)?;
        let (tokens, pool) = attention_pool(checkpoint)?;
        let mut layers = vec![Layer::new("visual.act3", LayerKind::Map), Layer::new("visual.avgpool", LayerKind::Map)];
        layers.extend(stages.iter().flat_map(Stage::layers));
        layers.push(Layer::new("visual.attnpool", LayerKind::Vector));
        Ok(ModifiedResNet {
            outline: Outline::new(CONFIG.architecture, Sides::Fixed(IMAGE_PX), layers),
            stem,
            stages,
            tokens,
            pool,
        })
    }
}

fn attention_pool(checkpoint: &mut Checkpoint) -> Result<(TokenEmbedding, AttentionPool), ModelError> {
    let width = CONFIG.n_features();
    let n_tokens = 1 + (IMAGE_PX / REDUCTION).pow(2);
    let positions = checkpoint.take("visual.attnpool.positional_embedding", &[n_tokens, width])?;
    let tokens = checkpoint.arranged(|| TokenEmbedding::with_mean_token(&positions, width))?;
    let [query, key, value] = ["q_proj", "k_proj", "v_proj"]
        .map(|part| checkpoint.weight_and_bias(&format!("visual.attnpool.{part}"), width, width));
    let projections = [query?, key?, value?];
    let output = checkpoint.linear("visual.attnpool.c_proj", width, N_EMBEDDING)?;
    let n_heads = width / HEAD_WIDTH;
    let pool = checkpoint.arranged(|| AttentionPool::new(projections, output, n_heads))?;
    Ok((tokens, pool))
}

impl Network for ModifiedResNet {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = images.clone();
        for convolution in &self.stem {
            x = convolution.forward(&x)?;
        }
        outputs.offer("visual.act3", &x)?;
        x = average_pool(&x, HALF)?;
        outputs.offer("visual.avgpool", &x)?;
        for stage in &self.stages {
            x = stage.forward(x, outputs)?;
        }
        let tokens = self.tokens.forward(&x)?;
        outputs.offer("visual.attnpool", &self.pool.forward(&tokens)?)?;
        Ok(())
    }
}
