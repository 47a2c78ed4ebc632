//! A server on this machine, and downloads from it.

use crate::toy_model::{CONFIG, TOY};
use neurogauge_models::WeightOptions;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

/// The server's answer to a path.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    Whole(&'static [u8]),
    /// Announces the whole body and hangs up after so many bytes.
    CutAfter(&'static [u8], usize),
    NotFound,
}

/// Serves the answers on a free port for as long as the test runs; returns the address.
pub(crate) fn serve(answers: HashMap<&'static str, Answer>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            answer(stream.unwrap(), &answers);
        }
    });
    format!("http://{address}")
}

fn answer(mut stream: TcpStream, answers: &HashMap<&'static str, Answer>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let request = lines.next().unwrap().unwrap();
    while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
    let path = request.split(' ').nth(1).unwrap();
    let prefix = format!("/somebody/toy-model/resolve/{}/", TOY.revision);
    let file = path.strip_prefix(&prefix).or(path.strip_prefix("/models/")).unwrap_or_default();
    let (status, length, body) = match answers.get(file) {
        Some(Answer::Whole(body)) => ("200 OK", body.len(), *body),
        Some(Answer::CutAfter(body, n)) => ("200 OK", body.len(), &body[..*n]),
        Some(Answer::NotFound) | None => ("404 Not Found", 0, &[][..]),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
}

/// Options that download from the server into an empty cache.
pub(crate) fn options(cache: &Path, weights: Answer) -> WeightOptions {
    let answers = HashMap::from([("config.json", Answer::Whole(CONFIG)), ("model.safetensors", weights)]);
    WeightOptions {
        allow_download: true,
        cache: Some(cache.to_owned()),
        endpoint: serve(answers),
        ..WeightOptions::default()
    }
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
