//! Computes LPIPS: a network, its linear heads, and the distance of two images.

use super::config::{LPIPS_LAYERS, LpipsNet, SCALE, SHIFT};
use super::heads::LpipsHeads;
use crate::architectures::has_no_use;
use crate::architectures::plain::Plain;
use crate::checkpoint::Checkpoint;
use crate::network::{Layer, Network, outputs};
use crate::observers::preprocess::check_finite;
use crate::{Arithmetic, DeviceChoice, ModelError, WeightPrecision};
use candle_core::{Storage, Tensor};
use neurogauge_core::parallel;
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::in_main_memory;
use neurogauge_kernels::blocks::place_distance::{mean_distance, shares};
use neurogauge_kernels::blocks::slices::values;
use neurogauge_kernels::pixels::normalise;
use std::sync::{Mutex, PoisonError};

/// Learned perceptual image patch similarity (Zhang et al. 2018, equation 1): the distance of two images
/// in the layers of a network, d = Σ_l mean_hw Σ_c w_lc (x̂_lhwc - ŷ_lhwc)².
///
/// x̂ and ŷ are the outputs of rectified layer l, divided at every place by the norm of the channels there
/// (plus 1e-10); w_l is the layer's linear head, without negative weights. Pixels in [0, 1] become
/// (2 x - 1 - shift) / scale with the published shift and scale. The network runs in f32, the comparison
/// in f64.
///
/// Images: shape (`height_px`, `width_px`, 3), the two of a pair of one size; different pairs may differ.
/// Range 0 to infinity, lower is better, 0 for equal images; there is no chance level.
///
/// Conventions: `lpips-size`, `lpips-heads`.
///
/// Reference: `lpips.LPIPS` (0.1.4, not spatial, `net="alex"` and `"vgg"`), within 1e-5 of the distance and
/// of the part of each layer: both compute the layers in f32, in different orders.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::{Lpips, LpipsHeads, LpipsNet};
/// // Weights that mean nothing, which the reference can have too.
/// let lpips = Lpips::synthetic(LpipsHeads::synthetic(LpipsNet::Alex, 0)?, 0)?;
/// let [black, white] = [0.0, 1.0].map(|v| Image::new(64, 64, vec![v; 64 * 64 * 3]).unwrap());
/// let distance = lpips.compare(&black, &white)?;
/// assert!((distance.total() - 0.54633564).abs() < 1e-5);
/// assert!((distance.layers[0] - 0.29427564).abs() < 1e-5);
/// assert_eq!(lpips.compare(&white, &white)?.total(), 0.0);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct Lpips {
    backbone: ModelIdentity,
    network: Box<dyn Network>,
    placement: Placement,
    turn: Mutex<()>,
    heads: LpipsHeads,
}

/// The distance of two images.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LpipsDistance {
    /// What each layer contributes, in the network's order.
    pub layers: [f64; LPIPS_LAYERS],
}

impl LpipsDistance {
    /// LPIPS: the sum over the layers.
    pub fn total(&self) -> f64 {
        self.layers.iter().sum()
    }
}

impl Lpips {
    /// LPIPS with these heads and these weights of the registry's model `id`.
    pub(crate) fn of_checkpoint(
        identity: ModelIdentity,
        (id, checkpoint): (&str, Checkpoint),
        heads: LpipsHeads,
        device: DeviceChoice,
    ) -> Result<Lpips, ModelError> {
        let precision = WeightPrecision::of(&identity);
        let mut checkpoint = checkpoint.computed(Arithmetic { precision, device })?;
        let network = network(heads.net(), &mut checkpoint)?;
        let placement = checkpoint.placement().clone();
        checkpoint.finish(|tensor| has_no_use(id, tensor) || tensor.starts_with("classifier."))?;
        Ok(Lpips {
            backbone: identity,
            network,
            placement,
            turn: Mutex::default(),
            heads,
        })
    }

    /// LPIPS with these heads and the weights of the synthetic checkpoint `seed`
    /// ([`neurogauge_core::synthetic::parameter`]): for proofs. Its outputs mean nothing.
    ///
    /// # Errors
    /// No known ones.
    pub fn synthetic(heads: LpipsHeads, seed: u64) -> Result<Lpips, ModelError> {
        let mut checkpoint = Checkpoint::synthetic(seed, &[], "a synthetic checkpoint");
        Ok(Lpips {
            backbone: ModelIdentity::placeholder(heads.net().backbone(), format!("synthetic checkpoint {seed}")),
            network: network(heads.net(), &mut checkpoint)?,
            placement: Placement::cpu(),
            turn: Mutex::default(),
            heads,
        })
    }

    /// Identifies the network and its weights.
    pub fn backbone(&self) -> &ModelIdentity {
        &self.backbone
    }

    /// The linear heads.
    pub fn heads(&self) -> &LpipsHeads {
        &self.heads
    }

    /// The distance of a reconstruction from its stimulus (or the other way round: it is symmetric).
    ///
    /// # Errors
    /// Images of different sizes, or of a size that the network cannot process; a pixel or a distance that is not
    /// finite.
    pub fn compare(&self, gt: &Image<f32>, recon: &Image<f32>) -> Result<LpipsDistance, ModelError> {
        self.compare_pair(0, gt, recon, None)
    }

    /// As [`compare`](Self::compare), within the pixels `inside` if these are given: each layer's differences by place are
    /// enlarged to the image's size (bilinear, as of `lpips.LPIPS(spatial=True)`) and averaged over these pixels.
    ///
    /// # Errors
    /// As [`compare`](Self::compare); no pixel inside, since no mean is finite.
    pub fn compare_within(
        &self,
        gt: &Image<f32>,
        recon: &Image<f32>,
        inside: Option<&[bool]>,
    ) -> Result<LpipsDistance, ModelError> {
        self.compare_pair(0, gt, recon, inside)
    }

    /// The distances of several pairs, on all threads; on another device, one pair after the other. The distance of a
    /// pair is bit-identical alone and among others, and with any number of threads.
    ///
    /// # Errors
    /// Lists of different lengths; those that [`compare`](Self::compare) reports.
    pub fn distances(&self, gt: &[Image<f32>], recon: &[Image<f32>]) -> Result<Vec<LpipsDistance>, ModelError> {
        let (n_gt, n_recon) = (gt.len(), recon.len());
        if n_gt != n_recon {
            return Err(ModelError::other(format_args!(
                "{n_gt} stimuli and {n_recon} reconstructions do not make pairs"
            )));
        }
        parallel::try_map(gt.len(), |index| self.compare_pair(index, &gt[index], &recon[index], None))
    }

    fn compare_pair(
        &self,
        index: usize,
        gt: &Image<f32>,
        recon: &Image<f32>,
        inside: Option<&[bool]>,
    ) -> Result<LpipsDistance, ModelError> {
        let size = |image: &Image<f32>| (image.width_px(), image.height_px());
        if size(gt) != size(recon) {
            return Err(ModelError::PairSizes {
                index,
                gt_px: size(gt),
                recon_px: size(recon),
            });
        }
        let outline = self.network.outline();
        outline.check_size(index, size(gt))?;
        let names = self.heads.net().facts().layers.map(|(name, _)| name);
        let layers = outline.layers.iter();
        let wanted: Vec<&Layer> = layers.filter(|layer| names.contains(&layer.name.as_str())).collect();
        let both = [scaled(gt)?, scaled(recon)?];
        let outputs = {
            // On any device except the CPU, threads take turns.
            let _turn =
                (!self.placement.runs_side_by_side()).then(|| self.turn.lock().unwrap_or_else(PoisonError::into_inner));
            outputs(self.network.as_ref(), &both, &wanted, &self.placement)?
        };
        let mut distance = LpipsDistance {
            layers: [0.0; LPIPS_LAYERS],
        };
        let heads = self.heads.weights();
        for ((layer, output), weights) in distance.layers.iter_mut().zip(&outputs).zip(heads) {
            let region = inside.map(|inside| (inside, (gt.height_px(), gt.width_px())));
            *layer = difference(output, weights, region)
                .map_err(ModelError::engine(outline.architecture, "reading a layer"))?;
        }
        let unsound = |(_, value): &(_, f64)| !value.is_finite();
        match names.into_iter().zip(distance.layers).find(unsound) {
            None => Ok(distance),
            Some((layer, value)) => Err(ModelError::other(format_args!(
                "the distance of {} is {value} in its layer {layer}; are the pixels within [0, 1] and the weights sound?",
                self.heads.net().metric()
            ))),
        }
    }
}

/// The weighted difference of two images in a layer's output of shape (2, row, column, channel), within the pixels inside
/// images of (rows, columns).
fn difference(output: &Tensor, weights: &[f32], region: Option<(&[bool], (usize, usize))>) -> candle_core::Result<f64> {
    let (_, rows, columns, _) = output.dims4()?;
    let output = in_main_memory(output)?.contiguous()?;
    let (storage, layout) = output.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else {
        candle_core::bail!("expected a tensor in main memory");
    };
    let maps = values(storage, layout)?;
    let (gt, recon) = maps.split_at(maps.len() / 2);
    let shares = region.map(|(inside, size)| shares(inside, size, (rows, columns)));
    Ok(mean_distance(gt, recon, weights, shares.as_deref()))
}

fn network(net: LpipsNet, checkpoint: &mut Checkpoint) -> Result<Box<dyn Network>, ModelError> {
    Ok(match net {
        LpipsNet::Alex => Box::new(Plain::alexnet(checkpoint, false)?),
        LpipsNet::Vgg => Box::new(Plain::vgg16(checkpoint, false)?),
    })
}

/// Converts from [0, 1] to the network's input, in the order of the reference's f32 operations.
fn scaled(image: &Image<f32>) -> Result<Image<f32>, ModelError> {
    check_finite(image)?;
    let mut input = image.clone();
    for value in input.data_mut() {
        *value = 2.0 * *value - 1.0;
    }
    normalise(input.data_mut(), SHIFT, SCALE);
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It would take 230 MB with AlexNet, and 490 MB with VGG-16.
    #[test]
    fn the_classifier_is_not_built() {
        for net in LpipsNet::ALL {
            let mut checkpoint = Checkpoint::synthetic(0, &[], "a synthetic checkpoint");
            assert!(network(net, &mut checkpoint).unwrap().classifier().is_none());
        }
    }
}
