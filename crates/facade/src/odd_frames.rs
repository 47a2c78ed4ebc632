//! What to do with frames that do not fill a model's clip.

use serde::{Deserialize, Serialize};

/// What to do with the last frame of a clip if a model sees several frames at a time and their number does not fit
/// (convention `odd-frames`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OddFrames {
    #[default]
    Error,
    DropLast,
}
