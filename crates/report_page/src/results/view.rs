//! What a view of a result leads with, and what it folds under which question.

/// A reader's question, and the parts of a result that answer it.
#[derive(Debug, Default)]
pub(super) struct View<'a> {
    pub(super) id: &'static str,
    pub(super) heading: &'static str,
    pub(super) question: &'a str,
    /// How to read the figure.
    pub(super) about: &'a str,
    /// Of these, the first figure and the first table that the result has are shown; its question is the view's.
    pub(super) lead: Part<'a>,
    pub(super) folds: Vec<Part<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) question: &'a str,
    /// Names of figures, and what they show.
    pub(super) figures: Vec<(&'a str, &'a str)>,
    /// The beginnings of titles of tables; `*` stands for any beginning.
    pub(super) tables: Vec<&'a str>,
    pub(super) answer: Option<&'a str>,
    /// Do the first sentences below the first table answer the question?
    pub(super) has_answer: bool,
}

impl<'a> Part<'a> {
    pub(super) fn new<const F: usize, const T: usize>(
        question: &'a str,
        figures: [(&'a str, &'a str); F],
        tables: [&'a str; T],
    ) -> Self {
        Part {
            question,
            figures: figures.into(),
            tables: tables.into(),
            ..Part::default()
        }
    }
}
