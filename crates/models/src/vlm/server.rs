//! The address of a server, its time-outs and retries.

use crate::ModelError;
use crate::http::host;
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The environment variable with the server's key.
pub const KEY_VARIABLE: &str = "NEUROGAUGE_VLM_KEY";

/// A server that speaks the chat protocol. It does not affect the answers, so no record contains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VlmServer {
    /// Its address, e.g. `http://localhost:8000`.
    pub url: String,
    /// Number of requests at the same time.
    pub parallel: NonZeroUsize,
    /// How long to wait for an answer.
    pub timeout: Duration,
    /// How often a request is sent before giving up.
    pub tries: NonZeroUsize,
    /// How long to wait before the second try; each further wait is twice as long.
    pub retry_pause: Duration,
}

impl VlmServer {
    /// A server with eight parallel requests, ten minutes per answer and five tries.
    pub fn at(url: &str) -> Self {
        VlmServer {
            url: url.to_owned(),
            parallel: NonZeroUsize::MIN.saturating_add(7),
            timeout: Duration::from_secs(600),
            tries: NonZeroUsize::MIN.saturating_add(4),
            retry_pause: Duration::from_secs(1),
        }
    }

    /// The base address of the protocol's paths: the given address, with `/v1` if it has no path.
    ///
    /// # Errors
    /// An address that is not http or https, or that has a name and password.
    ///
    /// ```
    /// use neurogauge_models::vlm::VlmServer;
    /// let base = |url| VlmServer::at(url).base().unwrap();
    /// assert_eq!(base("http://localhost:8000"), "http://localhost:8000/v1");
    /// assert_eq!(base("https://a.example/api/v1/chat/completions"), "https://a.example/api/v1");
    /// ```
    pub fn base(&self) -> Result<String, ModelError> {
        let refused =
            || ModelError::other(format_args!("{}: expected an address such as http://localhost:8000", self.url));
        let (scheme, rest) = self.url.split_once("://").ok_or_else(refused)?;
        let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        if !is_web || host(&self.url).is_empty() || rest.contains(['?', '#', ' ']) {
            return Err(refused());
        }
        if rest.split('/').next().is_some_and(|authority| authority.contains('@')) {
            return Err(ModelError::other(format_args!(
                "{scheme}://{}: a key does not belong into an address; put it into the environment variable {KEY_VARIABLE}",
                host(&self.url)
            )));
        }
        let base = self.url.trim_end_matches('/');
        let base = base.strip_suffix("/chat/completions").unwrap_or(base).trim_end_matches('/');
        let has_path = base[scheme.len() + 3..].contains('/');
        Ok(if has_path {
            base.to_owned()
        } else {
            format!("{base}/v1")
        })
    }
}

/// The key of a server, which must not appear in any record, log or message.
#[derive(Clone)]
pub(super) struct Key(String);

impl Key {
    /// Reads the key from the environment: ours, or OpenAI's own variable for OpenAI's host.
    pub(super) fn of(server: &VlmServer) -> Option<Key> {
        let variable = |name| std::env::var(name).ok().filter(|key| !key.trim().is_empty());
        let own = variable(KEY_VARIABLE);
        let key = own.or_else(|| match host(&server.url) {
            "api.openai.com" => variable("OPENAI_API_KEY"),
            _ => None,
        });
        key.map(|key| Key(key.trim().to_owned()))
    }

    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Removes the key from a text.
    pub(super) fn removed_from(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_in_any_of_its_usual_forms() {
        for (url, expected) in [
            ("http://localhost:8000", "http://localhost:8000/v1"),
            ("http://localhost:8000/", "http://localhost:8000/v1"),
            ("http://localhost:8000/v1", "http://localhost:8000/v1"),
            ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
            ("http://h/v1beta/openai", "http://h/v1beta/openai"),
            ("http://[::1]:80/v1/chat/completions/", "http://[::1]:80/v1"),
        ] {
            assert_eq!(VlmServer::at(url).base().unwrap(), expected, "{url}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_a_password_is_not_repeated() {
        for url in ["localhost:8000", "ftp://h", "http://", "http://h/?key=1", ""] {
            let error = VlmServer::at(url).base().unwrap_err().to_string();
            assert!(error.contains("expected an address"), "{url}: {error}");
        }
        let error = VlmServer::at("https://me:secret@h/v1").base().unwrap_err().to_string();
        assert!(!error.contains("secret") && error.contains(KEY_VARIABLE), "{error}");
    }
}
