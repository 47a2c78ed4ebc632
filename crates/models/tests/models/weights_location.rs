//! Where a model is searched for on this machine.
use crate::toy_model;

use neurogauge_formats::content_hash;
use neurogauge_models::registry::Source;
use neurogauge_models::weights::{NoProgress, locate, obtain, verify};
use neurogauge_models::{ModelEntry, ModelFile, WeightOptions};
use std::fs;
use std::path::{Path, PathBuf};
use toy_model::{TOY, WEIGHTS, WEIGHTS_SHA256, write};

/// A folder of each kind; none has the model yet.
struct Places {
    _root: tempfile::TempDir,
    options: WeightOptions,
    given: PathBuf,
    cached: PathBuf,
    snapshots: PathBuf,
}

fn places() -> Places {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let options = WeightOptions {
        dir: Some(at("given")),
        cache: Some(at("cache")),
        hugging_face_cache: Some(at("hub")),
        ..WeightOptions::default()
    };
    Places {
        given: at("given"),
        cached: at("cache/models/toy").join(TOY.revision),
        snapshots: at("hub/models--somebody--toy-model/snapshots"),
        _root: root,
        options,
    }
}

fn found(places: &Places) -> Option<PathBuf> {
    let model = locate(&TOY, &places.options).unwrap()?;
    assert_eq!(model.weights, model.dir.join("model.safetensors"));
    assert_eq!(model.sha256, WEIGHTS_SHA256);
    Some(model.dir)
}

#[test]
fn the_more_explicit_place_wins() {
    let places = places();
    assert_eq!(found(&places), None);
    for dir in [
        places.snapshots.join("ffff"),
        places.snapshots.join(TOY.revision),
        places.cached.clone(),
        places.given.clone(),
        places.given.join("toy"),
    ] {
        write(&dir);
        assert_eq!(found(&places), Some(dir));
    }
}

/// The same as in the Hugging Face Hub's library.
#[test]
fn of_a_branch_the_snapshot_is_taken_that_it_was_at() {
    let places = places();
    let of_branch = ModelEntry {
        revision: "main",
        ..TOY
    };
    for commit in ["aaaa", "bbbb", "cccc"] {
        write(&places.snapshots.join(commit));
    }
    let refs = places.snapshots.with_file_name("refs");
    fs::create_dir(&refs).unwrap();
    fs::write(refs.join("main"), "bbbb").unwrap();
    let found = locate(&of_branch, &places.options).unwrap().unwrap();
    assert_eq!(found.dir, places.snapshots.join("bbbb"));
}

#[test]
fn a_snapshot_of_another_revision_serves_if_its_files_are_the_same() {
    let places = places();
    let other = places.snapshots.join("ffff");
    write(&other);
    assert_eq!(found(&places), Some(other.clone()));
    change_weights(&other);
    assert_eq!(found(&places), None, "files of another revision");
    let own = places.snapshots.join(TOY.revision);
    write(&own);
    fs::remove_file(own.join("config.json")).unwrap();
    assert_eq!(found(&places), None, "an incomplete snapshot");
}

/// Writes other contents of the same length.
fn change_weights(dir: &Path) {
    let path = dir.join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    bytes[0] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn other_weights_in_the_given_folder_are_an_error_that_names_both_hashes() {
    let places = places();
    write(&places.given);
    change_weights(&places.given);
    write(&places.cached);
    let error = locate(&TOY, &places.options).unwrap_err();
    let message = error.to_string();
    let path = places.given.join("model.safetensors");
    let found = content_hash::of_bytes(&fs::read(&path).unwrap());
    for part in [&path.display().to_string(), &found, WEIGHTS_SHA256, "nothing was loaded"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn a_part_of_a_model_in_the_given_folder_is_an_error_that_names_the_rest() {
    let places = places();
    write(&places.given);
    fs::remove_file(places.given.join("config.json")).unwrap();
    let message = locate(&TOY, &places.options).unwrap_err().to_string();
    assert!(message.contains("lacks config.json"), "{message}");
}

#[test]
fn a_given_folder_without_the_model_leaves_the_caches_to_be_searched() {
    let places = places();
    fs::create_dir_all(&places.given).unwrap();
    write(&places.cached);
    assert_eq!(found(&places), Some(places.cached.clone()));
}

/// A model of one file, whose published hash is `sha256`.
fn of_the_web(sha256: &'static str) -> ModelEntry {
    let file = ModelFile::of_hash("toy-e59ede0e.pth", sha256);
    ModelEntry {
        source: Source::Web("http://127.0.0.1:1"),
        files: Box::leak(Box::new([file])),
        ..TOY
    }
}

#[test]
fn caches_of_single_files_serve_if_something_is_known_of_the_hash() {
    let places = places();
    let cache = places.snapshots.join("checkpoints");
    fs::create_dir_all(&cache).unwrap();
    fs::write(cache.join("toy-e59ede0e.pth"), WEIGHTS).unwrap();
    let options = WeightOptions {
        file_caches: vec![cache.clone()],
        ..places.options.clone()
    };
    let found = |sha256| locate(&of_the_web(sha256), &options).unwrap();
    let model = found("e59ede0e").unwrap();
    assert_eq!((model.dir, model.sha256.as_str()), (cache, WEIGHTS_SHA256));
    assert_eq!(found("00000000"), None);
    assert_eq!(found(""), None);
}

#[test]
fn an_unpublished_hash_is_recorded_and_holds_from_then_on() {
    let places = places();
    let path = places.given.join("toy-e59ede0e.pth");
    fs::create_dir_all(&places.given).unwrap();
    fs::write(&path, WEIGHTS).unwrap();
    for sha256 in ["", "e59ede0e"] {
        let entry = of_the_web(sha256);
        let model = obtain(&entry, &places.options, &NoProgress).unwrap();
        assert_eq!(model.sha256, WEIGHTS_SHA256);
        let record = places.given.join("toy-e59ede0e.pth.sha256");
        let text = fs::read_to_string(&record).unwrap();
        assert_eq!(text, format!("{WEIGHTS_SHA256}  toy-e59ede0e.pth\n"));

        fs::write(&path, "scratched").unwrap();
        if sha256.is_empty() {
            let message = locate(&entry, &places.options).unwrap_err().to_string();
            assert!(message.contains(&format!("{WEIGHTS_SHA256} (recorded")), "{message}");
            assert!(message.contains("expected SHA-256"), "{message}");
        } else {
            let message = locate(&entry, &places.options).unwrap_err().to_string();
            assert!(message.contains("expected SHA-256 e59ede0e..."), "{message}");
        }
        fs::write(&record, "nonsense").unwrap();
        fs::write(&path, WEIGHTS).unwrap();
        let message = verify(&places.given, &entry).unwrap_err().to_string();
        assert!(message.contains("expected the 64 digits"), "{message}");
        fs::remove_file(record).unwrap();
    }
}

#[test]
fn verify_wants_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let message = verify(dir.path(), &TOY).unwrap_err().to_string();
    assert!(message.contains("lacks config.json, model.safetensors;"), "{message}");
    write(dir.path());
    verify(dir.path(), &TOY).unwrap();
}
