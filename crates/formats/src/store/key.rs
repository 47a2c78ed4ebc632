//! Keys derived from content.

use crate::{FormatError, Problem, content_hash};
use serde::Serialize;

/// A hash of everything that affects a value: the item, and how it is observed or compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKey(String);

impl ContentKey {
    pub fn of_parts(parts: &[&str]) -> Self {
        let mut key = content_hash::of_bytes(parts.join("\n").as_bytes());
        key.truncate(32);
        ContentKey(key)
    }

    pub(super) fn read(text: String) -> Self {
        ContentKey(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The common prefix of one observer's keys: its name, its revision and its recipe.
#[derive(Debug, Clone)]
pub struct KeyPrefix([String; 3]);

impl KeyPrefix {
    /// The prefix for an observer with this name, revision and recipe.
    ///
    /// # Errors
    /// The recipe cannot be written as text, for example because a non-finite number is the key of a map.
    pub fn of(name: &str, revision: &str, recipe: &impl Serialize) -> Result<Self, FormatError> {
        let recipe = recipe_text(name, recipe)?;
        Ok(KeyPrefix([revision.to_owned(), name.to_owned(), recipe]))
    }

    /// The key of one item, which these parts identify: for an image, the form and the hash of its bytes; for a
    /// caption, its text.
    pub fn key(&self, item: &[&str]) -> ContentKey {
        let [revision, name, recipe] = &self.0;
        let common = [revision.as_str(), name, recipe];
        ContentKey::of_parts(&[&common[..], item].concat())
    }
}

/// A recipe as text, which differs whenever the recipe does. `of` is the kind of result.
pub fn recipe_text(of: &str, recipe: &impl Serialize) -> Result<String, FormatError> {
    serde_json::to_string(recipe).map_err(|error| Problem::Recipe(error.to_string()).at(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// These are keys in users' caches: a change would invalidate all of them.
    #[test]
    fn keys_are_those_of_caches_that_exist() {
        let key = KeyPrefix::of("caption", "0.1.0", &[1, 2]).unwrap().key(&["files", "ab12"]);
        assert_eq!(key, ContentKey::of_parts(&["0.1.0", "caption", "[1,2]", "files", "ab12"]));
        assert_eq!(key.as_str(), "1984d66ba72e0ef61881cd99e493f585");
    }

    #[test]
    fn a_recipe_without_a_text_has_no_key() {
        let error = KeyPrefix::of("caption", "0.1.0", &HashMap::from([(vec![1], 2)])).unwrap_err();
        assert!(error.to_string().contains("caption"), "{error}");
    }
}
