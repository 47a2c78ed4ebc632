//! Text in images, read by a model behind a server, and the share of the stimulus's words that is found.

use super::chat_server::{Asked, ChatServer, Reply};
use crate::support::*;
use neurogauge::core::Outcome;

/// The values of a run.
fn column(pairs: &Folder, run: &str) -> Vec<Outcome> {
    pairs.scores(run).column("text_recall").unwrap().to_vec()
}

#[test]
fn a_model_reads_the_texts_of_both_sides() {
    let pairs = images(&["a", "b", "c"]);
    // Answers for the stimuli, then for the reconstructions.
    let answers = ["STOP\nMain St.", "Open 24 hours", "NONE", "Stop", "None.", "Exit"];
    let server = ChatServer::start(move |asked: &Asked| Reply::Says(answers[asked.n_all].to_owned()));
    assert_snapshot!(pairs.score("text_recall", &server.url, "--dry-run"), @"
    exit 0, stdout:
    observe
      gt/image_texts by tiny-vlm (asked, prompt image-texts), of gt/images: 3 items, 0 known
      recon/image_texts by tiny-vlm (asked, prompt image-texts), of recon/images: 3 items, 0 known
    compare 3 pairs
      text_recall: computed
    memory: about [SIZE], and in addition that of tiny-vlm, which is not known before the run
    ");
    pairs.score("text_recall", &server.url, "").done();
    let asked = server.asked();
    assert_eq!(asked.len(), 6);
    let prompt = "Transcribe all text that is written in this image, exactly as it is written: each piece of text on a line of its own, and nothing \
                  else. If the image has no text, answer only: NONE";
    assert!(asked.iter().all(|asked| asked.prompt == prompt));
    // "stop" of "stop", "main" and "st"; none of three words; no text in the last stimulus.
    let values = column(&pairs, "run");
    assert_eq!(values[..2], [Ok(1.0 / 3.0), Ok(0.0)]);
    assert_eq!(values[2].clone().unwrap_err().to_string(), "no text in the stimulus");
    assert_eq!(step(&pairs.record("run"), "image_texts")["recipe"]["prompt"]["id"], "image-texts");
    assert_eq!(
        pairs.json("run/observations/gt/image_texts.json"),
        serde_json::json!({"a": ["STOP", "Main St."], "b": ["Open 24 hours"], "c": []})
    );
    // The run can read the files that it wrote.
    let files = ["gt", "recon"].map(|side| format!("--{side} image-texts=run/observations/{side}/image_texts.json"));
    pairs.succeed(&format!("score {} --metrics text_recall --out again", files.join(" ")));
    assert_eq!(column(&pairs, "again"), values);
    pairs.succeed("score --observations run/observations --metrics text_recall --out folder");
    assert_eq!(column(&pairs, "folder"), values);
}

#[test]
fn texts_are_not_compared_unasked() {
    let pairs = images(&["a"]);
    for side in ["gt", "recon"] {
        pairs.write(&format!("obs/{side}/image_texts.json"), r#"{"a": "Stop"}"#);
        pairs.write(&format!("obs/{side}/vlm_categories.json"), r#"{"a": "sign"}"#);
    }
    pairs.succeed("score --observations obs --out run");
    assert!(pairs.scores("run").column("text_recall").is_none());
    assert!(pairs.scores("run").column("object_f1_vlm").is_some());
    pairs.write("obs/recon/image_texts.json", r#"{"a": 7}"#);
    assert_snapshot!(pairs.run("score --observations obs --metrics text_recall --out bad"), @r#"exit 1, stderr: error: [DIR]/obs/recon/image_texts.json:1:7: the number 7; expected names parted by commas, "dog, frisbee", or a list of names"#);
}
