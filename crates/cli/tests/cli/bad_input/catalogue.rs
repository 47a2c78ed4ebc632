//! Every kind of input with every wrong content: one process for each, with the exit code and message of
//! `catalogue.tsv`. With `NEUROGAUGE_WRITE=1` that file is written instead; read it before you commit it.

use crate::support::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Contents that replace the expected file.
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

/// An input, its file's path below the folder of a row, and the command that reads it. `FILE`, `ROW` and `BASE` stand
/// for the file, the row's folder and the folder of sound inputs; all except `compare` and `score masks` also have
/// `--out ROW/out`.
const KINDS: &str = "\
image | images/1.png | score --gt BASE/gt --recon ROW/images --pairs shared --metrics ssim --on-failure stop
stack of images, npy | stack.npy | score --gt BASE/gt --recon FILE --metrics ssim
stack of images, pt | stack.pt | score --gt BASE/gt --recon FILE --metrics ssim
captions | captions.json | score --gt captions=FILE --recon captions=BASE/observations/gt/captions.json --metrics cap_sim --set text_encoder=placeholder
captions, npy | captions.npy | score --gt captions=FILE --recon captions=BASE/observations/gt/captions.json --metrics cap_sim --set text_encoder=placeholder
detections | detections/1.json | score --gt detections=ROW/detections --recon detections=BASE/observations/gt/detections --pairs shared --metrics object_f1
boxes of all | boxes.json | score --gt detections=FILE --recon detections=BASE/observations/gt/detections --pairs shared --metrics object_f1
categories | names.json | score --gt vlm-categories=FILE --recon vlm-categories=FILE --metrics object_f1_vlm
scene graphs, json | graphs.json | score --gt scene-graphs=FILE --recon scene-graphs=FILE --metrics basic_h --set basic_synonyms=off --set basic_lemmas=off --set phrase_encoder=placeholder
masks, label map | masks/1.png | score --gt masks=ROW/masks --recon masks=ROW/masks --metrics basic_l
masks, json | masks/1.json | score --gt masks=ROW/masks --recon masks=ROW/masks --metrics basic_l
masks of all | instances.json | score masks FILE FILE
list of ids | features/ids.json | score --gt features=ROW/features --recon features=ROW/features --metrics effnet
embeddings, npy | brain.npy | score embeddings BASE/embeddings.npy FILE
embeddings, npz | brain.npz | score embeddings BASE/embeddings.npy FILE
embeddings, pt | brain.pt | score embeddings BASE/embeddings.npy FILE
ratings | ratings.csv | meta --human FILE --metrics BASE/metrics.csv
ratings, npy | ratings.npy | meta --human FILE --metrics BASE/metrics.csv
scores | metrics.csv | meta --human BASE/ratings.csv --metrics FILE
scores, npz | metrics.npz | meta --human BASE/ratings.csv --metrics FILE
record of a run | run/run.json | compare BASE/run ROW/run
scores of a run | run/scores.parquet | compare BASE/run ROW/run
configuration | score.toml | score --config FILE
checkpoint | resnet50.pth | perceive --images BASE/gt --with resnet50 --checkpoint resnet50=FILE";

/// Writes the inputs that all rows share.
fn write_base(base: &Path) {
    image_folders(base, &["0", "1"]);
    small_dataset(&base.join("observations"));
    write_f32(&base.join("embeddings.npy"), &[4, 2], &[0.5, 1.0, 2.0, 0.25, 1.0, 3.0, 4.0, 1.0]).unwrap();
    write(&base.join("ratings.csv"), "item,ann,bob\n0,1,2\n1,3,3\n2,4,5\n");
    write(&base.join("metrics.csv"), "item,ssim\n0,0.5\n1,0.25\n2,1\n");
}

/// Exit code and message of one row, whose folder is replaced by `ROW`.
fn row(base: &Path, folder: &Path, kind: &[&str; 3], content: &[u8]) -> (i32, String) {
    let [name, file, line] = kind;
    fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
    if file.starts_with("run/") {
        for name in ["run.json", "scores.parquet"] {
            fs::copy(base.join("run").join(name), folder.join("run").join(name)).unwrap();
        }
        // Without hashes of outputs, since the test is about the reader of scores.
        let record = folder.join("run/run.json");
        let mut text: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
        text["outputs"] = serde_json::json!({});
        fs::write(&record, text.to_string()).unwrap();
    }
    match *name {
        "masks, label map" => write(&folder.join("masks/labels.json"), "{\"1\": \"dog\"}"),
        "list of ids" => {
            write_f32(&folder.join("features/efficientnet_b1.npy"), &[2, 2], &[1.0, 0.5, 0.25, 1.0]).unwrap();
        }
        _ => {}
    }
    fs::write(folder.join(file), content).unwrap();
    let mut line = line.replace("FILE", &format!("ROW/{file}"));
    if !line.starts_with("compare") && !line.starts_with("score masks") {
        line += " --out ROW/out";
    }
    let mut command = Command::new("sh");
    // A process that needs more memory than this is ended, which the exit code would show.
    command.args(["-c", "ulimit -v 6000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_neurogauge")]);
    command.args(line.replace("ROW", arg(folder)).replace("BASE", arg(base)).split(' '));
    command
        .args(["--quiet", "--threads", "1"])
        .env("NEUROGAUGE_CACHE", folder.join("cache"))
        .env("HF_HUB_OFFLINE", "1")
        .env("HF_HOME", "/nonexistent")
        .env("TORCH_HOME", "/nonexistent")
        .env_remove("NEUROGAUGE_WEIGHTS");
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap().replace(arg(folder), "ROW").replace(arg(base), "BASE");
    assert!(!said.contains('\u{1b}'), "{name}: {said}");
    assert!(output.stdout.is_empty(), "{name}: data goes to stdout, messages do not");
    (output.status.code().unwrap_or(-1), said.trim().replace('\n', " / ").replace('\t', " "))
}

#[cfg(target_os = "linux")]
#[test]
fn every_row_of_the_catalogue_is_refused_as_written() {
    let dir = folder();
    let (base, rows) = (dir.path().join("base"), dir.path().join("rows"));
    write_base(&base);
    let inputs = arg(&base);
    dir.succeed(&format!("score {inputs}/gt {inputs}/recon --metrics ssim --out {inputs}/run"));
    let kinds = KINDS.lines().map(|kind| kind.split(" | ").collect::<Vec<_>>().try_into().unwrap());
    let kinds: Vec<[&str; 3]> = kinds.collect();
    let work: Vec<_> = kinds.iter().flat_map(|kind| CONTENTS.iter().map(move |content| (kind, content))).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); work.len()]));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some((kind, (content, bytes))) = work.get(place) else {
                        break;
                    };
                    let (code, said) = row(&base, &rows.join(place.to_string()), kind, bytes);
                    found.lock().unwrap()[place] = format!("{}\t{content}\t{code}\t{said}\n", kind[0]);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    let code = |row: &String| row.split('\t').nth(2).unwrap().parse::<i32>().unwrap();
    assert!(found.iter().filter(|row| [1, 2].contains(&code(row))).count() >= 120);
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
