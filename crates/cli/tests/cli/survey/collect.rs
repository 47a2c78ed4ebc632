//! The server that receives answers from pages.

use super::questionnaires::*;
use crate::support::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

/// A server on a free port, which ends when it is dropped.
struct Server {
    process: Child,
    said: BufReader<std::process::ChildStderr>,
    address: String,
}

impl Server {
    /// Starts it; it writes what it receives into the folder `answers`.
    fn start(dir: &Folder) -> Self {
        Self::start_with(dir, "")
    }

    fn start_with(dir: &Folder, options: &str) -> Self {
        let mut command = dir.command(&format!("survey collect answers --survey survey --port 0{options}"), "cache");
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

    /// Sends this text, and returns the reply up to the end of the connection.
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

/// The last line of a reply.
fn last_line(reply: &str) -> &str {
    reply.lines().last().unwrap_or_default()
}

/// The result that a page saves, with the rater as its name.
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
    assert!(reply.starts_with("HTTP/1.1 201 Created\r\n"), "{reply}");
    assert!(reply.contains("\r\nAccess-Control-Allow-Origin: *\r\n"), "{reply}");
    assert_eq!(server.line(), "p1-r.json: answers to page p1\n");
    let kept = || dir.read("answers/p1-r.json");
    let (first, mut stored) = (kept(), dir.json("answers/p1-r.json"));
    let received = stored.as_object_mut().unwrap().remove("received").unwrap();
    assert_eq!((&stored, &received["number"]), (&sound, &json!(1)));
    assert!(received["unix_seconds"].as_u64().unwrap() > 1_700_000_000);
    // The same result again, after a lost reply, is accepted; other answers do not replace it.
    let reply = server.post(&sound.to_string());
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    let other = answered(&record, 0, "r", |_| 3);
    assert_snapshot!(last_line(&server.post(&other.to_string())), @"p1-r.json: holds other answers of this sitting, which stay");
    assert_eq!(kept(), first);
    // Eight browsers send at once.
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
        changed("rater", json!("a\nerror: forged")),
        changed("rater", json!("\u{202e}nna")),
        changed("rater", json!("a".repeat(101))),
        changed("padding", json!("x".repeat(1000))),
        changed("received", json!({"number": 1, "unix_seconds": 1})),
        changed("platform", json!({"PROLIFIC_PID": "a".repeat(201)})),
        changed("platform", json!({"IP": "a"})),
        changed("demographics", json!({"age": 3})),
        changed("ratings", json!({"semantic": [], "taste": []})),
        changed("seconds", json!(vec![0.0; 1000])),
    ] {
        let reply = server.post(&body);
        assert!(reply.starts_with("HTTP/1.1 422 "), "{reply}");
        let line = server.line();
        assert!(line.contains(last_line(&reply)), "{line} {reply}");
        said += &line;
    }
    assert_snapshot!(said.replace(strings(&record, "survey"), "[SURVEY]"), @r#"
    refused answers:1:1: the file ends within an object; expected a result of a survey's page
    refused answers: survey: of the survey "another"; the folder holds the survey "[SURVEY]"
    refused answers: result: "../../x"; expected 1 to 64 letters, digits, - and _
    refused answers: result: ""; expected 1 to 64 letters, digits, - and _
    refused answers: page: the survey has no page "../p1"
    refused answers: rater: "a\nerror: forged"; expected a name of one line, of at most 100 letters
    refused answers: rater: "\u{202e}nna"; expected a name of one line, of at most 100 letters
    refused answers: rater: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; expected a name of one line, of at most 100 letters
    refused answers:1:331: unknown key `padding`; expected one of `format`, `version`, `survey`, `page`, `result`, `rater`, `ratings`, `seconds`, `consent`, `demographics`, `platform`, `completion_code`, `received`
    refused answers: received: only the server adds it
    refused answers: platform: "PROLIFIC_PID": unknown, or no plain text of at most 200 letters
    refused answers: platform: "IP": unknown, or no plain text of at most 200 letters
    refused answers: demographics: "age": the survey has no such question
    refused answers: ratings: the survey has no question "taste"
    refused answers: seconds: 1000 times; expected 20
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
    // Pictures may be licensed, so only this server's own pages may read them.
    assert!(!server.ask("GET /p1.html HTTP/1.1\r\n\r\n").contains("Access-Control"));
    // A head without an end is cut off, and other connections continue.
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
    assert_eq!([place("/"), place("/"), place("/")], ["p1.html", "p2.html", "p3.html"]);
    // The same person gets the same page, also from another server.
    let of_a = place("/?PROLIFIC_PID=a&STUDY_ID=s");
    assert!(of_a.ends_with(".html?PROLIFIC_PID=a&STUDY_ID=s"), "{of_a}");
    let again = Server::start(&dir).ask("GET /?PROLIFIC_PID=a&STUDY_ID=s HTTP/1.1\r\n\r\n");
    contains(&again, &[&of_a]);
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
}

/// Anna's answers come first. Somebody who knows her name sends other answers, whose file name sorts first.
#[test]
fn the_first_answers_by_arrival_count() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let server = Server::start(&dir);
    let of_anna = |result: &str, rating: &dyn Fn(&Value) -> u64| {
        let mut found = answered(&record, 0, "Anna", rating);
        found["result"] = json!(result);
        found.to_string()
    };
    assert!(server.post(&of_anna("zz", &rating)).contains(" 201 "));
    drop(server);
    // Numbers continue after a restart.
    assert!(Server::start(&dir).post(&of_anna("00", &|_| 1)).contains(" 201 "));
    assert_eq!(dir.json("answers/p1-00.json")["received"]["number"], 2);
    assert_snapshot!(dir.run(READ).messages(), @"
    warning: answers/p1-00.json: Anna answered page p1 before; this time does not count
    warning: ratings: 24 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 0
    ratings: ratings of 24 pairs by 1 of 1 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    let kept = dir.read("ratings/ratings.csv");
    // Without time stamps, the order is unknown.
    for name in ["answers/p1-00.json", "answers/p1-zz.json"] {
        let mut found = dir.json(name);
        found.as_object_mut().unwrap().remove("received");
        dir.write(name, found.to_string());
    }
    let other = answered(&record, 1, "Ben", rating).to_string();
    dir.write("answers/p2-b.json", other);
    assert_snapshot!(dir.run(&READ.replace("ratings", "other")).messages(), @"
    warning: answers/p1-zz.json: Anna answered page p1 here and in answers/p1-00.json, and the files do not say which came first: neither counts; take away the one that should not
    warning: ratings: 24 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 0
    other: ratings of 24 pairs by 1 of 1 raters; next: neurogauge meta --human other/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    dir.remove("answers/p2-b.json");
    dir.remove("answers/p1-00.json");
    dir.succeed(&READ.replace("ratings", "one"));
    assert_eq!(dir.read("one/ratings.csv"), kept);
}

#[test]
fn two_servers_of_one_folder_lose_nothing_that_they_acknowledge() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let servers = [Server::start(&dir), Server::start(&dir)];
    let body = |result: &str, rating: &dyn Fn(&Value) -> u64| answered(&record, 0, result, rating);
    // Numbers go on from what the other has taken.
    for (place, result) in ["a", "b", "c", "d"].into_iter().enumerate() {
        assert!(servers[place % 2].post(&body(result, &rating).to_string()).contains(" 201 "));
        assert_eq!(dir.json(format!("answers/p1-{result}.json"))["received"]["number"], json!(place + 1));
    }
    // The same sitting comes to both at once: one of two different answers stays, and the same answers are no conflict.
    let servers = &servers;
    let post = |bodies: [&str; 2]| {
        std::thread::scope(|scope| {
            let sent = [0, 1].map(|place| scope.spawn(move || servers[place].post(bodies[place])));
            sent.map(|sent| sent.join().unwrap()[9..12].to_owned())
        })
    };
    for n in 0..20 {
        let result = format!("s{n}");
        let bodies = [body(&result, &rating), body(&result, &|_| 1)];
        let texts = bodies.each_ref().map(|body| body.to_string());
        let codes = post([&texts[0], &texts[1]]);
        let kept = codes.iter().position(|code| code == "201").unwrap();
        assert_eq!(codes[1 - kept], "409");
        let mut stored = dir.json(format!("answers/p1-{result}.json"));
        stored.as_object_mut().unwrap().remove("received");
        assert_eq!(stored, bodies[kept]);
        let same = body(&format!("t{n}"), &rating).to_string();
        assert!(post([&same, &same]).iter().all(|code| code == "201" || code == "200"));
    }
    assert_eq!(fs::read_dir(dir.join("answers")).unwrap().count(), 44);
}

#[test]
fn a_closed_survey_needs_its_token() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let server = Server::start_with(&dir, " --token s3cret");
    let sound = answered(&record, 0, "r", rating).to_string();
    let post = |target: &str| {
        server.ask(&(format!("POST {target} HTTP/1.1\r\ncontent-length: {}\r\n\r\n", sound.len()) + &sound))
    };
    let get = |target: &str| server.ask(&format!("GET {target} HTTP/1.1\r\n\r\n"));
    for reply in [get("/"), get("/p1.html"), get("/?token=other"), post("/"), post("/?token=s3cre")] {
        assert!(reply.starts_with("HTTP/1.1 403 "), "{reply}");
    }
    assert!(!dir.has("answers/p1-r.json"));
    contains(&get("/?token=s3cret"), &["Location: p1.html?token=s3cret"]);
    assert!(get("/p1.html?token=s3cret").starts_with("HTTP/1.1 200 "));
    assert!(post("/?a=b&token=s3cret").starts_with("HTTP/1.1 201 "));
}

#[test]
fn a_folder_without_a_survey_and_a_port_in_use_are_refused() {
    let dir = stimuli_and_systems();
    make(&dir, "survey", "");
    let server = Server::start(&dir);
    let port = server.address.split(':').nth(1).unwrap();
    let collect = |survey: &str| dir.run(&format!("survey collect answers --survey {survey} --port {port}"));
    assert_snapshot!(collect("nowhere"), @"exit 1, stderr: error: nowhere/survey.json: not found; expected a folder that `neurogauge survey make` wrote");
    dir.write("afile", "");
    assert_snapshot!(dir.run("survey collect afile/x --survey survey --port 0"), @"exit 1, stderr: error: afile/x: creating failed: Not a directory");
    assert_snapshot!(collect("survey"), @"exit 1, stderr: error: 127.0.0.1:[PORT]: listening failed: Address already in use");
}
