//! The formats that different libraries publish the same network in.
//!
//! An architecture asks for tensors by the names of one library, its own format. A file in the format of another is
//! recognised by a tensor that only this format has, and each tensor that is asked for is then looked up under the
//! name, in the shape and from the parts that it has there. No tensor is copied before it is asked for.

use super::config_json::Refusal;
use super::{Checkpoint, TensorSource};
use crate::ModelError;
use serde_json::Value;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct CheckpointFormats {
    /// The library whose names the architecture asks for.
    pub(crate) own: &'static str,
    /// A tensor that only our own format has; `None` if another format has all its names.
    pub(crate) own_mark: Option<&'static str>,
    pub(crate) others: &'static [CheckpointFormat],
    /// Required values of a `config.json` beside a file in our own format, if it has these fields.
    pub(crate) own_settings: &'static [Setting],
}

#[derive(Debug)]
pub(crate) struct CheckpointFormat {
    pub(crate) library: &'static str,
    /// A tensor that every file in this format has, and no file in another.
    pub(crate) mark: &'static str,
    /// Where a file in this format has the tensor of this name and shape.
    pub(crate) origin: fn(&str, &[usize]) -> Option<Origin>,
    /// The epsilon of the normalisation with this name, if it differs from our own format's.
    pub(crate) epsilon: fn(&str) -> Option<f64>,
    /// Layers that a file may lack.
    pub(crate) optional: &'static [&'static str],
    /// Required values of a `config.json` beside the file, if it has these fields.
    pub(crate) settings: &'static [Setting],
    /// A difference in computation, for which such files are refused.
    pub(crate) refused: Option<&'static str>,
    /// If other networks have the same tensors: the word that the file's name must begin with if no `config.json` names
    /// the network, and the reason.
    pub(crate) needs_name: Option<(&'static str, &'static str)>,
}

impl CheckpointFormat {
    /// What most formats are: the same network, recognisable by its tensors.
    pub(crate) const fn new(
        library: &'static str,
        mark: &'static str,
        origin: fn(&str, &[usize]) -> Option<Origin>,
        settings: &'static [Setting],
    ) -> Self {
        CheckpointFormat {
            library,
            mark,
            origin,
            epsilon: |_| None,
            optional: &[],
            settings,
            refused: None,
            needs_name: None,
        }
    }
}

/// A field of `config.json` that affects the computation, and the values that match ours, as JSON.
#[derive(Debug)]
pub(crate) struct Setting(pub(crate) &'static str, pub(crate) &'static [&'static str]);

/// Where a tensor is found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Under this name.
    Named(String),
    /// Under this name, with the same numbers in the same order but in this shape.
    Shaped(String, Vec<usize>),
    /// In parts of equal size under these names, to be stacked along the first axis.
    Stacked(Vec<String>),
    /// Under this name, with another order along the last axis. The file has it channel by channel, and the four
    /// positions of a square row by row, in the order of `torch.nn.Unfold`. Here it is position by position, column by
    /// column ([`neurogauge_kernels::blocks::neighbours`]).
    Unfolded(String),
}

impl Checkpoint {
    /// Reads the checkpoint by the names of the format that it is in.
    ///
    /// # Errors
    /// A format whose network is not the one computed here.
    pub(crate) fn in_format_of(mut self, formats: &'static CheckpointFormats) -> Result<Self, ModelError> {
        self.formats = Some(formats);
        let mut others = formats.others.iter();
        self.format = others.find(|format| self.shape_of(format.mark).is_some());
        let settings = match self.format {
            None => formats.own_settings,
            Some(format) => {
                if let Some(reason) = format.refused {
                    return Err(self.refused(format, reason));
                }
                format.settings
            }
        };
        let named = self.check_settings(settings)?;
        if let Some((format, (word, reason))) = self.format.and_then(|format| Some((format, format.needs_name?))) {
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            if !named && !name.starts_with(word) {
                return Err(self.refused(format, reason));
            }
        }
        Ok(self)
    }

    fn refused(&self, format: &CheckpointFormat, reason: &str) -> ModelError {
        let CheckpointFormat { library, mark, .. } = format;
        self.fault(format_args!(
            "by its tensor {mark} this is a checkpoint of {library}, and {} cannot be read from it: {reason}",
            self.architecture
        ))
    }

    /// Compares a `config.json` beside the file with `settings`. Returns whether it names the network.
    fn check_settings(&self, settings: &[Setting]) -> Result<bool, ModelError> {
        let mut named = false;
        let path = self.path.with_file_name("config.json");
        let Some(config) = config(&path) else {
            return Ok(false);
        };
        for Setting(field, accepted) in settings {
            let Some(found) = config.get(*field) else {
                continue;
            };
            let is_found = |text: &&str| serde_json::from_str(text).ok().as_ref() == Some(found);
            if !accepted.iter().any(is_found) {
                let refusal = Refusal {
                    path: &path,
                    architecture: self.architecture,
                };
                return Err(refusal.of(field, found, &accepted.join(" or ")));
            }
            named |= *field == "architecture";
        }
        Ok(named)
    }

    /// Where the file has the tensor of this name.
    pub(super) fn origin(&self, name: &str, shape: &[usize]) -> Origin {
        let origin = self.format.and_then(|format| (format.origin)(name, shape));
        origin.unwrap_or_else(|| Origin::Named(name.to_owned()))
    }

    /// The epsilon of the normalisation called `name`; `own` is that of our own format.
    pub(crate) fn epsilon(&self, name: &str, own: f64) -> f64 {
        let other = self.format.and_then(|format| (format.epsilon)(name));
        other.unwrap_or(own)
    }

    /// Does the file lack the layer called `name`, as files in its format may?
    pub(crate) fn does_without(&self, name: &str) -> bool {
        let may_lack = |format: &&CheckpointFormat| format.optional.contains(&name);
        self.format.filter(may_lack).is_some()
            && match self.origin(&format!("{name}.weight"), &[]) {
                Origin::Named(published) => !self.has(&published),
                Origin::Shaped(..) | Origin::Stacked(_) | Origin::Unfolded(_) => false,
            }
    }

    /// Does the file have a tensor of this name that has not been taken yet? `None` for a synthetic checkpoint, which
    /// has no list of tensors.
    pub(crate) fn holds(&self, name: &str) -> Option<bool> {
        if let TensorSource::Synthetic { .. } = self.source {
            return None;
        }
        Some(match self.origin(name, &[]) {
            Origin::Named(published) | Origin::Shaped(published, _) | Origin::Unfolded(published) => {
                self.has(&published)
            }
            Origin::Stacked(parts) => parts.iter().all(|part| self.has(part)),
        })
    }

    /// The end of a message: the format as which the file was read, and why. `wanted` is the tensor that the
    /// architecture asked for, by its own name.
    pub(super) fn read_by(&self, wanted: Option<&str>) -> String {
        let Some(formats) = self.formats else {
            return String::new();
        };
        let own = formats.own;
        let Some(format) = self.format else {
            let others = formats.others.iter();
            let others: Vec<String> = others.map(|format| format!("{} ({})", format.library, format.mark)).collect();
            return match others.as_slice() {
                [] => String::new(),
                others => format!(
                    " (read by the names of {own}, since it has no tensor that tells of {})",
                    others.join(" or ")
                ),
            };
        };
        let alias = match wanted {
            Some(name) => format!(", who call it {name}"),
            None => String::new(),
        };
        let mixed = match formats.own_mark {
            Some(mark) if self.has(mark) => format!(" though it has {mark} too"),
            _ => String::new(),
        };
        format!(
            " (read by the names of {}, since it has {}; not by those of {own}{alias}{mixed})",
            format.library, format.mark
        )
    }

    fn has(&self, name: &str) -> bool {
        match &self.source {
            TensorSource::Stored(tensors) => tensors.contains_key(name),
            TensorSource::Synthetic { .. } => false,
        }
    }
}

/// The object in a `config.json`. A file that is not an object is ignored.
fn config(path: &Path) -> Option<serde_json::Map<String, Value>> {
    let text = std::fs::read_to_string(path).ok()?;
    serde_json::from_str(&text).ok()
}
