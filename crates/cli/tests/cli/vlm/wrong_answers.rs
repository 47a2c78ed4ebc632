//! Servers with wrong answers: each leads to an error with advice, or to a pair without a value and the reason.

use super::caption;
use super::chat_server::{Asked, ChatServer, Reply};
use crate::support::*;

struct Run {
    ran: Ran,
    server: ChatServer,
    pairs: Folder,
}

/// Scores two pairs with this server's captions, or whatever `metric` needs.
fn run(metric: &str, more: &str, reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Run {
    let pairs = images(&["a", "b"]);
    let server = ChatServer::start(reply);
    let ran = pairs.score(metric, &server.url, more);
    Run { ran, server, pairs }
}

impl Run {
    /// Asserts that the run continues without the first stimulus; returns its message.
    fn goes_on(&self, metric: &str) -> String {
        let values = self.pairs.scores("run");
        let column = values.column(metric).unwrap();
        assert!(column[0].is_err() && column[1].is_ok(), "{column:?}");
        assert_ne!(self.ran.stdout, "", "the table is printed all the same");
        contains(&self.pairs.record("run")["plan"]["steps"].to_string(), &["\"failed\":[{"]);
        self.ran.messages()
    }
}

fn is_first(asked: &Asked) -> bool {
    asked.n_all == 0 || asked.n_before > 0
}

fn status(status: &'static str, body: &str) -> Reply {
    Reply::Status(status, "", body.to_owned())
}

const ONE_TRY: &str = "--vlm-tries 1";

#[test]
fn a_server_that_breaks_off_errs_once_or_is_busy_is_asked_again() {
    for (broken, n_asked) in [(0, 5), (1, 5), (2, 5), (3, 8)] {
        let run = run("cap_sim", "", move |asked| match (asked.n_all, broken) {
            (0, 0) => Reply::Half,
            (0, 1) => Reply::Closes,
            (0, 2) => Reply::Status("503 Service Unavailable", "Retry-After: 0\r\n", String::new()),
            // On the first request, whatever it is.
            (_, 3) if asked.n_before == 0 => {
                Reply::Status("429 Too Many Requests", "Retry-After: 0\r\n", String::new())
            }
            _ => Reply::Says(caption(asked)),
        });
        assert_eq!(run.ran.code, 0, "{}", run.ran);
        assert_eq!(run.server.asked().len(), n_asked);
    }
}

#[test]
fn a_missing_key_a_wrong_model_and_a_redirect_stop_at_once() {
    let of = |reply: fn(&Asked) -> Reply| {
        let run = run("cap_sim", "", reply);
        assert_eq!(run.server.asked().len(), 1);
        run.ran
    };
    assert_snapshot!(of(|_| status("401 Unauthorized", "")), @"exit 1, stderr: error: http://127.0.0.1:[PORT]/v1: the server answers 401 Unauthorized: it asks for a key; put it into the environment variable NEUROGAUGE_VLM_KEY");
    assert_snapshot!(of(|_: &Asked| status("404 Not Found", r#"{"error": {"message": "no such model"}}"#)), @r#"exit 1, stderr: error: http://127.0.0.1:[PORT]/v1: the server answers 404 Not Found: "no such model". It has "tiny-vlm""#);
    let redirect =
        |_: &Asked| Reply::Status("307 Temporary Redirect", "Location: http://127.0.0.1:1/\r\n", String::new());
    assert_snapshot!(of(redirect), @"exit 1, stderr: error: http://127.0.0.1:[PORT]/v1: the server answers 307 Temporary Redirect; give the address that it sends others to");
}

#[test]
fn what_is_no_answer_stops_after_all_tries() {
    let end = " (tried once). No image was answered yet. The server is there; its log may say why it gives no answer\n";
    let of = |more: &str, reply: fn(&Asked) -> Reply| {
        let ran = run("cap_sim", &format!("{ONE_TRY} {more}"), reply).ran;
        let messages = ran.messages();
        let (notes, error) = messages.split_once("error: http://127.0.0.1:[PORT]/v1: ").unwrap();
        let error = error.strip_suffix(end).unwrap_or_else(|| panic!("{ran}"));
        assert_eq!(notes, ["a", "b"].map(|stem| format!("note: image \"{stem}\": {error} (tried once)\n")).concat());
        format!("{error}\n")
    };
    let said = [
        of("", |_| status("200 OK", "<html>Welcome</html>")),
        of("", |_| status("200 OK", r#"{"text": "A dog."}"#)),
        of("", |_| status("500 Internal Server Error", r#"{"detail": "out of memory"}"#)),
        of("", |_| Reply::Half),
        of("", |_| Reply::Closes),
        of("--vlm-timeout 0.2", |_| Reply::Waits(Duration::from_secs(5))),
    ];
    assert_snapshot!(said.concat(), @r#"
    the answer is not JSON (this is not JSON); it begins with "<html>Welcome</html>"
    the answer has no choices[0].message.content; does the server speak the chat protocol at this address?
    the server answers 500 Internal Server Error: "out of memory"
    the answer broke off: io: Peer disconnected
    no connection: io: Peer disconnected
    no answer within 0.2 s
    "#);
}

#[test]
fn a_request_that_every_image_is_refused_for_stops() {
    let run = run("cap_sim", "", |_| status("400 Bad Request", r#"{"error": {"message": "no images here"}}"#));
    assert_snapshot!(run.ran, @r#"
    exit 1, stderr:
    note: image "a": the server answers 400 Bad Request: "no images here"
    note: image "b": the server answers 400 Bad Request: "no images here"
    error: http://127.0.0.1:[PORT]/v1: the server answers 400 Bad Request: "no images here". No image was answered yet. It has "tiny-vlm"
    "#);
    assert_eq!(run.server.asked().len(), 3);
}

#[test]
fn an_image_that_the_server_cannot_take_has_no_value_and_the_others_do() {
    let run = run("cap_sim", "", |asked| match is_first(asked) {
        true => status("400 Bad Request", r#"{"error": {"message": "too large"}}"#),
        false => Reply::Says(caption(asked)),
    });
    assert_snapshot!(run.goes_on("cap_sim"), @r#"
    note: image "a": the server answers 400 Bad Request: "too large"
    run: 2 pairs scored
    error: 1 image has no caption: gt/images "a" (the server answers 400 Bad Request: "too large"). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    assert_eq!(run.server.asked().len(), 4);
}

#[test]
fn an_image_that_the_server_fails_on_keeps_no_other_run_from_its_end() {
    let pairs = images(&["a", "b"]);
    let server = ChatServer::start(|asked| {
        // The first request is about the first stimulus, as are those after a failed one.
        match is_first(asked) {
            true => status("500 Internal Server Error", ""),
            false => Reply::Says(caption(asked)),
        }
    });
    for n_asked in [4, 5] {
        let ran = pairs.score("cap_sim", &server.url, ONE_TRY);
        ran.says(&["500", "1 image has no caption"]);
        assert_ne!(ran.stdout, "", "the table is printed all the same");
        assert_eq!(server.asked().len(), n_asked);
        fs::remove_dir_all(pairs.join("run")).unwrap();
    }
}

#[test]
fn an_empty_answer_is_asked_for_once_more_with_another_seed_and_then_has_no_value() {
    let run = run("cap_sim", "", |asked| match is_first(asked) {
        true => Reply::Says(" \n".to_owned()),
        false => Reply::Says(caption(asked)),
    });
    assert_snapshot!(run.goes_on("cap_sim"), @r#"
    note: image "a": the answer is empty
    run: 2 pairs scored
    error: 1 image has no caption: gt/images "a" (the answer is empty). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    let asked = run.server.asked();
    assert_eq!(asked.len(), 5);
    assert_eq!([0, 1].map(|n| &asked[n].body["seed"]), [0, 1]);
    assert_eq!(asked[0].image, asked[1].image);
}

#[test]
fn names_in_a_sentence_have_no_value() {
    let run = run("object_f1_vlm", "", |asked| match is_first(asked) {
        true => Reply::Says("Sure! Here is the list:\ndog, cat".to_owned()),
        false => Reply::Says("dog, cat".to_owned()),
    });
    assert_snapshot!(run.goes_on("object_f1_vlm"), @r#"
    note: image "a": the answer is no list of names parted by commas; it has "Sure! Here is the list:\ndog"
    run: 2 pairs scored
    error: 1 image has no VLM categories: gt/images "a" (the answer is no list of names parted by commas; it has "Sure! Here is the list:\ndog"). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
}

#[test]
fn a_caption_that_was_cut_off_counts_and_is_warned_of() {
    let run = run("cap_sim", "--set vlm_tokens=9", |asked| match asked.n_all {
        0 => Reply::CutOff("A dog that".to_owned()),
        _ => Reply::Says(caption(asked)),
    });
    assert_eq!(run.ran.code, 0, "{}", run.ran);
    assert_snapshot!(run.ran.messages(), @"
    note: 1 of 2 answers of tiny-vlm about gt/images were cut off after 9 tokens
    run: 2 pairs scored
    warning: captions: 1 answers of tiny-vlm were cut off after 9 tokens; the rest of each answer is missing
    ");
    let record = run.pairs.record("run");
    assert_eq!(step(&record, "captions")["outcome"]["n_cut_off"], 1);
    assert!(record["findings"].to_string().contains("answers_cut_off"));
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_so() {
    assert_snapshot!(images(&["a"]).score("cap_sim", "http://127.0.0.1:1", ONE_TRY), @"exit 1, stderr: error: http://127.0.0.1:1/v1: no connection: io: Connection refused (tried once). What was answered is kept: start the server and run the same command again");
}

/// Commands for a terminal, a browser and LaTeX.
const COMMANDS: &str = "a \u{1b}[2J\u{1b}]0;owned\u{7} <script>alert(1)</script> \\input{secret} & 50% of $x_1$";

#[test]
fn commands_in_an_answer_are_text_everywhere() {
    let run = run("cap_sim,rouge_1", "--format latex", |_| Reply::Says(COMMANDS.to_owned()));
    assert_eq!(run.ran.code, 0, "{}", run.ran);
    let dir = &run.pairs;
    assert_eq!(dir.json("run/observations/recon/captions.json")["a"], COMMANDS, "kept as they are");
    let reported = dir.succeed("report run --out page.html");
    let page = dir.read("page.html");
    assert!(page.contains("alert(1)") && !page.contains("<script>alert"));
    let written = fs::read_dir(run.pairs.join("run")).unwrap().map(|entry| entry.unwrap().path());
    for file in written.chain([dir.join("page.html")]) {
        let is_text = file.is_file() && file.extension().is_none_or(|kind| kind != "parquet");
        assert!(!is_text || !fs::read(&file).unwrap().contains(&0x1b), "{file:?}");
    }
    for shown in [&run.ran, &reported] {
        assert!(!shown.to_string().contains('\u{1b}'), "{shown}");
    }
}

#[test]
fn commands_in_a_refusal_are_written_out() {
    assert_snapshot!(run("cap_sim", ONE_TRY, |_| status("400 Bad Request", COMMANDS)).ran.messages(), @r#"
    note: image "a": the server answers 400 Bad Request
    note: image "b": the server answers 400 Bad Request
    error: http://127.0.0.1:[PORT]/v1: the server answers 400 Bad Request. No image was answered yet. It has "tiny-vlm"
    "#);
}
