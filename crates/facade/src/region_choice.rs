//! Which pixels count, as a user says it (convention `foreground`).

use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What says which pixels count.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub enum RegionChoice {
    /// The alpha of the stimuli.
    Alpha,
    /// A folder or stack of masks with the stems of the stimuli.
    Masks(PathBuf),
}

impl fmt::Display for RegionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegionChoice::Alpha => f.write_str("alpha"),
            RegionChoice::Masks(path) => path.display().fmt(f),
        }
    }
}

impl FromStr for RegionChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "alpha" => RegionChoice::Alpha,
            path => RegionChoice::Masks(path.into()),
        })
    }
}
