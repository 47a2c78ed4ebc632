//! `neurogauge score` on captions: values, several references, repeated embedding, stand-ins.

use crate::support::arguments::score_observations;
use crate::support::{
    self, arg, close, folder, image_folders, neurogauge, scores, succeed, summary, values, weights,
    write,
};
use neurogauge::metrics::decoding::cap_sim::{References, cap_sim};
use neurogauge::models::{HashedWords, MiniLm, TextEncoder};
use std::fs;
use std::path::{Path, PathBuf};

const GT: &str =
    r#"{"1": ["a dog runs", "an animal on grass"], "2": "a red car", "10": ["a cup"]}"#;
const RECON: &str =
    r#"{"10": "a bottle of wine", "2": "a red car", "1": "a puppy playing outside"}"#;

/// References and caption of each pair of the above, in natural order.
fn texts() -> [(Vec<&'static str>, &'static str); 3] {
    [
        (
            vec!["a dog runs", "an animal on grass"],
            "a puppy playing outside",
        ),
        (vec!["a red car"], "a red car"),
        (vec!["a cup"], "a bottle of wine"),
    ]
}

fn expected(encoder: &dyn TextEncoder, how: References) -> Vec<f64> {
    let embed = |texts: &[&str]| encoder.encode(texts, &|_| {}).unwrap();
    let n = encoder.n_features();
    let score = |(references, caption): (Vec<&str>, &str)| {
        let references = embed(&references);
        let references: Vec<&[f32]> = references.chunks(n).collect();
        cap_sim(&references, &embed(&[caption]), how)
            .unwrap()
            .unwrap()
    };
    texts().into_iter().map(score).collect()
}

/// Captions of both sides on disk, and the arguments that score them into `run`.
struct Captions {
    gt: PathBuf,
    recon: PathBuf,
    run: PathBuf,
}

impl Captions {
    fn write(root: &Path) -> Captions {
        let captions = Captions {
            gt: root.join("coco.json"),
            recon: root.join("decoded.json"),
            run: root.join("run"),
        };
        write(&captions.gt, GT);
        write(&captions.recon, RECON);
        captions
    }

    fn args<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        let inputs = [
            "--gt-captions",
            arg(&self.gt),
            "--recon-captions",
            arg(&self.recon),
        ];
        let out = ["score", "--out", arg(&self.run), "--overwrite"];
        [&out[..], &inputs, options].concat()
    }

    fn score(&self, options: &[&str]) -> support::Ran {
        succeed(&self.args(options))
    }

    /// Number of texts that the run folder keeps embeddings of.
    fn n_embedded(&self, model: &str) -> usize {
        let folder = format!("observations/caption_embeddings/{model}");
        let files = fs::read_dir(self.run.join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let keys = files.filter(|path| path.extension().is_some_and(|e| e == "json"));
        let n_rows = keys.map(|keys| {
            let keys: serde_json::Value = serde_json::from_slice(&fs::read(keys).unwrap()).unwrap();
            keys["image_sha256"].as_array().unwrap().len()
        });
        n_rows.sum()
    }
}

#[test]
fn the_real_encoder_gives_the_library_s_values_however_references_are_joined() {
    let dir = folder();
    let captions = Captions::write(dir.path());
    let weights = weights();
    let encoder = MiniLm::load(&weights).unwrap();
    for (id, how) in [
        ("mean", References::Mean),
        ("max", References::Max),
        ("first", References::First),
    ] {
        captions.score(&["--references", id, "--weights", arg(&weights)]);
        // Texts are embedded in another batch here than there.
        let (found, expected) = (values(&captions.run, "cap_sim"), expected(&encoder, how));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-6, "{id}: {found} {expected}");
        }
        assert!((found[1] - 1.0).abs() < 1e-6, "equal captions");
    }
    assert_eq!(summary(&captions.run)["cap_sim"]["stand_in"], false);
}

#[test]
fn only_what_was_not_embedded_before_is_embedded() {
    let dir = folder();
    let captions = Captions::write(dir.path());
    let weights = weights();
    let with_weights = ["--weights", arg(&weights)];
    captions.score(&with_weights);
    let before = values(&captions.run, "cap_sim");
    // "a red car" is on both sides.
    assert_eq!(captions.n_embedded("all-MiniLM-L6-v2"), 6);

    // Other options, the same texts: no weights are needed.
    captions.score(&["--references", "max"]);
    captions.score(&[]);
    assert_eq!(values(&captions.run, "cap_sim"), before);

    write(&captions.recon, &RECON.replace("a bottle of wine", "a mug"));
    let without = neurogauge(&captions.args(&["--offline"]));
    assert_eq!(without.code, 1, "{}", without.stderr);
    captions.score(&with_weights);
    assert_eq!(captions.n_embedded("all-MiniLM-L6-v2"), 7);
    let after = values(&captions.run, "cap_sim");
    assert_eq!(after[..2], before[..2]);
    assert!(after[2] > before[2], "a mug is more of a cup than a bottle");

    // Another encoder: other embeddings, another run.
    let ran = captions.score(&["--text-encoder", "stand-in"]);
    ran.says(&["3 pairs scored"]);
    assert_eq!(captions.n_embedded("hashed-words"), 6);
    assert_ne!(values(&captions.run, "cap_sim"), after);
    captions.score(&[]);
    assert_eq!(values(&captions.run, "cap_sim"), after);
}

#[test]
fn without_the_encoder_s_weights_its_metrics_are_left_out_unless_they_are_asked_for() {
    let dir = folder();
    let (gt, recon) = image_folders(&dir.path().join("images"), &["1", "2", "10"]);
    let captions = Captions::write(dir.path());
    let with_images = |options: &[&str]| {
        let images = ["--gt", arg(&gt), "--recon", arg(&recon)];
        neurogauge(&captions.args(&[&images[..], options].concat()))
    };
    let plan = with_images(&["--dry-run"]);
    let left_out = "cap_sim: the weights of all-MiniLM-L6-v2 are not on this machine";
    assert!(plan.stdout.contains(left_out), "{}", plan.stdout);
    assert!(
        !plan.stdout.contains("cap_sim: computed"),
        "{}",
        plan.stdout
    );

    let ran = with_images(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.says(&["for want of weights", "cap_sim", "all-MiniLM-L6-v2"]);
    assert!(scores(&captions.run).column("cap_sim").is_none());

    let asked_for = with_images(&["--metrics", "cap_sim"]);
    assert_eq!(asked_for.code, 1, "{}", asked_for.stderr);
    asked_for.says(&["all-MiniLM-L6-v2", "not on this machine", "--weights DIR"]);
    // Nothing else can be scored, so there is nothing else that could be meant.
    let alone = neurogauge(&captions.args(&[]));
    assert_eq!(alone.code, 1, "{}", alone.stderr);
    alone.says(&["all-MiniLM-L6-v2", "not on this machine"]);

    let weights = weights();
    let ran = with_images(&["--weights", arg(&weights)]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(scores(&captions.run).column("cap_sim").is_some());
}

#[test]
fn a_stand_in_is_marked_wherever_its_number_appears() {
    let dir = folder();
    let captions = Captions::write(dir.path());
    for (format, mark) in [
        ("table", "Cap-Sim \u{2191}\u{2020}"),
        ("markdown", "Cap-Sim \u{2191}\u{2020}"),
        ("latex", "\\dagger"),
        ("csv", ",true"),
        ("json", "\"stand_in\": true"),
    ] {
        let ran = captions.score(&["--text-encoder", "stand-in", "--format", format]);
        assert!(ran.stdout.contains(mark), "{format}: {}", ran.stdout);
    }
    let run = &captions.run;
    assert_eq!(summary(run)["cap_sim"]["stand_in"], true);
    close(
        &values(run, "cap_sim"),
        &expected(&HashedWords::new(), References::Mean),
    );
    let markdown = fs::read_to_string(run.join("summary.md")).unwrap();
    assert!(markdown.contains("placeholder model"), "{markdown}");
}

#[test]
fn stand_ins_json_marks_what_rests_on_the_observations_it_names() {
    let dir = folder();
    let run = dir.path().join("run");
    let observations = dir.path().join("observations");
    support::observations::small_dataset(&observations);
    let stand_ins = observations.join("stand_ins.json");
    let score = || {
        let args = score_observations(&observations, &run, &[]);
        neurogauge(
            &[
                &args[..],
                &["--metrics", "sdm,swav,snm"],
                &["--weights", arg(&weights())],
            ]
            .concat(),
        )
    };
    let marked = || -> Vec<String> {
        let summary = summary(&run);
        let entries = summary.as_object().unwrap().iter();
        entries
            .filter(|(_, entry)| entry["stand_in"] == true)
            .map(|(id, _)| id.clone())
            .collect()
    };
    write(&stand_ins, r#"{"features/efficientnet_b1": "a thumbnail"}"#);
    assert_eq!(score().code, 0);
    assert_eq!(marked(), ["effnet", "seed", "sdm"]);
    write(&stand_ins, r#"{"detections": "guesses"}"#);
    assert_eq!(score().code, 0);
    assert_eq!(marked(), ["object_f1", "seed", "snm", "sdm"]);
    write(&stand_ins, r#"{"captoins": "a slip"}"#);
    let ran = score();
    assert_eq!(ran.code, 1);
    for part in ["stand_ins.json", "captoins", "expected captions"] {
        ran.says(&[part]);
    }
}
