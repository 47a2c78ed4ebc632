//! The forward pass, and its layers built from a checkpoint.

use super::ARCHITECTURE;
use super::forms::{Branch, Family, Form};
use crate::ModelError;
use crate::architectures::vit::{Head, Parts, Readout, TokenShape, TowerShape, VisionTransformer, class_tokens, tower};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::BlockShape;
use crate::network::{Halt, Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use candle_core::{Result as EngineResult, Tensor, bail};
use neurogauge_kernels::blocks::Linear;

/// The package resizes every image to this side.
const SIDE_PX: usize = 224;
/// The name under which the embedding is offered.
const EMBEDDING: &str = "embedding";
const HEAD_WIDTH: usize = 64;
/// The package's name of transformer `index` in its module.
pub(super) fn module(index: usize) -> String {
    format!("extractor_list.{index}.model.")
}

/// DreamSim of one or more transformers. Its only layer is the package's `embed`: the concatenated features of all
/// transformers, minus their mean, at unit length.
pub(crate) struct DreamSim {
    outline: Outline,
    branches: Vec<Looking>,
}

/// A transformer with its weights.
pub(super) struct Looking {
    network: VisionTransformer,
    /// The layer whose output is this transformer's share of the features.
    layer: Layer,
    mean: Tensor,
    std: Tensor,
}

impl DreamSim {
    pub(super) fn new(branches: Vec<Looking>) -> DreamSim {
        DreamSim {
            outline: Outline::new(ARCHITECTURE, Sides::Fixed(SIDE_PX), vec![Layer::new(EMBEDDING, LayerKind::Vector)]),
            branches,
        }
    }

    /// Builds all transformers from one synthetic checkpoint, with `n_blocks` blocks each.
    pub(crate) fn synthetic(form: &Form, checkpoint: &mut Checkpoint, n_blocks: usize) -> Result<DreamSim, ModelError> {
        let branches = form.branches.iter().enumerate();
        let branches = branches.map(|(index, branch)| Looking::build(branch, checkpoint, &module(index), n_blocks));
        Ok(DreamSim::new(branches.collect::<Result<_, _>>()?))
    }
}

impl Looking {
    /// Builds the network from tensors whose names begin with `prefix`. Widths are read off the tensors' shapes; a
    /// synthetic checkpoint gets ViT-B's widths and `n_blocks` blocks.
    pub(super) fn build(
        branch: &Branch,
        checkpoint: &mut Checkpoint,
        prefix: &str,
        n_blocks: usize,
    ) -> Result<Looking, ModelError> {
        let family = branch.family;
        let shape = shape(branch, checkpoint, prefix, n_blocks);
        let width = shape.block.width;
        let names = family.names();
        let tokens = tower(checkpoint, shape, &names, prefix, &names)?;
        let (layer, head) = match family {
            Family::Dino => {
                let last = format!("{}{}", names.blocks, shape.n_blocks.saturating_sub(1));
                let tokens = LayerKind::TokensWithClass { n_registers: 0 };
                (Layer::new(last, tokens), None)
            }
            Family::Clip | Family::OpenClip => {
                const PROJECTION: &str = "proj";
                let name = format!("{prefix}{PROJECTION}");
                let n_embedding = match checkpoint.shape_of(&name) {
                    Some(&[_, n_embedding]) => n_embedding,
                    _ => 512,
                };
                let weight = checkpoint.take(&name, &[width, n_embedding])?;
                let map = checkpoint.arranged(|| Linear::without_bias(&weight.t()?))?;
                let head = Head {
                    readout: Readout::ClassToken,
                    vector: (PROJECTION, Some(map)),
                };
                (Layer::new(PROJECTION, LayerKind::Vector), Some(head))
            }
        };
        let parts = Parts {
            norm_of_class_token: true,
            head,
            ..tokens
        };
        let (mean, std) = family.statistics();
        let channels = |values: [f32; 3]| checkpoint.arranged(|| checkpoint.placement().tensor(values.to_vec(), 3));
        Ok(Looking {
            network: VisionTransformer::new(ARCHITECTURE, shape.sides(), parts),
            layer,
            mean: channels(mean)?,
            std: channels(std)?,
        })
    }

    /// The features of images with pixels in 0..1; shape (image, feature).
    fn features(&self, images: &Tensor) -> EngineResult<Tensor> {
        let wanted = [&self.layer];
        let mut found = LayerOutputs::new(&wanted);
        let images = images.broadcast_sub(&self.mean)?.broadcast_div(&self.std)?;
        match self.network.forward(&images, &mut found) {
            Ok(()) | Err(Halt::Complete) => {}
            Err(Halt::Engine(error)) => return Err(error),
        }
        let output = found.into_outputs().pop().flatten();
        match (output, self.layer.kind) {
            (Some(output), LayerKind::Vector) => Ok(output),
            (Some(output), _) => class_tokens(&output),
            (None, _) => bail!("{ARCHITECTURE} has no layer {}", self.layer.name),
        }
    }
}

fn shape(branch: &Branch, checkpoint: &Checkpoint, prefix: &str, n_blocks: usize) -> TowerShape {
    let of = |name: &str| checkpoint.shape_of(&format!("{prefix}{name}"));
    let (width, patch_px) = match of("patch_embed.proj.weight") {
        Some(&[width, _, patch_px, _]) => (width, patch_px),
        _ => (768, branch.patch_px),
    };
    let expand = |index: usize| format!("blocks.{index}.mlp.fc1.weight");
    let n_inner = match of(&expand(0)) {
        Some(&[n_inner, _]) => n_inner,
        _ => 4 * width,
    };
    let n_stored = (0..).take_while(|&index| of(&expand(index)).is_some());
    TowerShape {
        image_px: SIDE_PX,
        patch_px: patch_px.max(1),
        n_blocks: match n_stored.count() {
            0 => n_blocks,
            n_stored => n_stored,
        },
        block: BlockShape {
            width,
            n_heads: (width / HEAD_WIDTH).max(1),
            n_inner,
            activation: branch.family.activation(),
            epsilon: branch.family.epsilon(),
        },
        tokens: TokenShape::PLAIN,
    }
}

impl Network for DreamSim {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn images_per_pass(&self) -> usize {
        4
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let branches = self.branches.iter();
        let features = branches.map(|branch| branch.features(images));
        let features = Tensor::cat(&features.collect::<EngineResult<Vec<_>>>()?, 1)?;
        let centred = features.broadcast_sub(&features.mean_keepdim(1)?)?;
        let norms = centred.sqr()?.sum_keepdim(1)?.sqrt()?;
        outputs.offer(EMBEDDING, &centred.broadcast_div(&norms)?)
    }
}
