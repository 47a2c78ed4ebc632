//! The objects found in one image, in the layout of mmdetection's JSON, which the other forms become.
//!
//! The visitors are written out for speed (an untagged enum would buffer every label) and for error messages that state
//! what was expected.

use crate::item_source::picked;
use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// The form of a file, for messages.
pub(super) const FORM: &str = "the objects in an image, {\"labels\": [16], \"scores\": [0.9], \"bboxes\": [[left, top, right, \
                               bottom]]}";

/// The width and height of the image if boxes are shares of it: they are pixels of an image of this size.
pub(super) const SHARES: (f64, f64) = (1.0, 1.0);

/// The keys that are read; others are ignored. torchvision and transformers call some of them otherwise.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(expecting = "an object with the lists labels, scores and bboxes (or boxes)")]
pub(super) struct FoundObjects<'a> {
    #[serde(borrow)]
    pub(super) labels: Vec<Label<'a>>,
    pub(super) scores: Vec<f64>,
    #[serde(alias = "boxes")]
    pub(super) bboxes: Vec<BoxNumbers>,
    pub(super) image_size_px: Option<(f64, f64)>,
    /// The category name of each object.
    #[serde(default, alias = "text_labels")]
    pub(super) label_names: Option<Vec<Cow<'a, str>>>,
    // The meaning of label numbers, in the forms of mmdetection and of COCO.
    #[serde(default, alias = "CLASSES")]
    pub(super) classes: Option<Value>,
    pub(super) metainfo: Option<Value>,
    pub(super) dataset_meta: Option<Value>,
    pub(super) categories: Option<Value>,
}

impl FoundObjects<'_> {
    /// Adds an object.
    pub(super) fn push(&mut self, label: Label<'static>, score: f64, bbox: [f64; 4]) {
        self.labels.push(label);
        self.scores.push(score);
        self.bboxes.push(BoxNumbers(bbox));
    }

    /// The same objects, the most confident first, as mmdetection orders them.
    pub(super) fn into_order_of_scores(mut self) -> FoundObjects<'static> {
        let mut order: Vec<usize> = (0..self.labels.len()).collect();
        order.sort_by(|&a, &b| self.scores[b].total_cmp(&self.scores[a]));
        let owned = |text: &Cow<'_, str>| Cow::Owned(text.clone().into_owned());
        let label = |place: &usize| match &self.labels[*place] {
            Label::Index(number) => Label::Index(*number),
            Label::Name(name) => Label::Name(owned(name)),
        };
        FoundObjects {
            labels: order.iter().map(label).collect(),
            scores: picked(&self.scores, &order),
            bboxes: picked(&self.bboxes, &order),
            label_names: self.label_names.as_ref().map(|names| order.iter().map(|&at| owned(&names[at])).collect()),
            image_size_px: self.image_size_px,
            classes: self.classes.take(),
            metainfo: self.metainfo.take(),
            dataset_meta: self.dataset_meta.take(),
            categories: self.categories.take(),
        }
    }

    /// Each label number with its name, in the order of the file, if the file has them.
    pub(super) fn names_of_numbers(&self) -> Option<Vec<(i64, String)>> {
        let meta = [&self.metainfo, &self.dataset_meta].into_iter().flatten();
        let in_meta = meta.flat_map(|meta| [meta.get("classes"), meta.get("CLASSES")]);
        let own = [self.classes.as_ref(), self.categories.as_ref()];
        own.into_iter().chain(in_meta).flatten().find_map(entries)
    }
}

/// Numbers and names from a list of names, from COCO's list of categories, or from an object keyed by number.
fn entries(names: &Value) -> Option<Vec<(i64, String)>> {
    let found: Option<Vec<(i64, String)>> = match names {
        Value::Array(names) => (names.iter().zip(0..))
            .map(|(entry, place)| match entry {
                Value::String(name) => Some((place, name.clone())),
                entry => Some((entry["id"].as_i64()?, entry["name"].as_str()?.to_owned())),
            })
            .collect(),
        Value::Object(names) => (names.iter())
            .map(|(number, name)| Some((number.parse().ok()?, name.as_str()?.to_owned())))
            .collect(),
        _ => None,
    };
    found.filter(|names| !names.is_empty())
}

/// A category, given by its position in the label list or by its name.
#[derive(Debug, Clone)]
pub(super) enum Label<'a> {
    Index(i64),
    Name(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Label<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LabelVisitor;
        impl<'de> Visitor<'de> for LabelVisitor {
            type Value = Label<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a label index (an integer) or a category name")
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Label::Index(i64::try_from(value).unwrap_or(i64::MAX)))
            }
            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Label::Index(value))
            }
            fn visit_borrowed_str<E: serde::de::Error>(self, value: &'de str) -> Result<Self::Value, E> {
                Ok(Label::Name(Cow::Borrowed(value)))
            }
            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Self::Value, E> {
                Ok(Label::Name(Cow::Owned(value.to_owned())))
            }
        }
        deserializer.deserialize_any(LabelVisitor)
    }
}

/// Left, top, right, bottom.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxNumbers(pub(super) [f64; 4]);

impl<'de> Deserialize<'de> for BoxNumbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BoxVisitor;
        impl<'de> Visitor<'de> for BoxVisitor {
            type Value = BoxNumbers;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a box of 4 numbers [left, top, right, bottom]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut bbox = [0.0; 4];
                for (index, edge) in bbox.iter_mut().enumerate() {
                    *edge = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(index, &self))?;
                }
                let mut surplus = 0;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    surplus += 1;
                }
                if surplus > 0 {
                    return Err(A::Error::invalid_length(4 + surplus, &self));
                }
                Ok(BoxNumbers(bbox))
            }
        }
        deserializer.deserialize_seq(BoxVisitor)
    }
}
