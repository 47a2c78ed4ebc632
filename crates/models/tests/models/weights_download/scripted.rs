//! A server that answers each request as a test sets, and records its requests.

use crate::toy_model::{CONFIG, TOY};
use neurogauge_models::{ModelEntry, WeightOptions};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request: its path, and its header lines in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: Vec<String>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter_map(|line| line.split_once(": "));
        values.find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

/// An answer. Its body may end early, or never.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<String>,
    pub(crate) body: Vec<u8>,
    /// The announced length, in bytes.
    pub(crate) length: usize,
    /// The connection stays open after the body, without further bytes.
    pub(crate) stalls: bool,
}

impl Reply {
    pub(crate) fn whole(body: &[u8]) -> Reply {
        Reply {
            status: "200 OK",
            headers: Vec::new(),
            body: body.to_vec(),
            length: body.len(),
            stalls: false,
        }
    }

    pub(crate) fn status(status: &'static str) -> Reply {
        Reply {
            status,
            ..Reply::whole(b"")
        }
    }

    pub(crate) fn with(mut self, header: impl Into<String>) -> Reply {
        self.headers.push(header.into());
        self
    }

    /// The body ends after this many bytes.
    pub(crate) fn cut_after(mut self, n: usize) -> Reply {
        self.body.truncate(n);
        self
    }

    /// The body from this byte on, as a partial reply.
    pub(crate) fn from(self, first: usize) -> Reply {
        let total = self.body.len();
        let body = self.body[first..].to_vec();
        Reply {
            status: "206 Partial Content",
            length: body.len(),
            body,
            ..self
        }
        .with(format!("Content-Range: bytes {first}-{}/{total}", total - 1))
    }
}

/// The requests to a server so far.
#[derive(Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<Vec<Request>>>);

impl Requests {
    /// The requests for files of this name.
    pub(crate) fn of(&self, file: &str) -> Vec<Request> {
        self.0.lock().unwrap().iter().filter(|request| request.path.ends_with(file)).cloned().collect()
    }
}

/// Serves on a free port. `answer` gets the number of earlier requests for the same path, and the request.
pub(crate) fn serve(answer: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> (String, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Requests::default();
    let (answer, log) = (Arc::new(answer), asked.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (answer, log) = (answer.clone(), log.clone());
            std::thread::spawn(move || serve_one(stream.unwrap(), &log, &*answer));
        }
    });
    (address, asked)
}

fn serve_one(mut stream: TcpStream, log: &Requests, answer: &dyn Fn(usize, &Request) -> Reply) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let headers = lines.map(Result::unwrap).take_while(|line| !line.is_empty());
    let headers = headers.map(|line| match line.split_once(": ") {
        Some((name, value)) => format!("{}: {value}", name.to_lowercase()),
        None => line,
    });
    let request = Request {
        path: first.split(' ').nth(1).unwrap().to_owned(),
        headers: headers.collect(),
    };
    let n_before = {
        let mut all = log.0.lock().unwrap();
        let n = all.iter().filter(|earlier| earlier.path == request.path).count();
        all.push(request.clone());
        n
    };
    let reply = answer(n_before, &request);
    let mut head = format!("HTTP/1.1 {}\r\n", reply.status);
    for header in &reply.headers {
        head += &format!("{header}\r\n");
    }
    head += &format!("Content-Length: {}\r\nConnection: close\r\n\r\n", reply.length);
    // A client that has read enough closes the connection.
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&reply.body);
    if reply.stalls {
        std::thread::sleep(Duration::from_secs(20));
    }
}

/// Options that download from an address into a cache.
pub(crate) fn options(cache: &Path, endpoint: &str) -> WeightOptions {
    WeightOptions {
        allow_download: true,
        cache: Some(cache.to_owned()),
        endpoint: endpoint.to_owned(),
        ..WeightOptions::default()
    }
}

/// Serves the toy model and its configuration; `answer` makes the reply to each request for its weights, from the
/// number of earlier ones.
pub(crate) fn serve_weights(answer: impl Fn(usize) -> Reply + Send + Sync + 'static) -> (String, Requests) {
    serve(move |n, request| match is_config(request) {
        true => Reply::whole(CONFIG),
        false => answer(n),
    })
}

pub(crate) fn is_config(request: &Request) -> bool {
    request.path.ends_with("config.json")
}

/// Every file below a folder.
pub(crate) fn files_below(dir: &Path) -> Vec<PathBuf> {
    let Ok(listing) = dir.read_dir() else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for item in listing.map(Result::unwrap) {
        if item.file_type().unwrap().is_dir() {
            files.extend(files_below(&item.path()));
        } else {
            files.push(item.path());
        }
    }
    files
}

/// The toy model at the branch `main`, without published hashes.
pub(crate) fn toy_of_a_branch() -> ModelEntry {
    use neurogauge_models::ModelFile;
    ModelEntry {
        revision: "main",
        files: Box::leak(Box::new(["config.json", "model.safetensors"].map(|path| ModelFile::of_hash(path, "")))),
        ..TOY
    }
}
