//! How the positions of a layer become one vector.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// How the positions of a layer (of a map, or the tokens of a sequence) are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pooling {
    /// All positions, concatenated.
    #[default]
    None,
    /// The mean over all positions, including a class token and registers.
    Mean,
    /// The mean over the patches: all positions except the class token and registers.
    MeanWithoutClassToken,
    ClassToken,
}

/// Every pooling and its name in command lines, file names and records.
pub(crate) const POOLINGS: [(Pooling, &str); 4] = [
    (Pooling::None, "none"),
    (Pooling::Mean, "mean"),
    (Pooling::MeanWithoutClassToken, "mean-without-class-token"),
    (Pooling::ClassToken, "class-token"),
];

/// The names of the same poolings for sequences of tokens.
pub(crate) const OF_TOKENS: [(Pooling, &str); 2] =
    [(Pooling::Mean, "mean-all"), (Pooling::MeanWithoutClassToken, "mean-patches")];

impl Pooling {
    pub(crate) fn named(name: &str) -> Option<Pooling> {
        let mut known = POOLINGS.iter().chain(&OF_TOKENS);
        known.find(|(_, known)| *known == name).map(|(pooling, _)| *pooling)
    }
}

impl Display for Pooling {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = POOLINGS.iter().find(|(known, _)| known == self);
        f.write_str(found.map_or("none", |(_, name)| name))
    }
}
