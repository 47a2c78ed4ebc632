//! Consent, questions about the person, completion codes, and where answers are sent.

use super::questionnaires::*;
use crate::support::{arg, folder, refused, succeed, write};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = "# A study\n\nYou can stop at any time.\n";
/// Of that text, as `sha256sum` prints it.
const SHA256: &str = "3d4f016d94faef5d89b4ad97817634dfbbc099ba8b2e8d6edb055fafbc4ec232";

/// A survey that asks for everything.
fn asking(root: &Path, out: &str, more: &[&str]) -> PathBuf {
    let consent = root.join("consent.md");
    write(&consent, TEXT);
    let asks = ["--consent", arg(&consent), "--demographics", "standard"];
    make(root, out, &[&asks[..], more].concat())
}

/// The answers saved by the page of a survey that asks for everything.
fn answered(survey: &Value, page: usize, code: &str, platform: &Value) -> Value {
    let mut found = result(survey, &survey["pages"][page], "", rating);
    found["result"] = json!(format!("{page}-{platform}"));
    found["consent"] = json!({"sha256": SHA256, "time": "2026-11-25T10:00:00.000Z"});
    found["demographics"] = json!({"age": 31, "gender": "woman", "vision": "normal vision"});
    found["platform"] = platform.clone();
    found["completion_code"] = json!(code);
    found
}

/// The `n`-th line of the table of participants.
fn participant(out: &Path, n: usize) -> String {
    let table = fs::read_to_string(out.join("participants.csv")).unwrap();
    table.lines().nth(n).unwrap_or_default().to_owned()
}

#[test]
fn participants_have_a_table_of_their_own() {
    let dir = folder();
    let survey = asking(dir.path(), "survey", &["--completion-code", "DONE-1"]);
    let record = json_of(&survey.join("survey.json"));
    assert_eq!(record["consent"], json!({"sha256": SHA256, "text": TEXT}));
    let answers = dir.path().join("answers");
    let prolific = |pid: &str| json!({"PROLIFIC_PID": pid, "STUDY_ID": "s"});
    // One person on two pages, another on the first page, and a third without an id whose code is wrong.
    for (file, page, code, platform) in [
        ("a", 0, "DONE-1", prolific("pidA")),
        ("b", 1, "DONE-1", prolific("pidA")),
        ("c", 0, "DONE-1", prolific("pidB")),
        ("d", 2, "DONE-2", json!({})),
    ] {
        let mut text = answered(&record, page, code, &platform);
        if file == "c" {
            text["demographics"] = json!({"gender": "man", "vision": "not well"});
        }
        write(&answers.join(format!("{file}.json")), &text.to_string());
    }
    // The first person sends the first page once more, as another sitting.
    let mut again = answered(&record, 0, "DONE-1", &prolific("pidA"));
    again["result"] = json!("again");
    write(&answers.join("e.json"), &again.to_string());
    let out = dir.path().join("ratings");
    let ran = succeed(&read(&answers, &survey, &out));
    ran.says(&[
        "1 with a wrong completion code or none: p3",
        "e.json: p1 answered page p1 before; this time does not count",
    ]);
    assert!(
        !ran.stderr.contains("somebody without a name"),
        "{}",
        ran.stderr
    );
    let note = "Approve 2: p1, p1 (2). Look at 1 before you decide: p3 (wrong completion code). participants.csv lists everyone.";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    let time = "2026-11-25T10:00:00.000Z";
    for (n, expected) in [
        "rater,pages,PROLIFIC_PID,STUDY_ID,consent_time,age,gender,vision,completion_code,code,counts,approve,why_not".to_owned(),
        format!("p1,p1 p2,pidA,s,{time} {time},31,woman,normal vision,DONE-1 DONE-1,right,yes,yes,"),
        format!("p1 (2),p1,pidB,s,{time},,man,not well,DONE-1,right,yes,yes,"),
        format!("p3,p3,,,{time},31,woman,normal vision,DONE-2,wrong,yes,no,wrong completion code"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(participant(&out, n), expected);
    }
    // Nothing of a person is in the other files.
    for file in [
        "ratings.csv",
        "ratings-one.csv",
        "raters.csv",
        "raters.md",
        "read.json",
    ] {
        let text = fs::read_to_string(out.join(file)).unwrap();
        for word in ["pidA", "woman", "not well", time] {
            assert!(!text.contains(word), "{word} in {file}");
        }
    }
}

#[test]
fn a_rater_to_look_at_has_reasons() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &["--completion-code", "DONE"]);
    let record = json_of(&survey.join("survey.json"));
    let file = dir.path().join("r.json");
    let mut found = result(&record, &record["pages"][0], "ann", |_| 3);
    let trials = record["pages"][0]["trials"].as_array().unwrap();
    let is_rated = |trial: &Value| strings(trial, "kind") == "rated";
    let open = trials.iter().position(is_rated).unwrap();
    found["ratings"]["semantic"][open] = Value::Null;
    write(&file, &found.to_string());
    let out = dir.path().join("ratings");
    succeed(&[&read(&file, &survey, &out)[..], &["--keep-failed"]].concat());
    let line = participant(&out, 1);
    assert_eq!(
        line,
        "ann,p1,,wrong,yes,no,wrong completion code; pairs without an answer: 1; failed 2 of 4 attention checks; one answer to \
         everything"
    );
}

#[test]
fn answers_without_consent_or_with_unsound_answers_are_refused() {
    let dir = folder();
    let survey = asking(dir.path(), "survey", &[]);
    let record = json_of(&survey.join("survey.json"));
    let (file, out) = (dir.path().join("r.json"), dir.path().join("ratings"));
    let refused_with = |change: &dyn Fn(&mut Value), parts: &[&str]| {
        let mut changed = answered(&record, 0, "", &json!({}));
        change(&mut changed);
        write(&file, &changed.to_string());
        refused(
            &read(&file, &survey, &out),
            1,
            &[parts, &["r.json"]].concat(),
        );
    };
    let without = |name: &'static str| {
        move |found: &mut Value| {
            found.as_object_mut().unwrap().remove(name);
        }
    };
    refused_with(
        &without("consent"),
        &[
            "consent: no consent; expected consent to the text with SHA-256",
            SHA256,
        ],
    );
    refused_with(
        &|found| found["consent"]["sha256"] = json!("abc"),
        &["consent to another text, with SHA-256 abc"],
    );
    refused_with(
        &without("demographics"),
        &["demographics, gender: no answer"],
    );
    refused_with(
        &|found| found["demographics"]["age"] = json!(17),
        &["demographics, age: 17; expected a number from 18 to 120"],
    );
    refused_with(
        &|found| found["demographics"]["vision"] = json!("blurred"),
        &["demographics, vision: \"blurred\"; expected one of normal vision"],
    );
    assert!(!out.exists());
}

#[test]
fn what_cannot_be_asked_or_reached_is_refused() {
    let dir = folder();
    let [gt, one, _] = images(dir.path());
    let out = dir.path().join("survey");
    let (empty, toml) = (dir.path().join("empty.md"), dir.path().join("about.toml"));
    write(&empty, " \n");
    write(
        &toml,
        "[[questions]]\nid = \"rater\"\ntext = \"Who?\"\nkind = \"text\"\n",
    );
    let absent = dir.path().join("absent.md");
    for (code, more, parts) in [
        (1, ["--consent", arg(&empty)], ["empty.md", "no text"]),
        (
            1,
            ["--consent", arg(&absent)],
            ["absent.md", "No such file"],
        ),
        (
            1,
            ["--demographics", arg(&toml)],
            ["about.toml: question 1", "\"rater\""],
        ),
        (
            2,
            ["--completion-code", "a b"],
            ["the completion code \"a b\"", "expected"],
        ),
        (
            2,
            ["--completion-secret", "short"],
            ["a secret of 5 characters", "8 or more"],
        ),
        (
            2,
            ["--completion-url", "javascript:1"],
            ["\"javascript:1\"", "https://"],
        ),
        (
            2,
            ["--completion-url", "https://x.org/?cc={CODE}"],
            ["there is no code", "give one"],
        ),
        (
            2,
            ["--submit-url", "https://x.org;script-src *"],
            ["the address", "expected one such as"],
        ),
        (2, ["--datapipe", "a b"], ["DataPipe", "letters and digits"]),
    ] {
        let args = [
            "survey",
            "make",
            "--gt",
            arg(&gt),
            "--recon",
            arg(&one),
            "--out",
            arg(&out),
        ];
        refused(&[&args[..], &more].concat(), code, &parts);
        assert!(!out.exists(), "{more:?}");
    }
}

#[test]
fn a_page_reaches_the_address_for_answers_and_no_other() {
    let dir = folder();
    let policy = |survey: &Path| {
        let page = fs::read_to_string(survey.join("pages/p1.html")).unwrap();
        let found = page
            .split("Content-Security-Policy\" content=\"")
            .nth(1)
            .unwrap();
        found.split('"').next().unwrap().to_owned()
    };
    let closed = policy(&make(dir.path(), "closed", &[]));
    assert!(
        closed.starts_with("default-src 'none';") && !closed.contains("connect-src"),
        "{closed}"
    );
    for (out, option, value, expected) in [
        (
            "own",
            "--submit-url",
            "http://127.0.0.1:8765/a?b=1",
            "http://127.0.0.1:8765",
        ),
        ("pipe", "--datapipe", "AbC", "https://pipe.jspsych.org"),
        (
            "google",
            "--submit-url",
            "https://script.google.com/macros/s/x/exec",
            "https://script.google.com https://script.googleusercontent.com",
        ),
    ] {
        let found = policy(&make(dir.path(), out, &[option, value]));
        let opened = format!(" connect-src {expected};");
        assert!(found.contains(&opened), "{found}");
        assert_eq!(found.replace(&opened, ""), closed);
    }
}

#[test]
fn what_people_see_names_the_survey() {
    let dir = folder();
    let named = |survey: &Path| strings(&json_of(&survey.join("survey.json")), "survey").to_owned();
    let plain = make(dir.path(), "plain", &[]);
    let record = fs::read_to_string(plain.join("survey.json")).unwrap();
    // As earlier versions wrote it.
    assert!(
        !record.contains("\"consent\"") && !record.contains("\"participation\""),
        "{record}"
    );
    let sent = make(
        dir.path(),
        "sent",
        &[
            "--submit-url",
            "https://example.org/",
            "--completion-secret",
            "a long secret",
        ],
    );
    assert_eq!(named(&plain), named(&sent));
    let asked = asking(dir.path(), "asked", &[]);
    let about = make(dir.path(), "about", &["--demographics", "standard"]);
    assert!(named(&asked) != named(&plain) && named(&about) != named(&plain));
    assert_ne!(named(&asked), named(&about));
    // The secret stays with the plan; a page has only its own code.
    let pages = [1, 2].map(|n| fs::read_to_string(sent.join(format!("pages/p{n}.html"))).unwrap());
    assert!(
        fs::read_to_string(sent.join("survey.json"))
            .unwrap()
            .contains("a long secret")
    );
    let code =
        |page: &str| page.split("\"completion\":{\"code\":\"").nth(1).unwrap()[..8].to_owned();
    assert_ne!(code(&pages[0]), code(&pages[1]));
    assert!(!pages[0].contains("a long secret") && !pages[0].contains(&code(&pages[1])));
}

#[test]
fn a_survey_says_what_it_asks_and_warns_of_what_is_unsafe() {
    let dir = folder();
    let [gt, one, _] = images(dir.path());
    let consent = dir.path().join("consent.md");
    write(&consent, TEXT);
    let out = dir.path().join("survey");
    let ran = succeed(&[
        "survey",
        "make",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&one),
        "--raters",
        "1",
        "--consent",
        arg(&consent),
        "--demographics",
        "standard",
        "--completion-secret",
        "a long secret",
        "--submit-url",
        "http://192.168.0.2:8765/",
        "--mturk-images",
        "https://example.org",
        "--out",
        arg(&out),
    ]);
    ran.says(&[
        "answers travel unencrypted to http://192.168.0.2:8765/",
        "the template in mturk/ asks neither for consent nor about the person",
    ]);
    for part in [
        "completion code\n",
        SHA256,
        "Asked about the person: age, gender, vision.",
        "At the end the answers are sent to http://192.168.0.2:8765.",
    ] {
        assert!(ran.stdout.contains(part), "{part} in\n{}", ran.stdout);
    }
    refused(
        &[
            "survey",
            "make",
            "--completion-code",
            "A",
            "--completion-secret",
            "a long secret",
        ],
        2,
        &["cannot be used with"],
    );
}
