//! BASIC and VQAScore from two folders of images, with tiny networks, five kills on the way: the same masks to the byte, and no request
//! twice that was answered.

use super::chat_server::{Asked, Reply, VlmServer};
use super::kill_when;
use crate::support::checkpoints::write_parser;
use crate::support::{arg, folder, n_asked, pictures, record, scores, shared_data};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The tiny model's answer: it depends on the first colour of a picture.
fn answer(asked: &Asked) -> Reply {
    let (_, _, [r, g, b]) = asked.picture();
    let (thing, colour) = match (r > g, g > b) {
        (true, _) => ("boat", "red"),
        (false, true) => ("hat", "large"),
        (false, false) => ("dock", "large"),
    };
    if asked.prompt.starts_with("Does this figure show") {
        return match asked.prompt.contains(thing) {
            true => Reply::Likely("Yes", vec![("Yes", 0.75), ("No", 0.25)]),
            false => Reply::Likely("No", vec![("Yes", 0.125), ("No", 0.75)]),
        };
    }
    match asked.prompt.starts_with("Describe") {
        true => Reply::Says(format!("A {colour} {thing} is docked at the dock.")),
        false => Reply::Says(format!(
            r#"{{"foreground_objects": [{{"object": "{thing}", "parts": ["top"]}}], "background_elements": [{{"element": "sky"}}]}}"#
        )),
    }
}

struct Run<'a> {
    gt: &'a Path,
    recon: &'a Path,
    parser: &'a str,
    out: PathBuf,
    cache: PathBuf,
}

impl Run<'_> {
    fn command(&self, server: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_neurogauge"));
        let words = [
            "--vlm",
            server,
            "--vlm-model",
            "tiny-vlm",
            "--parallel",
            "2",
        ];
        command
            .args([
                "score",
                arg(self.gt),
                arg(self.recon),
                "--out",
                arg(&self.out),
            ])
            .args([
                "--metrics",
                "basic,vqa_score",
                "--phrase-encoder",
                "stand-in",
            ])
            .args(words)
            .args([
                "--parser",
                "t5",
                "--parser-tokens",
                "8",
                "--parser-beams",
                "1",
            ])
            .args(["--checkpoint", self.parser])
            .args(["--basic-synonyms", "off", "--basic-lemmas", "off"])
            .args([
                "--masks",
                "stand-in-segmenter",
                "--mask-detector",
                "stand-in-detector",
            ])
            .args(["--box-threshold", "0.01", "--text-threshold", "0.01"])
            .env("NEUROGAUGE_CACHE", &self.cache)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    /// Answers that are kept, and files of masks that are kept.
    fn kept(&self) -> (usize, usize) {
        let files = |name: &str| {
            let files = fs::read_dir(self.cache.join(name)).into_iter().flatten();
            files.flatten().map(|file| file.path())
        };
        let answers = files("answers").map(|file| fs::read_to_string(file).unwrap());
        let answers = answers.map(|text| text.matches('\n').count()).sum();
        let masks = files("masks").filter(|path| path.is_dir());
        let masks = masks
            .map(|folder| fs::read_dir(folder).unwrap().count())
            .sum();
        (answers, masks)
    }

    /// Every file of masks, categories, captions and scores of yes.
    fn observations(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let root = self.out.join("observations");
        let mut found = BTreeMap::new();
        for side in ["gt", "recon"] {
            let masks = fs::read_dir(root.join(side).join("masks")).unwrap();
            let mut paths: Vec<PathBuf> = masks.map(|file| file.unwrap().path()).collect();
            paths.push(root.join(side).join("captions.json"));
            paths.push(root.join(side).join("categories.json"));
            for path in paths {
                let name = path.strip_prefix(&root).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
        let yes = root.join("recon/vqa_scores.json");
        found.insert("vqa_scores.json".into(), fs::read(yes).unwrap());
        found
    }
}

/// Scores the folders with five kills, and once more without.
fn survives(gt: &Path, recon: &Path) {
    let dir = folder();
    let n_images = 2 * fs::read_dir(gt).unwrap().count();
    // Captions and categories of both sides, and a question about each reconstruction.
    let n_answers = 2 * n_images + n_images / 2;
    let parser = write_parser(&dir.path().join("parser"), |_, _| {});
    let parser = format!("factual_t5={}", arg(&parser));
    let run = |name: &str| Run {
        gt,
        recon,
        parser: &parser,
        out: dir.path().join(name),
        cache: dir.path().join(format!("{name}-cache")),
    };
    let killed = run("killed");

    // Three kills among the answers, two among the masks.
    let stages = [
        (n_answers / 5, 0),
        (n_answers / 2, 0),
        (n_answers - 2, 0),
        (n_answers, 1),
        (n_answers, n_images / 2),
    ];
    for (answers, masks) in stages {
        let n_kept = killed.kept().0;
        let command = |server: &str| killed.command(server);
        let has_enough = || killed.kept().0 >= answers && killed.kept().1 >= masks;
        kill_when(answers - n_kept, answer, command, has_enough);
    }
    // The file that a kill in the middle of writing leaves, whether or not the kill here did.
    let masks = killed.out.join("observations/gt/masks");
    fs::create_dir_all(&masks).unwrap();
    fs::write(masks.join(".Ab12cd.tmp"), "{").unwrap();
    let server = VlmServer::start(answer);
    let ran = killed.command(&server.url).output().unwrap();
    assert!(ran.status.success());
    let table = String::from_utf8(ran.stdout).unwrap();
    assert!(
        table.contains("BASIC") && table.contains("VQAScore") && table.contains('†'),
        "{table}"
    );
    assert_eq!(server.asked().len(), 0, "all was answered before");

    let undisturbed = run("undisturbed");
    let server = VlmServer::start(answer);
    assert!(
        undisturbed
            .command(&server.url)
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(server.asked().len(), n_answers);
    assert!(killed.observations() == undisturbed.observations());
    assert_eq!(
        scores(&killed.out).columns,
        scores(&undisturbed.out).columns
    );
    assert_eq!(n_asked(&record(&killed.out)), 3);
}

#[test]
fn pictures_of_our_own() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    pictures(&gt, "gt", 6, 48, 4.0);
    pictures(&recon, "recon", 6, 48, 30.0);
    survives(&gt, &recon);
}

#[test]
fn reconstructions_of_brain_diffuser() {
    if let Some(data) = shared_data("brain-diffuser") {
        survives(&data.join("gt"), &data.join("subavg"));
    }
}
