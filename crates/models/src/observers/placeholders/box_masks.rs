//! A segmenter without weights.

use crate::ModelError;
use crate::observers::segmentation::{MaskPrompt, PointLabel, PredictedMask, Segmenter, SegmenterInput};
use neurogauge_core::{BoxXyxy, Mask, ModelIdentity};
use std::sync::LazyLock;

/// **Its masks mean nothing.** A placeholder for a real segmenter, for use without weights.
///
/// The mask of a box is the box; the mask of points is the smallest box around the points on the object.
/// [`ModelIdentity::stand_in`] is true, so that everything computed from it is marked.
///
/// ```
/// use neurogauge_core::{BoxXyxy, Image};
/// use neurogauge_models::BoxMasks;
/// use neurogauge_models::segmentation::{MaskPrompt, Segmenter, SegmenterInput};
/// let image = Image::new(8, 8, vec![0.5_f32; 8 * 8 * 3]).unwrap();
/// let input = SegmenterInput { image, original_px: (10, 6) };
/// let prompt = MaskPrompt::Box(BoxXyxy { x0: 1.0, y0: 2.0, x1: 4.0, y1: 9.5 });
/// let masks = BoxMasks.segment(&input, &[prompt])?;
/// assert_eq!(masks[0].mask.bounds_px(), Some([1, 2, 3, 4]));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct BoxMasks;

impl BoxMasks {
    pub const ID: &str = "box-masks";
}

static IDENTITY: LazyLock<ModelIdentity> = LazyLock::new(|| ModelIdentity::placeholder(BoxMasks::ID, "1"));

impl Segmenter for BoxMasks {
    fn identity(&self) -> &ModelIdentity {
        &IDENTITY
    }

    fn segment(&self, input: &SegmenterInput, prompts: &[MaskPrompt]) -> Result<Vec<PredictedMask>, ModelError> {
        let (width_px, height_px) = input.original_px;
        let masks = prompts.iter().enumerate().map(|(index, prompt)| {
            if let Some(reason) = prompt.fault() {
                return Err(ModelError::mask_prompt(index, reason));
            }
            let BoxXyxy { x0, y0, x1, y1 } = around(prompt);
            let is_inside = |x: u32, y: u32| {
                let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                (x0..x1).contains(&x) && (y0..y1).contains(&y)
            };
            Ok(PredictedMask {
                mask: Mask::from_pixels(height_px as u32, width_px as u32, is_inside)?,
                score: 1.0,
                candidate: 0,
            })
        });
        masks.collect()
    }
}

fn around(prompt: &MaskPrompt) -> BoxXyxy {
    match prompt {
        MaskPrompt::Box(bbox) => *bbox,
        MaskPrompt::Points(points) => {
            let mut around = BoxXyxy::of([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY]);
            let inside = points.iter().filter(|point| point.label == PointLabel::Object);
            for point in inside {
                around.x0 = around.x0.min(point.x);
                around.y0 = around.y0.min(point.y);
                around.x1 = around.x1.max(point.x);
                around.y1 = around.y1.max(point.y);
            }
            around
        }
    }
}
