//! Interrupted connections, busy servers, and files that do not belong to a model.

use super::scripted::{
    Reply, Request, Requests, files_below, is_config, options, serve, serve_weights, toy_of_a_branch,
};
use crate::toy_model::{CONFIG, TOY, WEIGHTS};
use neurogauge_models::WeightOptions;
use neurogauge_models::weights::{AccessToken, NoProgress, obtain};
use std::path::Path;
use std::time::Duration;

const TAG: &str = "ETag: \"one\"";

/// An empty cache, and options for downloads into it from a server.
fn empty_cache((address, asked): (String, Requests)) -> (tempfile::TempDir, WeightOptions, Requests) {
    let cache = tempfile::tempdir().unwrap();
    let options = options(cache.path(), &address);
    (cache, options, asked)
}

fn weights_in(options: &WeightOptions) -> Vec<u8> {
    std::fs::read(options.cached(&TOY).unwrap().join("model.safetensors")).unwrap()
}

/// Names of all files below a cache.
fn names(cache: &Path) -> Vec<String> {
    let mut names: Vec<String> = files_below(cache)
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_download_goes_on_where_it_broke_off() {
    let (cache, options, asked) = empty_cache(serve_weights(|n| match n {
        0 => Reply::whole(WEIGHTS).with(TAG).cut_after(20),
        _ => Reply::whole(WEIGHTS).with(TAG).from(20),
    }));
    obtain(&TOY, &options, &NoProgress).unwrap();
    assert_eq!(weights_in(&options), WEIGHTS);
    let asked = asked.of("model.safetensors");
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1].header("range"), Some("bytes=20-"));
    assert_eq!(asked[1].header("if-range"), Some("\"one\""));
    assert_eq!(names(cache.path()), ["config.json", "model.safetensors"]);
}

#[test]
fn another_command_goes_on_where_one_gave_up() {
    let (cache, options, asked) = empty_cache(serve_weights(|n| match n {
        0 => Reply::whole(WEIGHTS).with(TAG).cut_after(20),
        1..5 => Reply::status("503 Service Unavailable"),
        _ => Reply::whole(WEIGHTS).with(TAG).from(20),
    }));
    let error = obtain(&TOY, &options, &NoProgress).unwrap_err().to_string();
    assert!(error.contains("503"), "{error}");
    let left = [".partial-model.safetensors", ".partial-model.safetensors.source", "config.json"];
    assert_eq!(names(cache.path()), left);

    obtain(&TOY, &options, &NoProgress).unwrap();
    let asked = asked.of("model.safetensors");
    assert_eq!(asked.len(), 6);
    assert_eq!(asked[5].header("range"), Some("bytes=20-"));
    assert_eq!(weights_in(&options), WEIGHTS);
    assert_eq!(names(cache.path()), ["config.json", "model.safetensors"]);
}

#[test]
fn parts_of_different_files_are_not_joined() {
    // A server that supports the condition sends the whole other file.
    let (_cache, options, asked) = empty_cache(serve_weights(|n| match n {
        0 => Reply::whole(&[b'x'; 38]).with(TAG).cut_after(20),
        _ => Reply::whole(WEIGHTS).with("ETag: \"two\""),
    }));
    obtain(&TOY, &options, &NoProgress).unwrap();
    assert_eq!(weights_in(&options), WEIGHTS);
    assert_eq!(asked.of("model.safetensors").len(), 2);

    // The hash detects that a server does not support it, and the download starts again.
    let (_cache, options, asked) = empty_cache(serve_weights(|n| match n {
        0 => Reply::whole(&[b'x'; 38]).with(TAG).cut_after(20),
        1 => Reply::whole(WEIGHTS).with(TAG).from(20),
        _ => Reply::whole(WEIGHTS).with(TAG),
    }));
    obtain(&TOY, &options, &NoProgress).unwrap();
    assert_eq!(weights_in(&options), WEIGHTS);
    let asked = asked.of("model.safetensors");
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[2].header("range"), None);
}

#[test]
fn a_busy_server_is_asked_again_and_a_lasting_refusal_is_not() {
    for (status, n_asked) in [
        ("429 Too Many Requests", 3),
        ("500 Internal Server Error", 3),
        ("404 Not Found", 1),
        ("401 Unauthorized", 1),
    ] {
        let (address, asked) = serve_weights(move |n| match n {
            0 | 1 => Reply::status(status).with("Retry-After: 0"),
            _ => Reply::whole(WEIGHTS),
        });
        let cache = tempfile::tempdir().unwrap();
        let found = obtain(&TOY, &options(cache.path(), &address), &NoProgress);
        assert_eq!(asked.of("model.safetensors").len(), n_asked, "{status}");
        assert_eq!(found.is_ok(), n_asked > 1, "{status}");
        if let Err(error) = found {
            let error = error.to_string();
            assert!(error.contains(status), "{error}");
            assert_eq!(error.contains("HF_TOKEN"), status.starts_with("401"), "{error}");
        }
    }
}

#[test]
fn a_body_that_stalls_is_broken_off() {
    let (address, asked) = serve_weights(|n| match n {
        0 => Reply {
            stalls: true,
            ..Reply::whole(WEIGHTS).with(TAG).cut_after(20)
        },
        _ => Reply::whole(WEIGHTS).with(TAG).from(20),
    });
    let cache = tempfile::tempdir().unwrap();
    let options = WeightOptions {
        stall: Duration::from_millis(200),
        ..options(cache.path(), &address)
    };
    obtain(&TOY, &options, &NoProgress).unwrap();
    assert_eq!(weights_in(&options), WEIGHTS);
    assert_eq!(asked.of("model.safetensors").len(), 2);
}

#[test]
fn what_is_no_file_of_a_model_is_not_recorded() {
    let entry = toy_of_a_branch();
    for (config, weights, words) in [
        (&b"<!DOCTYPE html><p>Sign in"[..], WEIGHTS, "a web page instead of config.json"),
        (CONFIG, b"<html>", "a web page instead of model.safetensors"),
        (CONFIG, WEIGHTS, "something other than a safetensors file instead of model.safetensors"),
    ] {
        let (address, _) = serve(move |_, request| match is_config(request) {
            true => Reply::whole(config),
            false => Reply::whole(weights),
        });
        let cache = tempfile::tempdir().unwrap();
        let error = obtain(&entry, &options(cache.path(), &address), &NoProgress).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert!(names(cache.path()).iter().all(|name| name == "config.json"));
    }
}

/// A file of weights without tensors.
fn safetensors() -> Vec<u8> {
    [&2_u64.to_le_bytes()[..], b"{}"].concat()
}

#[test]
fn files_of_a_branch_are_of_one_commit() {
    const COMMIT: &str = "89abcdef0123456789abcdef0123456789abcdef";
    let (address, asked) = serve(|_, request| match is_config(request) {
        true => Reply::whole(CONFIG).with(format!("X-Repo-Commit: {COMMIT}")),
        false => Reply::whole(&safetensors()),
    });
    let cache = tempfile::tempdir().unwrap();
    let entry = toy_of_a_branch();
    let model = obtain(&entry, &options(cache.path(), &address), &NoProgress).unwrap();
    assert!(asked.of("config.json")[0].path.contains("/resolve/main/"));
    let weights = &asked.of("model.safetensors")[0].path;
    assert!(weights.contains(&format!("/resolve/{COMMIT}/")), "{weights}");
    let recorded = std::fs::read_to_string(model.dir.join("commit.txt")).unwrap();
    assert_eq!(recorded.trim(), COMMIT);
    assert!(model.dir.join("model.safetensors.sha256").is_file());
}

#[test]
fn the_token_goes_to_the_hub_and_no_further() {
    let (elsewhere, asked_elsewhere) = serve(|_, _| Reply::whole(WEIGHTS));
    let elsewhere = elsewhere.replace("127.0.0.1", "localhost");
    let (address, asked) =
        serve_weights(move |_| Reply::status("302 Found").with(format!("Location: {elsewhere}/file")));
    let of = |token_host: &str| {
        let cache = tempfile::tempdir().unwrap();
        let options = WeightOptions {
            token: Some(AccessToken::new("hf_secret")),
            token_host: token_host.to_owned(),
            ..options(cache.path(), &address)
        };
        obtain(&TOY, &options, &NoProgress).unwrap();
        assert_eq!(weights_in(&options), WEIGHTS);
    };
    of("127.0.0.1");
    let told = |request: &Request| request.header("authorization").map(str::to_owned);
    assert_eq!(told(&asked.of("config.json")[0]).as_deref(), Some("Bearer hf_secret"));
    assert_eq!(told(&asked.of("model.safetensors")[0]).as_deref(), Some("Bearer hf_secret"));
    assert_eq!(told(&asked_elsewhere.of("file")[0]), None);
    of("huggingface.co");
    assert_eq!(told(&asked.of("config.json")[1]), None, "a mirror is not the Hub");
}

#[test]
fn plain_http_and_files_without_measure_are_refused() {
    let cache = tempfile::tempdir().unwrap();
    let error = |options: &WeightOptions| obtain(&TOY, options, &NoProgress).unwrap_err().to_string();
    let open = error(&options(cache.path(), "http://mirror.example"));
    assert!(open.contains("NEUROGAUGE_ALLOW_HTTP=1"), "{open}");

    let (address, _) = serve(|_, _| Reply::whole(CONFIG));
    let capped = error(&WeightOptions {
        size_cap: 10,
        ..options(cache.path(), &address)
    });
    assert!(capped.contains("13 bytes") && capped.contains("more than 10"), "{capped}");
    assert!(files_below(cache.path()).is_empty());
}

#[test]
fn what_killed_downloads_left_is_swept() {
    let (cache, options, _) = empty_cache(serve_weights(|_| Reply::whole(WEIGHTS)));
    let dir = options.cached(&TOY).unwrap();
    std::fs::create_dir_all(&dir).unwrap();
    for name in [".partial-Ab3xY9", ".partial-other.bin", ".partial-model.safetensors"] {
        std::fs::write(dir.join(name), "half").unwrap();
    }
    obtain(&TOY, &options, &NoProgress).unwrap();
    assert_eq!(names(cache.path()), ["config.json", "model.safetensors"]);
}

#[test]
fn two_that_want_a_model_at_once_download_it_once() {
    let (cache, options, asked) = empty_cache(serve_weights(|_| {
        std::thread::sleep(Duration::from_millis(50));
        Reply::whole(WEIGHTS)
    }));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| obtain(&TOY, &options, &NoProgress).unwrap());
        }
    });
    assert_eq!(asked.of("config.json").len(), 1);
    assert_eq!(asked.of("model.safetensors").len(), 1);
    assert_eq!(names(cache.path()), ["config.json", "model.safetensors"]);
}
