//! The provenance of a number: the models and observations that it comes from.

use serde::{Deserialize, Serialize};

/// A model, identified to the byte.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// Id in the model registry, e.g. `all-MiniLM-L6-v2`.
    pub id: String,
    /// Revision of the published files.
    pub revision: String,
    /// SHA-256 of the weights, hexadecimal.
    pub sha256: String,
    /// True for a placeholder model: its numbers mean nothing.
    pub stand_in: bool,
}

impl ModelIdentity {
    /// A model of which only the id is known.
    pub fn named(id: impl Into<String>) -> Self {
        ModelIdentity {
            id: id.into(),
            revision: String::new(),
            sha256: String::new(),
            stand_in: false,
        }
    }

    /// A model whose outputs mean nothing.
    pub fn placeholder(id: impl Into<String>, revision: impl Into<String>) -> Self {
        ModelIdentity {
            revision: revision.into(),
            stand_in: true,
            ..ModelIdentity::named(id)
        }
    }
}

/// The source of an observation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "from")]
pub enum Provenance {
    /// The user's own file.
    File {
        /// Path as the user gave it.
        path: String,
        /// SHA-256 of the content, hexadecimal.
        sha256: String,
        /// True if the file is marked as a placeholder for real observations.
        stand_in: bool,
    },
    Model(ModelIdentity),
}

impl Provenance {
    /// Is this observation only a placeholder for a real one?
    pub fn is_stand_in(&self) -> bool {
        match self {
            Provenance::File { stand_in, .. } => *stand_in,
            Provenance::Model(model) => model.stand_in,
        }
    }
}
