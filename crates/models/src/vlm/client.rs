//! Sends a request until an answer comes, or until it gives up.

use super::server::{KEY_VARIABLE, Key, VlmServer};
use super::{Answer, VlmOptions};
use crate::ModelError;
use crate::http::{host, is_on_this_machine, retry_after};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use ureq::http::StatusCode;

/// Retry after at most this long, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Longer answers are refused.
const LONGEST_ANSWER: u64 = 16 << 20;
/// If this many images are refused before any answer, the request is at fault.
const REFUSALS: usize = 3;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The server cannot process this image, or its answer cannot be read. Other images may work.
    Item(String),
    /// No request can succeed.
    Server(ModelError),
}

/// A server and what is known about it.
pub(super) struct Client {
    agent: ureq::Agent,
    base: String,
    key: Option<Key>,
    server: VlmServer,
    has_answered: AtomicBool,
    n_refused: AtomicUsize,
}

/// A server's answer to the request for its models.
enum Known {
    Models(Vec<String>),
    /// It gave no list, but this status.
    NoList(StatusCode),
    /// The server is unreachable.
    Gone,
}

enum Try {
    Answered(String),
    /// A temporary failure: another try may succeed, after this delay if the server gives one.
    Passing(String, Option<Duration>),
    Refused(NoAnswer),
}

impl Client {
    pub(super) fn of(server: &VlmServer) -> Result<Self, ModelError> {
        let base = server.base()?;
        let mut config = ureq::Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(30)))
            .timeout_global(Some(server.timeout))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false);
        if is_on_this_machine(&base) {
            config = config.proxy(None);
        }
        Ok(Client {
            agent: config.build().into(),
            base,
            key: Key::of(server),
            server: server.clone(),
            has_answered: AtomicBool::new(false),
            n_refused: AtomicUsize::new(0),
        })
    }

    /// Requests one answer.
    pub(super) fn ask(
        &self,
        (model, prompt, png): (&str, &str, &str),
        options: &VlmOptions,
        repetition: u64,
    ) -> Result<Answer, NoAnswer> {
        let body = options.request(model, prompt, png, repetition).to_string();
        let mut pause = self.server.retry_pause;
        let mut n_tried = 0;
        loop {
            n_tried += 1;
            let (reason, after) = match self.attempt(model, &body) {
                Try::Answered(text) => match Answer::read(&text, model, repetition) {
                    Ok(answer) => {
                        self.has_answered.store(true, Ordering::Relaxed);
                        return Ok(answer);
                    }
                    Err(reason) => (self.without_key(&reason), None),
                },
                Try::Refused(why) => return Err(why),
                Try::Passing(reason, after) => (reason, after),
            };
            if n_tried == self.server.tries.get() {
                let tried = match n_tried {
                    1 => "once".to_owned(),
                    n => format!("{n} times"),
                };
                return Err(self.given_up(&format!("{reason} (tried {tried})")));
            }
            thread::sleep(after.unwrap_or(pause).min(LONGEST_PAUSE));
            pause = pause.saturating_mul(2);
        }
    }

    /// If the server still responds, this image is at fault, unless all images fail.
    fn given_up(&self, reason: &str) -> NoAnswer {
        if matches!(self.known(), Known::Gone) {
            return NoAnswer::Server(self.error(format!(
                "{reason}. What was answered is kept: start the server and run the same command again"
            )));
        }
        self.not_taken(reason, "The server is there; its log may say why it gives no answer")
    }

    /// If the server rejects one image, that image has failed. If it rejects all images, the fault is elsewhere.
    fn not_taken(&self, reason: &str, advice: &str) -> NoAnswer {
        let n_refused = self.n_refused.fetch_add(1, Ordering::Relaxed) + 1;
        if self.has_answered() || n_refused < REFUSALS {
            return NoAnswer::Item(reason.to_owned());
        }
        NoAnswer::Server(self.error(format!("{reason}. No image was answered yet. {advice}")))
    }

    fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    fn attempt(&self, model: &str, body: &str) -> Try {
        let mut request = self
            .agent
            .post(format!("{}/chat/completions", self.base))
            .header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("Authorization", key.header());
        }
        let response = match request.send(body) {
            Ok(response) => response,
            Err(error) => return self.of_connection(&error),
        };
        let (head, body) = response.into_parts();
        let body = body.into_with_config().limit(LONGEST_ANSWER).read_to_string();
        match head.status {
            StatusCode::OK => match body {
                Ok(text) => Try::Answered(text),
                Err(error) => Try::Passing(format!("the answer broke off: {error}"), None),
            },
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                Try::Passing(format!("the server answers {}", head.status), retry_after(&head.headers))
            }
            status if status.is_server_error() => {
                let said = self.with_message(status, &body.unwrap_or_default());
                Try::Passing(said, retry_after(&head.headers))
            }
            status => Try::Refused(self.refused(model, status, &body.unwrap_or_default())),
        }
    }

    fn of_connection(&self, error: &ureq::Error) -> Try {
        match error {
            ureq::Error::Timeout(_) => {
                Try::Passing(format!("no answer within {} s", self.server.timeout.as_secs_f64()), None)
            }
            ureq::Error::Io(_)
            | ureq::Error::ConnectionFailed
            | ureq::Error::Protocol(_)
            | ureq::Error::HostNotFound => Try::Passing(format!("no connection: {error}"), None),
            other => Try::Refused(NoAnswer::Server(self.error(other.to_string()))),
        }
    }

    /// The error for a status after which the same request would fail again.
    fn refused(&self, model: &str, status: StatusCode, body: &str) -> NoAnswer {
        let said = self.with_message(status, body);
        let advice = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => match self.key {
                Some(_) => format!("the server answers {status}: it does not take the key in {KEY_VARIABLE}"),
                None => format!(
                    "the server answers {status}: it asks for a key; put it into the environment variable {KEY_VARIABLE}"
                ),
            },
            StatusCode::NOT_FOUND => format!("{said}. {}", self.known_models(model)),
            status if status.is_redirection() => {
                format!("the server answers {status}; give the address that it sends others to")
            }
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
                return self.not_taken(&said, &self.known_models(model));
            }
            _ => said,
        };
        NoAnswer::Server(self.error(advice))
    }

    /// The status and the server's message.
    fn with_message(&self, status: StatusCode, body: &str) -> String {
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let error = &body["error"];
        let detail = &body["detail"];
        let message = [&error["message"], error, &body["message"], detail, &detail[0]["msg"]];
        let message = message.into_iter().find_map(Value::as_str).unwrap_or_default();
        let message = self.without_key(message).chars().filter(|c| !c.is_control()).take(300).collect::<String>();
        match message.trim() {
            "" => format!("the server answers {status}"),
            message => format!("the server answers {status}: {:?}", message.trim_end_matches('.')),
        }
    }

    /// Removes the key and the server's host from a message.
    fn without_key(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.removed_from(text));
        text.replace(host(&self.base), "[host]")
    }

    fn known_models(&self, asked: &str) -> String {
        match self.known() {
            Known::Models(models) if models.iter().any(|model| model == asked) => {
                format!("It has {asked:?}")
            }
            Known::Models(models) if !models.is_empty() => {
                format!("Asked for was {asked:?}; it has {}", models.join(", "))
            }
            Known::NoList(StatusCode::NOT_FOUND) => format!(
                "Asked for was {asked:?}. It has no list of models at this address either; is it the right one? Expected one such as \
                 http://localhost:8000"
            ),
            _ => format!("Asked for was {asked:?}; it does not say which models it has"),
        }
    }

    /// The server's list of its models.
    fn known(&self) -> Known {
        let mut request = self.agent.get(format!("{}/models", self.base));
        if let Some(key) = &self.key {
            request = request.header("Authorization", key.header());
        }
        let Ok(response) = request.call() else {
            return Known::Gone;
        };
        let (head, body) = response.into_parts();
        match head.status {
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                return Known::Gone;
            }
            status if !status.is_success() => return Known::NoList(status),
            _ => {}
        }
        let body = body.into_with_config().limit(LONGEST_ANSWER).read_to_string();
        let body: Value = serde_json::from_str(&body.unwrap_or_default()).unwrap_or_default();
        let models = body["data"].as_array().into_iter().flatten().filter_map(|model| model["id"].as_str());
        Known::Models(models.take(20).map(str::to_owned).collect())
    }

    pub(super) fn error(&self, reason: impl std::fmt::Display) -> ModelError {
        ModelError::other(format_args!("{}: {reason}", self.base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// A server that answers every request with `models`.
    fn serve(models: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).unwrap();
                let n_bytes = models.len();
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {n_bytes}\r\nConnection: close\r\n\r\n");
                stream.write_all((head + models).as_bytes()).unwrap();
            }
        });
        format!("http://{address}")
    }

    #[test]
    fn a_model_that_a_server_does_not_have_is_named_beside_those_that_it_has() {
        for (models, part) in [
            (r#"{"data": [{"id": "a"}, {"id": "b"}]}"#, "it has a, b"),
            ("{}", "it does not say which models it has"),
        ] {
            let client = Client::of(&VlmServer::at(&serve(models))).unwrap();
            let known = client.known_models("m");
            assert_eq!(known, format!("Asked for was \"m\"; {part}"));
        }
    }
}
