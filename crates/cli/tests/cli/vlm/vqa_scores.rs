//! VQAScore: a model behind a server judges whether a reconstruction matches the caption of its stimulus.

use super::Pairs;
use super::chat_server::{Asked, Reply, VlmServer, picture};
use crate::support::{arg, record, refused, scores, step, succeed, write};
use serde_json::Value;

const CAPTIONS: &str = r#"{"a": ["A red dog.", "Another."], "b": "A \"blue\" boat."}"#;

/// Captions of both sides as options.
fn captions(pairs: &Pairs) -> Vec<String> {
    let (gt, recon) = (
        pairs.dir.path().join("gt.json"),
        pairs.dir.path().join("recon.json"),
    );
    write(&gt, CAPTIONS);
    write(&recon, r#"{"a": "A cat.", "b": "A ship."}"#);
    [("--gt-captions", gt), ("--recon-captions", recon)]
        .into_iter()
        .flat_map(|(option, file)| [option.to_owned(), arg(&file).to_owned()])
        .collect()
}

/// Sure of dogs, and hardly of boats.
fn sure_of_dogs(asked: &Asked) -> Reply {
    match asked.prompt.contains("dog") {
        true => Reply::Likely("Yes", vec![("Yes", 0.5), (" yes", 0.25), ("No", 0.125)]),
        false => Reply::Likely("No", vec![("No", 0.75), ("Maybe", 0.125)]),
    }
}

#[test]
fn each_reconstruction_is_asked_about_the_caption_of_its_stimulus() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(sure_of_dogs);
    let captions = captions(&pairs);
    let more: Vec<&str> = captions.iter().map(String::as_str).collect();
    let plan = pairs.score(
        "vqa_score",
        &server.url,
        &[&more[..], &["--dry-run"]].concat(),
    );
    let planned = "recon/vqa_scores by tiny-vlm (asked, prompt vqa-question), of recon/images: 2 items, 0 known";
    assert!(
        plan.stdout.contains(planned),
        "{}{}",
        plan.stdout,
        plan.stderr
    );
    assert!(!plan.stdout.contains("gt/vqa_scores"), "{}", plan.stdout);

    let ran = pairs.score("vqa_score", &server.url, &more);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let asked = server.asked();
    let prompts: Vec<&str> = asked.iter().map(|asked| asked.prompt.as_str()).collect();
    let expected = [
        r#"Does this figure show "A red dog."? Please answer yes or no."#,
        r#"Does this figure show "A "blue" boat."? Please answer yes or no."#,
    ];
    assert_eq!(prompts, expected);
    let recon = std::fs::read(pairs.recon.join("a.png")).unwrap();
    assert_eq!(asked[0].picture(), picture(&recon));
    assert_eq!(asked[0].body["logprobs"], true);
    assert_eq!(asked[0].body["top_logprobs"], 20);
    assert_eq!(asked[0].body["max_tokens"], 4);

    let column = |out| scores(out).column("vqa_score").unwrap().to_vec();
    let values = column(&pairs.out);
    assert!(
        (values[0].as_ref().unwrap() - 0.75).abs() < 1e-12,
        "{values:?}"
    );
    assert_eq!(values[1], Ok(0.0), "an unlisted yes counts nothing");
    let record = record(&pairs.out);
    assert_eq!(step(&record, "vqa_scores")["recipe"]["makes"], "vqa_scores");
    let warnings = record["warnings"].to_string();
    assert!(warnings.contains("not bit-reproducible"), "{warnings}");
    assert!(!warnings.contains("cut off"), "{warnings}");

    // The file the run wrote can be given to a run as its scores.
    let file = pairs.out.join("observations/recon/vqa_scores.json");
    let again = pairs.dir.path().join("again");
    succeed(&["score", "--vqa-scores", arg(&file), "--out", arg(&again)]);
    assert_eq!(column(&again), values);
    let known = pairs.score(
        "vqa_score",
        &server.url,
        &[&more[..], &["--dry-run"]].concat(),
    );
    assert!(
        known.stdout.contains("2 items, 2 known"),
        "{}",
        known.stdout
    );
}

#[test]
fn captions_of_reconstructions_are_not_needed() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(sure_of_dogs);
    let captions = captions(&pairs);
    let of_stimuli: Vec<&str> = captions[..2].iter().map(String::as_str).collect();
    let ran = pairs.score("vqa_score", &server.url, &of_stimuli);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let column = scores(&pairs.out).column("vqa_score").unwrap().to_vec();
    assert!(
        (column[0].as_ref().unwrap() - 0.75).abs() < 1e-12,
        "{column:?}"
    );
    assert_eq!(column[1], Ok(0.0));
    let inputs = record(&pairs.out)["inputs"].clone();
    let roles = inputs.as_array().unwrap().iter();
    let roles: Vec<&str> = roles.map(|input| input["role"].as_str().unwrap()).collect();
    assert!(
        roles.contains(&"gt/captions") && !roles.contains(&"recon/captions"),
        "{roles:?}"
    );
    // With both the questions are the same, and known.
    let both: Vec<&str> = captions.iter().map(String::as_str).collect();
    let known = pairs.score(
        "vqa_score",
        &server.url,
        &[&both[..], &["--dry-run"]].concat(),
    );
    assert!(
        known.stdout.contains("2 items, 2 known"),
        "{}",
        known.stdout
    );
    // Metrics that compare captions need them.
    let of_one_side = "captions are given for the stimuli";
    let lacking = pairs.score("object_f1_vlm", &server.url, &of_stimuli);
    assert_eq!(lacking.code, 2, "{}", lacking.stderr);
    lacking.says(&[of_one_side, "--recon-captions"]);
    let lacking = pairs.score(
        "vqa_score,cap_sim",
        &server.url,
        &[&of_stimuli[..], &["--vlm-asks", "vqa-scores"]].concat(),
    );
    assert_eq!(lacking.code, 2, "{}", lacking.stderr);
    lacking.says(&["captions of both sides"]);
}

#[test]
fn captions_that_the_server_gives_are_asked_about_next() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(|asked| match asked.body["logprobs"].is_null() {
        true => Reply::Says("A dog.".to_owned()),
        false => sure_of_dogs(asked),
    });
    let ran = pairs.score("vqa_score", &server.url, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let questions = server.asked().into_iter();
    let questions = questions.filter(|asked| asked.prompt.contains("\"A dog.\""));
    assert_eq!((questions.count(), server.asked().len()), (2, 6));
}

#[test]
fn a_server_without_probabilities_stops_at_once_and_says_which_give_them() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(|_| Reply::Says("Yes".to_owned()));
    let captions = captions(&pairs);
    let more: Vec<&str> = captions.iter().map(String::as_str).collect();
    let ran = pairs.score("vqa_score", &server.url, &more);
    assert_ne!(ran.code, 0);
    ran.says(&["no log-probabilities", "vLLM"]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_pair_of_which_neither_is_said_has_no_value() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(|asked| match asked.prompt.contains("dog") {
        true => Reply::Likely("Well", vec![("Well", 0.9)]),
        false => Reply::Likely("yes", vec![("yes", 0.5)]),
    });
    let captions = captions(&pairs);
    let more: Vec<&str> = captions.iter().map(String::as_str).collect();
    let ran = pairs.score("vqa_score", &server.url, &more);
    ran.says(&["neither yes nor no", "\"Well\""]);
    let values = scores(&pairs.out);
    let column = values.column("vqa_score").unwrap();
    let reason = column[0].as_ref().unwrap_err().to_string();
    assert!(reason.contains("no answer, yes or no"), "{reason}");
    assert_eq!(column[1], Ok(0.5));
    assert_eq!(server.asked().len(), 3, "the first was asked for once more");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let pairs = Pairs::new(&["a", "b"]);
    let prompt = pairs.dir.path().join("own.txt");
    write(&prompt, "Is it so?\n");
    let own = format!("vqa-scores={}", prompt.display());
    let more = ["--vlm-prompt", own.as_str()];
    let ran = pairs.score("vqa_score", "http://127.0.0.1:1", &more);
    ran.says(&["no place for the caption", "{caption}"]);
    let gt = arg(&pairs.gt);
    let perceive = [
        "perceive",
        "--images",
        gt,
        "--vlm",
        "http://127.0.0.1:1",
        "--vlm-model",
        "m",
    ];
    let asks = ["--vlm-asks", "vqa-scores", "--out", "x"];
    refused(
        &[&perceive[..], &asks].concat(),
        2,
        &["of pairs", "neurogauge score"],
    );

    let file = pairs.dir.path().join("vqa_scores.json");
    write(&file, r#"{"a": 0.5, "b": 7}"#);
    let given = [
        "score",
        "--vqa-scores",
        arg(&file),
        "--out",
        arg(&pairs.out),
    ];
    refused(&given, 1, &["vqa_scores.json", "\"b\" is 7", "0 to 1"]);
    write(&file, r#"{"a": 0.5, "c": null}"#);
    let (gt, recon) = (arg(&pairs.gt), arg(&pairs.recon));
    let both = [
        &given[..],
        &[
            "--gt",
            gt,
            "--recon",
            recon,
            "--metrics",
            "pixcorr,vqa_score",
        ],
    ];
    refused(&both.concat(), 1, &["VQA scores", "b, c"]);
}

#[test]
fn a_prompt_s_file_in_a_configuration_lies_beside_it() {
    let pairs = Pairs::new(&["a", "b"]);
    let folder = pairs.dir.path().join("settings");
    std::fs::create_dir(&folder).unwrap();
    write(&folder.join("mine.txt"), "What is this?\n");
    write(&folder.join("yours.txt"), "Is it {caption}?\n");
    let config = folder.join("score.toml");
    write(
        &config,
        "vlm_prompt = [\"captions=mine.txt\"]\n[[vlm]]\nurl = \"http://localhost:1\"\nmodel = \"tiny\"\nprompt = [\"vqa-scores=yours.txt\"]\n",
    );
    let (gt, recon) = (arg(&pairs.gt), arg(&pairs.recon));
    let args = [
        "score",
        gt,
        recon,
        "--config",
        arg(&config),
        "--metrics",
        "vqa_score",
        "--dry-run",
    ];
    let plan = succeed(&args).stdout;
    let prompts = plan.matches("prompt own").count();
    assert_eq!(prompts, 3, "{plan}");
    std::fs::remove_file(folder.join("mine.txt")).unwrap();
    refused(&args, 2, &["settings", "mine.txt"]);
}

#[test]
fn scores_made_elsewhere_lie_among_the_observations() {
    let pairs = Pairs::new(&["a", "b"]);
    let observations = pairs.dir.path().join("observations");
    for side in ["gt", "recon"] {
        std::fs::create_dir_all(observations.join(side)).unwrap();
    }
    write(
        &observations.join("recon/vqa_scores.json"),
        r#"{"b": null, "a": 0.25}"#,
    );
    succeed(&[
        "score",
        "--observations",
        arg(&observations),
        "--out",
        arg(&pairs.out),
    ]);
    let values = scores(&pairs.out);
    let column = values.column("vqa_score").unwrap();
    assert_eq!(column[0], Ok(0.25));
    assert!(column[1].is_err());
    let record: Value = record(&pairs.out);
    assert_eq!(record["inputs"][0]["role"], "recon/vqa_scores");
}
