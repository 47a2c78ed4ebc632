//! A captioner without weights.

use crate::observers::local_vlm::{AnswerOptions, Beginning, Vlm, WrittenAnswer, YesNoVlm};
use crate::{CaptionOptions, Captioner, ModelError};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::pixels::mean_colour;
use std::sync::LazyLock;

/// **Its captions mean nothing.** A placeholder for a real captioner, for use without weights.
///
/// It names the mean colours of the upper and of the lower half of an image, without recognising anything.
/// [`ModelIdentity::stand_in`] is true, so that everything computed from it is marked.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::{CaptionOptions, Captioner, ColourWords};
/// let values = [[-1.0_f32, -1.0, 0.5], [1.0, 1.0, 1.0]].concat();
/// let image = Image::new(1, 2, values).unwrap();
/// let captions = ColourWords.caption(&[image], &CaptionOptions::default(), &|_| {})?;
/// assert_eq!(captions, ["a picture that is dark blue above and bright grey below"]);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ColourWords;

impl ColourWords {
    pub const ID: &str = "colour-words";
}

static IDENTITY: LazyLock<ModelIdentity> = LazyLock::new(|| ModelIdentity::placeholder(ColourWords::ID, "1"));

impl Captioner for ColourWords {
    fn identity(&self) -> &ModelIdentity {
        &IDENTITY
    }

    fn caption(
        &self,
        images: &[Image<f32>],
        _: &CaptionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError> {
        let captions = images.iter().map(|image| {
            let (upper, lower) = image.data().split_at(image.data().len() / 2);
            format!("a picture that is {} above and {} below", colour(upper), colour(lower))
        });
        let captions = captions.collect();
        progress(images.len());
        Ok(captions)
    }
}

/// Names the colour of values with mean 0 and variance 1: red, green and blue in turn.
pub(crate) fn colour(values: &[f32]) -> String {
    let means = mean_colour(values);
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

/// Answers with names of colours, separated by commas, regardless of the question.
impl Vlm for ColourWords {
    fn identity(&self) -> &ModelIdentity {
        Captioner::identity(self)
    }

    fn answer(
        &self,
        picture: &Image<f32>,
        _question: &str,
        _options: &AnswerOptions,
    ) -> Result<WrittenAnswer, ModelError> {
        Ok(WrittenAnswer {
            text: halves(picture).join(", "),
            is_cut_off: false,
        })
    }
}

/// Answers yes with probability 1/4, and 1/4 more for each half whose colour the question names.
impl YesNoVlm for ColourWords {
    fn identity(&self) -> &ModelIdentity {
        Captioner::identity(self)
    }

    fn beginnings(&self, picture: &Image<f32>, question: &str) -> Result<Vec<Beginning>, ModelError> {
        let named = halves(picture).into_iter();
        let n_named = named.filter(|colour| question.contains(colour.as_str()));
        let yes = 0.25 + 0.25 * n_named.count() as f64;
        let beginning = |token: &str, probability: f64| Beginning {
            token: token.to_owned(),
            logprob: probability.ln(),
        };
        Ok(vec![beginning("Yes", yes), beginning("No", 1.0 - yes)])
    }
}

/// Names the colours of the upper and the lower half.
fn halves(picture: &Image<f32>) -> [String; 2] {
    let mut values = picture.data().to_vec();
    for value in &mut values {
        *value = 4.0 * *value - 2.0;
    }
    let (upper, lower) = values.split_at(values.len() / 2);
    [colour(upper), colour(lower)]
}
