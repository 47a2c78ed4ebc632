//! VQAScore: a model behind a server judges whether a reconstruction matches the caption of its stimulus.

use super::chat_server::{Asked, ChatServer, Reply, picture};
use crate::support::*;

const CAPTIONS: &str = r#"{"a": ["A red dog.", "Another."], "b": "A \"blue\" boat."}"#;

const OF_STIMULI: &str = "--gt captions=gt.json";
const OF_BOTH: &str = "--gt captions=gt.json --recon captions=recon.json";

/// Two pairs, and captions of them.
fn captioned() -> Folder {
    let pairs = images(&["a", "b"]);
    pairs.write("gt.json", CAPTIONS);
    pairs.write("recon.json", r#"{"a": "A cat.", "b": "A ship."}"#);
    pairs
}

/// Certain about dogs, and uncertain about boats.
fn sure_of_dogs(asked: &Asked) -> Reply {
    match asked.prompt.contains("dog") {
        true => Reply::Likely("Yes", vec![("Yes", 0.5), (" yes", 0.25), ("No", 0.125)]),
        false => Reply::Likely("No", vec![("No", 0.75), ("Maybe", 0.125)]),
    }
}

#[test]
fn each_reconstruction_is_asked_about_the_caption_of_its_stimulus() {
    let pairs = captioned();
    let server = ChatServer::start(sure_of_dogs);
    let dry_run = format!("{OF_BOTH} --dry-run");
    assert_snapshot!(pairs.score("vqa_score", &server.url, &dry_run), @"
    exit 0, stdout:
    observe
      recon/vqa_scores by tiny-vlm (asked, prompt vqa-question), of recon/images: 2 items, 0 known
    compare 2 pairs
      vqa_score: computed
    memory: about [SIZE], and in addition that of tiny-vlm, which is not known before the run
    ");
    pairs.score("vqa_score", &server.url, OF_BOTH).done();
    let asked = server.asked();
    let prompts: Vec<&str> = asked.iter().map(|asked| asked.prompt.as_str()).collect();
    let expected = [
        r#"Does this figure show "A red dog."? Please answer yes or no."#,
        r#"Does this figure show "A "blue" boat."? Please answer yes or no."#,
    ];
    assert_eq!(prompts, expected);
    let recon = fs::read(pairs.join("recon/a.png")).unwrap();
    assert_eq!(asked[0].picture(), picture(&recon));
    assert_eq!(asked[0].body["logprobs"], true);
    assert_eq!(asked[0].body["top_logprobs"], 20);
    assert_eq!(asked[0].body["max_tokens"], 4);

    let column = |run: &str| pairs.scores(run).column("vqa_score").unwrap().to_vec();
    let values = column("run");
    assert!((values[0].as_ref().unwrap() - 0.75).abs() < 1e-12, "{values:?}");
    assert_eq!(values[1], Ok(0.0), "an unlisted yes counts nothing");
    let record = pairs.record("run");
    assert_eq!(step(&record, "vqa_scores")["recipe"]["makes"], "vqa_scores");
    let findings = record["findings"].to_string();
    assert!(findings.contains("not bit-reproducible"), "{findings}");
    assert!(!findings.contains("cut off"), "{findings}");

    // The run's own file gives the same when the scores are given.
    let written = "run/observations/recon/vqa_scores.json";
    pairs.succeed(&format!("score --recon vqa-scores={written} --out again"));
    assert_eq!(column("again"), values);
    contains(&pairs.score("vqa_score", &server.url, &dry_run).stdout, &["2 items, 2 known"]);
}

#[test]
fn captions_of_reconstructions_are_not_needed() {
    let pairs = captioned();
    let server = ChatServer::start(sure_of_dogs);
    pairs.score("vqa_score", &server.url, OF_STIMULI).done();
    let column = pairs.scores("run").column("vqa_score").unwrap().to_vec();
    assert!((column[0].as_ref().unwrap() - 0.75).abs() < 1e-12, "{column:?}");
    assert_eq!(column[1], Ok(0.0));
    let inputs = pairs.record("run")["inputs"].clone();
    let roles: Vec<&str> = inputs.list().iter().map(|input| input["role"].text()).collect();
    assert!(roles.contains(&"gt/captions"), "{roles:?}");
    assert!(!roles.contains(&"recon/captions"), "{roles:?}");
    // With captions of both sides, the questions are the same, and known.
    let said = pairs.score("vqa_score", &server.url, &format!("{OF_BOTH} --dry-run")).stdout;
    assert!(said.contains("2 items, 2 known"), "{said}");
    // Metrics that compare captions need both sides.
    assert_snapshot!(pairs.score("object_f1_vlm", &server.url, OF_STIMULI), @"exit 2, stderr: error: captions are given for the stimuli ([DIR]/gt.json) but not for the reconstructions; add --recon captions=FILE");
    assert_snapshot!(pairs.score("vqa_score,cap_sim", &server.url, &format!("{OF_STIMULI} --vlm-asks vqa-scores")), @"exit 2, stderr: error: cap_sim needs captions of both sides (--observations, or --gt captions=FILE and --recon captions=FILE), or images of both sides (--gt, --recon) and --captioner MODEL");
}

#[test]
fn captions_that_the_server_gives_are_asked_about_next() {
    let pairs = images(&["a", "b"]);
    let server = ChatServer::start(|asked| match asked.body["logprobs"].is_null() {
        true => Reply::Says("A dog.".to_owned()),
        false => sure_of_dogs(asked),
    });
    pairs.score("vqa_score", &server.url, "").done();
    let questions = server.asked().into_iter().filter(|asked| asked.prompt.contains("\"A dog.\""));
    assert_eq!((questions.count(), server.asked().len()), (2, 6));
}

#[test]
fn a_server_without_probabilities_stops_at_once_and_says_which_give_them() {
    let pairs = captioned();
    let server = ChatServer::start(|_| Reply::Says("Yes".to_owned()));
    assert_snapshot!(pairs.score("vqa_score", &server.url, OF_BOTH), @"exit 1, stderr: error: http://127.0.0.1:[PORT]/v1: its answers have no log-probabilities (choices[0].logprobs.content[0].top_logprobs), which VQA scores are made of; vLLM, llama.cpp's server and OpenAI give them, `transformers serve` does not");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_pair_of_which_neither_is_said_has_no_value() {
    let pairs = captioned();
    let server = ChatServer::start(|asked| match asked.prompt.contains("dog") {
        true => Reply::Likely("Well", vec![("Well", 0.9)]),
        false => Reply::Likely("yes", vec![("yes", 0.5)]),
    });
    assert_snapshot!(pairs.score("vqa_score", &server.url, OF_BOTH).messages(), @r#"
    note: image "a": neither yes nor no is among the likely beginnings of the answer, which are ["Well"] and others
    run: 2 pairs scored
    error: 1 image has no VQA scores: recon/images "a" (neither yes nor no is among the likely beginnings of the answer, which are ["Well"] and others). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    let values = pairs.scores("run");
    let column = values.column("vqa_score").unwrap();
    contains(&column[0].as_ref().unwrap_err().to_string(), &["no answer, yes or no"]);
    assert_eq!(column[1], Ok(0.5));
    assert_eq!(server.asked().len(), 3, "the first was asked for once more");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let pairs = images(&["a", "b"]);
    let dir = &pairs;
    dir.write("own.txt", "Is it so?\n");
    let own = "--vlm-prompt vqa-scores=own.txt";
    assert_snapshot!(pairs.score("vqa_score", "http://127.0.0.1:1", own), @r#"exit 2, stderr: error: the prompt "own" for VQA scores has no place for the caption; expected {caption} in it"#);
    let perceive = "perceive --images gt --vlm http://127.0.0.1:1 --vlm-model m --vlm-asks vqa-scores --out x";
    assert_snapshot!(dir.run(perceive), @"exit 2, stderr: error: --vlm: VQA scores are of pairs, and here is one folder of images; `neurogauge score` asks for them");

    let given = "score --recon vqa-scores=vqa_scores.json --out run -q";
    dir.write("vqa_scores.json", r#"{"a": 0.5, "b": 7}"#);
    assert_snapshot!(dir.run(given), @r#"exit 1, stderr: error: [DIR]/vqa_scores.json: the score of "b" is 7; expected a probability, 0 to 1, or null"#);
    dir.write("vqa_scores.json", r#"{"a": 0.5, "c": null}"#);
    assert_snapshot!(dir.run(&format!("{given} --gt gt --recon recon --metrics pixcorr,vqa_score")), @"exit 1, stderr: error: the images are about 2 stems and the VQA scores about 2, and they are not the same (only among the images: b; only among the VQA scores: c); all inputs of a run must share their stems; --pairs shared scores the 1 that both have");
}

#[test]
fn a_prompt_s_file_in_a_configuration_is_beside_it() {
    let pairs = images(&["a", "b"]);
    let dir = &pairs;
    dir.write("settings/mine.txt", "What is this?\n");
    dir.write("settings/yours.txt", "Is it {caption}?\n");
    dir.write(
        "settings/score.toml",
        "vlm_prompt = [\"captions=mine.txt\"]\n[[vlm]]\nurl = \"http://localhost:1\"\nmodel = \"tiny\"\nprompt = [\"vqa-scores=yours.txt\"]\n",
    );
    let score = "score gt recon --config settings/score.toml --metrics vqa_score --dry-run";
    assert_snapshot!(dir.run(score), @"
    exit 0, stdout:
    observe
      gt/captions by tiny (asked, prompt own), of gt/images: 2 items, 0 known
      recon/captions by tiny (asked, prompt own), of recon/images: 2 items, 0 known
      recon/vqa_scores by tiny (asked, prompt own), of recon/images: 2 items, known once there are captions
    compare 2 pairs
      vqa_score: computed
    memory: about [SIZE], and in addition that of tiny, which is not known before the run
    ");
    dir.remove("settings/mine.txt");
    assert_snapshot!(dir.run(score), @"exit 2, stderr: error: settings/mine.txt: No such file or directory");
}

#[test]
fn scores_made_elsewhere_are_among_the_observations() {
    let pairs = images(&["a", "b"]);
    fs::create_dir_all(pairs.join("observations/gt")).unwrap();
    let made = r#"{"b": null, "a": 0.25}"#;
    pairs.write("observations/recon/vqa_scores.json", made);
    pairs.succeed("score --observations observations --out run");
    let values = pairs.scores("run");
    let column = values.column("vqa_score").unwrap();
    assert_eq!(column[0], Ok(0.25));
    assert!(column[1].is_err());
    let record = pairs.record("run");
    assert_eq!(record["inputs"][0]["role"], "recon/vqa_scores");
}
