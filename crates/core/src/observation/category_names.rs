//! The categories that a model names in an image and the texts that it reads there, in free words.

/// Names of the things in one image, in free words, as a vision-language model or a person lists them; or the texts
/// written in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CategoryNames(pub Vec<String>);
