//! The server that receives what pages send.

use super::questionnaires::*;
use crate::support::{arg, folder, refused, succeed};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server on a free port, ended when it goes out of scope.
struct Server {
    process: Child,
    said: BufReader<std::process::ChildStderr>,
    address: String,
}

impl Server {
    fn start(answers: &Path, survey: &Path) -> Self {
        let words = [
            "survey",
            "collect",
            arg(answers),
            "--survey",
            arg(survey),
            "--port",
            "0",
        ];
        let mut process = Command::new(env!("CARGO_BIN_EXE_neurogauge"))
            .args(words)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .unwrap()
            .split('/')
            .next()
            .unwrap();
        Server {
            address: address.to_owned(),
            process,
            said,
        }
    }

    /// Sends these bytes, and returns the reply up to the end of the connection.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let mut reply = String::new();
        let _ = stream.read_to_string(&mut reply);
        reply
    }

    fn post(&self, body: &str) -> String {
        let head = format!(
            "POST / HTTP/1.1\r\nHost: x\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        self.ask(&(head + body))
    }

    /// The next line on stderr.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The answers that a page saves, with the rater as the name of the result.
fn answered(record: &Value, page: usize, rater: &str, rating: impl Fn(&Value) -> u64) -> Value {
    let mut found = result(record, &record["pages"][page], rater, rating);
    found["result"] = json!(rater);
    found
}

#[test]
fn sound_answers_are_kept_once_and_never_replaced() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &[]);
    let record = json_of(&survey.join("survey.json"));
    let answers = dir.path().join("answers");
    let mut server = Server::start(&answers, &survey);
    assert!(server.address.starts_with("127.0.0.1:"));
    let sound = answered(&record, 0, "r", rating);
    let reply = server.post(&sound.to_string());
    assert!(
        reply.starts_with("HTTP/1.1 201 Created\r\nAccess-Control-Allow-Origin: *\r\n"),
        "{reply}"
    );
    assert_eq!(server.line(), "p1-r.json: answers to page p1\n");
    let file = answers.join("p1-r.json");
    let kept = || fs::read_to_string(&file).unwrap();
    assert_eq!(kept(), sound.to_string());
    // Sending the same again after a lost reply is not an error; other answers do not replace them.
    assert!(
        server
            .post(&sound.to_string())
            .starts_with("HTTP/1.1 200 OK")
    );
    let other = answered(&record, 0, "r", |_| 3);
    let reply = server.post(&other.to_string());
    assert!(
        reply.starts_with("HTTP/1.1 409 Conflict") && reply.contains("which stay"),
        "{reply}"
    );
    assert_eq!(kept(), sound.to_string());
    // Eight browsers at once.
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (server, record) = (&server, &record);
            scope.spawn(move || {
                let found = answered(record, n % 6, &format!("s{n}"), rating);
                assert!(server.post(&found.to_string()).contains(" 201 "));
            });
        }
    });
    assert_eq!(fs::read_dir(&answers).unwrap().count(), 9);
    let out = dir.path().join("ratings");
    succeed(&read(&answers, &survey, &out));
    assert_eq!(
        json_of(&out.join("read.json"))["raters"]
            .as_array()
            .unwrap()
            .len(),
        9
    );
}

#[test]
fn what_is_no_answer_is_not_kept() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &[]);
    let record = json_of(&survey.join("survey.json"));
    let answers = dir.path().join("answers");
    let mut server = Server::start(&answers, &survey);
    let changed = |field: &str, value: Value| {
        let mut found = answered(&record, 0, "r", rating);
        found[field] = value;
        found.to_string()
    };
    for (body, part) in [
        ("{".to_owned(), "expected a result of a survey's page"),
        (
            changed("survey", json!("another")),
            "of the survey \"another\"",
        ),
        (
            changed("result", json!("../../x")),
            "expected 1 to 64 letters",
        ),
        (changed("result", json!("")), "expected 1 to 64 letters"),
        (changed("page", json!("../p1")), "the survey has no page"),
    ] {
        let reply = server.post(&body);
        assert!(
            reply.starts_with("HTTP/1.1 422 ") && reply.contains(part),
            "{reply}"
        );
        assert!(server.line().contains(part));
    }
    let long =
        "POST / HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n".to_owned() + &" ".repeat(2_000_000);
    assert!(server.ask(&long).starts_with("HTTP/1.1 413 "));
    assert!(
        server
            .ask("POST / HTTP/1.1\r\n\r\n")
            .starts_with("HTTP/1.1 411 ")
    );
    assert!(
        server
            .ask("DELETE / HTTP/1.1\r\n\r\n")
            .starts_with("HTTP/1.1 405 ")
    );
    let asked =
        server.ask("OPTIONS / HTTP/1.1\r\nAccess-Control-Request-Headers: content-type\r\n\r\n");
    assert!(
        asked.starts_with("HTTP/1.1 204 ")
            && asked.contains("Access-Control-Allow-Headers: Content-Type\r\n"),
        "{asked}"
    );
    // A head without an end is cut off, and the others go on.
    assert_eq!(server.ask(&"x".repeat(100_000)), "");
    assert!(
        server
            .post(&changed("seconds", json!([])))
            .contains(" 201 ")
    );
    assert_eq!(fs::read_dir(&answers).unwrap().count(), 1);
}

#[test]
fn whoever_comes_gets_the_page_with_the_fewest_answers() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &[]);
    let record = json_of(&survey.join("survey.json"));
    let server = Server::start(&dir.path().join("answers"), &survey);
    let get = |target: &str| server.ask(&format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n"));
    let place = |target: &str| {
        let reply = get(target);
        assert!(reply.starts_with("HTTP/1.1 302 Found\r\n"), "{reply}");
        let place = reply.split("Location: ").nth(1).unwrap();
        place.trim_end().to_owned()
    };
    assert_eq!(place("/"), "p1.html");
    assert_eq!(
        place("/?PROLIFIC_PID=a&STUDY_ID=s"),
        "p2.html?PROLIFIC_PID=a&STUDY_ID=s"
    );
    assert_eq!(place("/?PROLIFIC_PID=b"), "p3.html?PROLIFIC_PID=b");
    assert_eq!(place("/?PROLIFIC_PID=a"), "p2.html?PROLIFIC_PID=a");
    for page in [3, 4, 0] {
        let sent = answered(&record, page, &format!("r{page}"), rating);
        assert!(server.post(&sent.to_string()).contains(" 201 "));
    }
    assert_eq!(place("/"), "p6.html", "p4 and p5 have answers");
    assert_eq!(
        place("/"),
        "p2.html",
        "p1 has answers, and the others were given out once"
    );
    let page = get("/p2.html?PROLIFIC_PID=a");
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("Content-Type: text/html; charset=utf-8"),
        "{head}"
    );
    assert_eq!(
        body,
        fs::read_to_string(survey.join("pages/p2.html")).unwrap()
    );
    for target in [
        "/p99.html",
        "/../survey.json",
        "/survey.json",
        "/pages/p1.html",
        "/p1",
        "x",
        "/?a\rSet-Cookie:b",
    ] {
        assert!(get(target).starts_with("HTTP/1.1 404 "), "{target}");
    }
}

#[test]
fn a_folder_without_a_survey_and_a_port_in_use_are_refused() {
    let dir = folder();
    let (survey, answers) = (make(dir.path(), "survey", &[]), dir.path().join("answers"));
    let server = Server::start(&answers, &survey);
    let port = server.address.split(':').nth(1).unwrap();
    let args = |survey: &'static str| {
        [
            "survey", "collect", "answers", "--survey", survey, "--port", port,
        ]
    };
    refused(&args("/nonexistent"), 1, &["survey.json: not found"]);
    let mut again = args("");
    again[4] = arg(&survey);
    refused(&again, 1, &[&server.address, "listening failed"]);
}
