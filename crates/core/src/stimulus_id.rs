//! The number or name of a stimulus of an experiment.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Extensions of image files.
const ENDINGS: [&str; 8] = ["jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "gif"];

/// A stimulus by its number or by its name. Numbers sort before names, each in ascending order.
///
/// ```
/// use neurogauge_core::StimulusId;
/// // The ending of an image file is not part of a name, and zeros before a number do not count.
/// assert_eq!(StimulusId::from("dog_12s.jpg"), StimulusId::from("dog_12s"));
/// assert_eq!(StimulusId::from("00012.png"), StimulusId::Number(12));
/// assert!(StimulusId::Number(12) < StimulusId::from("1a"));
/// assert_eq!(StimulusId::from("COCO_train2014_000000000003.jpg").to_string(), "COCO_train2014_000000000003");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum StimulusId {
    Number(u64),
    /// The name without the extension of an image file.
    Name(String),
}

impl From<u64> for StimulusId {
    fn from(number: u64) -> Self {
        StimulusId::Number(number)
    }
}

impl From<&str> for StimulusId {
    fn from(text: &str) -> Self {
        let stem = match text.rsplit_once('.') {
            Some((stem, ending)) if is_of_image(ending) && !stem.is_empty() => stem,
            _ => text,
        };
        let is_number = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit());
        match stem.parse() {
            Ok(number) if is_number => StimulusId::Number(number),
            _ => StimulusId::Name(stem.to_owned()),
        }
    }
}

pub(crate) fn is_of_image(ending: &str) -> bool {
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

impl PartialEq<u64> for StimulusId {
    fn eq(&self, number: &u64) -> bool {
        matches!(self, StimulusId::Number(own) if own == number)
    }
}

impl Display for StimulusId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StimulusId::Number(number) => number.fmt(f),
            StimulusId::Name(name) => name.fmt(f),
        }
    }
}
