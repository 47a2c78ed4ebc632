//! Patterns for the image names of items with parts.

use crate::name_pattern::{ANY, NamePattern, NamePlaceholder};
use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// A kind of part of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Axis {
    /// Rendered views of an object.
    View,
    /// Several reconstructions of the same stimulus.
    Sample,
    /// Frames of a clip, in the order of their names.
    Frame,
}

impl Axis {
    /// Every axis, in the order in which pairs' names have them.
    pub const ALL: [Axis; 3] = [Axis::View, Axis::Sample, Axis::Frame];

    /// The word for one part.
    pub fn noun(self) -> &'static str {
        match self {
            Axis::View => "view",
            Axis::Sample => "sample",
            Axis::Frame => "frame",
        }
    }

    pub(super) fn part(self) -> NamePlaceholder {
        let text = match self {
            Axis::View => "{view}",
            Axis::Sample => "{sample}",
            Axis::Frame => "{frame}",
        };
        NamePlaceholder { text, is_greedy: false }
    }
}

pub(super) const ITEM: NamePlaceholder = NamePlaceholder {
    text: "{item}",
    is_greedy: true,
};

/// The pattern of image names whose items have parts: `{item}` once, at least one of `{frame}`, `{view}` and
/// `{sample}`, and at most one `*` for any letters, with text between them. A word such as `frame` is short for
/// `{item}/{frame}`: a folder for each item, or the frames of one file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct PartsPattern(NamePattern);

impl FromStr for PartsPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = Axis::ALL.into_iter().find(|axis| axis.noun() == text);
        let written = word.map_or_else(|| text.to_owned(), |axis| format!("{}/{}", ITEM.text, axis.part().text));
        let [view, sample, frame] = Axis::ALL.map(Axis::part);
        let found = NamePattern::parse(&written, &[ITEM], &[view, sample, frame, ANY]).map(PartsPattern);
        found.filter(|pattern| !pattern.axes().is_empty()).ok_or_else(|| {
            format!(
                "{text:?}: expected frame, view or sample, or what images are called, with {{item}} and at least one of {{frame}}, \
                 {{view}} and {{sample}} in it once each and with text between them, such as {{item}}_{{sample}}"
            )
        })
    }
}

impl fmt::Display for PartsPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartsPattern {
    pub fn axes(&self) -> Vec<Axis> {
        let mut axes = Axis::ALL.to_vec();
        axes.retain(|axis| self.0.has(axis.part()));
        axes
    }

    /// The pattern without frames; `None` if it has no other axis.
    ///
    /// ```
    /// use neurogauge_core::pair::PartsPattern;
    /// let without = |pattern: &str| Some(pattern.parse::<PartsPattern>().ok()?.without_frames()?.to_string());
    /// assert_eq!(without("{item}/{sample}/{frame}").as_deref(), Some("{item}/{sample}"));
    /// assert_eq!(without("frame"), None);
    /// ```
    pub fn without_frames(&self) -> Option<PartsPattern> {
        let mut axes = self.axes();
        axes.retain(|axis| *axis != Axis::Frame);
        (!axes.is_empty()).then(|| PartsPattern(self.with(&axes)))
    }

    /// The pattern with only these axes.
    pub(super) fn with(&self, axes: &[Axis]) -> NamePattern {
        let gone = self.axes().into_iter().filter(|axis| !axes.contains(axis));
        gone.fold(self.0.clone(), |pattern, axis| pattern.without(axis.part()))
    }
}
