//! The tokens that end a text, as configurations give them.

use serde::Deserialize;

/// One id, several, or none (`null`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Ends {
    One(u32),
    Several(Vec<u32>),
    None(()),
}

impl Ends {
    pub fn ids(&self) -> Vec<u32> {
        match self {
            Ends::One(end) => vec![*end],
            Ends::Several(ends) => ends.clone(),
            Ends::None(()) => Vec::new(),
        }
    }
}
