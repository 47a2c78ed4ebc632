//! Captions: requests, the use of answers, and kept answers.

use super::caption;
use super::chat_server::{ChatServer, Reply};
use crate::support::*;

/// Scores captions of the images.
const SCORE: &str = "score gt recon --metrics cap_sim --set text_encoder=placeholder --vlm-model tiny-vlm";

#[test]
fn a_request_has_the_pixels_and_the_prompt_and_the_answers_are_the_captions() {
    let dir = images(&["a", "b", "c"]);
    let server = ChatServer::start(|asked| Reply::Says(caption(asked)));
    dir.run_with_cache(&format!("{SCORE} --captioner {} --out run", server.url), "cache").done();

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
    assert!(dir.scores("run").column("cap_sim").unwrap().iter().all(Result::is_ok));

    let record = dir.record("run");
    let step = step(&record, "captions");
    let asked = &step["recipe"];
    assert_eq!([&asked["makes"], &asked["model"]["id"]], ["captions", "tiny-vlm"]);
    assert_eq!(asked["prompt"]["id"], "basic-description");
    assert_eq!(asked["prompt"]["text"], "Describe the image in detail.");
    let options = json!({"temperature": 0.0, "seed": 0, "max_tokens": 512});
    assert_eq!(asked["options"], options);
    assert_eq!(step["outcome"]["answered_by"], json!([{"model": "tiny-vlm-2026", "system_fingerprint": "fp_1"}]));
    let needed = dir.run_with_cache("models fetch run --offline", "cache");
    assert!(!needed.stderr.contains("git_large_coco"), "{needed}");
    contains(&record["findings"].to_string(), &["not bit-reproducible"]);
}

#[test]
fn what_was_answered_is_not_asked_again_by_another_run_and_a_run_repeats_without_a_server() {
    let dir = images(&["a", "b"]);
    let server = ChatServer::start(|asked| Reply::Says(caption(asked)));
    let run = |line: &str| {
        dir.run_with_cache(line, "cache").done();
    };
    let score = format!("{SCORE} --captioner {}", server.url);
    run(&format!("{score} --out first"));
    run(&format!("{score} --out second"));
    assert_eq!(server.asked().len(), 4, "the second run asks nothing");
    run("score --from-run first/run.json --out third");
    let bytes = |run: &str| fs::read(dir.join(run).join("scores.parquet")).unwrap();
    assert_eq!(bytes("first"), bytes("second"));
    assert_eq!(bytes("first"), bytes("third"));

    // Another prompt makes another question.
    run(&format!("{score} --out second --overwrite --vlm-prompt basic-description-objects"));
    assert_eq!(server.asked().len(), 8);
    let prompt = &server.asked()[7].prompt;
    assert!(prompt.ends_with("focusing on visible objects."), "{prompt}");
}

#[test]
fn neither_host_nor_key_is_in_a_record_or_a_message() {
    let dir = images(&["a", "b"]);
    let key = "sk-secret-1234";
    let server = ChatServer::start(move |asked| {
        assert_eq!(asked.authorization.as_deref(), Some("Bearer sk-secret-1234"));
        let error = format!(r#"{{"error": {{"message": "not with {key} at 127.0.0.1"}}}}"#);
        match asked.n_all {
            3 => Reply::Status("400 Bad Request", "", error),
            _ => Reply::Says(caption(asked)),
        }
    });
    let mut command = dir.command(&format!("{SCORE} -v --vlm {} --parallel 1 --out run", server.url), "cache");
    let said = Ran::of(command.env("NEUROGAUGE_VLM_KEY", key)).to_string();
    assert!(said.contains("not with [key] at [host]"), "{said}");
    assert!(!said.contains(key), "{said}");
    let mut folders = vec![dir.join("run"), dir.join("cache")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            for secret in [key, "127.0.0.1"] {
                assert!(!text.contains(secret), "{secret} in {}", path.display());
            }
        }
    }
}
