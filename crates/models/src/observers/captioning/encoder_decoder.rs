//! The halves of a captioner: both in memory, or one after the other.

use super::{CaptionDecoder, CaptionNetwork, ImageEncoder};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::network::VisionModel;
use neurogauge_core::ModelIdentity;
use neurogauge_formats::machine_memory;
use std::sync::Arc;

/// The part of a captioner's weights that is in memory. No bit of a caption depends on it.
///
/// The image encoder looks at all images of a call before the decoder writes the first word, so that they can take
/// turns. The memory of the larger half is enough then: 5.2 GiB of the 7.2 of BLIP-2 with OPT-2.7b in 16 bits. But
/// every call reads the whole checkpoint again (about 20 s of two cores for that one, from a file in 16 bits that is in
/// memory), so that it pays to caption many images in a call
/// ([`Captioner::images_per_call`](super::Captioner::images_per_call)). Calls at the same time each read their own.
///
/// If less memory is available than one and a half times the size of all weights, and if the halves are to take turns,
/// the process has no huge pages from then on ([`machine_memory::disable_huge_pages`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CaptionerMemory {
    /// Both halves, unless the machine's memory is too small for them when the captioner is loaded: the memory
    /// available once the decoder has been read must be one and a half times the image encoder's size; otherwise they
    /// take turns.
    #[default]
    AsAvailable,
    /// Both halves, from loading on.
    Whole,
    /// Nothing between calls, and during a call one half after the other.
    InTurns,
}

/// Half of a captioner: in memory, or read whenever it is needed.
pub(crate) enum Half<T> {
    Held(Arc<T>),
    Read(Box<dyn Fn() -> Result<T, ModelError> + Send + Sync>),
}

impl<T> Half<T> {
    /// It is in memory until the last that got it drops it.
    pub(crate) fn get(&self) -> Result<Arc<T>, ModelError> {
        match self {
            Half::Held(half) => Ok(half.clone()),
            Half::Read(read) => read().map(Arc::new),
        }
    }
}

/// The part of a captioner that sees, and the part that writes.
pub(crate) struct EncoderDecoder {
    pub(crate) encoder: Half<VisionModel<ImageEncoder>>,
    pub(crate) decoder: Half<CaptionDecoder>,
}

impl EncoderDecoder {
    /// Does each call read the weights?
    pub(crate) fn loads_one_at_a_time(&self) -> bool {
        matches!(self.decoder, Half::Read(_))
    }

    /// Reads both halves from a checkpoint, which `open` opens again each time. Returns the rest of the checkpoint.
    /// Either way of holding the halves, this shows whether the checkpoint fits.
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

/// Is there memory for this many bytes of weights, and half as much again for a batch of images and their texts? True
/// if the available memory is unknown.
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
