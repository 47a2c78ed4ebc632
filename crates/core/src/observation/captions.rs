//! Captions of images.

use serde::{Deserialize, Serialize};

/// The captions of one image: one for a reconstruction, one or several for a stimulus.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Captions(pub Vec<String>);
