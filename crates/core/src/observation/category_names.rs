//! The categories that a model names in an image, in free words.

/// Names of the things in one image, as a vision-language model (or a person) lists them, in no fixed vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CategoryNames(pub Vec<String>);
