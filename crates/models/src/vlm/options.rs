//! The fields of a request that affect a model's answer.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// How a model answers (convention `chat-request`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VlmOptions {
    /// Sampling temperature; 0 always takes the likeliest token.
    pub temperature: f64,
    /// Seed of the server's sampling.
    pub seed: u64,
    /// Maximum number of tokens in an answer.
    pub max_tokens: u32,
    /// Other fields of the request, under the server's names; `null` removes a field.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
}

impl Default for VlmOptions {
    fn default() -> Self {
        VlmOptions {
            temperature: 0.0,
            seed: 0,
            max_tokens: 512,
            fields: Map::new(),
        }
    }
}

/// Fields that every request has.
const OURS: [&str; 3] = ["model", "messages", "stream"];

impl VlmOptions {
    /// Fails if a field must not be set by users.
    ///
    /// # Errors
    /// The field, and why.
    pub fn check(&self) -> Result<(), String> {
        match self.fields.keys().find(|name| OURS.contains(&name.as_str())) {
            Some(name) => Err(format!(
                "the field {name:?} of a request is made here; expected another, such as max_completion_tokens"
            )),
            None if !(0.0..=2.0).contains(&self.temperature) => {
                Err(format!("a temperature of {}; expected 0 to 2", self.temperature))
            }
            None => Ok(()),
        }
    }

    /// The request that asks `model` about an image (a PNG in base64); each repetition has another seed.
    pub(super) fn request(&self, model: &str, prompt: &str, png: &str, repetition: u64) -> Value {
        let url = format!("data:image/png;base64,{png}");
        let mut body = json!({
            "model": model,
            "messages": [{"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": url}},
                {"type": "text", "text": prompt},
            ]}],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed.wrapping_add(repetition),
            "stream": false,
        });
        if let Some(body) = body.as_object_mut() {
            for (name, value) in &self.fields {
                match value {
                    Value::Null => body.shift_remove(name),
                    value => body.insert(name.clone(), value.clone()),
                };
            }
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_what_the_protocol_says() {
        let mut options = VlmOptions::default();
        options.fields.insert("max_tokens".into(), Value::Null);
        options.fields.insert("max_completion_tokens".into(), 7.into());
        options.check().unwrap();
        let body = options.request("m", "What?", "QQ==", 1);
        let expected = json!({
            "model": "m",
            "messages": [{"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}},
                {"type": "text", "text": "What?"},
            ]}],
            "temperature": 0.0,
            "seed": 1,
            "stream": false,
            "max_completion_tokens": 7,
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn fields_that_are_made_here_are_refused() {
        let mut options = VlmOptions::default();
        options.fields.insert("messages".into(), json!([]));
        assert!(options.check().unwrap_err().contains("\"messages\""));
        let hot = VlmOptions {
            temperature: f64::NAN,
            ..VlmOptions::default()
        };
        assert!(hot.check().is_err());
    }
}
