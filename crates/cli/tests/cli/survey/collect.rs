//! The server that receives what pages send.

use super::questionnaires::*;
use crate::support::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

/// A server on a free port, ended when it goes out of scope.
struct Server {
    process: Child,
    said: BufReader<std::process::ChildStderr>,
    address: String,
}

impl Server {
    /// It puts what it receives into the folder `answers`.
    fn start(dir: &Folder) -> Self {
        let line = "survey collect answers --survey survey --port 0";
        let mut command = dir.command(line, "cache");
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let (_, address) = line.split_once("http://").unwrap();
        let (address, _) = address.split_once('/').unwrap();
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
        self.ask(&(format!("POST / HTTP/1.1\r\nHost: x\r\ncontent-length: {}\r\n\r\n", body.len()) + body))
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

/// What a reply says.
fn last_line(reply: &str) -> &str {
    reply.lines().last().unwrap_or_default()
}

/// What a page saves, with the rater as the name of the result.
fn answered(record: &Value, page: usize, rater: &str, rating: impl Fn(&Value) -> u64) -> Value {
    let mut found = result(record, &record["pages"][page], rater, rating);
    found["result"] = json!(rater);
    found
}

#[test]
fn sound_answers_are_kept_once_and_never_replaced() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let mut server = Server::start(&dir);
    assert!(server.address.starts_with("127.0.0.1:"));
    let sound = answered(&record, 0, "r", rating);
    let reply = server.post(&sound.to_string());
    assert!(reply.starts_with("HTTP/1.1 201 Created\r\nAccess-Control-Allow-Origin: *\r\n"), "{reply}");
    assert_eq!(server.line(), "p1-r.json: answers to page p1\n");
    let kept = || dir.read("answers/p1-r.json");
    assert_eq!(kept(), sound.to_string());
    // The same again, after a reply that got lost, is no fault; other answers do not take their place.
    let reply = server.post(&sound.to_string());
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    let other = answered(&record, 0, "r", |_| 3);
    assert_snapshot!(last_line(&server.post(&other.to_string())), @"p1-r.json: holds other answers of this sitting, which stay");
    assert_eq!(kept(), sound.to_string());
    // Eight browsers at once.
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (server, record) = (&server, &record);
            scope.spawn(move || {
                assert!(server.post(&answered(record, n % 6, &format!("s{n}"), rating).to_string()).contains(" 201 "));
            });
        }
    });
    assert_eq!(fs::read_dir(dir.join("answers")).unwrap().count(), 9);
    dir.succeed(READ);
    let raters = &dir.json("ratings/read.json")["raters"];
    assert_eq!(raters.list().len(), 9);
}

#[test]
fn what_is_no_answer_is_not_kept() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let mut server = Server::start(&dir);
    let changed = |field: &str, value: Value| {
        let mut found = answered(&record, 0, "r", rating);
        found[field] = value;
        found.to_string()
    };
    let mut said = String::new();
    for body in [
        "{".to_owned(),
        changed("survey", json!("another")),
        changed("result", json!("../../x")),
        changed("result", json!("")),
        changed("page", json!("../p1")),
    ] {
        let reply = server.post(&body);
        assert!(reply.starts_with("HTTP/1.1 422 "), "{reply}");
        let line = server.line();
        assert!(line.contains(last_line(&reply)), "{line} {reply}");
        said += &line;
    }
    assert_snapshot!(said.replace(strings(&record, "survey"), "[SURVEY]"), @r#"
    refused answers: holds EOF while parsing an object at line 1 column 1; expected a result of a survey's page
    refused answers: survey: of the survey "another"; the folder holds the survey "[SURVEY]"
    refused answers: result: "../../x"; expected 1 to 64 letters, digits, - and _
    refused answers: result: ""; expected 1 to 64 letters, digits, - and _
    refused answers: page: the survey has no page "../p1"
    "#);
    let long = "POST / HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n".to_owned() + &" ".repeat(2_000_000);
    for (request, code) in [(&*long, 413), ("POST / HTTP/1.1\r\n\r\n", 411), ("DELETE / HTTP/1.1\r\n\r\n", 405)] {
        let reply = server.ask(request);
        assert!(reply.starts_with(&format!("HTTP/1.1 {code} ")), "{reply}");
    }
    let head = "OPTIONS / HTTP/1.1\r\nAccess-Control-Request-Headers: content-type\r\n\r\n";
    let asked = server.ask(head);
    assert!(asked.starts_with("HTTP/1.1 204 "), "{asked}");
    assert!(asked.contains("Access-Control-Allow-Headers: Content-Type\r\n"), "{asked}");
    // A head without an end is cut off, and the others go on.
    assert_eq!(server.ask(&"x".repeat(100_000)), "");
    contains(&server.post(&changed("seconds", json!([]))), &[" 201 "]);
    assert_eq!(fs::read_dir(dir.join("answers")).unwrap().count(), 1);
}

#[test]
fn whoever_comes_gets_the_page_with_the_fewest_answers_and_a_port_in_use_is_refused() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let server = Server::start(&dir);
    let get = |target: &str| server.ask(&format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n"));
    let place = |target: &str| {
        let reply = get(target);
        assert!(reply.starts_with("HTTP/1.1 302 Found\r\n"), "{reply}");
        reply.split("Location: ").nth(1).unwrap().trim_end().to_owned()
    };
    assert_eq!(place("/"), "p1.html");
    let of_a = "PROLIFIC_PID=a&STUDY_ID=s";
    assert_eq!(place(&format!("/?{of_a}")), format!("p2.html?{of_a}"));
    assert_eq!(place("/?PROLIFIC_PID=b"), "p3.html?PROLIFIC_PID=b");
    assert_eq!(place("/?PROLIFIC_PID=a"), "p2.html?PROLIFIC_PID=a");
    for page in [3, 4, 0] {
        assert!(server.post(&answered(&record, page, &format!("r{page}"), rating).to_string()).contains(" 201 "));
    }
    assert_eq!(place("/"), "p6.html", "p4 and p5 have answers");
    let next = place("/");
    assert_eq!(next, "p2.html", "p1 has answers, and the others were given out once");
    let page = get("/p2.html?PROLIFIC_PID=a");
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    let html = "Content-Type: text/html; charset=utf-8";
    assert!(head.contains(html), "{head}");
    assert_eq!(body, dir.read("survey/pages/p2.html"));
    for target in ["/p99.html", "/../survey.json", "/survey.json", "/pages/p1.html", "/p1", "x", "/?a\rSet-Cookie:b"] {
        assert!(get(target).starts_with("HTTP/1.1 404 "), "{target}");
    }
    let port = server.address.split(':').nth(1).unwrap();
    let collect = |survey: &str| dir.run(&format!("survey collect answers --survey {survey} --port {port}"));
    assert_snapshot!(collect("nowhere"), @"exit 1, stderr: error: nowhere/survey.json: not found; expected a JSON file");
    assert_snapshot!(collect("survey"), @"exit 1, stderr: error: 127.0.0.1:[PORT]: listening failed: Address already in use");
}
