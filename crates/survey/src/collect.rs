//! `neurogauge survey collect`: a small server that keeps the answers which pages send.

use crate::read::checked;
use crate::record::{self, SurveyRecord};
use neurogauge::Error;
use neurogauge::formats::{FormatError, atomic_file, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The longest answers, bytes: some 20 000 trials.
const MAX_BODY: usize = 1 << 20;
const MAX_HEAD: u64 = 16 << 10;
/// How long a browser may keep silent.
const PATIENCE: Duration = Duration::from_secs(10);
/// Browsers that are answered at the same time.
const MAX_BROWSERS: usize = 64;

/// Where answers are received, and where they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectRequest {
    /// The folder that [`make`](crate::make()) wrote.
    pub survey: PathBuf,
    /// The folder that gets a file for each rater.
    pub answers: PathBuf,
    /// The address to listen at.
    pub address: IpAddr,
    /// The port; 0 for a free one.
    pub port: u16,
}

/// A server for the answers to one survey. Each sound answer becomes a file of its own; none is ever replaced.
#[derive(Debug)]
pub struct Collector {
    listener: TcpListener,
    address: SocketAddr,
    kept: Arc<Answers>,
}

#[derive(Debug)]
struct Answers {
    survey: SurveyRecord,
    folder: PathBuf,
}

/// What a browser is told: the status, and a sentence.
struct Reply(&'static str, String);

struct Request {
    method: String,
    length: Option<usize>,
}

impl Collector {
    /// Reads the survey and opens the port.
    ///
    /// # Errors
    /// [`Error::Format`] for a folder that holds no survey, and for a port that cannot be opened.
    pub fn open(request: &CollectRequest) -> Result<Self, Error> {
        let survey: SurveyRecord = json::read(&request.survey.join(record::FILE))?;
        let address = SocketAddr::new(request.address, request.port);
        let failed = |source| FormatError::Io {
            path: PathBuf::from(address.to_string()),
            action: "listening",
            source,
        };
        let listener = TcpListener::bind(address).map_err(failed)?;
        Ok(Collector {
            address: listener.local_addr().map_err(failed)?,
            listener,
            kept: Arc::new(Answers {
                survey,
                folder: request.answers.clone(),
            }),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The name of the survey.
    pub fn survey(&self) -> &str {
        &self.kept.survey.survey
    }

    /// Receives answers until the process ends, and says of each what became of it.
    pub fn serve(&self, tell: impl Fn(&str) + Clone + Send + 'static) {
        for stream in self.listener.incoming().flatten() {
            let (kept, tell) = (Arc::clone(&self.kept), tell.clone());
            if Arc::strong_count(&kept) > MAX_BROWSERS + 1 {
                let busy = Reply(
                    "503 Service Unavailable",
                    "too many browsers at once".to_owned(),
                );
                let _ = send(&stream, &busy);
                continue;
            }
            // A browser that goes away is no fault of the others.
            std::thread::spawn(move || {
                let _ = kept.answer(&stream, &tell);
            });
        }
    }
}

impl Answers {
    fn answer(&self, stream: &TcpStream, tell: &impl Fn(&str)) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(stream);
        let request = request(&mut reader)?;
        let reply = match (request.method.as_str(), request.length) {
            // Whether a page of another origin may send, which a browser asks before some requests.
            ("OPTIONS", _) => Reply("204 No Content", String::new()),
            ("GET", _) => Reply(
                "200 OK",
                format!("This receives answers to survey {}.", self.survey.survey),
            ),
            ("POST", None) => Reply(
                "411 Length Required",
                "the length of the answers is missing".to_owned(),
            ),
            ("POST", Some(length)) if length > MAX_BODY => {
                // Read to its end, so that the browser hears why.
                let sent = length.min(8 * MAX_BODY) as u64;
                io::copy(&mut reader.take(sent), &mut io::sink())?;
                Reply(
                    "413 Content Too Large",
                    format!("{length} bytes; expected {MAX_BODY} at most"),
                )
            }
            ("POST", Some(length)) => {
                let mut body = vec![0; length];
                reader.read_exact(&mut body)?;
                let reply = self.keep(&body);
                tell(&reply.1);
                reply
            }
            _ => Reply("405 Method Not Allowed", "expected POST".to_owned()),
        };
        send(stream, &reply)
    }

    /// A file of its own for sound answers. The same answers sent again, after an answer that got lost, are no fault.
    fn keep(&self, body: &[u8]) -> Reply {
        let (page, result) = match checked(body, Path::new("answers"), &self.survey) {
            Ok(found) => found,
            Err(error) => return Reply("422 Unprocessable Content", format!("refused {error}")),
        };
        let is_name = (1..=64).contains(&result.len())
            && result
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !is_name {
            let reason = format!(
                "refused answers: result: {result:?}; expected 1 to 64 letters, digits, - and _"
            );
            return Reply("422 Unprocessable Content", reason);
        }
        let name = format!("{page}-{result}.json");
        let path = self.folder.join(&name);
        let is_known = path.exists();
        let stored = atomic_file::write_new(&path, body).and_then(|()| {
            std::fs::read(&path).map_err(|source| FormatError::Io {
                path,
                action: "reading",
                source,
            })
        });
        match stored {
            Ok(stored) if stored != body => Reply(
                "409 Conflict",
                format!("{name}: holds other answers of this sitting, which stay"),
            ),
            Ok(_) if is_known => Reply("200 OK", format!("{name}: the same answers came again")),
            Ok(_) => Reply("201 Created", format!("{name}: answers to page {page}")),
            Err(error) => Reply("500 Internal Server Error", format!("not kept: {error}")),
        }
    }
}

/// The first line and the length of the body.
fn request(reader: &mut impl BufRead) -> io::Result<Request> {
    let mut head = reader.take(MAX_HEAD);
    let mut next = || {
        let mut line = String::new();
        match head.read_line(&mut line)? {
            0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            _ => Ok(line.trim_end().to_owned()),
        }
    };
    let method = next()?.split(' ').next().unwrap_or_default().to_owned();
    let mut length = None;
    loop {
        let line = next()?;
        match line.split_once(':') {
            _ if line.is_empty() => return Ok(Request { method, length }),
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            _ => {}
        }
    }
}

/// Pages may be files or come from any server, so every origin may read the reply.
fn send(mut stream: &TcpStream, Reply(status, text): &Reply) -> io::Result<()> {
    let body = if text.is_empty() {
        String::new()
    } else {
        format!("{text}\n")
    };
    let head = [
        format!("HTTP/1.1 {status}"),
        "Access-Control-Allow-Origin: *".to_owned(),
        "Access-Control-Allow-Methods: POST".to_owned(),
        "Access-Control-Allow-Headers: Content-Type".to_owned(),
        "Content-Type: text/plain; charset=utf-8".to_owned(),
        format!("Content-Length: {}", body.len()),
        "Connection: close".to_owned(),
    ];
    stream.write_all(format!("{}\r\n\r\n{body}", head.join("\r\n")).as_bytes())?;
    stream.flush()
}
