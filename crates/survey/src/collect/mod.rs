//! `neurogauge survey collect`: a small server that delivers the pages of a survey and stores the answers that they
//! send.

mod answers;
mod http;
mod pages;

use crate::make::record::{self, SurveyRecord};
use answers::Answers;
use clap::Args;
use http::{Reply, Request, Timed};
use neurogauge::Error;
use neurogauge::formats::IoResult;
use neurogauge::formats::names_below::own_file;
use pages::Pages;
use std::collections::HashMap;
use std::io::{self, BufReader, ErrorKind, Read};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum length of answers, bytes: enough for about 20 000 trials.
const MAX_BODY: usize = 1 << 20;
/// How long a browser may take for the head of its request, and then for the answers.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(60);
/// Maximum number of browsers served at the same time, in total and from one address. There is no such limit for this
/// machine itself, since a web server in front of this one forwards everything from there.
const MAX_BROWSERS: usize = 64;
const MAX_OF_ADDRESS: usize = 16;

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
    /// Take answers only from links with this word, http://.../?token=WORD; pages must be made with --submit-url likewise
    #[arg(long, value_name = "WORD", value_parser = token)]
    pub token: Option<String>,
}

/// A word that an address can hold as it is.
fn token(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    is_word.then(|| text.to_owned()).ok_or_else(|| "expected letters, digits, - and _".to_owned())
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
    token: Option<String>,
    /// The number of browsers that are being served, by address.
    browsers: Mutex<HashMap<IpAddr, usize>>,
}

/// A slot for a browser that is being served.
struct Place {
    site: Arc<Site>,
    address: IpAddr,
}

impl Collector {
    /// Reads the survey and opens the port.
    ///
    /// # Errors
    /// [`Error::Format`] for a folder without a survey, a folder of answers that cannot be written to, and a port that
    /// cannot be opened.
    pub fn open(request: &CollectRequest) -> Result<Self, Error> {
        let survey = SurveyRecord::read(&request.survey)?;
        let pages = Pages::new(own_file(&request.survey, record::PAGES), survey.pages.len());
        let answers = Answers::open(survey, request.answers.clone())?;
        let address = SocketAddr::new(request.address, request.port);
        let listener = TcpListener::bind(address).when("listening", PathBuf::from(address.to_string()))?;
        Ok(Collector {
            address: listener.local_addr().when("listening", PathBuf::from(address.to_string()))?,
            listener,
            site: Arc::new(Site {
                answers,
                pages,
                token: request.token.clone(),
                browsers: Mutex::default(),
            }),
        })
    }

    /// The address that it listens on.
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
            let address = stream.peer_addr().map_or(IpAddr::from([0; 4]), |peer| peer.ip());
            let Some(place) = Place::among(&self.site, address) else {
                let busy = Reply::text("503 Service Unavailable", "too many browsers at once");
                let _ = busy.send(&stream, true);
                continue;
            };
            let tell = tell.clone();
            // A failure to start a thread only affects this browser.
            let _ = std::thread::Builder::new().spawn(move || {
                let _ = place.site.answer(&stream, &tell);
            });
        }
    }
}

impl Place {
    fn among(site: &Arc<Site>, address: IpAddr) -> Option<Place> {
        let mut browsers = site.browsers.lock().unwrap_or_else(PoisonError::into_inner);
        let of_address = browsers.get(&address).copied().unwrap_or_default();
        let is_full =
            browsers.values().sum::<usize>() >= MAX_BROWSERS || of_address >= MAX_OF_ADDRESS && !address.is_loopback();
        if is_full {
            return None;
        }
        browsers.insert(address, of_address + 1);
        let site = Arc::clone(site);
        Some(Place { site, address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut browsers = self.site.browsers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = browsers.get_mut(&self.address) {
            *n -= 1;
        }
        browsers.retain(|_, n| *n > 0);
    }
}

impl Site {
    fn answer(&self, stream: &TcpStream, tell: &impl Fn(&str)) -> io::Result<()> {
        let mut reader = BufReader::new(Timed::new(stream, HEAD_TIME));
        let request = match Request::read(&mut reader) {
            // Windows and Unix use different names for it.
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => {
                return Reply::text("408 Request Timeout", "the request took too long").send(stream, true);
            }
            found => found?,
        };
        reader.get_mut().extend(BODY_TIME);
        let (path, parameters) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let is_sound = request.target.chars().all(|c| c.is_ascii_graphic());
        let has_token = self
            .token
            .as_ref()
            .is_none_or(|token| parameters.split('&').any(|part| part.strip_prefix("token=") == Some(token)));
        let reply = match (request.method.as_str(), request.length) {
            // The preflight request of browsers, which asks whether a page of another origin may send.
            ("OPTIONS", _) => Reply::text("204 No Content", ""),
            ("GET" | "POST", _) if !has_token => {
                Reply::text("403 Forbidden", "this survey needs the link that was sent to you, with its token")
            }
            ("GET", _) if !is_sound => Reply::text("404 Not Found", "the survey has no such page"),
            ("GET", _) => self.pages.reply(path, parameters, &self.answers),
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
        reply.send(stream, request.method != "GET")
    }
}
