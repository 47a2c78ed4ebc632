//! The needs of a metric: files, or models that make them. Each kind defines its own.

use super::functions_of;
use crate::option_names::{GT, OBSERVATIONS, RECON};
use neurogauge_core::{Input, ObservationKind, Side};
use neurogauge_metrics::{Compute, Metric};
use std::fmt::Display;

/// The needs of a metric.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The files from which it can be computed, in words.
    pub files: String,
    /// The words that follow: what can replace the files, and what else is needed.
    pub instead: String,
    /// The models that make its input, and those that compare.
    pub models: Vec<&'static str>,
    /// Do these models need only images?
    pub is_of_images: bool,
    /// What no model makes, so that the user must provide it.
    pub to_give: Vec<String>,
    /// Does it look words up in WordNet?
    pub looks_words_up: bool,
    /// Options that its command needs besides the images, such as ` --pool others/`.
    pub options: &'static str,
}

impl Needs {
    /// One file for all images of each side, or of the pairs.
    pub(super) fn of_file(kind: ObservationKind) -> Self {
        let names = kind.file_names().join(" or ");
        if let [side] = kind.sides() {
            let (folder, flag) = (side.folder(), Input::Of(*side, kind).flag());
            return Needs::of_files(format!(
                "{} of the pairs ({names} in {folder}/ of {OBSERVATIONS}, or {flag})",
                kind.noun()
            ));
        }
        Needs::of_both_sides(kind, format_args!("{names} in {OBSERVATIONS}"))
    }

    /// Observations of both sides; `inside` is their place in a folder of observations.
    pub(super) fn of_both_sides(kind: ObservationKind, inside: impl Display) -> Self {
        let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, kind).flag());
        Needs::of_files(format!("{} of both sides ({inside}, or {gt} and {recon})", kind.noun()))
    }

    pub(super) fn of_files(files: String) -> Self {
        Needs {
            files,
            is_of_images: true,
            ..Needs::default()
        }
    }

    /// Allows images instead; `with` is what else they need.
    pub(super) fn or_images(self, with: &str) -> Self {
        Needs {
            instead: format!(", or images of both sides ({GT}, {RECON}){with}"),
            ..self
        }
    }

    /// All ways to provide a metric's inputs: files, or models.
    pub fn ways(&self) -> String {
        format!("{}{}", self.files, self.instead)
    }
}

/// The needs of a metric; for a composite, those of its parts.
pub fn needs_of(metric: &Metric) -> Needs {
    if let Compute::Scores { from, .. } = metric.compute {
        return Needs::of_files(from.join(" and "));
    }
    let functions = metric.compute.kind().and_then(functions_of);
    functions.map_or_else(Needs::default, |functions| (functions.needs)(metric))
}
