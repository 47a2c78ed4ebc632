//! The tokens that end a text, as configurations have them.

use serde::Deserialize;

/// One id, several, or none (`null`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Ends {
    One(u32),
    Several(Vec<u32>),
    None(()),
}

impl Ends {
    /// The ids.
    pub(crate) fn ids(&self) -> Vec<u32> {
        match self {
            Ends::One(end) => vec![*end],
            Ends::Several(ends) => ends.clone(),
            Ends::None(()) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_end_or_several_or_none() {
        let ends = |text| serde_json::from_str::<Ends>(text).unwrap().ids();
        assert_eq!(ends("102"), [102]);
        assert_eq!(ends("[3, 4]"), [3, 4]);
        assert!(ends("null").is_empty());
        assert!(serde_json::from_str::<Ends>("\"2\"").is_err());
    }
}
