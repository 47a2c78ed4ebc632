//! The two halves of a captioner: both in memory, or one after the other.

use super::{CaptionDecoder, CaptionNetwork, ImageEncoder};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::network::VisionModel;
use neurogauge_core::ModelIdentity;
use neurogauge_formats::machine_memory;
use std::sync::Arc;

/// Which part of a captioner's weights is kept in memory. Captions do not depend on it.
///
/// The image encoder processes all images of a call before the decoder writes the first word, so the halves can take
/// turns, and memory for the larger one is enough: 5.2 GiB of the 7.2 of BLIP-2 with OPT-2.7b in 16 bits. But every
/// call reads the whole checkpoint again (about 20 s of two cores for that one, from a file in 16 bits that is in
/// memory), so it pays to caption many images in one call
/// ([`Captioner::images_per_call`](super::Captioner::images_per_call)). Simultaneous calls each read their own weights.
///
/// If less memory is available than one and a half times the size of all weights, or if the halves take turns, the
/// process uses no huge pages from then on ([`machine_memory::disable_huge_pages`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CaptionerMemory {
    /// Both halves, unless the machine has too little memory for them when the captioner is loaded. After the decoder
    /// has been read, the available memory must be one and a half times the image encoder's size; otherwise the halves
    /// take turns.
    #[default]
    AsAvailable,
    /// Both halves, from loading on.
    Whole,
    /// Nothing between calls, and one half after the other during a call.
    InTurns,
}

/// Half of a captioner, in memory or read from the file whenever it is needed.
pub(crate) enum Half<T> {
    Held(Arc<T>),
    Read(Box<dyn Fn() -> Result<T, ModelError> + Send + Sync>),
}

impl<T> Half<T> {
    /// The half; it stays in memory until the last user drops it.
    pub(crate) fn get(&self) -> Result<Arc<T>, ModelError> {
        match self {
            Half::Held(half) => Ok(half.clone()),
            Half::Read(read) => read().map(Arc::new),
        }
    }
}

/// The part of a captioner that reads images, and the part that writes.
pub(crate) struct EncoderDecoder {
    pub(crate) encoder: Half<VisionModel<ImageEncoder>>,
    pub(crate) decoder: Half<CaptionDecoder>,
}

impl EncoderDecoder {
    /// Does each call read the weights again?
    pub(crate) fn loads_one_at_a_time(&self) -> bool {
        matches!(self.decoder, Half::Read(_))
    }

    /// Reads both halves from a checkpoint, which `open` opens again each time. Returns the rest of the checkpoint.
    /// This also shows whether the checkpoint fits, even if the halves are not kept.
    pub(crate) fn read<C: CaptionNetwork>(
        config: &C,
        identity: &ModelIdentity,
        memory: CaptionerMemory,
        open: impl Fn() -> Result<Checkpoint, ModelError> + Clone + Send + Sync + 'static,
    ) -> Result<(EncoderDecoder, Checkpoint), ModelError> {
        let read_encoder = {
            let (config, identity) = (config.clone(), identity.clone());
            move |checkpoint: &mut Checkpoint| {
                let (encoder, placement) = (config.encoder(checkpoint)?, checkpoint.placement().clone());
                Ok(VisionModel::new(identity.clone(), encoder, placement))
            }
        };
        let mut checkpoint = open()?;
        let is_scarce = |weights: u64| match memory {
            CaptionerMemory::AsAvailable => !has_room(machine_memory::available(), weights),
            CaptionerMemory::Whole => false,
            CaptionerMemory::InTurns => true,
        };
        if is_scarce(checkpoint.bytes_left()) {
            machine_memory::disable_huge_pages();
        }
        let decoder = config.decoder(&mut checkpoint)?;
        if !is_scarce(checkpoint.bytes_left()) {
            let parts = EncoderDecoder {
                encoder: Half::Held(Arc::new(read_encoder(&mut checkpoint)?)),
                decoder: Half::Held(Arc::new(decoder)),
            };
            return Ok((parts, checkpoint));
        }
        drop(decoder);
        drop::<VisionModel<ImageEncoder>>(read_encoder(&mut checkpoint)?);
        let (config, reopen) = (config.clone(), open.clone());
        let parts = EncoderDecoder {
            encoder: Half::Read(Box::new(move || read_encoder(&mut open()?))),
            decoder: Half::Read(Box::new(move || config.decoder(&mut reopen()?))),
        };
        Ok((parts, checkpoint))
    }
}

/// Is there memory for weights of this many bytes, and for half as much again for a batch of images and their texts?
/// True if the available memory is unknown.
fn has_room(available: Option<u64>, encoder: u64) -> bool {
    available.is_none_or(|available| available >= encoder.saturating_add(encoder / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_as_much_as_the_encoder_takes_is_left_for_the_rest() {
        assert!(has_room(Some(1500), 1000));
        assert!(!has_room(Some(1499), 1000));
        assert!(!has_room(Some(u64::MAX - 1), u64::MAX));
        assert!(has_room(None, u64::MAX));
        assert!(has_room(Some(0), 0));
    }
}
