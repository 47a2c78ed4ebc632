//! The names in an image, sorted into objects, parts and background, for the comparison of masks.

/// A thing in the foreground.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ForegroundObject {
    /// Its name, e.g. "dog".
    pub name: String,
    /// What kind of thing it is, e.g. "animal"; empty if not said.
    pub semantic_category: String,
    /// Its visible parts, e.g. "head" and "tail".
    pub parts: Vec<String>,
}

/// Something in the background.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BackgroundElement {
    /// Its name, e.g. "sky".
    pub name: String,
    /// What kind of thing it is; empty if not said.
    pub semantic_category: String,
}

/// What a (vision and language) model answers to the BASIC paper's categorisation prompt (Table S7).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Categorisation {
    /// Main objects, with their parts.
    pub foreground: Vec<ForegroundObject>,
    /// What is behind them.
    pub background: Vec<BackgroundElement>,
}
