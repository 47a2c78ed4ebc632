//! What a metric needs: files, or models that make what is in them. Each kind says it in its own file.

use super::functions_of;
use crate::option_names::{GT, OBSERVATIONS, RECON};
use neurogauge_core::{Input, ObservationKind, Side};
use neurogauge_metrics::{Compute, Metric};
use std::fmt::Display;

/// What a metric needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The files that it can be computed from, in words.
    pub files: String,
    /// The words that follow these: what does instead of files, and what else is needed.
    pub instead: String,
    /// The models that make its input, and those that compare it.
    pub models: Vec<&'static str>,
    /// Can these models do with images alone?
    pub is_of_images: bool,
    /// What no model makes, so that it has to be given.
    pub to_give: Vec<String>,
    /// Are words looked up in WordNet?
    pub looks_words_up: bool,
    /// Options that its command needs beside the images, such as ` --pool others/`.
    pub options: &'static str,
}

impl Needs {
    /// A file of all images of each side, or of the pairs.
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

    /// Observations of both sides; `inside` is where a folder of observations has them.
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

    /// Images do as well; `with` is what else they need.
    pub(super) fn or_images(self, with: &str) -> Self {
        Needs {
            instead: format!(", or images of both sides ({GT}, {RECON}){with}"),
            ..self
        }
    }

    /// All ways to supply a metric's inputs: files, or models.
    pub fn ways(&self) -> String {
        format!("{}{}", self.files, self.instead)
    }
}

/// What a metric needs; of a composite, its parts.
pub fn needs_of(metric: &Metric) -> Needs {
    if let Compute::Scores { from, .. } = metric.compute {
        return Needs::of_files(from.join(" and "));
    }
    let functions = metric.compute.kind().and_then(functions_of);
    functions.map_or_else(Needs::default, |functions| (functions.needs)(metric))
}
