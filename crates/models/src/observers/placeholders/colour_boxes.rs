//! A detector without weights.

use super::colour_words::colour;
use crate::ModelError;
use crate::observers::detection::{GroundingNetwork, PromptTokens, RawDetections};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Image, ModelIdentity};
use std::ops::Range;
use std::sync::LazyLock;

/// **Its boxes mean nothing.** A placeholder for a real detector, for use without weights.
///
/// It looks at an image and at its quarters, and picks the words for each at random, but always the same words for the
/// same colour. Prompt, preprocessing and post-processing are the same as for real detectors.
/// [`ModelIdentity::stand_in`] is true, so that everything computed from it is marked.
///
/// ```
/// use neurogauge_core::{Image, LabelList};
/// use neurogauge_models::ColourBoxes;
/// use neurogauge_models::detection::{DetectionOptions, Detector, DetectorPreprocessing};
/// let grey = Image::new(40, 20, vec![0.5_f32; 40 * 20 * 3]).unwrap();
/// let input = DetectorPreprocessing::mmdetection().apply(&grey)?;
/// let (labels, options) = (LabelList::coco(), DetectionOptions::default());
/// let found = ColourBoxes.detect(&[input], &labels, &options, &|_| {})?;
/// assert_eq!(found[0].items.len(), 300); // of 5 places x 80 categories
/// assert_eq!(found[0].image_size_px, Some((40.0, 20.0)));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ColourBoxes;

/// Centre, width and height of each place in the image that it looks at.
const PLACES: [[f32; 4]; 5] = [
    [0.5, 0.5, 0.96, 0.96],
    [0.25, 0.25, 0.45, 0.45],
    [0.75, 0.25, 0.45, 0.45],
    [0.25, 0.75, 0.45, 0.45],
    [0.75, 0.75, 0.45, 0.45],
];

/// BERT's ids of `[CLS]` and `[SEP]`.
const ENDS: (u32, u32) = (101, 102);

impl ColourBoxes {
    pub const ID: &str = "colour-boxes";
}

static IDENTITY: LazyLock<ModelIdentity> = LazyLock::new(|| ModelIdentity::placeholder(ColourBoxes::ID, "1"));

impl GroundingNetwork for ColourBoxes {
    fn model(&self) -> &ModelIdentity {
        &IDENTITY
    }

    /// Words and punctuation marks, each a token.
    fn tokens(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError> {
        let mut ids = vec![ENDS.0];
        let mut offsets: Vec<Range<usize>> = std::iter::once(0..0).collect();
        let mut start = 0;
        for (place, letter) in prompt.char_indices() {
            if letter.is_alphanumeric() {
                continue;
            }
            let end = place + letter.len_utf8();
            let end_of_mark = if letter.is_whitespace() { place } else { end };
            for bytes in [start..place, place..end_of_mark] {
                if !bytes.is_empty() {
                    ids.push(id(&prompt[bytes.clone()]));
                    offsets.push(bytes);
                }
            }
            start = end;
        }
        if start < prompt.len() {
            ids.push(id(&prompt[start..]));
            offsets.push(start..prompt.len());
        }
        ids.push(ENDS.1);
        offsets.push(0..0);
        Ok((PromptTokens { ids }, offsets))
    }

    fn look(&self, image: &Image<f32>, prompt: &PromptTokens) -> Result<RawDetections, ModelError> {
        let logits = PLACES.iter().flat_map(|place| {
            let colour = colour(&values_within(image, *place));
            let logit = move |id: &u32| {
                let share = Synthetic::new(&format!("{colour} {id}"), 0).uniform(0);
                // This makes about one word in twenty fit a colour.
                62.0 * share - 60.0
            };
            prompt.ids.iter().map(logit)
        });
        Ok(RawDetections {
            logits: logits.collect(),
            n_tokens: prompt.ids.len(),
            boxes: PLACES.to_vec(),
        })
    }
}

fn id(word: &str) -> u32 {
    (Synthetic::new(word, 0).bits(0) >> 32) as u32
}

/// Red, green and blue, in turn, of the pixels within a box.
fn values_within(image: &Image<f32>, [x, y, width, height]: [f32; 4]) -> Vec<f32> {
    let within = |centre: f32, extent: f32, length_px: usize| {
        let edge = |share: f32| (share * length_px as f32) as usize;
        edge(centre - extent / 2.0)..edge(centre + extent / 2.0)
    };
    let columns = within(x, width, image.width_px());
    let rows = within(y, height, image.height_px());
    let n_values = image.width_px() * Image::<f32>::CHANNELS;
    let row = |y: usize| {
        let (start, end) = (columns.start * 3, columns.end * 3);
        &image.data()[y * n_values..][start..end]
    };
    rows.map(row).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_and_mark_is_a_token_at_its_place() {
        let prompt = "dog. hot_dog. é";
        let (tokens, offsets) = ColourBoxes.tokens(prompt).unwrap();
        let words: Vec<&str> = offsets.iter().map(|bytes| &prompt[bytes.clone()]).collect();
        assert_eq!(words, ["", "dog", ".", "hot", "_", "dog", ".", "é", ""]);
        assert_eq!(tokens.ids.len(), words.len());
        assert_eq!(tokens.ids[1], tokens.ids[5]);
        assert_eq!((tokens.ids[0], tokens.ids[8]), ENDS);
    }

    #[test]
    fn a_place_is_told_by_its_colour_alone() {
        let white = Image::new(20, 20, vec![2.0; 1200]).unwrap();
        let mut other = white.clone();
        other.data_mut()[..600].fill(-2.0);
        let prompt = PromptTokens { ids: (0..50).collect() };
        let look = |image| ColourBoxes.look(image, &prompt).unwrap().logits;
        let (white, other) = (look(&white), look(&other));
        let quarters = |logits: &[f32], n: usize| logits[n * 50..(n + 1) * 50].to_vec();
        assert_eq!(quarters(&white, 4), quarters(&other, 4));
        assert_eq!(quarters(&other, 1), quarters(&other, 2));
        assert_ne!(quarters(&other, 1), quarters(&other, 3));
    }
}
