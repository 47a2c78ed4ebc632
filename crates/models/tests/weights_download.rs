//! Downloading, from a server on this machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod toy_model;

use neurogauge_models::registry::{PublishedHash, Source};
use neurogauge_models::weights::{DownloadProgress, NoProgress, obtain};
use neurogauge_models::{ModelEntry, ModelError, ModelFile, WeightOptions};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use toy_model::{CONFIG, TOY, WEIGHTS, WEIGHTS_SHA256, write};

/// What the server answers to a path.
#[derive(Clone, Copy)]
enum Answer {
    Whole(&'static [u8]),
    /// Announces the whole body and hangs up after so many bytes.
    CutAfter(&'static [u8], usize),
    NotFound,
}

/// Serves the answers on a free port for as long as the test runs; returns the address.
fn serve(answers: HashMap<&'static str, Answer>) -> String {
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
    let file = path
        .strip_prefix(&prefix)
        .or(path.strip_prefix("/models/"))
        .unwrap_or_default();
    let (status, length, body) = match answers.get(file) {
        Some(Answer::Whole(body)) => ("200 OK", body.len(), *body),
        Some(Answer::CutAfter(body, n)) => ("200 OK", body.len(), &body[..*n]),
        Some(Answer::NotFound) | None => ("404 Not Found", 0, &[][..]),
    };
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
}

/// Options that download from the server into an empty cache.
fn options(cache: &Path, weights: Answer) -> WeightOptions {
    let answers = HashMap::from([
        ("config.json", Answer::Whole(CONFIG)),
        ("model.safetensors", weights),
    ]);
    WeightOptions {
        allow_download: true,
        cache: Some(cache.to_owned()),
        endpoint: serve(answers),
        ..WeightOptions::default()
    }
}

/// Every file below a folder.
fn files_below(dir: &Path) -> Vec<PathBuf> {
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

/// The error of a download whose weights are answered this way; the weights must not be there.
fn failure(weights: Answer) -> ModelError {
    let cache = tempfile::tempdir().unwrap();
    let error = obtain(&TOY, &options(cache.path(), weights), &NoProgress).unwrap_err();
    let left = files_below(cache.path());
    assert!(
        left.iter().all(|path| path.ends_with("config.json")),
        "{left:?}"
    );
    let message = error.to_string();
    assert!(
        message.contains(WEIGHTS_SHA256),
        "no instructions: {message}"
    );
    error
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl DownloadProgress for Heard {
    fn started(&self, file: &str, bytes: u64) {
        self.0.lock().unwrap().push(format!("{file} {bytes}"));
    }
    fn advanced(&self, bytes: u64) {
        self.0.lock().unwrap().push(bytes.to_string());
    }
    fn finished(&self, file: &str) {
        self.0.lock().unwrap().push(format!("{file} done"));
    }
}

#[test]
fn a_model_is_downloaded_once_and_found_afterwards() {
    let cache = tempfile::tempdir().unwrap();
    let options = options(cache.path(), Answer::Whole(WEIGHTS));
    let heard = Heard::default();
    let dir = obtain(&TOY, &options, &heard).unwrap().dir;
    assert_eq!(dir, cache.path().join("models/toy").join(TOY.revision));
    assert_eq!(
        std::fs::read(dir.join("model.safetensors")).unwrap(),
        WEIGHTS
    );
    assert_eq!(
        files_below(cache.path()).len(),
        2,
        "no partial file is left"
    );
    assert_eq!(
        heard.0.into_inner().unwrap(),
        [
            "config.json 13",
            "13",
            "config.json done",
            "model.safetensors 38",
            "38",
            "model.safetensors done",
        ]
    );
    let unreachable = WeightOptions {
        endpoint: "http://127.0.0.1:1".to_owned(),
        ..options
    };
    let found = obtain(&TOY, &unreachable, &NoProgress).unwrap();
    assert_eq!(found.dir, dir);
}

#[test]
fn other_bytes_are_refused() {
    let error = failure(Answer::Whole(b"these are the weights of another model"));
    assert!(error.to_string().contains("sends another file"), "{error}");
}

#[test]
fn more_bytes_are_refused() {
    let error = failure(Answer::Whole(
        b"these are the weights of the toy model and more",
    ));
    assert!(
        error.to_string().contains("more than the 38 bytes"),
        "{error}"
    );
}

#[test]
fn a_body_that_ends_early_is_refused() {
    let error = failure(Answer::CutAfter(WEIGHTS, 20));
    assert!(error.to_string().contains("of 38 bytes"), "{error}");
}

#[test]
fn a_file_that_the_server_does_not_have_is_named() {
    let error = failure(Answer::NotFound);
    let message = error.to_string();
    assert!(message.contains("/model.safetensors failed"), "{message}");
    assert!(message.contains("404"), "{message}");
}

#[test]
fn without_permission_the_error_says_what_to_put_where() {
    let cache = tempfile::tempdir().unwrap();
    let allowed = options(cache.path(), Answer::Whole(WEIGHTS));
    let forbidden = WeightOptions {
        allow_download: false,
        ..allowed.clone()
    };
    let offline = WeightOptions {
        offline: true,
        ..allowed.clone()
    };
    let homeless = WeightOptions {
        cache: None,
        ..allowed
    };
    for (options, reason) in [
        (forbidden, "downloading is not allowed"),
        (offline, "HF_HUB_OFFLINE"),
        (homeless, "no cache folder"),
    ] {
        let message = obtain(&TOY, &options, &NoProgress).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
        for file in TOY.files {
            assert!(
                message.contains(file.path) && message.contains(file.sha256.full().unwrap()),
                "{message}"
            );
        }
        assert!(
            message.contains("somebody/toy-model, revision 0123"),
            "{message}"
        );
        assert!(message.contains("NEUROGAUGE_WEIGHTS=DIR"), "{message}");
    }
    assert!(files_below(cache.path()).is_empty());
}

#[test]
fn a_broken_cache_is_reported_and_not_overwritten() {
    let cache = tempfile::tempdir().unwrap();
    let options = options(cache.path(), Answer::Whole(WEIGHTS));
    let dir = options.cached(&TOY).unwrap();
    write(&dir);
    std::fs::write(dir.join("model.safetensors"), "scratched").unwrap();
    let error = obtain(&TOY, &options, &NoProgress).unwrap_err();
    assert!(
        matches!(error, ModelError::HashMismatch { found_bytes: 9, .. }),
        "{error}"
    );
}

/// A model that is one file on a plain web server which answers this.
fn of_the_web(sha256: PublishedHash, answer: Answer) -> ModelEntry {
    let address = serve(HashMap::from([("toy-e59ede0e.pth", answer)]));
    let file = ModelFile {
        path: "toy-e59ede0e.pth",
        bytes: None,
        sha256,
    };
    ModelEntry {
        source: Source::Web {
            folder: format!("{address}/models").leak(),
        },
        revision: "V1",
        files: Box::leak(Box::new([file])),
        ..TOY
    }
}

#[test]
fn a_file_of_a_plain_address_gets_a_record_of_its_hash() {
    for published in [PublishedHash::Prefix("e59ede0e"), PublishedHash::None] {
        let cache = tempfile::tempdir().unwrap();
        let entry = of_the_web(published, Answer::Whole(WEIGHTS));
        let options = WeightOptions {
            allow_download: true,
            cache: Some(cache.path().to_owned()),
            ..WeightOptions::default()
        };
        let heard = Heard::default();
        let model = obtain(&entry, &options, &heard).unwrap();
        assert_eq!(model.dir, cache.path().join("models/toy/V1"));
        assert_eq!(model.sha256, WEIGHTS_SHA256);
        assert_eq!(heard.0.into_inner().unwrap()[0], "toy-e59ede0e.pth 38");
        let record = std::fs::read_to_string(model.dir.join("toy-e59ede0e.pth.sha256")).unwrap();
        assert_eq!(record, format!("{WEIGHTS_SHA256}  toy-e59ede0e.pth\n"));
        std::fs::write(&model.weights, "these are the weights of another model").unwrap();
        let error = obtain(&entry, &options, &NoProgress).unwrap_err();
        assert!(matches!(error, ModelError::HashMismatch { .. }), "{error}");
    }
}

#[test]
fn a_file_of_a_plain_address_is_checked_as_far_as_its_hash_is_published() {
    for (published, answer, words) in [
        (
            PublishedHash::Prefix("00000000"),
            Answer::Whole(WEIGHTS),
            "sends another file",
        ),
        (
            PublishedHash::None,
            Answer::CutAfter(WEIGHTS, 20),
            "of 38 bytes",
        ),
        (PublishedHash::None, Answer::NotFound, "404"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        let entry = of_the_web(published, answer);
        let options = WeightOptions {
            allow_download: true,
            cache: Some(cache.path().to_owned()),
            ..WeightOptions::default()
        };
        let message = obtain(&entry, &options, &NoProgress)
            .unwrap_err()
            .to_string();
        assert!(message.contains(words), "{message}");
        assert!(
            message.contains("/models/toy-e59ede0e.pth  size not published"),
            "{message}"
        );
        assert!(message.contains(&published.to_string()), "{message}");
        assert!(message.contains("NEUROGAUGE_WEIGHTS=DIR"), "{message}");
        assert!(files_below(cache.path()).is_empty());
    }
}
