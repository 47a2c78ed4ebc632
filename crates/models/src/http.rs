//! What all uses of the network share: the host of an address, pauses, headers.

use neurogauge_core::stopping::stop_if_asked;
use std::time::Duration;
use ureq::http::HeaderMap;

/// Waits, and checks every 0.1 s whether the program should stop.
pub(crate) fn sleep(mut pause: Duration) {
    const LOOK_UP: Duration = Duration::from_millis(100);
    while !pause.is_zero() {
        stop_if_asked();
        std::thread::sleep(pause.min(LOOK_UP));
        pause = pause.saturating_sub(LOOK_UP);
    }
}

pub(crate) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = text(headers, "retry-after")?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

pub(crate) fn is_plain_http(url: &str) -> bool {
    url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://"))
}

/// The host of an address, without its port.
pub(crate) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

pub(crate) fn is_on_this_machine(url: &str) -> bool {
    matches!(host(url), "127.0.0.1" | "::1" | "localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_an_address_is_what_the_connection_is_to() {
        for (url, expected) in [
            ("https://huggingface.co/a/b", "huggingface.co"),
            ("https://huggingface.co:443?x", "huggingface.co"),
            ("https://huggingface.co@evil.example/x", "evil.example"),
            ("https://huggingface.co.evil.example/x", "huggingface.co.evil.example"),
            ("http://[::1]:8080/x", "::1"),
        ] {
            assert_eq!(host(url), expected, "{url}");
        }
        assert!(is_on_this_machine("http://127.0.0.1:80/"));
        assert!(!is_on_this_machine("http://127.0.0.1.example/"));
        assert!(is_plain_http("HTTP://x") && !is_plain_http("https://x"));
    }

    #[test]
    fn a_date_is_no_number_of_seconds() {
        let of = |value: &'static str| HeaderMap::from_iter([("retry-after".parse().unwrap(), value.parse().unwrap())]);
        assert_eq!(retry_after(&of("Wed, 21 Oct 2026 07:28:00 GMT")), None);
        assert_eq!(retry_after(&of(" 7 ")), Some(Duration::from_secs(7)));
    }
}
