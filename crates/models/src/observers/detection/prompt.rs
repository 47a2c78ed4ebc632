//! The prompt of a detector, and which of its tokens belong to which category.

use super::PromptTokens;
use crate::ModelError;
use neurogauge_core::option_words::option;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The separator between the words of a category's name (convention `detection-prompt`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptNames {
    /// `traffic light`, as in mmdetection since 3.3.
    #[default]
    Spaces,
    /// `traffic_light`, as earlier versions write COCO's names: three tokens, the second of which is the underscore.
    Underscores,
}

impl PromptNames {
    /// A category's name as the prompt has it.
    pub(crate) fn written(self, name: &str) -> String {
        match self {
            PromptNames::Spaces => name.to_owned(),
            PromptNames::Underscores => name.replace(' ', "_"),
        }
    }
}

/// The sentence that asks for categories: `person. man. woman. `
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    names: Vec<Range<usize>>,
}

/// Follows every name.
const STOP: &str = ". ";

impl Prompt {
    /// Asks for categories with these names, whose words are separated by spaces.
    ///
    /// ```
    /// use neurogauge_models::detection::{Prompt, PromptNames};
    /// let prompt = Prompt::new(["dog", "hot dog"], PromptNames::Underscores);
    /// assert_eq!(prompt.text(), "dog. hot_dog. ");
    /// ```
    pub fn new(names: impl IntoIterator<Item = impl AsRef<str>>, form: PromptNames) -> Self {
        let mut prompt = Prompt {
            text: String::new(),
            names: Vec::new(),
        };
        for name in names {
            let start = prompt.text.len();
            prompt.text.push_str(&form.written(name.as_ref()));
            prompt.names.push(start..prompt.text.len());
            prompt.text.push_str(STOP);
        }
        prompt
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tokens of each category, from the first to the last that covers any byte of its name. `offsets` has the byte
    /// range of the sentence that each token covers; empty for `[CLS]` and `[SEP]`.
    ///
    /// # Errors
    /// [`ModelError::Usage`] for a category without a token, because the sentence was cut before it.
    ///
    /// ```
    /// use neurogauge_models::detection::{Prompt, PromptNames};
    /// let prompt = Prompt::new(["dog", "hot dog"], PromptNames::Spaces);
    /// // [CLS] dog . hot dog . [SEP]
    /// let offsets = [0..0, 0..3, 3..4, 5..8, 9..12, 12..13, 0..0];
    /// assert_eq!(prompt.category_tokens(&offsets)?, [1..2, 3..5]);
    /// assert!(prompt.category_tokens(&offsets[..3]).is_err());
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn category_tokens(&self, offsets: &[Range<usize>]) -> Result<Vec<Range<usize>>, ModelError> {
        let tokens = self.names.iter().enumerate().map(|(place, name)| {
            let is_of = |bytes: &Range<usize>| bytes.start < name.end && name.start < bytes.end;
            let first = offsets.iter().position(is_of);
            let last = offsets.iter().rposition(is_of);
            match (first, last) {
                (Some(first), Some(last)) => Ok(first..last + 1),
                _ => Err(self.lacks(place, offsets)),
            }
        });
        tokens.collect()
    }

    /// The number of leading names that the tokens contain completely, with the full stop after them.
    fn n_whole(&self, offsets: &[Range<usize>]) -> usize {
        let read_to = offsets.iter().map(|bytes| bytes.end).max().unwrap_or(0);
        self.names.partition_point(|name| name.end < read_to)
    }

    fn lacks(&self, place: usize, offsets: &[Range<usize>]) -> ModelError {
        let (name, n_tokens) = (&self.text[self.names[place].clone()], offsets.len());
        ModelError::usage(format_args!(
            "the category {name:?} does not fit among the {n_tokens} tokens that the detector reads of a prompt; give it a shorter \
             name ({})",
            option("labels", "")
        ))
    }
}

/// One of the prompts for a list of categories: the categories from `first` on, as many as the prompt has tokens for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PromptPart {
    /// Index of its first category in the list.
    pub(crate) first: usize,
    pub(crate) tokens: PromptTokens,
    /// The tokens of each of its categories.
    pub(crate) categories: Vec<Range<usize>>,
}

/// The tokens of a text, and the byte range of the text that each token covers.
type Pieces = (PromptTokens, Vec<Range<usize>>);

/// Splits a list of categories into as few prompts as possible, in the order of the list; no name is cut (convention
/// `detection-prompt`). `read` returns the tokens of a text, cut where the network cuts it, and the byte range that
/// each token covers.
///
/// # Errors
/// Errors of `read`; [`ModelError::Usage`] for a name that is longer than a prompt.
pub(crate) fn prompts(
    names: &[String],
    form: PromptNames,
    read: &dyn Fn(&str) -> Result<Pieces, ModelError>,
) -> Result<Vec<PromptPart>, ModelError> {
    let mut parts = Vec::new();
    let mut first = 0;
    loop {
        let mut prompt = Prompt::new(&names[first..], form);
        let (mut tokens, mut offsets) = read(prompt.text())?;
        let n_whole = prompt.n_whole(&offsets);
        if n_whole < names.len() - first {
            // If not even one name fits, the error reports its missing tokens.
            prompt = Prompt::new(&names[first..first + n_whole.max(1)], form);
            (tokens, offsets) = read(prompt.text())?;
            if n_whole == 0 {
                return Err(prompt.lacks(0, &offsets));
            }
        }
        let categories = prompt.category_tokens(&offsets)?;
        let next = first + categories.len();
        parts.push(PromptPart {
            first,
            tokens,
            categories,
        });
        if next >= names.len() {
            return Ok(parts);
        }
        first = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::text_tokenizer::of_bert;
    use crate::goldens::typed_golden;
    use neurogauge_core::LabelList;
    use serde::Deserialize;
    use std::collections::HashMap;

    #[derive(Deserialize)]
    struct Golden {
        prompts: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        labels: String,
        names: PromptNames,
        text: String,
        ids: Vec<u32>,
        categories: Vec<[usize; 2]>,
    }

    #[test]
    fn prompts_and_their_tokens_equal_those_of_transformers() {
        let golden: Golden = typed_golden("../detection");
        let tokenizer = of_bert(256);
        assert_eq!(golden.prompts.len(), 4);
        for case in golden.prompts {
            let labels = LabelList::builtin(&case.labels).unwrap();
            let prompt = Prompt::new(labels.names(), case.names);
            assert_eq!(prompt.text(), case.text);
            let (ids, offsets) = tokenizer.pieces(prompt.text()).unwrap();
            assert_eq!(ids, case.ids);
            let found = prompt.category_tokens(&offsets).unwrap();
            let expected: Vec<Range<usize>> = case.categories.iter().map(|c| c[0]..c[1]).collect();
            assert_eq!(found, expected);
        }
    }

    #[derive(Deserialize)]
    struct Parts {
        names: Vec<String>,
        forms: HashMap<PromptNames, Vec<Part>>,
    }

    #[derive(Deserialize)]
    struct Part {
        n_names: usize,
        ids: Vec<u32>,
        categories: Vec<[usize; 2]>,
    }

    /// The reference adds names to a prompt one by one.
    #[test]
    fn parts_of_a_long_list_equal_those_of_transformers_tokenizer() {
        let golden: Parts = typed_golden("../detection_parts");
        let tokenizer = of_bert(256);
        let read = |text: &str| {
            let (ids, offsets) = tokenizer.pieces(text)?;
            Ok((PromptTokens { ids }, offsets))
        };
        assert_eq!(golden.forms.len(), 2);
        for (form, expected) in golden.forms {
            let found = prompts(&golden.names, form, &read).unwrap();
            assert_eq!(found.len(), expected.len());
            let mut first = 0;
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(found.first, first);
                assert_eq!(found.tokens.ids, expected.ids);
                let categories = expected.categories.iter().map(|c| c[0]..c[1]);
                assert_eq!(found.categories, categories.collect::<Vec<_>>());
                first += expected.n_names;
            }
            assert_eq!(first, golden.names.len());
        }
    }

    #[test]
    fn a_category_behind_the_last_token_is_named() {
        let prompt = Prompt::new(LabelList::coco().names(), PromptNames::Spaces);
        let (_, offsets) = of_bert(12).pieces(prompt.text()).unwrap();
        let message = prompt.category_tokens(&offsets).unwrap_err().to_string();
        assert!(message.contains("\"bus\"") && message.contains("12 tokens"), "{message}");
    }
}
