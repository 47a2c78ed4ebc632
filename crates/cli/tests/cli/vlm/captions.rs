//! Captions: the requests, the use of the answers, and the kept ones.

use super::caption;
use super::chat_server::{Reply, VlmServer};
use crate::support::{
    Ran, arg, folder, image_folders, neurogauge_with_cache, record, scores, step,
};
use neurogauge::formats::image_file::read_rgb8;
use serde_json::{Value, json};
use std::path::Path;

/// Scores captions of the images with a cache.
fn score(server: &str, [gt, recon, out, cache]: [&Path; 4], more: &[&str]) -> Ran {
    let args = [
        "score",
        "--gt",
        arg(gt),
        "--recon",
        arg(recon),
        "--metrics",
        "cap_sim",
        "--text-encoder",
        "stand-in",
        "--captioner",
        server,
        "--vlm-model",
        "tiny-vlm",
        "--out",
        arg(out),
    ];
    neurogauge_with_cache(&[&args[..], more].concat(), cache)
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_request_has_the_pixels_and_the_prompt_and_the_answers_are_the_captions() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["a", "b", "c"]);
    let server = VlmServer::start(|asked| Reply::Says(caption(asked)));
    let (out, cache) = (dir.path().join("run"), dir.path().join("cache"));
    let ran = score(&server.url, [&gt, &recon, &out, &cache], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);

    let asked = server.asked();
    assert_eq!(asked.len(), 6, "each image once");
    let mut body = asked[0].body.clone();
    let content = body["messages"][0]["content"].take();
    assert_eq!(
        content[1],
        json!({"type": "text", "text": "Describe the image in detail."})
    );
    let expected = json!({
        "model": "tiny-vlm", "messages": [{"role": "user", "content": null}],
        "temperature": 0.0, "max_tokens": 512, "seed": 0, "stream": false,
    });
    assert_eq!(body, expected);
    assert!(asked.iter().all(|asked| asked.authorization.is_none()));

    for (side, images) in [("gt", &gt), ("recon", &recon)] {
        let captions = json_of(&out.join(format!("observations/{side}/captions.json")));
        for stem in ["a", "b", "c"] {
            let image = read_rgb8(&images.join(format!("{stem}.png"))).unwrap();
            let [r, g, b] = [0, 1, 2].map(|channel| image.at(0, 0, channel));
            let expected = format!("A picture of 48 by 48 pixels that begins with {r} {g} {b}.");
            assert_eq!(captions[stem], expected, "{side}");
        }
    }
    let values = scores(&out);
    assert!(values.column("cap_sim").unwrap().iter().all(Result::is_ok));

    let record = record(&out);
    let step = step(&record, "captions");
    let asked = &step["recipe"];
    assert_eq!(asked["makes"], "captions");
    assert_eq!(asked["model"]["id"], "tiny-vlm");
    assert_eq!(asked["prompt"]["id"], "basic-description");
    assert_eq!(asked["prompt"]["text"], "Describe the image in detail.");
    assert_eq!(
        asked["options"],
        json!({"temperature": 0.0, "seed": 0, "max_tokens": 512})
    );
    let by = json!([{"model": "tiny-vlm-2026", "system_fingerprint": "fp_1"}]);
    assert_eq!(step["outcome"]["answered_by"], by);
    let needed = neurogauge_with_cache(&["models", "fetch", arg(&out), "--offline"], &cache);
    assert!(
        !needed.stderr.contains("git_large_coco"),
        "{}",
        needed.stderr
    );
    let warnings = record["warnings"].to_string();
    assert!(warnings.contains("not bit-reproducible"), "{warnings}");
}

#[test]
fn what_was_answered_is_not_asked_again_by_another_run_and_a_run_repeats_without_a_server() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["a", "b"]);
    let server = VlmServer::start(|asked| Reply::Says(caption(asked)));
    let [first, second, third, cache] = ["1", "2", "3", "cache"].map(|name| dir.path().join(name));
    let ran = score(&server.url, [&gt, &recon, &first, &cache], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = score(&server.url, [&gt, &recon, &second, &cache], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(server.asked().len(), 4, "the second run asks nothing");
    let repeated = [
        "score",
        "--from-run",
        arg(&first.join("run.json")),
        "--out",
        arg(&third),
    ]
    .map(str::to_owned);
    let repeated: Vec<&str> = repeated.iter().map(String::as_str).collect();
    let ran = neurogauge_with_cache(&repeated, &cache);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let bytes = |run: &Path| std::fs::read(run.join("scores.parquet")).unwrap();
    assert_eq!(bytes(&first), bytes(&second));
    assert_eq!(bytes(&first), bytes(&third));

    // Another prompt is another question.
    let ran = score(
        &server.url,
        [&gt, &recon, &second, &cache],
        &["--overwrite", "--vlm-prompt", "basic-description-objects"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(server.asked().len(), 8);
    assert!(
        server.asked()[7]
            .prompt
            .ends_with("focusing on visible objects.")
    );
}

#[test]
fn neither_host_nor_key_is_in_a_record_or_a_message() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["a", "b"]);
    let key = "sk-secret-1234";
    let server = VlmServer::start(move |asked| {
        assert_eq!(
            asked.authorization.as_deref(),
            Some("Bearer sk-secret-1234")
        );
        match asked.n_all {
            3 => Reply::Status(
                "400 Bad Request",
                "",
                format!(r#"{{"error": {{"message": "not with {key} at 127.0.0.1"}}}}"#),
            ),
            _ => Reply::Says(caption(asked)),
        }
    });
    let (out, cache) = (dir.path().join("run"), dir.path().join("cache"));
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_neurogauge"))
        .args([
            "score",
            "-v",
            "--gt",
            arg(&gt),
            "--recon",
            arg(&recon),
            "--metrics",
            "cap_sim",
            "--text-encoder",
            "stand-in",
        ])
        .args([
            "--vlm",
            &server.url,
            "--vlm-model",
            "tiny-vlm",
            "--parallel",
            "1",
            "--out",
            arg(&out),
        ])
        .env("NEUROGAUGE_CACHE", &cache)
        .env("NEUROGAUGE_VLM_KEY", key)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stderr).unwrap() + &String::from_utf8(ran.stdout).unwrap();
    assert!(said.contains("not with [key] at [host]"), "{said}");
    assert!(!said.contains(key), "{said}");
    let mut folders = vec![out, cache];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            for secret in [key, "127.0.0.1"] {
                assert!(!text.contains(secret), "{secret} in {}", path.display());
            }
        }
    }
}
