//! Downloads of a published model.

use super::scripted::{Reply, files_below, options, serve_weights};
use crate::toy_model::{TOY, WEIGHTS, WEIGHTS_SHA256, write};
use neurogauge_models::WeightOptions;
use neurogauge_models::weights::{DownloadProgress, NoProgress, obtain};
use std::sync::Mutex;

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
    let (address, asked) = serve_weights(|_| Reply::whole(WEIGHTS));
    let options = options(cache.path(), &address);
    let heard = Heard::default();
    let dir = obtain(&TOY, &options, &heard).unwrap().dir;
    let path = &asked.of("model.safetensors")[0].path;
    assert_eq!(*path, format!("/somebody/toy-model/resolve/{}/model.safetensors", TOY.revision));
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
fn weights_that_are_not_the_published_ones_are_refused() {
    for (reply, words) in [
        (Reply::whole(b"these are the weights of another model"), "sends another file"),
        (Reply::whole(b"these are the weights of the toy model and more"), "more than the 38 bytes"),
        (Reply::whole(WEIGHTS).cut_after(20), "of 38 bytes"),
        (Reply::status("404 Not Found"), "404"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        let (address, _) = serve_weights(move |_| reply.clone());
        let message = obtain(&TOY, &options(cache.path(), &address), &NoProgress).unwrap_err().to_string();
        let left = files_below(cache.path());
        assert!(left.iter().all(|path| path.ends_with("config.json")), "{left:?}");
        assert!(message.contains(WEIGHTS_SHA256), "no instructions: {message}");
        assert!(message.contains("/model.safetensors failed") && message.contains(words), "{message}");
    }
}

#[test]
fn without_permission_the_error_says_what_to_put_where() {
    let cache = tempfile::tempdir().unwrap();
    let allowed = options(cache.path(), "http://127.0.0.1:1");
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
    let options = options(cache.path(), &serve_weights(|_| Reply::whole(WEIGHTS)).0);
    let dir = options.cached(&TOY).unwrap();
    write(&dir);
    std::fs::write(dir.join("model.safetensors"), "scratched").unwrap();
    let error = obtain(&TOY, &options, &NoProgress).unwrap_err();
    assert!(error.to_string().contains("published file of toy: it has 9 bytes"), "{error}");
}
