//! Where a page sends the answers.

use neurogauge::Error;
use serde::{Deserialize, Serialize};

/// DataPipe's address for data, which it stores at the Open Science Framework.
const DATAPIPE: &str = "https://pipe.jspsych.org/api/data/";
/// A host that redirects its replies to another one: Google's Apps Script.
const ANSWERS_ELSEWHERE: (&str, &str) = ("https://script.google.com", "https://script.googleusercontent.com");

/// Where and how answers are sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The address to which answers are posted.
    pub url: String,
    /// The experiment at DataPipe that stores them; `None` if the body is the answers themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datapipe: Option<String>,
}

impl Submission {
    /// Sends the answers as JSON to an address.
    pub fn to_url(url: impl Into<String>) -> Self {
        Submission {
            url: url.into(),
            datapipe: None,
        }
    }

    /// Sends the answers to an experiment of DataPipe.
    pub fn to_datapipe(experiment: impl Into<String>) -> Self {
        Submission {
            url: DATAPIPE.to_owned(),
            datapipe: Some(experiment.into()),
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if origin(&self.url).is_none() {
            return Err(Error::Usage(format!(
                "the address {:?} for answers: expected one such as https://example.org/answers, without spaces, and without a name \
                 or password before the host",
                self.url
            )));
        }
        match &self.datapipe {
            Some(id) if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric()) => {
                Err(Error::Usage(format!("the experiment {id:?} of DataPipe: expected its ID, letters and digits")))
            }
            _ => Ok(()),
        }
    }

    /// The origins to which the page may connect, for a content security policy.
    pub(crate) fn origins(&self) -> Vec<String> {
        let own = origin(&self.url);
        let (host, elsewhere) = ANSWERS_ELSEWHERE;
        let further = (own.as_deref() == Some(host)).then(|| elsewhere.to_owned());
        own.into_iter().chain(further).collect()
    }

    /// Are answers sent unencrypted to another machine?
    pub(crate) fn is_unencrypted(&self) -> bool {
        let host = self.url.strip_prefix("http://").unwrap_or_default();
        let host = host.split(['/', '?', '#', ':']).next().unwrap_or_default();
        !matches!(host, "" | "localhost" | "127.0.0.1")
    }
}

/// Does it begin with http(s), without spaces and control characters?
pub(super) fn is_web_address(url: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme))
        && !url.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Scheme, host and port, if they have no characters with a special meaning in a policy.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://").filter(|_| is_web_address(url))?;
    let host = rest.split(['/', '?', '#']).next()?;
    let is_plain = host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'));
    (!host.is_empty() && is_plain).then(|| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, expected) in [
            ("https://example.org/a/b?c=1#d", Some("https://example.org")),
            ("http://127.0.0.1:8765", Some("http://127.0.0.1:8765")),
            ("https://a-b.example.org?x", Some("https://a-b.example.org")),
            ("https://", None),
            ("ftp://example.org", None),
            ("https://*", None),
            ("https://example.org; script-src *", None),
            ("https://a@example.org/", None),
            ("https://example.org,evil.org/", None),
            ("/answers", None),
        ] {
            assert_eq!(origin(url).as_deref(), expected, "{url}");
            assert_eq!(Submission::to_url(url).check().is_ok(), expected.is_some());
        }
        let google = Submission::to_url("https://script.google.com/macros/s/x/exec");
        assert_eq!(google.origins(), ["https://script.google.com", "https://script.googleusercontent.com"]);
        assert!(Submission::to_datapipe("AbC123").check().is_ok());
    }

    #[test]
    fn what_leaves_the_machine_unencrypted_is_known() {
        for (url, expected) in [
            ("http://192.168.0.2:8765/", true),
            ("http://localhost.example.org/", true),
            ("http://localhost:80/", false),
            ("http://127.0.0.1/", false),
            ("https://example.org/", false),
        ] {
            assert_eq!(Submission::to_url(url).is_unencrypted(), expected, "{url}");
        }
    }
}
