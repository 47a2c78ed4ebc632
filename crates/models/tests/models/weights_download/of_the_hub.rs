//! Downloads of a published model.

use super::server::{Answer, files_below, options};
use crate::toy_model::{TOY, WEIGHTS, WEIGHTS_SHA256, write};
use neurogauge_models::weights::{DownloadProgress, NoProgress, obtain};
use neurogauge_models::{ModelError, WeightOptions};
use std::sync::Mutex;

/// The error of a download whose weights are answered this way; the weights must not be there.
fn failure(weights: Answer) -> ModelError {
    let cache = tempfile::tempdir().unwrap();
    let error = obtain(&TOY, &options(cache.path(), weights), &NoProgress).unwrap_err();
    let left = files_below(cache.path());
    assert!(left.iter().all(|path| path.ends_with("config.json")), "{left:?}");
    let message = error.to_string();
    assert!(message.contains(WEIGHTS_SHA256), "no instructions: {message}");
    error
}

#[derive(Default)]
pub(crate) struct Heard(pub(crate) Mutex<Vec<String>>);

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
    assert_eq!(std::fs::read(dir.join("model.safetensors")).unwrap(), WEIGHTS);
    assert_eq!(files_below(cache.path()).len(), 2, "no partial file is left");
    assert_eq!(
        heard.0.into_inner().unwrap(),
        ["config.json 13", "13", "config.json done", "model.safetensors 38", "38", "model.safetensors done",]
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
    let error = failure(Answer::Whole(b"these are the weights of the toy model and more"));
    assert!(error.to_string().contains("more than the 38 bytes"), "{error}");
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
    let homeless = WeightOptions { cache: None, ..allowed };
    for (options, reason) in [
        (forbidden, "downloading is not allowed"),
        (offline, "HF_HUB_OFFLINE"),
        (homeless, "no cache folder"),
    ] {
        let message = obtain(&TOY, &options, &NoProgress).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
        for file in TOY.files {
            assert!(message.contains(file.path) && message.contains(file.sha256.full().unwrap()), "{message}");
        }
        assert!(message.contains("somebody/toy-model, revision 0123"), "{message}");
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
    assert!(error.to_string().contains("published file of toy: it has 9 bytes"), "{error}");
}
