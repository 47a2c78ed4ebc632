//! The part of HTTP that browsers need to open a page and send answers.

use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const MAX_HEAD: u64 = 16 << 10;
/// The time that a browser has for our reply, which may be a page with all its pictures.
const REPLY_TIME: Duration = Duration::from_secs(120);

/// Reads the bytes of a request, or writes those of a reply, until a deadline, however slowly they come and go.
pub(super) struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl<'a> Timed<'a> {
    pub(super) fn new(stream: &'a TcpStream, time: Duration) -> Self {
        let until = Instant::now() + time;
        Timed { stream, until }
    }

    /// Allows this much time from now for the rest of the request.
    pub(super) fn extend(&mut self, time: Duration) {
        self.until = Instant::now() + time;
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left).ok_or_else(|| ErrorKind::TimedOut.into())
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// A browser's request.
pub(super) struct Request {
    pub(super) method: String,
    /// Path and parameters.
    pub(super) target: String,
    /// Length of the body, bytes, if the browser states it.
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
                0 => Err(io::Error::from(ErrorKind::UnexpectedEof)),
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

    /// Sends the reply. Every origin may read replies to answers, since pages that send answers may be files or come
    /// from any server. Only this origin may read the survey's pages and pictures.
    pub(super) fn send(&self, stream: &TcpStream, to_answers: bool) -> io::Result<()> {
        let mut lines = vec![
            format!("HTTP/1.1 {}", self.status),
            "Cache-Control: no-store".to_owned(),
            format!("Content-Type: {}; charset=utf-8", self.media_type),
            format!("Content-Length: {}", self.body.len()),
            "Connection: close".to_owned(),
        ];
        if to_answers {
            let headers = ["Origin: *", "Methods: POST", "Headers: Content-Type"];
            lines.extend(headers.map(|header| format!("Access-Control-Allow-{header}")));
        }
        lines.extend(self.location.iter().map(|to| format!("Location: {to}")));
        let head = lines.join("\r\n");
        let mut stream = Timed::new(stream, REPLY_TIME);
        stream.write_all(format!("{head}\r\n\r\n{}", self.body).as_bytes())?;
        stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_browser_that_reads_slowly_does_not_hold_its_place() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut browser = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        // It takes something all the time, so no single write waits for long.
        std::thread::spawn(move || {
            let mut few = [0; 1 << 10];
            while browser.read(&mut few).is_ok_and(|n| n > 0) {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let start = Instant::now();
        let sent = Timed::new(&stream, Duration::from_millis(300)).write_all(&vec![0; 64 << 20]);
        let error = sent.unwrap_err().kind();
        assert!(matches!(error, ErrorKind::TimedOut | ErrorKind::WouldBlock), "{error}");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
