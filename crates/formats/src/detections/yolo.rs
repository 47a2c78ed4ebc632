//! YOLO's text files: one for each image, with a line for each object.

use super::found_objects::{FoundObjects, Label, SHARES};
use super::units::EDGE_TOLERANCE;
use crate::delimited_text::{Number, number};
use crate::{AtPath, FormatError, Problem};
use std::path::Path;

/// The form of a file, for messages.
pub(super) const FORM: &str = "YOLO's lines `class cx cy width height`, or with a confidence behind, such as \
                               `16 0.5 0.4 0.2 0.3 0.9`, as shares of the image's width and height";

/// The objects, the most confident first; without a confidence, each has 1. An empty file has no object. Boxes are
/// shares of the image.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<FoundObjects<'static>, FormatError> {
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::content("no text", FORM)).at(path)?;
    let mut found = FoundObjects {
        image_size_px: Some(SHARES),
        ..FoundObjects::default()
    };
    for (line, words) in (1..).zip(text.lines()) {
        let faulty = |what: String| Problem::line(line, format!("{what}; expected {FORM}")).at(path);
        let numbers = words.split_whitespace().map(|word| match number(word) {
            Number::Finite(value) => Ok(value),
            Number::Missing | Number::Infinite | Number::Text => Err(faulty(format!("{word:?} is no finite number"))),
        });
        let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
        let (class, place, score) = match *numbers.as_slice() {
            [] => continue,
            [class, cx, cy, width, height] => (class, [cx, cy, width, height], 1.0),
            [class, cx, cy, width, height, score] => (class, [cx, cy, width, height], score),
            _ => return Err(faulty(format!("{} numbers", numbers.len()))),
        };
        if class.fract() != 0.0 || !(0.0..=1e9).contains(&class) {
            return Err(faulty(format!("the class {class}")));
        }
        let inside = -EDGE_TOLERANCE..=1.0 + EDGE_TOLERANCE;
        if let Some(share) = place.iter().chain([&score]).find(|share| !inside.contains(share)) {
            return Err(faulty(format!("{share} is no share from 0 to 1")));
        }
        let [cx, cy, half_width, half_height] = [place[0], place[1], place[2] / 2.0, place[3] / 2.0];
        let bbox = [cx - half_width, cy - half_height, cx + half_width, cy + half_height];
        found.push(Label::Index(class as i64), score.clamp(0.0, 1.0), bbox);
    }
    Ok(found.into_order_of_scores())
}
