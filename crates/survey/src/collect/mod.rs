//! `neurogauge survey collect`: a small server that hands out the pages of a survey and stores the answers that they
//! send.

mod answers;
mod http;
mod pages;

use crate::make::record::{self, SurveyRecord};
use answers::Answers;
use clap::Args;
use http::{Reply, Request};
use neurogauge::Error;
use neurogauge::formats::{IoResult, json};
use pages::Pages;
use std::io::{self, BufReader, Read};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The longest answers, bytes: about 20 000 trials.
const MAX_BODY: usize = 1 << 20;
/// How long to wait for a silent browser.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most browsers that are served at the same time.
const MAX_BROWSERS: usize = 64;

/// Where answers are received, and where they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct CollectRequest {
    /// Folder that gets a file for each sitting
    #[arg(value_name = "FOLDER")]
    pub answers: PathBuf,
    /// Folder that `neurogauge survey make` wrote
    #[arg(long, value_name = "DIR")]
    pub survey: PathBuf,
    /// Port to listen at; 0 for a free one
    #[arg(long, value_name = "PORT", default_value_t = 8765)]
    pub port: u16,
    /// Address to listen at: 127.0.0.1 for this machine only, 0.0.0.0 for others in the network, too
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: IpAddr,
}

/// A server for one survey. Valid answers become files, which are never replaced.
#[derive(Debug)]
pub struct Collector {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
}

#[derive(Debug)]
struct Site {
    answers: Answers,
    pages: Pages,
}

impl Collector {
    /// Reads the survey and opens the port.
    ///
    /// # Errors
    /// [`Error::Format`] for a folder without a survey, and for a port that cannot be opened.
    pub fn open(request: &CollectRequest) -> Result<Self, Error> {
        let survey: SurveyRecord = json::read(&request.survey.join(record::FILE))?;
        let address = SocketAddr::new(request.address, request.port);
        let listener = TcpListener::bind(address).when("listening", PathBuf::from(address.to_string()))?;
        Ok(Collector {
            address: listener.local_addr().when("listening", PathBuf::from(address.to_string()))?,
            listener,
            site: Arc::new(Site {
                answers: Answers {
                    survey,
                    folder: request.answers.clone(),
                },
                pages: Pages::new(request.survey.join(record::PAGES)),
            }),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The name of the survey.
    pub fn survey(&self) -> &str {
        &self.site.answers.survey.survey
    }

    /// Receives answers until the process ends, and reports what happened to each.
    pub fn serve(&self, tell: impl Fn(&str) + Clone + Send + 'static) {
        for stream in self.listener.incoming().flatten() {
            let (site, tell) = (Arc::clone(&self.site), tell.clone());
            if Arc::strong_count(&site) > MAX_BROWSERS + 1 {
                let _ = Reply::text("503 Service Unavailable", "too many browsers at once").send(&stream);
                continue;
            }
            // A failure to start a thread only affects this browser.
            let _ = std::thread::Builder::new().spawn(move || {
                let _ = site.answer(&stream, &tell);
            });
        }
    }
}

impl Site {
    fn answer(&self, stream: &TcpStream, tell: &impl Fn(&str)) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(stream);
        let request = Request::read(&mut reader)?;
        let reply = match (request.method.as_str(), request.length) {
            // The preflight request of browsers: may a page of another origin send?
            ("OPTIONS", _) => Reply::text("204 No Content", ""),
            ("GET", _) => self.pages.reply(&request.target, &self.answers),
            ("POST", None) => Reply::text("411 Length Required", "the length of the answers is missing"),
            ("POST", Some(length)) if length > MAX_BODY => {
                // Reads the body to its end, so that the browser receives the reason.
                let sent = length.min(8 * MAX_BODY) as u64;
                io::copy(&mut reader.take(sent), &mut io::sink())?;
                let reason = format!("{length} bytes; expected {MAX_BODY} at most");
                Reply::text("413 Content Too Large", reason)
            }
            ("POST", Some(length)) => {
                let mut body = vec![0; length];
                reader.read_exact(&mut body)?;
                let reply = self.answers.keep(&body);
                tell(&reply.body);
                reply
            }
            _ => Reply::text("405 Method Not Allowed", "expected GET or POST"),
        };
        reply.send(stream)
    }
}
