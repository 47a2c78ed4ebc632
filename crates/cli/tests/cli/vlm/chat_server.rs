//! A local server with the chat protocol, which counts its requests.

use crate::support::*;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The server's reply to a request.
pub(crate) enum Reply {
    /// An answer with this text.
    Says(String),
    /// An answer with this text, and with these probabilities of its first token.
    Likely(&'static str, Vec<(&'static str, f64)>),
    /// An answer that was cut off.
    CutOff(String),
    /// A status with headers and a body.
    Status(&'static str, &'static str, String),
    /// Half of a body with its declared length.
    Half,
    /// The server closes the connection.
    Closes,
    /// The server is silent for this long.
    Waits(Duration),
}

/// A request about an image.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) body: Value,
    pub(crate) authorization: Option<String>,
    /// The PNG file.
    pub(crate) image: Vec<u8>,
    pub(crate) prompt: String,
    /// Number of earlier requests about the same image with the same prompt.
    pub(crate) n_before: usize,
    /// Number of all earlier requests.
    pub(crate) n_all: usize,
}

impl Asked {
    /// Width, height and the first pixel.
    pub(crate) fn picture(&self) -> (usize, usize, [u8; 3]) {
        picture(&self.image)
    }
}

/// Width, height and the first pixel of a PNG file.
pub(crate) fn picture(png: &[u8]) -> (usize, usize, [u8; 3]) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("image.png");
    fs::write(&file, png).unwrap();
    let image = read_rgb8(&file).unwrap();
    (image.width_px(), image.height_px(), [0, 1, 2].map(|channel| image.at(0, 0, channel)))
}

/// A server that runs until the test ends.
pub(crate) struct ChatServer {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl ChatServer {
    /// Starts a server that answers each request by `reply`.
    pub(crate) fn start(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (reply, all) = (Arc::new(reply), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (reply, all) = (Arc::clone(&reply), Arc::clone(&all));
                // A client that is killed closes its connection.
                thread::spawn(move || drop(serve(stream, &*reply, &all)));
            }
        });
        ChatServer { url, asked }
    }

    /// Its requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    reply: &(impl Fn(&Asked) -> Reply + ?Sized),
    all: &Mutex<Vec<Asked>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    if path == "/v1/models" {
        let models = json!({"object": "list", "data": [{"id": "tiny-vlm"}, {"id": "other"}]});
        return write(stream, "200 OK", "", &models.to_string());
    }
    if path != "/v1/chat/completions" {
        return write(stream, "404 Not Found", "", "{}");
    }
    let body: Value = serde_json::from_slice(&body).unwrap();
    let content = &body["messages"][0]["content"];
    let png = content[0]["image_url"]["url"].text().strip_prefix("data:image/png;base64,").unwrap();
    let image = BASE64_STANDARD.decode(png).unwrap();
    let prompt = content[1]["text"].text().to_owned();
    let asked = {
        let mut all = all.lock().unwrap();
        let same = all.iter().filter(|asked| asked.image == image && asked.prompt == prompt);
        let asked = Asked {
            authorization,
            n_before: same.count(),
            n_all: all.len(),
            body,
            image,
            prompt,
        };
        all.push(asked.clone());
        asked
    };
    let body = |text: &str, reason: &str| {
        json!({
            "id": "1", "object": "chat.completion", "model": "tiny-vlm-2026", "system_fingerprint": "fp_1",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}],
        })
    };
    let answer = |text: &str, reason: &str| body(text, reason).to_string();
    match reply(&asked) {
        Reply::Says(text) => write(stream, "200 OK", "", &answer(&text, "stop")),
        Reply::Likely(text, tokens) => {
            let listed = tokens.iter().map(|(token, p)| json!({"token": token, "logprob": p.ln()}));
            let listed: Vec<Value> = listed.collect();
            let mut answer = body(text, "length");
            answer["choices"][0]["logprobs"] = json!({"content": [{"token": text, "top_logprobs": listed}]});
            write(stream, "200 OK", "", &answer.to_string())
        }
        Reply::CutOff(text) => write(stream, "200 OK", "", &answer(&text, "length")),
        Reply::Status(status, headers, body) => write(stream, status, headers, &body),
        Reply::Half => {
            let mut stream = stream;
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\": [")
        }
        Reply::Closes => Ok(()),
        Reply::Waits(pause) => {
            thread::sleep(pause);
            write(stream, "200 OK", "", &answer("late", "stop"))
        }
    }
}

fn write(mut stream: TcpStream, status: &str, headers: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
}
