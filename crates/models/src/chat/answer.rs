//! What a server says.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Its words.
    pub text: String,
    /// Why it ends there: `stop`, or `length` where it was cut off.
    pub finish_reason: String,
    /// What the server calls the model.
    pub model: String,
    /// What the server says of its own build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// Which repetition of the request it answers: 0 is the first.
    pub repetition: u64,
}

impl Answer {
    /// Was it cut off at the number of tokens that an answer may have?
    pub fn is_cut_off(&self) -> bool {
        self.finish_reason == "length"
    }

    /// Reads the body of a response. `asked` is the model's name in the request.
    pub(super) fn read(body: &str, asked: &str, repetition: u64) -> Result<Self, String> {
        let body: Value = serde_json::from_str(body).map_err(|error| {
            let start: String = body.chars().take(60).collect();
            format!("the answer is no JSON ({error}); it begins with {start:?}")
        })?;
        let choice = &body["choices"][0];
        let content = &choice["message"]["content"];
        let text = match content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts
                .iter()
                .filter_map(|part| part["text"].as_str())
                .collect(),
            // A model that answers with nothing.
            Value::Null if choice["message"].is_object() => String::new(),
            _ => {
                return Err(
                    "the answer has no choices[0].message.content; does the server speak the chat protocol at this address?"
                        .to_owned(),
                );
            }
        };
        let field = |value: &Value| {
            value
                .as_str()
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        Ok(Answer {
            text,
            finish_reason: field(&choice["finish_reason"]).unwrap_or_else(|| "not said".to_owned()),
            model: field(&body["model"]).unwrap_or_else(|| asked.to_owned()),
            system_fingerprint: field(&body["system_fingerprint"]),
            repetition,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_servers_write_it() {
        let body = r#"{"model": "m-2", "system_fingerprint": "fp", "choices":
            [{"message": {"role": "assistant", "content": "A dog."}, "finish_reason": "length"}]}"#;
        let answer = Answer::read(body, "m", 0).unwrap();
        assert_eq!(
            (answer.text.as_str(), answer.model.as_str()),
            ("A dog.", "m-2")
        );
        assert!(answer.is_cut_off());
        assert_eq!(answer.system_fingerprint.as_deref(), Some("fp"));
        let parts = r#"{"choices": [{"message": {"content": [{"type": "text", "text": "A "}, {"text": "cat"}]}}]}"#;
        let answer = Answer::read(parts, "m", 1).unwrap();
        assert_eq!(
            (answer.text.as_str(), answer.model.as_str()),
            ("A cat", "m")
        );
        assert!(!answer.is_cut_off());
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for body in [
            "",
            "<html>",
            "{}",
            r#"{"choices": []}"#,
            r#"{"choices": [{"message": 3}]}"#,
            "[1]",
        ] {
            assert!(Answer::read(body, "m", 0).is_err(), "{body}");
        }
        let silent = r#"{"choices": [{"message": {"content": null}}]}"#;
        assert_eq!(Answer::read(silent, "m", 0).unwrap().text, "");
    }
}
