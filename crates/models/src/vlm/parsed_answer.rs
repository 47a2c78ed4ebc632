//! What an answer says: a caption, categories, names, or yes or no.

use super::{Answer, BuiltInPrompt, YesNo};
use neurogauge_core::{Categorisation, CategoryNames, ObservationKind};
use neurogauge_formats::categorisation::{self, fenced, parse_categorisation};
use serde_json::Value;

/// What an answer says (convention `chat-answers`).
#[derive(Debug, Clone, PartialEq)]
pub enum ParsedAnswer {
    Caption(String),
    /// Objects with their parts, and background.
    Categories(Categorisation),
    Names(CategoryNames),
    /// The probabilities of yes and no.
    YesNo(YesNo),
}

/// A longer name is taken for a sentence.
const LONGEST_NAME: usize = 60;

impl ParsedAnswer {
    /// Reads an answer to a prompt for observations of this kind, with its probabilities if the kind needs them.
    ///
    /// # Errors
    /// The reason why it contains nothing of that kind.
    pub fn of(kind: ObservationKind, answer: &Answer) -> Result<Self, String> {
        match BuiltInPrompt::is_yes_or_no(kind) {
            true => YesNo::of(answer).map(ParsedAnswer::YesNo),
            false => ParsedAnswer::read(kind, &answer.text),
        }
    }

    /// Reads the words of an answer, without the thoughts of a reasoning model before them.
    ///
    /// # Errors
    /// The reason why it contains nothing of that kind.
    ///
    /// ```
    /// use neurogauge_core::{CategoryNames, ObservationKind};
    /// use neurogauge_models::vlm::ParsedAnswer;
    /// let names = ParsedAnswer::read(ObservationKind::CategoryNames, " dog, frisbee, grass.\n");
    /// let expected = ["dog", "frisbee", "grass"].map(str::to_owned).to_vec();
    /// assert_eq!(names, Ok(ParsedAnswer::Names(CategoryNames(expected))));
    /// ```
    pub fn read(kind: ObservationKind, text: &str) -> Result<Self, String> {
        let text = without_thoughts(text)?.trim();
        match kind {
            _ if text.is_empty() => Err("the answer is empty".to_owned()),
            ObservationKind::Captions => Ok(ParsedAnswer::Caption(text.to_owned())),
            ObservationKind::Categories => parse_categorisation(text).map(ParsedAnswer::Categories),
            ObservationKind::CategoryNames => names(text).map(ParsedAnswer::Names),
            ObservationKind::ImageTexts => texts(text).map(ParsedAnswer::Names),
            other => Err(format!("models are not asked for {}", other.noun())),
        }
    }
}

impl ParsedAnswer {
    /// The content in the form of this kind's files.
    pub fn form(&self) -> Value {
        match self {
            ParsedAnswer::Caption(text) => text.as_str().into(),
            ParsedAnswer::Categories(found) => categorisation::form(found),
            ParsedAnswer::Names(names) => names.0.clone().into(),
            ParsedAnswer::YesNo(answer) => answer.yes.into(),
        }
    }
}

/// The tags around the thoughts of a reasoning model.
const THOUGHTS: [&str; 2] = ["<think>", "</think>"];

/// The answer after its leading thoughts. Some models' templates have the opening tag in the prompt, so that the answer
/// has only the closing tag.
fn without_thoughts(text: &str) -> Result<&str, String> {
    let [open, close] = THOUGHTS;
    let is_open = text.trim_start().starts_with(open);
    match text.split_once(close) {
        Some((thoughts, answer)) if is_open || !thoughts.contains(open) => Ok(answer),
        None if is_open => Err(format!("the answer begins with {open} and has no {close}, so it has thoughts only")),
        _ => Ok(text),
    }
}

fn names(text: &str) -> Result<CategoryNames, String> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    let is_name =
        |name: &&str| !name.is_empty() && !name.contains(['\n', ':', '{', '[']) && name.chars().count() <= LONGEST_NAME;
    match names.iter().find(|name| !is_name(name)) {
        None => Ok(CategoryNames(names.into_iter().map(str::to_owned).collect())),
        Some(other) => {
            let start: String = other.chars().take(LONGEST_NAME).collect();
            Err(format!("the answer is no list of names parted by commas; it has {start:?}"))
        }
    }
}

/// The answer for an image without text.
const NO_TEXT: &str = "none";

/// The lines of an answer, or of its fenced block; empty if it is only the word for no text.
fn texts(text: &str) -> Result<CategoryNames, String> {
    let text = fenced(text)?.map_or(text, |block| &text[block]).trim();
    if text.is_empty() {
        return Err("the fenced block of the answer is empty".to_owned());
    }
    if text.trim_end_matches('.').eq_ignore_ascii_case(NO_TEXT) {
        return Ok(CategoryNames::default());
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(CategoryNames(lines.map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_is_what_was_said() {
        let parsed = ParsedAnswer::read(ObservationKind::Captions, "\n A dog. It runs.\n");
        assert_eq!(parsed, Ok(ParsedAnswer::Caption("A dog. It runs.".to_owned())));
        assert!(ParsedAnswer::read(ObservationKind::Captions, " \n").is_err());
    }

    #[test]
    fn categories_come_with_fences_words_around_them_and_commas_too_many() {
        for text in [
            r#"{"foreground_objects": [{"object": "dog", "parts": ["head"]}], "background_elements": []}"#,
            "```json\n{\"foreground_objects\": [{\"object\": \"dog\", \"parts\": [\"head\",]},],\n\"background_elements\": []}\n```",
            "Here it is: {\"foreground_objects\": [{\"object\": \"dog\", \"parts\": [\"head\"]}], \"background_elements\": []} I hope \
             this helps.",
        ] {
            let Ok(ParsedAnswer::Categories(found)) = ParsedAnswer::read(ObservationKind::Categories, text) else {
                panic!("{text}");
            };
            assert_eq!(found.foreground[0].parts, ["head"]);
        }
        for text in ["I see a dog.", "{\"foreground_objects\": []}", "[]", "{}"] {
            assert!(ParsedAnswer::read(ObservationKind::Categories, text).is_err(), "{text}");
        }
    }

    #[test]
    fn texts_are_the_lines_of_the_answer() {
        let texts = |text: &str| match ParsedAnswer::read(ObservationKind::ImageTexts, text) {
            Ok(ParsedAnswer::Names(names)) => names.0.join("|"),
            other => panic!("{other:?}"),
        };
        assert_eq!(texts("EXIT\n\n  Main St., 5\n"), "EXIT|Main St., 5");
        for none in ["NONE", " none.\n", "None"] {
            assert_eq!(texts(none), "", "{none}");
        }
        // A sign in the image may say so, too.
        assert_eq!(texts("NONE\nof your business"), "NONE|of your business");
        assert!(ParsedAnswer::read(ObservationKind::ImageTexts, " ").is_err());
    }

    #[test]
    fn texts_in_a_fenced_block_come_without_its_fences() {
        let texts = |text: &str| ParsedAnswer::read(ObservationKind::ImageTexts, text);
        for (text, expected) in [
            ("```\nEXIT\n```", "EXIT"),
            ("Here they are:\n```text\nEXIT\nMain St.\n```\n", "EXIT|Main St."),
            ("```EXIT 5```", "EXIT 5"),
            ("```\nNONE\n```", ""),
        ] {
            let Ok(ParsedAnswer::Names(names)) = texts(text) else {
                panic!("{text}");
            };
            assert_eq!(names.0.join("|"), expected, "{text}");
        }
        for (text, part) in [("```\n```", "is empty"), ("```\nEXIT", "1 code fences (```)")] {
            let reason = texts(text).unwrap_err();
            assert!(reason.contains(part), "{reason}");
        }
    }

    #[test]
    fn what_a_model_thinks_before_its_answer_is_no_part_of_it() {
        let caption = |text: &str| ParsedAnswer::read(ObservationKind::Captions, text);
        for text in [
            "<think>\nLet me look: a cat?\n</think>\n\nA dog on grass.",
            "\n<think></think>A dog on grass.",
            // The opening tag is in the prompt.
            "Let me look: a cat?\n</think>\n\nA dog on grass.",
        ] {
            let expected = ParsedAnswer::Caption("A dog on grass.".to_owned());
            assert_eq!(caption(text), Ok(expected), "{text}");
        }
        let read = |kind, answer: &str| {
            let text = format!("<think>\nMaybe {{a cat}}, or ```SALE```?\n</think>\n{answer}");
            assert_eq!(ParsedAnswer::read(kind, &text), ParsedAnswer::read(kind, answer));
            ParsedAnswer::read(kind, &text).unwrap()
        };
        read(ObservationKind::ImageTexts, "EXIT");
        read(ObservationKind::CategoryNames, "dog, grass");
        read(
            ObservationKind::Categories,
            r#"{"foreground_objects": [{"object": "dog"}], "background_elements": []}"#,
        );
        let reason = caption("<think>\nLet me look: a cat").unwrap_err();
        assert!(reason.contains("has no </think>"), "{reason}");
        let reason = caption("<think>\nA cat?\n</think>\n").unwrap_err();
        assert_eq!(reason, "the answer is empty");
    }

    #[test]
    fn a_sentence_is_no_list() {
        for text in [
            "Sure! Here is the list:\ndog, cat",
            "dog,, cat",
            "- dog\n- cat",
            "The image shows a dog that runs over a wide green meadow after a red ball",
        ] {
            assert!(ParsedAnswer::read(ObservationKind::CategoryNames, text).is_err(), "{text}");
        }
        assert!(ParsedAnswer::read(ObservationKind::CategoryNames, "dog").is_ok());
    }
}
