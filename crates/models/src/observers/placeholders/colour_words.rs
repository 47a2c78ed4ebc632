//! A captioner without weights.

use super::identity;
use crate::{CaptionOptions, Captioner, ModelError};
use neurogauge_core::{Image, ModelIdentity};

/// **Its captions mean nothing.** A placeholder for a real captioner where there are no weights.
///
/// It names the mean colours of the upper and of the lower half of an image, without recognising anything.
/// [`ModelIdentity::stand_in`] is true, so that everything computed from it is marked.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::{CaptionOptions, Captioner, ColourWords};
/// let values = [[-1.0_f32, -1.0, 0.5], [1.0, 1.0, 1.0]].concat();
/// let image = Image::new(1, 2, values).unwrap();
/// let captions = ColourWords::new().caption(&[image], &CaptionOptions::default(), &|_| {})?;
/// assert_eq!(captions, ["a picture that is dark blue above and bright grey below"]);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ColourWords {
    identity: ModelIdentity,
}

impl ColourWords {
    /// Id of the model.
    pub const ID: &str = "colour-words";

    /// The model; there is only one.
    pub fn new() -> Self {
        ColourWords {
            identity: identity(Self::ID, "1"),
        }
    }
}

impl Default for ColourWords {
    fn default() -> Self {
        Self::new()
    }
}

impl Captioner for ColourWords {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn caption(
        &self,
        images: &[Image<f32>],
        _: &CaptionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError> {
        let captions = images.iter().map(|image| {
            let (upper, lower) = image.data().split_at(image.data().len() / 2);
            format!(
                "a picture that is {} above and {} below",
                colour(upper),
                colour(lower)
            )
        });
        let captions = captions.collect();
        progress(images.len());
        Ok(captions)
    }
}

/// Of values that are brought to mean 0 and variance 1, red, green and blue in turn.
pub(crate) fn colour(values: &[f32]) -> String {
    let mut means = [0.0_f64; 3];
    let (pixels, _) = values.as_chunks::<3>();
    for pixel in pixels {
        for (mean, value) in means.iter_mut().zip(pixel) {
            *mean += f64::from(*value) / pixels.len() as f64;
        }
    }
    let brightness = means.iter().sum::<f64>() / 3.0;
    let shade = match brightness {
        b if b < -0.4 => "dark ",
        b if b > 0.4 => "bright ",
        _ => "",
    };
    let channels = ["red", "green", "blue"].into_iter().zip(means);
    let strongest = channels.max_by(|a, b| a.1.total_cmp(&b.1));
    let hue = match strongest {
        Some((hue, mean)) if mean - brightness > 0.1 => hue,
        _ => "grey",
    };
    format!("{shade}{hue}")
}
