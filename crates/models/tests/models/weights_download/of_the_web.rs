//! Downloads of files at plain addresses.

use super::of_the_hub::Heard;
use super::scripted::{Reply, files_below, serve};
use crate::toy_model::TOY;
use neurogauge_models::registry::Source;
use neurogauge_models::weights::{NoProgress, obtain};
use neurogauge_models::{ModelEntry, ModelFile, WeightOptions};

/// It begins like a pickle.
const CHECKPOINT: &[u8] = b"\x80\x02 weights of the toy model in a .pth.";
const CHECKPOINT_SHA256: &str = "c208d614af59bcf5b5cf0b5e8e8d67d0e7e54c535d83c2ba6416e9f818a465c9";

/// A model whose only file is on a plain web server that answers with `answer`.
fn of_the_web(sha256: &'static str, answer: Reply) -> ModelEntry {
    let (address, _) = serve(move |_, request| match request.path.as_str() {
        "/models/toy-c208d614.pth" => answer.clone(),
        path => panic!("{path}"),
    });
    let file = ModelFile::of_hash("toy-c208d614.pth", sha256);
    ModelEntry {
        source: Source::Web(format!("{address}/models").leak()),
        revision: "V1",
        files: Box::leak(Box::new([file])),
        ..TOY
    }
}

#[test]
fn a_file_of_a_plain_address_gets_a_record_of_its_hash() {
    for published in ["c208d614", ""] {
        let cache = tempfile::tempdir().unwrap();
        let entry = of_the_web(published, Reply::whole(CHECKPOINT));
        let options = WeightOptions {
            allow_download: true,
            cache: Some(cache.path().to_owned()),
            ..WeightOptions::default()
        };
        let heard = Heard::default();
        let model = obtain(&entry, &options, &heard).unwrap();
        assert_eq!(model.dir, cache.path().join("models/toy/V1"));
        assert_eq!(model.sha256, CHECKPOINT_SHA256);
        assert_eq!(heard.0.into_inner().unwrap()[0], "toy-c208d614.pth 38");
        let record = std::fs::read_to_string(model.dir.join("toy-c208d614.pth.sha256")).unwrap();
        assert_eq!(record, format!("{CHECKPOINT_SHA256}  toy-c208d614.pth\n"));
        std::fs::write(&model.weights, "these are the weights of another model").unwrap();
        let error = obtain(&entry, &options, &NoProgress).unwrap_err();
        assert!(error.to_string().contains("is not the published file of toy"), "{error}");
    }
}

#[test]
fn a_file_of_a_plain_address_is_checked_as_far_as_its_hash_is_published() {
    for (published, answer, words) in [
        ("00000000", Reply::whole(CHECKPOINT), "sends another file"),
        ("", Reply::whole(CHECKPOINT).cut_after(20), "of 38 bytes"),
        ("", Reply::status("404 Not Found"), "404"),
        ("", Reply::whole(b"{\"error\": \"come back tomorrow\"}"), "something other than a .pth file"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        let entry = of_the_web(published, answer);
        let options = WeightOptions {
            allow_download: true,
            cache: Some(cache.path().to_owned()),
            ..WeightOptions::default()
        };
        let message = obtain(&entry, &options, &NoProgress).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        assert!(message.contains("/models/toy-c208d614.pth  a few MB at most"), "{message}");
        assert!(message.contains(&entry.weights().sha256.to_string()), "{message}");
        assert!(message.contains("NEUROGAUGE_WEIGHTS=DIR"), "{message}");
        assert!(files_below(cache.path()).is_empty());
    }
}
