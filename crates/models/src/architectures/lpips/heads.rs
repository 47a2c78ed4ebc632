//! The linear heads: a weight for each channel of each layer.

use super::config::{LPIPS_LAYERS, LpipsNet};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::weights::hash_file;
use crate::{ModelError, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// The architecture's name in messages.
const ARCHITECTURE: &str = "LPIPS";
/// The revision of the heads in the package.
const PUBLISHED: &str = "0.1";

/// The linear heads of LPIPS, from a file like the one in the Python package `lpips`.
#[derive(Debug, Clone, PartialEq)]
pub struct LpipsHeads {
    net: LpipsNet,
    identity: ModelIdentity,
    weights: [Vec<f32>; LPIPS_LAYERS],
}

impl LpipsHeads {
    /// Reads `lin0.model.1.weight` to `lin4.model.1.weight`, each of shape (1, `n_channels`, 1, 1); the numbers of
    /// channels determine the network.
    ///
    /// # Errors A file that cannot be read; heads of neither network; unexpected tensors; weights that are negative or
    /// not finite, because they give no distance.
    pub fn open(path: &Path) -> Result<LpipsHeads, ModelError> {
        let mut checkpoint = Checkpoint::open(path, ARCHITECTURE, WeightPrecision::F32)?;
        let malformed = |reason: String| ModelError::malformed(path, reason);
        let net = net_of(&checkpoint).map_err(malformed)?;
        let weights = weights(net, &mut checkpoint)?;
        checkpoint.finish(|_| false)?;
        for (index, weights) in weights.iter().enumerate() {
            let wrong = |weight: &&f32| !(weight.is_finite() && **weight >= 0.0);
            if let Some(weight) = weights.iter().find(wrong) {
                return Err(malformed(format!(
                    "{} has the weight {weight}, expected weights of at least 0",
                    tensor(index)
                )));
            }
        }
        let (_, sha256) = hash_file(path)?;
        let is_published = sha256 == net.facts().sha256;
        Ok(LpipsHeads {
            net,
            identity: ModelIdentity {
                id: format!("{}-heads", net.metric()),
                revision: if is_published { PUBLISHED } else { "" }.to_owned(),
                sha256,
                stand_in: false,
            },
            weights,
        })
    }

    /// The absolute values of the synthetic checkpoint `seed`
    /// ([`neurogauge_core::synthetic::parameter`]): for proofs. Their outputs mean nothing.
    ///
    /// # Errors
    /// No known ones.
    pub fn synthetic(net: LpipsNet, seed: u64) -> Result<LpipsHeads, ModelError> {
        let mut weights = weights(net, &mut Checkpoint::synthetic(seed, &[], ARCHITECTURE))?;
        for weight in weights.iter_mut().flatten() {
            *weight = weight.abs();
        }
        Ok(LpipsHeads {
            net,
            identity: ModelIdentity::placeholder(
                format!("{}-heads", net.metric()),
                format!("synthetic checkpoint {seed}"),
            ),
            weights,
        })
    }

    /// The network that the heads belong to.
    pub fn net(&self) -> LpipsNet {
        self.net
    }

    /// Identifies the heads; the revision is empty unless they are the published ones.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    pub(super) fn weights(&self) -> &[Vec<f32>; LPIPS_LAYERS] {
        &self.weights
    }
}

fn tensor(index: usize) -> String {
    format!("lin{index}.model.1.weight")
}

/// The network whose layers have the heads' numbers of channels; the error describes the heads.
fn net_of(checkpoint: &Checkpoint) -> Result<LpipsNet, String> {
    let shapes: [Option<&[usize]>; LPIPS_LAYERS] = std::array::from_fn(|index| checkpoint.shape_of(&tensor(index)));
    let belongs = |net: &LpipsNet| {
        let channels = net.channels();
        let mut tensors = shapes.iter().zip(&channels);
        tensors.all(|(shape, channels)| *shape == Some(&[1, *channels, 1, 1]))
    };
    LpipsNet::ALL.into_iter().find(belongs).ok_or_else(|| {
        let known = LpipsNet::ALL.map(|net| {
            let (file, channels) = (net.published_heads(), net.channels());
            format!("{channels:?} ({}: {file})", net.metric())
        });
        let found = shapes.iter().enumerate().map(|(index, shape)| match shape {
            Some(shape) => format!("{} {shape:?}", tensor(index)),
            None => format!("no {}", tensor(index)),
        });
        format!(
            "no heads of LPIPS that are known: found {}; expected shapes [1, C, 1, 1] with C = {}, as \
             in these files of the Python package lpips",
            found.collect::<Vec<_>>().join(", "),
            known.join(" or ")
        )
    })
}

fn weights(net: LpipsNet, checkpoint: &mut Checkpoint) -> Result<[Vec<f32>; LPIPS_LAYERS], ModelError> {
    let mut all: [Vec<f32>; LPIPS_LAYERS] = Default::default();
    for (index, (weights, channels)) in all.iter_mut().zip(net.channels()).enumerate() {
        let tensor = checkpoint.take(&tensor(index), &[1, channels, 1, 1])?;
        *weights = tensor
            .flatten_all()
            .and_then(|tensor| tensor.to_vec1())
            .map_err(ModelError::engine(ARCHITECTURE, "reading a tensor"))?;
    }
    Ok(all)
}
