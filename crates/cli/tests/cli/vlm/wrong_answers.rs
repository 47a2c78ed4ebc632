//! Servers that answer wrongly: each leads to an error with advice, or to a pair without a value and the reason.

use super::Pairs;
use super::caption;
use super::chat_server::{Asked, Reply, VlmServer};
use crate::support::{Ran, record, scores, step};
use std::time::Duration;

struct Run {
    ran: Ran,
    server: VlmServer,
    pairs: Pairs,
}

/// Scores two pairs with the captions, or what else `metric` needs, of this server.
fn run(
    metric: &str,
    more: &[&str],
    reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> Run {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(reply);
    let ran = pairs.score(metric, &server.url, more);
    Run { ran, server, pairs }
}

/// The run ends with an error that holds these parts, and prints nothing else.
fn stops(
    parts: &[&str],
    more: &[&str],
    reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> Run {
    let run = run("cap_sim", more, reply);
    assert_ne!(run.ran.code, 0);
    run.ran.says(parts);
    assert_eq!(run.ran.stdout, "");
    run
}

/// The run goes on without the first stimulus, whose reason holds this.
fn goes_on(run: &Run, metric: &str, reason: &str) {
    run.ran.says(&[reason]);
    let values = scores(&run.pairs.out);
    let column = values.column(metric).unwrap();
    assert!(column[0].is_err() && column[1].is_ok(), "{column:?}");
    assert_ne!(run.ran.stdout, "", "the table is printed all the same");
    let record = record(&run.pairs.out).to_string();
    assert!(record.contains(reason), "{record}");
}

fn is_first(asked: &Asked) -> bool {
    asked.n_all == 0 || asked.n_before > 0
}

const ONE_TRY: [&str; 2] = ["--vlm-tries", "1"];

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let run = run("cap_sim", &[], |asked| match asked.n_before {
        0 => Reply::Status("429 Too Many Requests", "Retry-After: 0\r\n", String::new()),
        _ => Reply::Says(caption(asked)),
    });
    assert_eq!(run.ran.code, 0, "{}", run.ran.stderr);
    assert_eq!(run.server.asked().len(), 8);
}

#[test]
fn a_server_that_breaks_off_or_errs_once_is_asked_again() {
    for broken in [0, 1, 2] {
        let run = run("cap_sim", &[], move |asked| match (asked.n_all, broken) {
            (0, 0) => Reply::Half,
            (0, 1) => Reply::Closes,
            (0, 2) => Reply::Status(
                "503 Service Unavailable",
                "Retry-After: 0\r\n",
                String::new(),
            ),
            _ => Reply::Says(caption(asked)),
        });
        assert_eq!(run.ran.code, 0, "{}", run.ran.stderr);
        assert_eq!(run.server.asked().len(), 5);
    }
}

#[test]
fn a_missing_key_a_wrong_model_and_a_redirect_stop_at_once() {
    let run = stops(&["401", "NEUROGAUGE_VLM_KEY"], &[], |_| {
        Reply::Status("401 Unauthorized", "", String::new())
    });
    assert_eq!(run.server.asked().len(), 1);
    let run = stops(
        &["404", "no such model", "It has \"tiny-vlm\""],
        &[],
        |_| {
            Reply::Status(
                "404 Not Found",
                "",
                r#"{"error": {"message": "no such model"}}"#.to_owned(),
            )
        },
    );
    assert_eq!(run.server.asked().len(), 1);
    let run = stops(&["307", "give the address"], &[], |_| {
        Reply::Status(
            "307 Temporary Redirect",
            "Location: http://127.0.0.1:1/\r\n",
            String::new(),
        )
    });
    assert_eq!(run.server.asked().len(), 1);
}

#[test]
fn what_is_no_answer_stops_after_all_tries() {
    stops(&["no JSON", "<html>", "tried 1 times"], &ONE_TRY, |_| {
        Reply::Status("200 OK", "", "<html>Welcome</html>".to_owned())
    });
    stops(
        &["choices[0].message.content", "chat protocol"],
        &ONE_TRY,
        |_| Reply::Status("200 OK", "", r#"{"text": "A dog."}"#.to_owned()),
    );
    stops(
        &[
            "500",
            "out of memory",
            "No image was answered yet",
            "its log",
        ],
        &ONE_TRY,
        |_| {
            Reply::Status(
                "500 Internal Server Error",
                "",
                r#"{"detail": "out of memory"}"#.to_owned(),
            )
        },
    );
    stops(
        &["no answer within 0.2 s"],
        &["--vlm-tries", "1", "--vlm-timeout", "0.2"],
        |_| Reply::Waits(Duration::from_secs(5)),
    );
    stops(&["broke off"], &ONE_TRY, |_| Reply::Half);
    stops(&["no connection"], &ONE_TRY, |_| Reply::Closes);
}

#[test]
fn a_request_that_every_image_is_refused_for_stops() {
    let run = stops(
        &["400", "no images here", "No image was answered yet"],
        &[],
        |_| {
            Reply::Status(
                "400 Bad Request",
                "",
                r#"{"error": {"message": "no images here"}}"#.to_owned(),
            )
        },
    );
    assert_eq!(run.server.asked().len(), 3);
}

#[test]
fn an_image_that_the_server_cannot_take_has_no_value_and_the_others_do() {
    let run = run("cap_sim", &[], |asked| match is_first(asked) {
        true => Reply::Status(
            "400 Bad Request",
            "",
            r#"{"error": {"message": "too large"}}"#.to_owned(),
        ),
        false => Reply::Says(caption(asked)),
    });
    goes_on(&run, "cap_sim", "too large");
    assert_eq!(run.server.asked().len(), 4);
}

#[test]
fn an_image_that_the_server_fails_on_keeps_no_other_run_from_its_end() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(|asked| {
        // The first request is about the first stimulus, and so are those that follow one that failed.
        match is_first(asked) {
            true => Reply::Status("500 Internal Server Error", "", String::new()),
            false => Reply::Says(caption(asked)),
        }
    });
    for n_asked in [4, 5] {
        let ran = pairs.score("cap_sim", &server.url, &ONE_TRY);
        ran.says(&["500", "1 images have no caption"]);
        assert_ne!(ran.stdout, "", "the table is printed all the same");
        assert_eq!(server.asked().len(), n_asked);
        std::fs::remove_dir_all(&pairs.out).unwrap();
    }
}

#[test]
fn an_empty_answer_is_asked_for_once_more_with_another_seed_and_then_has_no_value() {
    let run = run("cap_sim", &[], |asked| match is_first(asked) {
        true => Reply::Says(" \n".to_owned()),
        false => Reply::Says(caption(asked)),
    });
    goes_on(&run, "cap_sim", "the answer is empty");
    let asked = run.server.asked();
    assert_eq!(asked.len(), 5);
    assert_eq!(
        (&asked[0].body["seed"], &asked[1].body["seed"]),
        (&0.into(), &1.into())
    );
    assert_eq!(asked[0].image, asked[1].image);
}

#[test]
fn names_in_a_sentence_have_no_value() {
    let run = run("object_f1_vlm", &[], |asked| match is_first(asked) {
        true => Reply::Says("Sure! Here is the list:\ndog, cat".to_owned()),
        false => Reply::Says("dog, cat".to_owned()),
    });
    goes_on(&run, "object_f1_vlm", "names parted by commas");
}

#[test]
fn a_caption_that_was_cut_off_counts_and_is_warned_of() {
    let run = run("cap_sim", &["--vlm-tokens", "9"], |asked| {
        match asked.n_all {
            0 => Reply::CutOff("A dog that".to_owned()),
            _ => Reply::Says(caption(asked)),
        }
    });
    assert_eq!(run.ran.code, 0, "{}", run.ran.stderr);
    run.ran
        .says(&["1 of 2 answers of tiny-vlm", "cut off after 9 tokens"]);
    let record = record(&run.pairs.out);
    assert_eq!(step(&record, "captions")["outcome"]["n_cut_off"], 1);
    assert!(record["warnings"].to_string().contains("answers_cut_off"));
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_so() {
    let ran = Pairs::new(&["a"]).score("cap_sim", "http://127.0.0.1:1", &ONE_TRY);
    assert_ne!(ran.code, 0);
    ran.says(&["http://127.0.0.1:1/v1", "no connection", "start the server"]);
}
