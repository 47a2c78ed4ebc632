//! The part of HTTP that browsers need to open a page and send answers.

use itertools::Itertools;
use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;

const MAX_HEAD: u64 = 16 << 10;

/// A browser's request.
pub(super) struct Request {
    pub(super) method: String,
    /// Path and parameters.
    pub(super) target: String,
    /// Bytes of the body, if the browser gives their number.
    pub(super) length: Option<usize>,
}

/// The reply to a browser.
pub(super) struct Reply {
    pub(super) status: &'static str,
    /// The address to redirect to.
    pub(super) location: Option<String>,
    pub(super) media_type: &'static str,
    pub(super) body: String,
}

impl Request {
    /// Reads everything before the body.
    pub(super) fn read(reader: &mut impl BufRead) -> io::Result<Self> {
        let mut head = reader.take(MAX_HEAD);
        let mut next = || {
            let mut line = String::new();
            match head.read_line(&mut line)? {
                0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
                _ => Ok(line.trim_end().to_owned()),
            }
        };
        let first = next()?;
        let mut words = first.split(' ').map(str::to_owned);
        let mut request = Request {
            method: words.next().unwrap_or_default(),
            target: words.next().unwrap_or_default(),
            length: None,
        };
        loop {
            let line = next()?;
            match line.split_once(':') {
                _ if line.is_empty() => return Ok(request),
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    request.length = value.trim().parse().ok();
                }
                _ => {}
            }
        }
    }
}

impl Reply {
    pub(super) fn text(status: &'static str, text: impl Into<String>) -> Self {
        Reply {
            status,
            location: None,
            media_type: "text/plain",
            body: text.into(),
        }
    }

    /// Pages may be files or come from any server, so every origin may read the reply.
    pub(super) fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        let location = self.location.as_ref();
        let lines = [
            format!("HTTP/1.1 {}", self.status),
            "Access-Control-Allow-Origin: *".to_owned(),
            "Access-Control-Allow-Methods: POST".to_owned(),
            "Access-Control-Allow-Headers: Content-Type".to_owned(),
            "Cache-Control: no-store".to_owned(),
            format!("Content-Type: {}; charset=utf-8", self.media_type),
            format!("Content-Length: {}", self.body.len()),
            "Connection: close".to_owned(),
        ];
        let head = lines.into_iter().chain(location.map(|to| format!("Location: {to}"))).join("\r\n");
        stream.write_all(format!("{head}\r\n\r\n{}", self.body).as_bytes())?;
        stream.flush()
    }
}
