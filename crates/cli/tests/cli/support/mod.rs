//! Runs the real binary on small inputs. `use crate::support::*` imports all that most tests need.

pub(crate) mod alignments;
mod checkpoints;
mod folder;
pub(crate) mod image_pairs;
mod json;
pub(crate) mod lpips_files;
pub(crate) mod nsd_folder;
pub(crate) mod observations;
mod outcomes;
mod safetensors;
pub(crate) mod study_data;

pub(crate) use checkpoints::{golden, write_checkpoint, write_parser, write_scorer};
pub(crate) use folder::{Folder, folder, folder_of, images};
pub(crate) use insta::assert_snapshot;
pub(crate) use json::Json;
use neurogauge::core::ScoreTable;
pub(crate) use neurogauge::core::synthetic::{Synthetic, parameter};
pub(crate) use neurogauge::core::{Features, Image, ObservationKind};
pub(crate) use neurogauge::formats::image_file::{read_rgb8, write_png};
pub(crate) use neurogauge::formats::npy::{self, write_f32, write_f64};
pub(crate) use neurogauge::formats::{content_hash, features, scores_parquet};
pub(crate) use observations::{
    SCORE, STEMS, masks, refusals_of, small_dataset, write_captions, write_detections, write_features,
};
pub(crate) use outcomes::check_outcomes;
use regex::Regex;
pub(crate) use safetensors::{Stored, write_tensors};
pub(crate) use serde_json::{self, Map, Value, json};
pub(crate) use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{Display, Formatter, Result};
pub(crate) use std::fs;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::process::{Command, Stdio};
use std::sync::LazyLock;
pub(crate) use std::time::Duration;

/// The result of running the binary.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn of(command: &mut Command) -> Ran {
        let output = command.output().unwrap();
        let ran = Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        let said = [&ran.stdout, &ran.stderr];
        assert!(!said.iter().any(|text: &&String| text.contains("panicked") || text.contains('\u{1b}')), "{said:?}");
        if ran.code == 0 {
            let is_for_people = |argument: &std::ffi::OsStr| !FOR_PROGRAMS.iter().any(|other| argument == *other);
            let printed = if command.get_args().all(is_for_people) {
                ran.stdout.as_str()
            } else {
                ""
            };
            let said = [printed, &ran.stderr].map(same_everywhere);
            let long: Vec<&str> = said.iter().flat_map(|text| too_long(text)).collect();
            assert!(long.is_empty(), "sentences of more than {LONGEST} characters: {long:#?}");
        }
        ran
    }

    /// Asserts success.
    #[track_caller]
    pub(crate) fn done(self) -> Ran {
        self.exits(0)
    }

    /// Asserts this exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "{self}");
        self
    }

    /// Asserts that the messages contain all these parts.
    #[track_caller]
    pub(crate) fn says(&self, parts: &[&str]) {
        contains(&self.stderr, parts);
    }

    /// The results must hold all these parts.
    #[track_caller]
    pub(crate) fn shows(&self, parts: &[&str]) {
        contains(&self.stdout, parts);
    }

    /// A finished run in `out` must not have been replaced; gives what is said to differ from it.
    #[track_caller]
    pub(crate) fn differs(&self, out: &str) -> String {
        assert_eq!(self.code, 1, "{self}");
        let kept = format!(
            "error: {out}: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say \
             --overwrite. What differs:\n"
        );
        let said = self.messages();
        let differences = said.strip_prefix(&kept).unwrap_or_else(|| panic!("{self}"));
        differences.lines().map(str::trim).collect::<Vec<_>>().join("\n")
    }

    /// Stdout, as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// The part of stderr for a snapshot.
    pub(crate) fn messages(&self) -> String {
        same_everywhere(&self.stderr)
    }

    /// The snapshot, indented as one of several.
    pub(crate) fn indented(&self) -> String {
        let text = self.to_string();
        text.lines().map(|line| format!("  {line}").trim_end().to_owned()).map(|line| line + "\n").collect()
    }
}

/// The longest sentence that people are given to read, in characters.
const LONGEST: usize = 300;

/// What of the arguments makes a command print text for programs, or long texts that are asked for.
const FOR_PROGRAMS: [&str; 5] = ["--format", "help", "--help", "cite", "list"];

/// The sentences that are too long, each up to a full stop or a semicolon. Rows of tables, in which cells are apart, are
/// none.
fn too_long(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.lines().filter(|line| !line.trim().contains("  "));
    prose
        // Names before a colon are a list and no part of the sentence.
        .map(|line| {
            line.split_once(": ")
                .filter(|(names, _)| names.matches(", ").count() > 3)
                .map_or(line, |(_, words)| words)
        })
        .flat_map(|line| line.split(". "))
        .flat_map(|words| words.split("; "))
        .filter(|sentence| sentence.chars().count() > LONGEST)
}

/// The exit code and all output, without what differs between machines: for snapshots.
impl Display for Ran {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "exit {}", self.code)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            let before = match (name, self.stdout.is_empty()) {
                ("stderr", false) => "\n",
                _ => ", ",
            };
            let text = same_everywhere(text);
            match text.lines().count() {
                0 => {}
                1 => write!(f, "{before}{name}: {}", text.trim_end())?,
                _ => {
                    write!(f, "{before}{name}:")?;
                    for line in text.lines() {
                        write!(f, "\n{}", line.trim_end())?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Messages with placeholders for paths and numbers of this machine, without the end of clap's own messages.
fn same_everywhere(text: &str) -> String {
    static NAMES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let [temporary, cache, version] =
            [arg(&std::env::temp_dir()), arg(&no_cache()), env!("CARGO_PKG_VERSION")].map(regex::escape);
        let names = [
            (&*format!(r"{temporary}/\.tmp[0-9A-Za-z]{{6}}"), "[DIR]"),
            (&cache, "[CACHE]"),
            (&format!("neurogauge {version}"), "neurogauge [VERSION]"),
            (r"127\.0\.0\.1:[0-9]{4,5}", "127.0.0.1:[PORT]"),
            (r"[0-9a-f]{40,64}(\.\.\.)?", "[HASH]"),
            (r" in [0-9]+\.[0-9]+ s\b", " in [TIME]"),
            // Depends on the build and the number of threads.
            (r"(\b[Mm]emory: about) [0-9.]+ [MG]B(, most of it [^,\n]*)?", "${1} [SIZE]"),
            (r"\btime: about .* \(measured: [0-9]+ GFLOP/s\)", "time: about [TIME]"),
            (r"\b([Ss])urvey [0-9a-f]{12}\b", "${1}urvey [ID]"),
            // The description of each file of a model's weights; `models::list` shows it in full.
            (
                r"(?m)^Fetch (?:this|these files from [^\n]*):\n(?:.*\n)*?or into any folder DIR \(or DIR/([0-9A-Za-z_.-]+)\) given as .*",
                "[HOW TO FETCH ${1}]",
            ),
            (r" \(os error [0-9]+\)", ""),
            ("\n\nFor more information, try '--help'.\n", "\n"),
        ];
        names.map(|(pattern, name)| (Regex::new(pattern).unwrap(), name)).into()
    });
    NAMES
        .iter()
        .fold(text.to_owned(), |text, (pattern, name)| pattern.replace_all(&text, *name).into_owned())
}

/// `neurogauge` without the user's own caches and settings.
fn command(cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_neurogauge"));
    command
        .env_remove("NEUROGAUGE_WEIGHTS")
        .env("NEUROGAUGE_CACHE", cache)
        .env("HF_HOME", "/nonexistent")
        .env("TORCH_HOME", "/nonexistent")
        .env("HF_HUB_OFFLINE", "1");
    command
}

/// A path below a file, where no user can make a folder.
pub(crate) fn no_cache() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/cache")
}

/// Asserts that the text contains all these parts.
#[track_caller]
pub(crate) fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
}

/// The lines of a text that contain one of these parts.
pub(crate) fn lines_with(text: &str, parts: &[&str]) -> String {
    let lines = text.lines().filter(|line| parts.iter().any(|part| line.contains(part)));
    lines.collect::<Vec<_>>().join("\n")
}

/// The text between `before`, which must occur once, and the next `after`.
#[track_caller]
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    assert_eq!(text.matches(before).count(), 1, "{before}");
    let (_, rest) = text.split_once(before).unwrap();
    rest.split_once(after).unwrap().0
}

/// The findings that say more than what an input was read as.
fn shown(findings: &Value) -> impl Iterator<Item = &Value> {
    findings.as_array().into_iter().flatten().filter(|finding| finding["severity"] != "read")
}

/// The codes of findings, except for what inputs were read as.
pub(crate) fn codes(findings: &Value) -> Vec<&str> {
    shown(findings).map(|finding| finding["code"].text()).collect()
}

/// The severities and codes of these findings.
pub(crate) fn severities(findings: &Value) -> Vec<String> {
    shown(findings)
        .map(|finding| format!("{} {}", finding["severity"].text(), finding["code"].text()))
        .collect()
}

/// A path as an argument.
pub(crate) fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A smooth picture with some grain that depends on its name.
pub(crate) fn picture(name: &str, size_px: usize, grain: f32) -> Image<u8> {
    let noise = Synthetic::new(name, 1);
    let data = (0..size_px * size_px * 3)
        .map(|i| {
            let (x, y, c) = (i / 3 % size_px, i / 3 / size_px, i % 3);
            let phase = noise.uniform(c as u64) * 6.0;
            let wave = ((x as f32 / 9.0 + phase).sin() + (y as f32 / 7.0 - phase).cos()) * 50.0;
            (128.0 + wave + grain * (noise.uniform(10 + i as u64) - 0.5)).clamp(0.0, 255.0) as u8
        })
        .collect();
    Image::new(size_px, size_px, data).unwrap()
}

/// Writes a picture for each number below `n`, as `0.png` and so on; it depends on the number, after `name`.
pub(crate) fn pictures(dir: &Path, name: &str, n: usize, size_px: usize, grain: f32) -> PathBuf {
    for index in 0..n {
        write_png(&dir.join(format!("{index}.png")), &picture(&format!("{name}{index}"), size_px, grain)).unwrap();
    }
    dir.to_owned()
}

/// A GIF file of 1 x 1 px; each frame has a delay in hundredths of a second and is black (0) or white (1).
pub(crate) fn gif(frames: &[(u16, u8)]) -> Vec<u8> {
    let mut bytes = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff".to_vec();
    for (delay, colour) in frames {
        let [low, high] = delay.to_le_bytes();
        bytes.extend([0x21, 0xf9, 4, 0, low, high, 0, 0]);
        // Codes of three bits: clear (4), the colour, end (5).
        let [codes, end] = (4 | u16::from(*colour) << 3 | 5 << 6).to_le_bytes();
        bytes.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, codes, end, 0]);
    }
    bytes.push(0x3b);
    bytes
}

/// Writes folders `gt` and `recon` with a PNG for each stem; reconstructions have more noise.
pub(crate) fn image_folders(root: &Path, stems: &[&str]) -> (PathBuf, PathBuf) {
    let (gt, recon) = (root.join("gt"), root.join("recon"));
    for (index, stem) in stems.iter().enumerate() {
        write_png(&gt.join(format!("{stem}.png")), &picture(stem, 48, 4.0)).unwrap();
        write_png(&recon.join(format!("{stem}.png")), &picture(stem, 48, 40.0 + 25.0 * index as f32)).unwrap();
    }
    (gt, recon)
}

/// Writes a file of an observations folder.
pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// `summary.json` of a run.
pub(crate) fn summary(run: &Path) -> Value {
    serde_json::from_slice(&fs::read(run.join("summary.json")).unwrap()).unwrap()
}

/// `run.json` of a run.
pub(crate) fn record(run: &Path) -> Value {
    serde_json::from_slice(&fs::read(run.join("run.json")).unwrap()).unwrap()
}

/// The run's step that makes a kind of observation.
#[track_caller]
pub(crate) fn step<'a>(record: &'a Value, kind: &str) -> &'a Value {
    let writes = |step: &&Value| step["parts"][0]["writes"].as_str().unwrap_or_default().ends_with(&format!("/{kind}"));
    record["plan"]["steps"].list().iter().find(writes).unwrap()
}

/// Number of a run's steps that ask a model with a prompt.
pub(crate) fn n_asked(record: &Value) -> usize {
    let steps = record["plan"]["steps"].list().iter();
    steps.filter(|step| step["recipe"].get("prompt").is_some()).count()
}

/// Every score of a run.
pub(crate) fn scores(run: &Path) -> ScoreTable {
    scores_parquet::read(&run.join("scores.parquet")).unwrap()
}

/// The value of a metric for each pair of a run; every one must have one.
pub(crate) fn values(run: &Path, metric: &str) -> Vec<f64> {
    scores(run).column(metric).unwrap().iter().map(|o| o.clone().unwrap()).collect()
}

/// Asserts equality except for the last bits of a sum.
#[track_caller]
pub(crate) fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

/// The folder with the real weights of all-MiniLM-L6-v2.
pub(crate) fn weights() -> PathBuf {
    std::env::var_os("NEUROGAUGE_TEST_WEIGHTS")
        .map(PathBuf::from)
        .expect("NEUROGAUGE_TEST_WEIGHTS is not set: run `make test`, which fetches the weights it names")
}

/// WordNet's folder, which `make test` fetches.
pub(crate) fn wordnet() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.wordnet/usr/share/wordnet");
    std::env::var_os("NEUROGAUGE_TEST_WORDNET").map_or_else(default, PathBuf::from)
}

/// A photograph that `make test` fetches.
pub(crate) fn photograph(name: &str) -> Image<u8> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.photos/skimage/data");
    let folder = std::env::var_os("NEUROGAUGE_TEST_PHOTOS").map_or_else(default, PathBuf::from);
    read_rgb8(&folder.join(format!("{name}.png")))
        .expect("`make test` fetches the photographs (NEUROGAUGE_TEST_PHOTOS names their folder)")
}

/// The shared real data, or `None` (with a message) if they are missing.
pub(crate) fn shared_data(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("NEUROGAUGE_SHARED_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = root.join(part);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is absent (real data are not part of the repository)", path.display());
    None
}

/// Serves the files of a folder until the test ends.
pub(crate) fn serve(folder: PathBuf) -> String {
    use std::io::{BufRead as _, BufReader, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let name = request.split(' ').nth(1).unwrap().trim_start_matches('/');
            let (status, body) = match fs::read(folder.join(name)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).unwrap();
        }
    });
    address
}
