//! Captions: the requests, the use of the answers, and the kept ones.

use super::chat_server::{ChatServer, Reply};
use super::{Pairs, caption};
use crate::support::{Ran, record, scores, step};
use neurogauge::formats::image_file::read_rgb8;
use serde_json::json;

/// Scores captions of the images.
const SCORE: &str = "score gt recon --metrics cap_sim --text-encoder stand-in --vlm-model tiny-vlm";

#[test]
fn a_request_has_the_pixels_and_the_prompt_and_the_answers_are_the_captions() {
    let dir = Pairs::new(&["a", "b", "c"]).dir;
    let server = ChatServer::start(|asked| Reply::Says(caption(asked)));
    let score = format!("{SCORE} --captioner {} --out run", server.url);
    let ran = dir.run_with_cache(&score, "cache");
    assert_eq!(ran.code, 0, "{ran}");

    let asked = server.asked();
    assert_eq!(asked.len(), 6, "each image once");
    let mut body = asked[0].body.clone();
    let content = body["messages"][0]["content"].take();
    let text = json!({"type": "text", "text": "Describe the image in detail."});
    assert_eq!(content[1], text);
    let expected = json!({
        "model": "tiny-vlm", "messages": [{"role": "user", "content": null}],
        "temperature": 0.0, "max_tokens": 512, "seed": 0, "stream": false,
    });
    assert_eq!(body, expected);
    assert!(asked.iter().all(|asked| asked.authorization.is_none()));

    for side in ["gt", "recon"] {
        let captions = dir.json(format!("run/observations/{side}/captions.json"));
        for stem in ["a", "b", "c"] {
            let image = read_rgb8(&dir.join(format!("{side}/{stem}.png"))).unwrap();
            let [r, g, b] = [0, 1, 2].map(|channel| image.at(0, 0, channel));
            let expected = format!("A picture of 48 by 48 pixels that begins with {r} {g} {b}.");
            assert_eq!(captions[stem], expected, "{side}");
        }
    }
    let values = scores(&dir.join("run"));
    assert!(values.column("cap_sim").unwrap().iter().all(Result::is_ok));

    let record = record(&dir.join("run"));
    let step = step(&record, "captions");
    let asked = &step["recipe"];
    assert_eq!(asked["makes"], "captions");
    assert_eq!(asked["model"]["id"], "tiny-vlm");
    assert_eq!(asked["prompt"]["id"], "basic-description");
    assert_eq!(asked["prompt"]["text"], "Describe the image in detail.");
    let options = json!({"temperature": 0.0, "seed": 0, "max_tokens": 512});
    assert_eq!(asked["options"], options);
    let by = json!([{"model": "tiny-vlm-2026", "system_fingerprint": "fp_1"}]);
    assert_eq!(step["outcome"]["answered_by"], by);
    let needed = dir.run_with_cache("models fetch run --offline", "cache");
    assert!(!needed.stderr.contains("git_large_coco"), "{needed}");
    let findings = record["findings"].to_string();
    assert!(findings.contains("not bit-reproducible"), "{findings}");
}

#[test]
fn what_was_answered_is_not_asked_again_by_another_run_and_a_run_repeats_without_a_server() {
    let dir = Pairs::new(&["a", "b"]).dir;
    let server = ChatServer::start(|asked| Reply::Says(caption(asked)));
    let run = |line: &str| {
        let ran = dir.run_with_cache(line, "cache");
        assert_eq!(ran.code, 0, "{ran}");
    };
    let score = format!("{SCORE} --captioner {}", server.url);
    run(&format!("{score} --out first"));
    run(&format!("{score} --out second"));
    assert_eq!(server.asked().len(), 4, "the second run asks nothing");
    run("score --from-run first/run.json --out third");
    let bytes = |run: &str| std::fs::read(dir.join(run).join("scores.parquet")).unwrap();
    assert_eq!(bytes("first"), bytes("second"));
    assert_eq!(bytes("first"), bytes("third"));

    // Another prompt is another question.
    run(&format!("{score} --out second --overwrite --vlm-prompt basic-description-objects"));
    assert_eq!(server.asked().len(), 8);
    let prompt = &server.asked()[7].prompt;
    assert!(prompt.ends_with("focusing on visible objects."), "{prompt}");
}

#[test]
fn neither_host_nor_key_is_in_a_record_or_a_message() {
    let dir = Pairs::new(&["a", "b"]).dir;
    let key = "sk-secret-1234";
    let server = ChatServer::start(move |asked| {
        let authorization = asked.authorization.as_deref();
        assert_eq!(authorization, Some("Bearer sk-secret-1234"));
        let error = format!(r#"{{"error": {{"message": "not with {key} at 127.0.0.1"}}}}"#);
        match asked.n_all {
            3 => Reply::Status("400 Bad Request", "", error),
            _ => Reply::Says(caption(asked)),
        }
    });
    let score = format!("{SCORE} -v --vlm {} --parallel 1 --out run", server.url);
    let mut command = dir.command(&score, "cache");
    let said = Ran::of(command.env("NEUROGAUGE_VLM_KEY", key)).to_string();
    assert!(said.contains("not with [key] at [host]"), "{said}");
    assert!(!said.contains(key), "{said}");
    let mut folders = vec![dir.join("run"), dir.join("cache")];
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
