//! The categories that a model names in an image, and the texts that it reads there, in free words.

/// Names of the things in one image, as a vision-language model (or a person) lists them, in no fixed vocabulary; or
/// the texts that are written in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CategoryNames(pub Vec<String>);
