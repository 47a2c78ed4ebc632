//! Codes that prove to a platform, such as Prolific, that somebody has finished.

use super::submission::is_web_address;
use neurogauge::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Digits and capitals that are not easily confused (no I, L, O, U), 5 bits each.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Number of letters in a code.
const LENGTH: usize = 8;
const MIN_SECRET: usize = 8;
/// The placeholder for the code in an address.
const PLACE: &str = "{CODE}";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    pub code: Option<CompletionCode>,
    /// The address of a link back to the platform, in which `{CODE}` is replaced by the code.
    pub url: Option<String>,
}

/// How the code of a page is derived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletionCode {
    /// All pages have this code.
    Same(String),
    /// Each page has its own code: the first 8 letters, in base 32, of SHA-256(secret, 0, survey, 0, page).
    Secret(String),
}

impl Completion {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |reason: String| Err(Error::Usage(reason));
        match &self.code {
            Some(CompletionCode::Same(code)) if !is_code(code) => {
                return wrong(format!(
                    "the completion code {code:?}: expected 1 to 40 letters of a to z, digits, - and _"
                ));
            }
            Some(CompletionCode::Secret(secret)) if secret.chars().count() < MIN_SECRET => {
                return wrong(format!(
                    "a secret of {} characters for completion codes: expected {MIN_SECRET} or more, which nobody guesses",
                    secret.chars().count()
                ));
            }
            _ => {}
        }
        match &self.url {
            Some(url) if !is_web_address(url) => wrong(format!(
                "the completion address {url:?}: expected one that begins with https:// or http://, without spaces"
            )),
            Some(url) if url.contains(PLACE) && self.code.is_none() => wrong(format!(
                "the completion address {url:?} has a place for a code, and there is no code; give one too"
            )),
            _ => Ok(()),
        }
    }

    pub(crate) fn code(&self, survey: &str, page: &str) -> Option<String> {
        self.code.as_ref().map(|code| match code {
            CompletionCode::Same(code) => code.clone(),
            CompletionCode::Secret(secret) => derived(secret, survey, page),
        })
    }

    /// The address with the page's code.
    pub(crate) fn url(&self, survey: &str, page: &str) -> Option<String> {
        let code = self.code(survey, page).unwrap_or_default();
        self.url.as_ref().map(|url| url.replace(PLACE, &code))
    }
}

/// Only characters that need no escaping in an address.
fn is_code(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn derived(secret: &str, survey: &str, page: &str) -> String {
    let digest = Sha256::digest([secret, survey, page].join("\0").as_bytes());
    let bits = digest.iter().take(8).fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
    let letter = |place: usize| LETTERS[(bits >> (59 - 5 * place)) as usize & 31];
    (0..LENGTH).map(|place| char::from(letter(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_of_its_secret_its_survey_and_its_page() {
        // base64.b32hexencode(hashlib.sha256(b"correct horse\0c7e0ede53ac7\0p1").digest())[:8] in Python is S5F1T5K9,
        // whose letters A to V map to A to Z without I, L, O and U.
        assert_eq!(derived("correct horse", "c7e0ede53ac7", "p1"), "W5F1X5M9");
        let codes = [
            derived("correct horse", "c7e0ede53ac7", "p1"),
            derived("correct horse", "c7e0ede53ac7", "p2"),
            derived("correct horse", "c7e0ede53ac8", "p1"),
            derived("correct mouse", "c7e0ede53ac7", "p1"),
        ];
        for (place, code) in codes.iter().enumerate() {
            assert!(!codes[..place].contains(code), "{codes:?}");
        }
    }

    #[test]
    fn a_code_needs_no_escaping_in_an_address() {
        assert!(is_code("C1A2-b_3") && !is_code("a b") && !is_code(""));
    }
}
