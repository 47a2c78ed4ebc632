//! Downloads one file: continues an interrupted download, retries if that may help, and checks the file before it is
//! moved to its final path.

use super::file_kind::{check_kind, is_page};
use super::partial_file::PartialFile;
use super::{DownloadProgress, WeightOptions};
use crate::ModelError;
use crate::http::{host, is_on_this_machine, is_plain_http, retry_after, sleep, text};
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_formats::content_hash;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use ureq::http::{HeaderMap, StatusCode};

/// Tries with next to no progress before the download is given up.
const TRIES: u32 = 5;
/// Bytes that a try must receive to count as progress.
const HEADWAY: u64 = 1 << 20;
/// Retry after at most this long, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Redirects of one download.
const MOST_REDIRECTS: usize = 10;

/// A file to download.
pub(crate) struct Wanted<'a> {
    pub(crate) url: &'a str,
    /// Its name, for progress messages and to check its kind.
    pub(crate) name: &'a str,
    pub(crate) bytes: Option<u64>,
    /// The known digits of its SHA-256, possibly none.
    pub(crate) sha256: &'a str,
}

/// Why a download failed.
#[derive(Debug)]
pub(crate) enum TransferError {
    /// Temporary: another try may succeed, after this delay if the server gives one.
    Passing(String, Option<Duration>),
    /// Permanent: another try would fail in the same way.
    Lasting(String),
    /// The file could not be written to the local disk.
    Unwritable(io::Error),
}

impl From<io::Error> for TransferError {
    fn from(error: io::Error) -> Self {
        TransferError::Unwritable(error)
    }
}

impl TransferError {
    /// The error for a file at `url`, with instructions to get it by hand.
    pub(crate) fn explained(self, url: &str, target: &Path, instructions: impl FnOnce() -> String) -> ModelError {
        match self {
            TransferError::Unwritable(source) => ModelError::io(target, "write", source),
            TransferError::Passing(reason, _) | TransferError::Lasting(reason) => ModelError::Download {
                url: url.to_owned(),
                reason,
                instructions: instructions(),
            },
        }
    }
}

/// Downloads the file to `target`, whose folder exists. Returns the Hub's commit of the file.
pub(crate) fn fetch(
    wanted: &Wanted<'_>,
    target: &Path,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<Option<String>, TransferError> {
    let is_open = is_plain_http(wanted.url);
    if is_open && !options.allow_http && !is_on_this_machine(wanted.url) {
        return Err(TransferError::Lasting(
            "over plain http anyone on the way could send something else; give an https address, or set \
             NEUROGAUGE_ALLOW_HTTP=1 if you trust the network"
                .to_owned(),
        ));
    }
    let mut partial = PartialFile::open(target)?;
    let mut progress = Shown {
        wanted,
        progress,
        is_started: false,
    };
    let mut n_idle = 0;
    loop {
        stop_if_asked();
        let before = partial.bytes();
        let (reason, pause) = match attempt(wanted, options, &mut partial, &mut progress) {
            Ok(commit) => {
                partial.put_in_place(target)?;
                progress.progress.finished(wanted.name);
                return Ok(commit);
            }
            Err(error @ TransferError::Unwritable(_)) => return Err(error),
            Err(error @ TransferError::Lasting(_)) => {
                partial.close()?;
                return Err(error);
            }
            Err(TransferError::Passing(reason, pause)) => (reason, pause),
        };
        if !partial.can_go_on() {
            partial.clear()?;
        }
        n_idle = match partial.bytes() >= before + HEADWAY {
            true => 1,
            false => n_idle + 1,
        };
        if n_idle >= TRIES {
            partial.close()?;
            return Err(TransferError::Lasting(reason));
        }
        let doubled = options.retry_pause * (1 << (n_idle - 1));
        let pause = pause.unwrap_or(doubled).min(LONGEST_PAUSE);
        progress
            .progress
            .waiting(&format!("{}: {reason}; trying again in {} s", wanted.name, pause.as_secs()));
        sleep(pause);
    }
}

/// Progress that reports each start only once.
struct Shown<'a> {
    wanted: &'a Wanted<'a>,
    progress: &'a dyn DownloadProgress,
    is_started: bool,
}

impl Shown<'_> {
    fn start(&mut self, expected: u64, known: u64) {
        if known == 0 || !self.is_started {
            self.progress.started(self.wanted.name, expected);
            if known > 0 {
                self.progress.advanced(known);
            }
        }
        self.is_started = true;
    }
}

fn attempt(
    wanted: &Wanted<'_>,
    options: &WeightOptions,
    partial: &mut PartialFile,
    progress: &mut Shown<'_>,
) -> Result<Option<String>, TransferError> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_secs(30)))
        .timeout_recv_response(Some(Duration::from_secs(60)))
        .timeout_per_read(Some(options.stall))
        .https_only(!is_plain_http(wanted.url))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .build()
        .into();
    let mut urls = vec![wanted.url.to_owned()];
    let response = loop {
        let url = &urls[urls.len() - 1];
        let mut request = agent.get(url);
        // Downloads are redirected to other hosts, which must not get the token.
        if let Some(token) = &options.token
            && host(url) == options.token_host
        {
            request = request.header("Authorization", token.header());
        }
        if partial.bytes() > 0 {
            request = request.header("Range", format!("bytes={}-", partial.bytes()));
            if let Some(etag) = partial.etag() {
                request = request.header("If-Range", etag);
            }
        }
        let response = request.call().map_err(|error| of_request(&error))?;
        let to = text(response.headers(), "location").filter(|_| response.status().is_redirection());
        let Some(to) = to else { break response };
        let to = redirected(url, to).ok_or_else(|| format!("the server redirects to {to:?}, which is no http address"));
        if urls.len() > MOST_REDIRECTS {
            return Err(TransferError::Lasting("the server redirects again and again".to_owned()));
        }
        urls.push(to.map_err(TransferError::Lasting)?);
    };
    let (head, body) = response.into_parts();
    let total = match head.status {
        StatusCode::OK => {
            partial.clear()?;
            body.content_length()
        }
        StatusCode::PARTIAL_CONTENT => match content_range(&head.headers) {
            Some((first, total)) if first == partial.bytes() => Some(total),
            _ => {
                partial.clear()?;
                let reason = "the server sends another part of the file than was asked for";
                return Err(TransferError::Passing(reason.to_owned(), None));
            }
        },
        StatusCode::RANGE_NOT_SATISFIABLE => {
            partial.clear()?;
            let reason = "the server has no more of the file than there is already";
            return Err(TransferError::Passing(reason.to_owned(), None));
        }
        status => return Err(refused(status, &head.headers)),
    };
    // If the size is not published, only the server can tell that the body was cut short.
    let Some(expected) = wanted.bytes.or(total) else {
        let reason = "the server does not say how long the file is";
        return Err(TransferError::Lasting(reason.to_owned()));
    };
    let more =
        || TransferError::Lasting(format!("the server sends more than the {expected} bytes of the published file"));
    if expected > options.size_cap {
        let cap = options.size_cap;
        return Err(TransferError::Lasting(format!(
            "the file has {expected} bytes, and none of more than {cap} is taken"
        )));
    }
    let n_before = partial.bytes();
    let is_resumed = n_before > 0;
    partial.note(etag(&head.headers), takes_ranges(&head.headers) && is_whole(wanted.sha256))?;
    progress.start(expected, n_before);

    let mut body = body.into_with_config().limit(u64::MAX).reader();
    let mut chunk = vec![0; 1 << 16];
    loop {
        stop_if_asked();
        let bytes = partial.bytes();
        let n = body
            .read(&mut chunk)
            .map_err(|error| TransferError::Passing(format!("after {bytes} of {expected} bytes: {error}"), None))?;
        if n == 0 {
            break;
        }
        if bytes + n as u64 > expected {
            partial.clear()?;
            return Err(more());
        }
        partial.append(&chunk[..n])?;
        progress.progress.advanced(n as u64);
    }
    let bytes = partial.bytes();
    if bytes < expected {
        let reason = format!("the server sent {bytes} of {expected} bytes");
        return Err(TransferError::Passing(reason, None));
    }
    check(wanted, partial, is_resumed)?;
    Ok(commit(&head.headers))
}

/// The address that a server redirects to; `None` for one of another scheme.
fn redirected(from: &str, to: &str) -> Option<String> {
    let (scheme, rest) = from.split_once("://")?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_scheme =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    match to.split_once(':') {
        Some((other, _)) if is_scheme(other) => {
            let is_http = ["http", "https"].iter().any(|known| other.eq_ignore_ascii_case(known));
            is_http.then(|| to.to_owned())
        }
        _ if to.starts_with("//") => Some(format!("{scheme}:{to}")),
        _ if to.starts_with('/') => Some(format!("{scheme}://{host}{to}")),
        _ => {
            let folder = path.split(['?', '#']).next().and_then(|path| path.rsplit_once('/')).map_or("", |(to, _)| to);
            Some(format!("{scheme}://{host}{folder}/{to}"))
        }
    }
}

/// Is the downloaded file the wanted one? Other files are removed.
fn check(wanted: &Wanted<'_>, partial: &mut PartialFile, is_resumed: bool) -> Result<(), TransferError> {
    let found = content_hash::hexadecimal(&partial.hash());
    if !found.starts_with(wanted.sha256) {
        let is_page = is_page(partial.path())?;
        partial.clear()?;
        if is_resumed {
            let reason = "the two parts of the file do not belong together";
            return Err(TransferError::Passing(reason.to_owned(), None));
        }
        let page = if is_page { ", a web page" } else { "" };
        let rest = if is_whole(wanted.sha256) {
            ""
        } else {
            "... (no more of it is published)"
        };
        return Err(TransferError::Lasting(format!(
            "the server sends another file{page}: SHA-256 {found}, expected {}{rest}",
            wanted.sha256
        )));
    }
    if is_whole(wanted.sha256) {
        return Ok(());
    }
    if let Err(reason) = check_kind(partial.path(), wanted.name)? {
        partial.clear()?;
        return Err(TransferError::Lasting(reason));
    }
    Ok(())
}

fn is_whole(sha256: &str) -> bool {
    sha256.len() == 64
}

fn of_request(error: &ureq::Error) -> TransferError {
    let reason = error.to_string();
    match error {
        // Nobody listens there.
        ureq::Error::Io(source) if source.kind() == io::ErrorKind::ConnectionRefused => TransferError::Lasting(reason),
        ureq::Error::Io(_) | ureq::Error::Timeout(_) | ureq::Error::ConnectionFailed => {
            TransferError::Passing(reason, None)
        }
        // A broken protocol is treated as a broken connection.
        ureq::Error::Protocol(_) => TransferError::Passing(reason, None),
        _ => TransferError::Lasting(reason),
    }
}

/// The error for a response status other than success.
fn refused(status: StatusCode, headers: &HeaderMap) -> TransferError {
    let said = format!("the server answers {status}");
    match status {
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            TransferError::Passing(said, retry_after(headers))
        }
        status if status.is_server_error() => TransferError::Passing(said, retry_after(headers)),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => TransferError::Lasting(format!(
            "{said}; where a model asks for an account, accept its terms on its page and set HF_TOKEN"
        )),
        _ => TransferError::Lasting(said),
    }
}

/// The first byte of the part, and the length of the whole file.
fn content_range(headers: &HeaderMap) -> Option<(u64, u64)> {
    let (range, total) = text(headers, "content-range")?.strip_prefix("bytes ")?.split_once('/')?;
    let (first, _) = range.split_once('-')?;
    Some((first.parse().ok()?, total.parse().ok()?))
}

/// A strong tag, which identifies every byte of the file; a weak one does not.
fn etag(headers: &HeaderMap) -> Option<&str> {
    text(headers, "etag").filter(|tag| tag.starts_with('"'))
}

fn takes_ranges(headers: &HeaderMap) -> bool {
    text(headers, "accept-ranges").is_some_and(|unit| unit.contains("bytes"))
}

fn commit(headers: &HeaderMap) -> Option<String> {
    let commit = text(headers, "x-repo-commit")?;
    let is_commit = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
    is_commit.then(|| commit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_lead_to_http_addresses_only() {
        let from = "https://hub.example/a/b/file?x=/y";
        for (to, expected) in [
            ("https://cdn.example/f", Some("https://cdn.example/f")),
            ("HTTP://cdn.example/f", Some("HTTP://cdn.example/f")),
            ("//cdn.example/f", Some("https://cdn.example/f")),
            ("/c?t=1:2", Some("https://hub.example/c?t=1:2")),
            ("other", Some("https://hub.example/a/b/other")),
            ("?sign=a:b", Some("https://hub.example/a/b/?sign=a:b")),
            ("file:///etc/passwd", None),
            ("gopher://127.0.0.1/", None),
            ("data:text/plain,x", None),
        ] {
            assert_eq!(redirected(from, to).as_deref(), expected, "{to}");
        }
        assert_eq!(redirected("http://h", "f").as_deref(), Some("http://h/f"));
    }

    #[test]
    fn headers_that_say_nothing_certain_are_not_believed() {
        let of = |name: &'static str, value: &'static str| {
            HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
        };
        assert_eq!(content_range(&of("content-range", "bytes 5-9/10")), Some((5, 10)));
        assert_eq!(content_range(&of("content-range", "bytes 5-9/*")), None);
        assert_eq!(etag(&of("etag", "\"a\"")), Some("\"a\""));
        assert_eq!(etag(&of("etag", "W/\"a\"")), None);
    }
}
