//! The names in an image, sorted into objects, parts and background, for the comparison of masks.

/// A thing in the foreground.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ForegroundObject {
    /// Its name, e.g. "dog".
    pub name: String,
    /// The kind of object, e.g. "animal"; empty if unknown.
    pub semantic_category: String,
    /// Its visible parts, e.g. "head" and "tail".
    pub parts: Vec<String>,
}

/// Something in the background.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BackgroundElement {
    /// Its name, e.g. "sky".
    pub name: String,
    /// The kind of element; empty if unknown.
    pub semantic_category: String,
}

/// A vision-language model's answer to the BASIC paper's categorisation prompt (Table S7).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Categorisation {
    /// Main objects, with their parts.
    pub foreground: Vec<ForegroundObject>,
    pub background: Vec<BackgroundElement>,
}
