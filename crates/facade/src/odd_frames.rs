//! What becomes of a frame that a model of clips has no place for.

use serde::{Deserialize, Serialize};

/// What becomes of the last frame of a clip whose frames do not come up for a model that sees several at a time
/// (convention `odd-frames`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OddFrames {
    #[default]
    Error,
    DropLast,
}

impl OddFrames {
    pub fn is_error(&self) -> bool {
        *self == OddFrames::Error
    }
}
