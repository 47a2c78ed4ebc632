//! Every kind of input in every way in which it can be something else: one process for each, with the exit code and the
//! message that `catalogue.tsv` has. With `NEUROGAUGE_WRITE=1` that file is written instead; read it before it is
//! committed.

use crate::support::observations::small_dataset;
use crate::support::{arg, folder, image_folders, succeed, write};
use neurogauge::formats::npy;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Contents put in place of the expected file.
const CONTENTS: [(&str, &[u8]); 9] = [
    ("empty", b""),
    ("zeros", &[0; 4096]),
    ("text", b"not what it should be"),
    ("web page", b"<!DOCTYPE html><html><body>403</body></html>"),
    ("gif", b"GIF89a\x01\x00\x01\x00\x80\x00\x00"),
    ("byte-order mark", b"\xef\xbb\xbf{\"0\": 1}"),
    ("utf-16", b"\xff\xfe{\x00\"\x000\x00\"\x00:\x001\x00}\x00"),
    ("terminal commands", b"{\"\x1b[2J\x1b]0;owned\x07\": 1}"),
    ("a number beyond all", b"{\"0\": 1e999, \"1\": 99999999999999999999999}"),
];

/// An input: where its file is below the folder of a row, and the command that reads it. `ROW` and `BASE` in an
/// argument stand for the row's folder and the folder of sound inputs.
struct Kind {
    name: &'static str,
    file: &'static str,
    args: &'static str,
}

const fn kind(name: &'static str, file: &'static str, args: &'static str) -> Kind {
    Kind { name, file, args }
}

const KINDS: [Kind; 24] = [
    kind(
        "image",
        "images/1.png",
        "score --gt BASE/gt --recon ROW/images --pairs shared --metrics ssim --out ROW/out --on-failure stop",
    ),
    kind(
        "stack of images, npy",
        "stack.npy",
        "score --gt BASE/gt --recon ROW/stack.npy --metrics ssim --out ROW/out",
    ),
    kind(
        "stack of images, pt",
        "stack.pt",
        "score --gt BASE/gt --recon ROW/stack.pt --metrics ssim --out ROW/out",
    ),
    kind(
        "captions",
        "captions.json",
        "score --gt-captions ROW/captions.json --recon-captions BASE/observations/gt/captions.json --metrics cap_sim --text-encoder stand-in --out ROW/out",
    ),
    kind(
        "captions, npy",
        "captions.npy",
        "score --gt-captions ROW/captions.npy --recon-captions BASE/observations/gt/captions.json --metrics cap_sim --text-encoder stand-in --out ROW/out",
    ),
    kind(
        "detections",
        "detections/1.json",
        "score --gt-detections ROW/detections --recon-detections BASE/observations/gt/detections --pairs shared --metrics object_f1 --out ROW/out",
    ),
    kind(
        "boxes of all",
        "boxes.json",
        "score --gt-detections ROW/boxes.json --recon-detections BASE/observations/gt/detections --pairs shared --metrics object_f1 --out ROW/out",
    ),
    kind(
        "categories",
        "names.json",
        "score --gt-vlm-categories ROW/names.json --recon-vlm-categories ROW/names.json --metrics object_f1_vlm --out ROW/out",
    ),
    kind(
        "scene graphs, json",
        "graphs.json",
        "score --gt-scene-graphs ROW/graphs.json --recon-scene-graphs ROW/graphs.json --metrics basic_h --basic-synonyms off --basic-lemmas off --phrase-encoder stand-in --out ROW/out",
    ),
    kind(
        "masks, label map",
        "masks/1.png",
        "score --gt-masks ROW/masks --recon-masks ROW/masks --metrics basic_l --out ROW/out",
    ),
    kind(
        "masks, json",
        "masks/1.json",
        "score --gt-masks ROW/masks --recon-masks ROW/masks --metrics basic_l --out ROW/out",
    ),
    kind("masks of all", "instances.json", "coco --instances ROW/instances.json --results ROW/instances.json"),
    kind(
        "list of ids",
        "features/ids.json",
        "score --gt-features ROW/features --recon-features ROW/features --metrics effnet --out ROW/out",
    ),
    kind(
        "embeddings, npy",
        "brain.npy",
        "retrieve --brain ROW/brain.npy --image BASE/embeddings.npy --out ROW/out",
    ),
    kind(
        "embeddings, npz",
        "brain.npz",
        "retrieve --brain ROW/brain.npz --image BASE/embeddings.npy --out ROW/out",
    ),
    kind(
        "embeddings, pt",
        "brain.pt",
        "retrieve --brain ROW/brain.pt --image BASE/embeddings.npy --out ROW/out",
    ),
    kind("ratings", "ratings.csv", "meta --human ROW/ratings.csv --metrics BASE/metrics.csv --out ROW/out"),
    kind(
        "ratings, npy",
        "ratings.npy",
        "meta --human ROW/ratings.npy --metrics BASE/metrics.csv --out ROW/out",
    ),
    kind("scores", "metrics.csv", "meta --human BASE/ratings.csv --metrics ROW/metrics.csv --out ROW/out"),
    kind(
        "scores, npz",
        "metrics.npz",
        "meta --human BASE/ratings.csv --metrics ROW/metrics.npz --out ROW/out",
    ),
    kind("record of a run", "run/run.json", "compare BASE/run ROW/run"),
    kind("scores of a run", "run/scores.parquet", "compare BASE/run ROW/run"),
    kind("configuration", "score.toml", "score --config ROW/score.toml --out ROW/out"),
    kind(
        "checkpoint",
        "resnet50.pth",
        "perceive --images BASE/gt --with resnet50 --checkpoint resnet50=ROW/resnet50.pth --out ROW/out",
    ),
];

/// What all rows share.
fn write_base(base: &Path) {
    let (gt, recon) = image_folders(base, &["0", "1"]);
    small_dataset(&base.join("observations"));
    npy::write_f32(&base.join("embeddings.npy"), &[4, 2], &[0.5, 1.0, 2.0, 0.25, 1.0, 3.0, 4.0, 1.0]).unwrap();
    write(&base.join("ratings.csv"), "item,ann,bob\n0,1,2\n1,3,3\n2,4,5\n");
    write(&base.join("metrics.csv"), "item,ssim\n0,0.5\n1,0.25\n2,1\n");
    let images = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    succeed(&[&images[..], &["--metrics", "ssim", "--out", arg(&base.join("run"))]].concat());
}

/// Exit code and message of one row, in which its folder is called `ROW`.
fn row(base: &Path, root: &Path, kind: &Kind, place: usize, content: &[u8]) -> (i32, String) {
    let folder = root.join(place.to_string());
    let file = folder.join(kind.file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    if kind.file.starts_with("run/") {
        for name in ["run.json", "scores.parquet"] {
            fs::copy(base.join("run").join(name), folder.join("run").join(name)).unwrap();
        }
        // Without hashes of outputs, since the reader of scores is asked what it refuses.
        let record = folder.join("run/run.json");
        let mut text: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
        text["outputs"] = serde_json::json!({});
        fs::write(&record, text.to_string()).unwrap();
    }
    if kind.name == "masks, label map" {
        write(&folder.join("masks/labels.json"), "{\"1\": \"dog\"}");
    }
    if kind.name == "list of ids" {
        npy::write_f32(&folder.join("features/efficientnet_b1.npy"), &[2, 2], &[1.0, 0.5, 0.25, 1.0]).unwrap();
    }
    fs::write(&file, content).unwrap();
    let args = kind.args.replace("ROW", arg(&folder)).replace("BASE", arg(base));
    let mut command = Command::new("sh");
    // A process that needs more than this is ended, and the exit code would show it.
    let script = "ulimit -v 6000000; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_neurogauge")]);
    command.args(args.split(' ')).args(["--quiet", "--threads", "1"]);
    command
        .env("NEUROGAUGE_CACHE", folder.join("cache"))
        .env("HF_HUB_OFFLINE", "1")
        .env("HF_HOME", "/nonexistent")
        .env("TORCH_HOME", "/nonexistent")
        .env_remove("NEUROGAUGE_WEIGHTS");
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap().replace(arg(&folder), "ROW").replace(arg(base), "BASE");
    assert!(!said.contains('\u{1b}'), "{}: {said}", kind.name);
    assert!(output.stdout.is_empty(), "{}: data goes to stdout, messages do not", kind.name);
    let said = said.trim().replace('\n', " / ").replace('\t', " ");
    (output.status.code().unwrap_or(-1), said)
}

#[cfg(target_os = "linux")]
#[test]
fn every_row_of_the_catalogue_is_refused_as_written() {
    let dir = folder();
    let (base, rows) = (dir.path().join("base"), dir.path().join("rows"));
    write_base(&base);
    let work: Vec<(&Kind, &(&str, &[u8]))> =
        KINDS.iter().flat_map(|kind| CONTENTS.iter().map(move |content| (kind, content))).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); work.len()]));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((kind, (content, bytes))) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let place = work.iter().position(|(k, c)| k.name == kind.name && c.0 == *content).unwrap();
                    let (code, said) = row(&base, &rows, kind, place, bytes);
                    found.lock().unwrap()[place] = format!("{}\t{content}\t{code}\t{said}\n", kind.name);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    let code = |row: &String| row.split('\t').nth(2).unwrap().parse::<i32>().unwrap();
    let refused = found.iter().filter(|row| [1, 2].contains(&code(row)));
    assert!(refused.count() >= 120);
    for row in &found {
        assert!([0, 1, 2].contains(&code(row)) && !row.contains("panicked"), "{row}");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bad_input/catalogue.tsv");
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        fs::write(&path, found.concat()).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (found, expected) in found.iter().zip(expected.split_inclusive('\n')) {
        assert_eq!(found, expected);
    }
    assert_eq!(expected.lines().count(), found.len());
}
