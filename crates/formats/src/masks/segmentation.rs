//! The `segmentation` of COCO's and Grounded SAM 2's annotations.

use super::coco_rle;
use super::polygons::polygon_mask;
use neurogauge_core::Mask;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Polygons, or run lengths with the height and width of the image.
#[derive(Debug)]
pub(super) enum Segmentation<'a> {
    Polygons(Vec<Vec<f64>>),
    Runs { size: [u32; 2], counts: Counts<'a> },
}

#[derive(Debug)]
pub(super) enum Counts<'a> {
    Text(Cow<'a, str>),
    Plain(Vec<u32>),
}

/// Run lengths in their written form.
#[derive(Serialize)]
pub(super) struct WrittenRuns {
    size: [u32; 2],
    counts: String,
}

impl WrittenRuns {
    pub(super) fn of(mask: &Mask) -> Self {
        WrittenRuns {
            size: [mask.height_px(), mask.width_px()],
            counts: coco_rle::encode(mask.runs()),
        }
    }
}

impl Segmentation<'_> {
    /// A list without polygons, which files with boxes alone have.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Segmentation::Polygons(polygons) if polygons.is_empty())
    }

    /// The mask in an image of this size, or what is wrong with it.
    pub(super) fn mask(&self, height_px: u32, width_px: u32) -> Result<Mask, String> {
        match self {
            Segmentation::Polygons(polygons) => polygons_mask(polygons, height_px, width_px),
            Segmentation::Runs { size, counts } => {
                if *size != [height_px, width_px] {
                    return Err(format!(
                        "the mask is of an image of {} x {} px (size [{}, {}] is height and width), and this image has \
                         {width_px} x {height_px} px",
                        size[1], size[0], size[0], size[1]
                    ));
                }
                let runs = match counts {
                    Counts::Text(text) => coco_rle::decode(text).map_err(|fault| format!("counts: {fault}"))?,
                    Counts::Plain(runs) => runs.clone(),
                };
                Mask::from_runs(height_px, width_px, runs).map_err(|error| error.to_string())
            }
        }
    }
}

/// The union of several polygons.
fn polygons_mask(polygons: &[Vec<f64>], height_px: u32, width_px: u32) -> Result<Mask, String> {
    let mut masks = Vec::with_capacity(polygons.len());
    for (place, corners) in polygons.iter().enumerate() {
        let mask = polygon_mask(corners, height_px, width_px);
        masks.push(mask.map_err(|reason| format!("polygon {place}: {reason}"))?);
    }
    if masks.len() < 2 {
        return masks.pop().ok_or_else(|| "no polygon; expected one or more".to_owned());
    }
    let mut inside: Vec<(u32, u32)> = masks.iter().flat_map(Mask::intervals).collect();
    inside.sort_unstable();
    let (mut runs, mut position) = (Vec::new(), 0);
    for (start, end) in inside {
        match runs.last_mut() {
            // This interval continues the last one, or is within it.
            Some(last) if start <= position => *last += end.saturating_sub(position),
            _ => runs.extend([start - position, end - start]),
        }
        position = position.max(end);
    }
    runs.push(height_px.saturating_mul(width_px) - position);
    Mask::from_runs(height_px, width_px, runs).map_err(|error| error.to_string())
}

impl<'de: 'a, 'a> Deserialize<'de> for Counts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CountsVisitor;
        impl<'de> Visitor<'de> for CountsVisitor {
            type Value = Counts<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("run lengths: COCO's text, or a list of counts of pixels")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Counts::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Counts::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Counts::Plain)
            }
        }
        deserializer.deserialize_any(CountsVisitor)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Segmentation<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SegmentationVisitor;
        impl<'de> Visitor<'de> for SegmentationVisitor {
            type Value = Segmentation<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "polygons ([[x0, y0, x1, y1, ...]]) or run lengths ({\"size\": [height, width], \
                     \"counts\": ...})",
                )
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Segmentation::Polygons)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (mut size, mut counts) = (None, None);
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    match &*key {
                        "size" => size = Some(map.next_value()?),
                        "counts" => counts = Some(map.next_value()?),
                        other => {
                            return Err(A::Error::unknown_field(other, &["size", "counts"]));
                        }
                    }
                }
                Ok(Segmentation::Runs {
                    size: size.ok_or_else(|| A::Error::missing_field("size"))?,
                    counts: counts.ok_or_else(|| A::Error::missing_field("counts"))?,
                })
            }
        }
        deserializer.deserialize_any(SegmentationVisitor)
    }
}
