//! Answers of a server.

use crate::observers::local_vlm::Beginning;
use neurogauge_formats::parser_words::of_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub text: String,
    /// Why the answer ends: `stop`, or `length` if it was cut off.
    pub finish_reason: String,
    /// The model's name according to the server.
    pub model: String,
    /// The server's description of its build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// Number of the request's repetition, counted from 0.
    pub repetition: u64,
    /// The alternatives to the first token, if the request asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginnings: Option<Vec<Beginning>>,
}

impl Answer {
    /// Was it cut off at the maximum number of tokens?
    pub fn is_cut_off(&self) -> bool {
        self.finish_reason == "length"
    }

    /// Reads the body of a response. `asked` is the model's name in the request.
    pub(super) fn read(body: &str, asked: &str, repetition: u64) -> Result<Self, String> {
        let body: Value = serde_json::from_str(body).map_err(|error| {
            let start: String = body.chars().take(60).collect();
            format!("the answer is not JSON ({}); it begins with {start:?}", of_json(&error))
        })?;
        let choice = &body["choices"][0];
        let content = &choice["message"]["content"];
        let text = match content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
            // The model's answer is empty.
            Value::Null if choice["message"].is_object() => String::new(),
            _ => {
                return Err(
                    "the answer has no choices[0].message.content; does the server speak the chat protocol at this address?"
                        .to_owned(),
                );
            }
        };
        let field = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Answer {
            text,
            finish_reason: field(&choice["finish_reason"]).unwrap_or_else(|| "not said".to_owned()),
            model: field(&body["model"]).unwrap_or_else(|| asked.to_owned()),
            system_fingerprint: field(&body["system_fingerprint"]),
            repetition,
            beginnings: beginnings(&choice["logprobs"]["content"]),
        })
    }
}

/// The likeliest tokens at the position of the first token that is not blank; `None` if the server gives no
/// probabilities.
fn beginnings(tokens: &Value) -> Option<Vec<Beginning>> {
    let tokens = tokens.as_array()?;
    let is_blank = |place: &&Value| {
        let token = place["token"].as_str();
        token.is_some_and(|token| token.trim().is_empty())
    };
    let first = tokens.iter().find(|place| !is_blank(place))?;
    let likeliest = first["top_logprobs"].as_array()?.iter();
    let likeliest = likeliest.filter_map(|one| {
        Some(Beginning {
            token: one["token"].as_str()?.to_owned(),
            logprob: one["logprob"].as_f64()?,
        })
    });
    Some(likeliest.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_beginnings_are_those_of_the_first_token_that_is_not_blank() {
        let body = r#"{"choices": [{"message": {"content": "\n Yes"}, "logprobs": {"content": [
            {"token": "\n", "logprob": -0.1, "top_logprobs": [{"token": "\n", "logprob": -0.1}]},
            {"token": " Yes", "logprob": -0.5, "top_logprobs":
                [{"token": " Yes", "logprob": -0.5}, {"token": "No", "logprob": -1.5}]}]}}]}"#;
        let beginnings = Answer::read(body, "m", 0).unwrap().beginnings.unwrap();
        let tokens: Vec<&str> = beginnings.iter().map(|one| one.token.as_str()).collect();
        assert_eq!(tokens, [" Yes", "No"]);
        assert!((beginnings[1].logprob + 1.5).abs() < f64::EPSILON);
        for silent in [
            r#"{"choices": [{"message": {"content": "Yes"}}]}"#,
            r#"{"choices": [{"message": {"content": "Yes"}, "logprobs": null}]}"#,
            r#"{"choices": [{"message": {"content": ""}, "logprobs": {"content": []}}]}"#,
        ] {
            assert_eq!(Answer::read(silent, "m", 0).unwrap().beginnings, None);
        }
    }

    #[test]
    fn an_answer_is_read_as_servers_write_it() {
        let body = r#"{"model": "m-2", "system_fingerprint": "fp", "choices":
            [{"message": {"role": "assistant", "content": "A dog."}, "finish_reason": "length"}]}"#;
        let answer = Answer::read(body, "m", 0).unwrap();
        assert_eq!((answer.text.as_str(), answer.model.as_str()), ("A dog.", "m-2"));
        assert!(answer.is_cut_off());
        assert_eq!(answer.system_fingerprint.as_deref(), Some("fp"));
        let parts = r#"{"choices": [{"message": {"content": [{"type": "text", "text": "A "}, {"text": "cat"}]}}]}"#;
        let answer = Answer::read(parts, "m", 1).unwrap();
        assert_eq!((answer.text.as_str(), answer.model.as_str()), ("A cat", "m"));
        assert!(!answer.is_cut_off());
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for body in ["", "<html>", "{}", r#"{"choices": []}"#, r#"{"choices": [{"message": 3}]}"#, "[1]"] {
            assert!(Answer::read(body, "m", 0).is_err(), "{body}");
        }
        let silent = r#"{"choices": [{"message": {"content": null}}]}"#;
        assert_eq!(Answer::read(silent, "m", 0).unwrap().text, "");
    }
}
