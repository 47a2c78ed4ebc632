//! BrainHub's boxes: one JSON file for all stimuli, with boxes by category name.

use super::units::shares_in_px;
use crate::json::{self, UniqueEntries};
use crate::{AtPath, FormatError, Problem};
use neurogauge_core::{BoxXyxy, Detection, Detections, LabelList};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::path::Path;

/// Reads BrainHub's boxes of all stimuli, by stem in natural order.
///
/// The file is `{"0": {"umbrella": [[x0, y0, x1, y1], ...]}}` with coordinates as shares of the
/// image's width and height. Decoded boxes nest one list deeper (a list of answers, each a list of boxes); the boxes of
/// all answers are used. They have no scores, so each gets 1.
///
/// Coordinates are multiplied by `box_scale_px`, the width and height of the stimulus in px (425 x 425 for NSD), which
/// is also taken as the image size. The objects of a stimulus are in the order of the label list and, within a
/// category, of the file, so the order of keys does not matter. A category with an empty list adds nothing; a stimulus
/// without boxes is kept, without objects.
///
/// # Errors
/// JSON faults with line and column (also a key that occurs twice); a category that the label list does not have; a
/// coordinate outside 0..1 (by more than 0.01); no stimuli; a scale that is not positive. Inverted boxes are accepted
/// ([`DetectionSource::load_upright`](super::DetectionSource::load_upright) refuses them).
pub fn read_boxes(
    path: &Path,
    labels: &LabelList,
    box_scale_px: (f64, f64),
) -> Result<Vec<(String, Detections)>, FormatError> {
    let (width, height) = box_scale_px;
    if !(width.is_finite() && height.is_finite() && width > 0.0 && height > 0.0) {
        let reason = format!("{width} x {height} px; expected a width and a height above 0");
        return Err(Problem::invalid("box scale", reason).at(path));
    }
    let file: UniqueEntries<UniqueEntries<Node>> = json::read_as(path, super::source::ONE_FILE)?;
    let stimulus = |(stem, categories): (String, UniqueEntries<Node>)| {
        let reader = Reader {
            stem: &stem,
            scale: box_scale_px,
        };
        let detections = Detections::of(reader.objects(&categories.0, labels)?, Some(box_scale_px));
        Ok((stem, detections))
    };
    let stimuli = file.0.into_iter().map(stimulus).collect::<Result<Vec<_>, Problem>>().at(path)?;
    json::by_stem(stimuli, "no stimulus in it; expected {\"stem\": {\"category\": [boxes]}}").at(path)
}

/// A number or a list, nested to any depth; files nest boxes to different depths.
enum Node {
    Number(f64),
    List(Vec<Node>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NodeVisitor;
        impl<'de> Visitor<'de> for NodeVisitor {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of boxes [left, top, right, bottom]")
            }
            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Node, E> {
                Ok(Node::Number(value))
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Number(value as f64))
            }
            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Number(value as f64))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Node, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Node::List)
            }
        }
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct Reader<'a> {
    stem: &'a str,
    scale: (f64, f64),
}

impl Reader<'_> {
    fn objects(&self, categories: &[(String, Node)], labels: &LabelList) -> Result<Vec<Detection>, Problem> {
        let mut known = Vec::with_capacity(categories.len());
        for (name, boxes) in categories {
            let category = labels
                .index_of(name)
                .ok_or_else(|| Problem::unknown_label(format!("stimulus {:?}", self.stem), name, labels.id()))?;
            known.push((category, name, boxes));
        }
        known.sort_by_key(|&(category, ..)| category);
        if let Some(twins) = known.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let reason = format!("names the same category as {:?}", twins[0].1);
            return Err(self.invalid(twins[1].1, reason));
        }
        let mut objects = Vec::new();
        for (category, name, boxes) in known {
            let Node::List(entries) = boxes else {
                return Err(self.invalid(name, "a number; expected a list of boxes".to_owned()));
            };
            let mut of_category = Vec::new();
            self.collect(name, entries, 1, &mut of_category)?;
            objects.extend(of_category.into_iter().map(|bbox| Detection {
                category,
                score: 1.0,
                bbox: BoxXyxy::of(bbox),
            }));
        }
        Ok(objects)
    }

    /// Adds the boxes in `entries`, which are either boxes or, one level deeper, lists of boxes.
    fn collect(&self, name: &str, entries: &[Node], depth: usize, boxes: &mut Vec<[f64; 4]>) -> Result<(), Problem> {
        for entry in entries {
            let faulty = |found: String| {
                let expected = "expected boxes of 4 numbers [left, top, right, bottom]";
                self.invalid(name, format!("{found}; {expected}"))
            };
            match entry {
                Node::Number(number) => return Err(faulty(format!("the number {number}"))),
                Node::List(inner) if matches!(inner.first(), Some(Node::Number(_))) => {
                    let numbers: Vec<f64> = inner.iter().filter_map(Node::number).collect();
                    match <[f64; 4]>::try_from(numbers) {
                        Ok(bbox) if inner.len() == 4 => boxes.push(self.scaled(name, bbox)?),
                        _ => return Err(faulty(format!("a list of {}", inner.len()))),
                    }
                }
                Node::List(inner) if depth < 2 => self.collect(name, inner, depth + 1, boxes)?,
                Node::List(_) => return Err(faulty("lists nested too deep".to_owned())),
            }
        }
        Ok(())
    }

    fn scaled(&self, name: &str, bbox: [f64; 4]) -> Result<[f64; 4], Problem> {
        shares_in_px(bbox, self.scale).map_err(|edge| {
            let reason = format!(
                "coordinate {edge}; expected shares of the image, 0 to 1 (boxes in pixels belong \
                 into mmdetection's form, one file per image)"
            );
            self.invalid(name, reason)
        })
    }

    fn invalid(&self, name: &str, reason: String) -> Problem {
        Problem::invalid(format!("stimulus {:?}, {name:?}", self.stem), reason)
    }
}

impl Node {
    fn number(&self) -> Option<f64> {
        match self {
            Node::Number(number) => Some(*number),
            Node::List(_) => None,
        }
    }
}
