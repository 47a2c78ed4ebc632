//! Consent, questions about the person, completion codes, and addresses for answers.

use super::questionnaires::*;
use crate::support::*;

const TEXT: &str = "# A study\n\nYou can stop at any time.\n";
/// The hash of that text by `sha256sum`.
const SHA256: &str = "3d4f016d94faef5d89b4ad97817634dfbbc099ba8b2e8d6edb055fafbc4ec232";

/// Makes a survey with all these questions.
fn asking(dir: &Folder, out: &str, more: &str) -> Value {
    dir.write("consent.md", TEXT);
    let asks = "--consent consent.md --demographics standard";
    make(dir, out, &format!("{asks} {more}"))
}

/// The answers saved by a page of such a survey.
fn answered(survey: &Value, page: usize, code: &str, platform: &Value) -> Value {
    let mut found = result(survey, &survey["pages"][page], "", rating);
    found["result"] = json!(format!("{page}-{platform}"));
    found["consent"] = json!({"sha256": SHA256, "time": "2026-11-25T10:00:00.000Z"});
    found["demographics"] = json!({"age": 31, "gender": "woman", "vision": "normal vision"});
    found["platform"] = platform.clone();
    found["completion_code"] = json!(code);
    found
}

#[test]
fn participants_have_a_table_of_their_own() {
    let dir = stimuli_and_systems();
    let record = asking(&dir, "survey", "--completion-code DONE-1");
    assert_eq!(record["consent"], json!({"sha256": SHA256, "text": TEXT}));
    let prolific = |pid: &str| json!({"PROLIFIC_PID": pid, "STUDY_ID": "s"});
    // One person answers two pages, another the first page, and a third without an id has a wrong code.
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
        dir.write(&format!("answers/{file}.json"), text.to_string());
    }
    // The first person sends the first page again, from another session.
    let mut again = answered(&record, 0, "DONE-1", &prolific("pidA"));
    again["result"] = json!("again");
    dir.write("answers/e.json", again.to_string());
    assert_snapshot!(dir.run(READ), @"
    exit 0, stdout:
    Raters of survey [ID]

    rater   pairs  checks failed  counts  seconds  repeats  semantic again  perceptual again
    p1         24  0 of 8         yes         2.5        8            0.00              0.00
    p1 (2)     12  0 of 4         yes         2.5        4            0.00              0.00
    p3         12  0 of 4         yes         2.5        4            0.00              0.00

    Failed: an identical pair with a rating in the middle of the scale or below, or a mismatched pair with one above the middle. Who failed more than 25% of the checks does not count.
    Again: mean distance, in points, between the two answers to pairs that were shown twice.
    Of 24 pairs, each has 1 to 3 raters who count.
    Approve 2: p1, p1 (2). Look at 1 before you decide: p3 (wrong completion code). participants.csv lists everyone.

    What raters who count said of pairs that they saw again

    question    pairs  same, %  within one point, %  mean distance  ICC(1,1)
    semantic       16      100                  100           0.00     1.000
    perceptual     16      100                  100           0.00     1.000
    stderr:
    warning: answers/e.json: p1 answered page p1 before; this time does not count
    warning: raters: 1 with a wrong completion code or none: p3
    warning: ratings: 12 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 1
    ratings: ratings of 24 pairs by 3 of 3 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    assert_snapshot!(dir.read("ratings/participants.csv"), @"
    rater,pages,PROLIFIC_PID,STUDY_ID,consent_time,age,gender,vision,completion_code,code,counts,approve,why_not
    p1,p1 p2,pidA,s,2026-11-25T10:00:00.000Z 2026-11-25T10:00:00.000Z,31,woman,normal vision,DONE-1 DONE-1,right,yes,yes,
    p1 (2),p1,pidB,s,2026-11-25T10:00:00.000Z,,man,not well,DONE-1,right,yes,yes,
    p3,p3,,,2026-11-25T10:00:00.000Z,31,woman,normal vision,DONE-2,wrong,yes,no,wrong completion code
    ");
    // Nothing about a person is in the other files.
    for file in ["ratings.csv", "ratings-one.csv", "raters.csv", "raters.md", "read.json"] {
        let text = dir.read(format!("ratings/{file}"));
        for word in ["pidA", "woman", "not well", "2026-11-25"] {
            assert!(!text.contains(word), "{word} in {file}");
        }
    }
}

#[test]
fn a_rater_to_look_at_has_reasons() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "--completion-code DONE");
    let mut found = result(&record, &record["pages"][0], "ann", |_| 3);
    let trials = record["pages"][0]["trials"].list();
    let open = trials.iter().position(|trial: &Value| strings(trial, "kind") == "rated").unwrap();
    found["ratings"]["semantic"][open] = Value::Null;
    dir.write("answers/r.json", found.to_string());
    dir.succeed(&format!("{READ} --keep-failed"));
    assert_snapshot!(dir.read("ratings/participants.csv"), @"
    rater,pages,completion_code,code,counts,approve,why_not
    ann,p1,,wrong,yes,no,wrong completion code; pairs without an answer: 1; failed 2 of 4 attention checks; one answer to everything
    ");
}

#[test]
fn answers_without_consent_or_with_unsound_answers_are_refused() {
    let dir = stimuli_and_systems();
    let record = asking(&dir, "survey", "");
    let without = |name: &'static str| {
        move |found: &mut Value| {
            found.as_object_mut().unwrap().remove(name);
        }
    };
    let changes: [&dyn Fn(&mut Value); 5] = [
        &without("consent"),
        &|found| found["consent"]["sha256"] = json!("abc"),
        &without("demographics"),
        &|found| found["demographics"]["age"] = json!(17),
        &|found| found["demographics"]["vision"] = json!("blurred"),
    ];
    let changed = changes.map(|change| {
        let mut changed = answered(&record, 0, "", &json!({}));
        change(&mut changed);
        changed.to_string()
    });
    assert_snapshot!(dir.said_of("answers/r.json", changed, READ, "ratings"), @r#"
    exit 1, stderr: error: answers/r.json: consent: no consent; expected consent to the text with SHA-256 [HASH]. Answers without it are not used: leave them out
    exit 1, stderr: error: answers/r.json: consent: consent to another text, with SHA-256 abc; expected consent to the text with SHA-256 [HASH]. Answers without it are not used: leave them out
    exit 1, stderr: error: answers/r.json: demographics, gender: no answer; expected one, as the question is required
    exit 1, stderr: error: answers/r.json: demographics, age: 17; expected a number from 18 to 120
    exit 1, stderr: error: answers/r.json: demographics, vision: "blurred"; expected one of normal vision, normal with glasses or contact lenses, not well, prefer not to say
    "#);
}

#[test]
fn what_cannot_be_asked_or_reached_is_refused() {
    let dir = stimuli_and_systems();
    dir.write("empty.md", " \n");
    dir.write("about.toml", "[[questions]]\nid = \"rater\"\ntext = \"Who?\"\nkind = \"text\"\n");
    let table = r#"
    --consent empty.md
      exit 1, stderr: error: empty.md: holds no text; expected the text that people agree to, as UTF-8
    --consent absent.md
      exit 1, stderr: error: absent.md: reading failed: No such file or directory
    --demographics about.toml
      exit 1, stderr: error: about.toml: question 1: the id "rater"; expected small letters, digits and _, beginning with a letter, and none of rater, pages, consent_time, completion_code, code, counts, approve, why_not
    --completion-code 'a b'
      exit 2, stderr: error: the completion code "a b": expected 1 to 40 letters of a to z, digits, - and _
    --completion-secret short
      exit 2, stderr: error: a secret of 5 characters for completion codes: expected 8 or more, which nobody guesses
    --completion-url javascript:1
      exit 2, stderr: error: the completion address "javascript:1": expected one that begins with https:// or http://, without spaces
    --completion-url https://x.org/?cc={CODE}
      exit 2, stderr: error: the completion address "https://x.org/?cc={CODE}" has a place for a code, and there is no code; give one too
    --submit-url 'https://x.org;script-src *'
      exit 2, stderr: error: the address "https://x.org;script-src *" for answers: expected one such as https://example.org/answers, without spaces, and without a name or password before the host
    --datapipe 'a b'
      exit 2, stderr: error: the experiment "a b" of DataPipe: expected its ID, letters and digits
    --completion-code A --completion-secret 'a long secret'
      exit 2, stderr:
      error: the argument '--completion-code <CODE>' cannot be used with '--completion-secret <TEXT>'

      Usage: neurogauge survey make --gt <PATH> --recon <[NAME=]PATH>... --out <DIR> --completion-code <CODE>
    "#;
    dir.refuses("survey make --gt gt --recon one --out survey", "survey", table);
}

#[test]
fn a_page_reaches_the_address_for_answers_and_no_other() {
    let dir = stimuli_and_systems();
    let policy = |options: &str| {
        make(&dir, "survey", &format!("{options} --overwrite"));
        between(&dir.read("survey/pages/p1.html"), "Content-Security-Policy\" content=\"", "\"").to_owned()
    };
    let closed = policy("");
    assert!(closed.starts_with("default-src 'none';"), "{closed}");
    assert!(!closed.contains("connect-src"), "{closed}");
    let opens = |options: &str, expected: &str| {
        let found = policy(options);
        let opened = format!(" connect-src {expected};");
        assert!(found.contains(&opened), "{found}");
        assert_eq!(found.replace(&opened, ""), closed);
    };
    opens("--submit-url http://127.0.0.1:8765/a?b=1", "http://127.0.0.1:8765");
    opens("--datapipe AbC", "https://pipe.jspsych.org");
    let google = "https://script.google.com https://script.googleusercontent.com";
    opens("--submit-url https://script.google.com/macros/s/x/exec", google);
}

#[test]
fn what_people_see_names_the_survey() {
    let dir = stimuli_and_systems();
    let plain = make(&dir, "plain", "");
    assert!(plain.get("consent").is_none() && plain.get("participation").is_none());
    let secret = "--submit-url https://example.org/ --completion-secret 'a long secret'";
    let sent = make(&dir, "sent", secret);
    assert_eq!(plain["survey"], sent["survey"]);
    let asked = asking(&dir, "asked", "");
    let about = make(&dir, "about", "--demographics standard");
    for (one, other) in [(&asked, &plain), (&about, &plain), (&asked, &about)] {
        assert_ne!(one["survey"], other["survey"]);
    }
    // The secret stays with the plan; a page only has its own code.
    let pages = [1, 2].map(|n| dir.read(format!("sent/pages/p{n}.html")));
    assert!(sent.to_string().contains("a long secret"));
    let code = |page: &str| page.split("\"completion\":{\"code\":\"").nth(1).unwrap()[..8].to_owned();
    assert_ne!(code(&pages[0]), code(&pages[1]));
    assert!(!pages[0].contains("a long secret") && !pages[0].contains(&code(&pages[1])));
}

#[test]
fn a_survey_says_what_it_asks_and_warns_of_what_is_unsafe() {
    let dir = stimuli_and_systems();
    dir.write("consent.md", TEXT);
    let make = "survey make --gt gt --recon one --raters 1 --consent consent.md --demographics standard \
                --completion-secret 'a long secret' --submit-url http://192.168.0.2:8765/ --mturk-images https://example.org \
                --out survey";
    assert_snapshot!(dir.run(make), @"
    exit 0, stdout:
    Survey [ID]: raters of each pair: 1

    page     pairs  repeats  identical  mismatched  completion code
    p1.html     12        4          2           2  M7HEQ09N

    Each page is for one rater. Questions: seed-1 (semantic, perceptual).
    Nobody goes on without agreeing to the text with SHA-256 [HASH].
    Asked about the person: age, gender, vision.
    At the end the answers are sent to http://192.168.0.2:8765.
    stderr:
    warning: plan: 12 pairs give wide intervals; `neurogauge survey power` says how wide
    warning: plan: the template in mturk/ asks neither for consent nor about the person; the pages do
    warning: plan: answers travel unencrypted to http://192.168.0.2:8765/; an address with https:// is safer
    survey: 1 page in pages/, each for one rater; survey.json is the key to their answers, so it stays with you
    ");
}
