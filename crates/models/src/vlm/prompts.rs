//! The prompts.

use crate::checkpoint::registry::did_you_mean;
use neurogauge_core::ObservationKind;
use neurogauge_formats::content_hash;
use serde::{Deserialize, Serialize};

/// A prompt that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltInPrompt {
    pub id: &'static str,
    /// Changes whenever the text changes.
    pub version: u32,
    pub makes: ObservationKind,
    pub source: &'static str,
    text: &'static str,
}

/// All prompts; the first of each kind is the default.
pub const PROMPTS: [BuiltInPrompt; 7] = [
    BuiltInPrompt {
        id: "basic-description",
        version: 1,
        makes: ObservationKind::Captions,
        source: "BASIC, Appendix D.5 and Table S9, prompt 1 (Appendix C.1 has it without the full stop)",
        text: include_str!("prompts/basic-description.txt"),
    },
    BuiltInPrompt {
        id: "basic-description-objects",
        version: 1,
        makes: ObservationKind::Captions,
        source: "BASIC, Appendix D.5 and Table S9, prompt 2",
        text: include_str!("prompts/basic-description-objects.txt"),
    },
    BuiltInPrompt {
        id: "basic-description-relations",
        version: 1,
        makes: ObservationKind::Captions,
        source: "BASIC, Appendix D.5 and Table S9, prompt 3",
        text: include_str!("prompts/basic-description-relations.txt"),
    },
    BuiltInPrompt {
        id: "basic-categories",
        version: 1,
        makes: ObservationKind::Categories,
        source: "BASIC, Table S7 (the line breaks are ours)",
        text: include_str!("prompts/basic-categories.txt"),
    },
    BuiltInPrompt {
        id: "seed-objects",
        version: 1,
        makes: ObservationKind::CategoryNames,
        source: "SEED, Appendix B.2",
        text: include_str!("prompts/seed-objects.txt"),
    },
    BuiltInPrompt {
        id: "image-texts",
        version: 1,
        makes: ObservationKind::ImageTexts,
        source: "Neurogauge; BASIC's Table 1 names text in images, and gives no prompt",
        text: include_str!("prompts/image-texts.txt"),
    },
    BuiltInPrompt {
        id: "vqa-question",
        version: 1,
        makes: ObservationKind::VqaScores,
        source: "VQAScore, the question of its released code; {caption} is the stimulus's",
        text: include_str!("prompts/vqa-question.txt"),
    },
];

/// Placeholder for the caption of the stimulus.
pub const CAPTION: &str = "{caption}";

impl BuiltInPrompt {
    /// The text of the prompt, without a line break at the end.
    pub fn text(&self) -> &'static str {
        self.text.trim_end()
    }

    /// The prompt with this id.
    ///
    /// # Errors
    /// An unknown id: the message lists the known ids and suggests the most similar one.
    pub fn find(id: &str) -> Result<&'static BuiltInPrompt, String> {
        PROMPTS.iter().find(|prompt| prompt.id == id).ok_or_else(|| {
            let known: Vec<&str> = PROMPTS.iter().map(|prompt| prompt.id).collect();
            let nearest = did_you_mean(id, &known);
            format!("no prompt is called {id:?}{nearest}. Known prompts: {}", known.join(", "))
        })
    }

    /// Is the answer yes or no with probabilities, rather than words?
    pub(crate) fn is_yes_or_no(kind: ObservationKind) -> bool {
        kind == ObservationKind::VqaScores
    }

    /// The default prompt for observations of this kind; `None` if prompts do not make this kind.
    pub fn of_kind(kind: ObservationKind) -> Option<&'static BuiltInPrompt> {
        PROMPTS.iter().find(|prompt| prompt.makes == kind)
    }
}

/// A prompt in requests and records.
///
/// ```
/// use neurogauge_models::vlm::{BuiltInPrompt, Prompt};
/// let prompt = Prompt::from(BuiltInPrompt::find("basic-description").unwrap());
/// assert_eq!(prompt.text, "Describe the image in detail.");
/// assert_eq!(Prompt::own("What is this?").id, "own");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PromptForm")]
pub struct Prompt {
    /// Its id; `own` for a user's prompt.
    pub id: String,
    /// SHA-256 of the text, hexadecimal.
    pub sha256: String,
    pub text: String,
}

/// A prompt in a record, or the id of a built-in one.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the id of a prompt, or a prompt with id, sha256 and text")]
enum PromptForm {
    Id(String),
    Whole { id: String, sha256: String, text: String },
}

impl TryFrom<PromptForm> for Prompt {
    type Error = String;

    fn try_from(form: PromptForm) -> Result<Self, String> {
        match form {
            PromptForm::Id(id) => BuiltInPrompt::find(&id).map(Prompt::from),
            PromptForm::Whole { id, sha256, text } => {
                let prompt = Prompt::of(&id, &text);
                match prompt.sha256 == sha256 {
                    true => Ok(prompt),
                    false => Err(format!("the text of the prompt {id:?} has another SHA-256 than {sha256}")),
                }
            }
        }
    }
}

impl Prompt {
    /// A prompt of the user's.
    pub fn own(text: &str) -> Self {
        Prompt::of("own", text.trim_end())
    }

    fn of(id: &str, text: &str) -> Self {
        Prompt {
            id: id.to_owned(),
            sha256: content_hash::of_bytes(text.as_bytes()),
            text: text.to_owned(),
        }
    }
}

impl From<&BuiltInPrompt> for Prompt {
    fn from(prompt: &BuiltInPrompt) -> Self {
        Prompt::of(prompt.id, prompt.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_texts_are_one_paragraph_or_more() {
        let ids: HashSet<&str> = PROMPTS.iter().map(|prompt| prompt.id).collect();
        assert_eq!(ids.len(), PROMPTS.len());
        for prompt in PROMPTS {
            assert!(!prompt.text().trim().is_empty(), "{}", prompt.id);
            assert_eq!(prompt.text(), prompt.text().trim(), "{}", prompt.id);
        }
        let error = BuiltInPrompt::find("basic-descripton").unwrap_err();
        assert!(error.contains("did you mean \"basic-description\""), "{error}");
    }

    #[test]
    fn a_prompt_is_read_by_its_id_or_whole_and_a_changed_text_is_refused() {
        let by_id: Prompt = serde_json::from_str("\"seed-objects\"").unwrap();
        let whole = serde_json::to_string(&by_id).unwrap();
        assert_eq!(serde_json::from_str::<Prompt>(&whole).unwrap(), by_id);
        let changed = whole.replace("comma-separated", "bulleted");
        let error = serde_json::from_str::<Prompt>(&changed).unwrap_err();
        assert!(error.to_string().contains("another SHA-256"), "{error}");
        assert!(serde_json::from_str::<Prompt>("\"seed-things\"").is_err());
    }

    #[test]
    fn texts_are_those_of_the_papers() {
        let text = |id| BuiltInPrompt::find(id).unwrap().text();
        assert!(text("seed-objects").starts_with("Generate a list of objects and background features"));
        assert!(text("basic-categories").contains("\"parts\": [\"head\", \"legs\", \"tail\", \"fur\"]"));
    }
}
