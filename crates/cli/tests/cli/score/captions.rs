//! `neurogauge score` for captions: values, several references, repeated embedding, placeholders.

use crate::support::{observations, *};
use neurogauge::metrics::decoding::cap_sim::{References, cap_sim};
use neurogauge::models::{Arithmetic, HashedWords, MiniLm, TextEncoder};

const GT: &str = r#"{"1": ["a dog runs", "an animal on grass"], "2": "a red car", "10": ["a cup"]}"#;
const RECON: &str = r#"{"10": "a bottle of wine", "2": "a red car", "1": "a puppy playing outside"}"#;

/// References and caption of each pair above, in natural order.
fn texts() -> [(Vec<&'static str>, &'static str); 3] {
    [
        (vec!["a dog runs", "an animal on grass"], "a puppy playing outside"),
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
        cap_sim(&references, &embed(&[caption]), how).unwrap().unwrap()
    };
    texts().into_iter().map(score).collect()
}

/// Captions of both sides on disk.
struct Captions(Folder);

const SCORE: &str = "score --gt captions=coco.json --recon captions=decoded.json --out run --overwrite";

impl Captions {
    fn new() -> Captions {
        let dir = folder();
        dir.write("coco.json", GT);
        dir.write("decoded.json", RECON);
        Captions(dir)
    }

    fn score(&self, options: &str) -> Ran {
        self.0.succeed(&format!("{SCORE} {options}"))
    }

    fn values(&self) -> Vec<f64> {
        values(&self.run(), "cap_sim")
    }

    fn run(&self) -> PathBuf {
        self.0.join("run")
    }

    /// Number of texts whose embeddings the run folder keeps.
    fn n_embedded(&self, model: &str) -> usize {
        let files = fs::read_dir(self.run().join(format!("observations/caption_embeddings/{model}"))).unwrap();
        let keys = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "json"));
        let n_rows = keys.map(|keys| {
            let keys = &self.0.json(keys)["image_sha256"];
            keys.list().len()
        });
        n_rows.sum()
    }
}

#[test]
fn the_real_encoder_gives_the_library_s_values_however_references_are_joined() {
    let captions = Captions::new();
    let weights = weights();
    let encoder = MiniLm::load(&weights, Arithmetic::default()).unwrap();
    for (id, how) in [("mean", References::Mean), ("max", References::Max), ("first", References::First)] {
        captions.score(&format!("--set references={id} --weights {}", arg(&weights)));
        // Here, texts are embedded in another batch.
        let (found, expected) = (captions.values(), expected(&encoder, how));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-6, "{id}: {found} {expected}");
        }
        assert!((found[1] - 1.0).abs() < 1e-6, "equal captions");
    }
    assert_eq!(summary(&captions.run())["cap_sim"]["stand_in"], false);
    captions.score("--set text_encoder=placeholder");
    close(&captions.values(), &expected(&HashedWords, References::Mean));
}

#[test]
fn only_what_was_not_embedded_before_is_embedded() {
    let captions = Captions::new();
    let with_weights = format!("--weights {}", arg(&weights()));
    captions.score(&with_weights);
    let before = captions.values();
    // "a red car" is on both sides.
    assert_eq!(captions.n_embedded("all-MiniLM-L6-v2"), 6);

    // With other options and the same texts, no weights are needed.
    captions.score("--set references=max");
    captions.score("");
    assert_eq!(captions.values(), before);

    let other = RECON.replace("a bottle of wine", "a mug");
    captions.0.write("decoded.json", other);
    captions.0.run(&format!("{SCORE} --offline")).exits(1);
    captions.score(&with_weights);
    assert_eq!(captions.n_embedded("all-MiniLM-L6-v2"), 7);
    let after = captions.values();
    assert_eq!(after[..2], before[..2]);
    assert!(after[2] > before[2], "a mug is more of a cup than a bottle");

    // Another encoder gives other embeddings and another run.
    captions.score("--set text_encoder=placeholder").says(&["3 pairs scored"]);
    assert_eq!(captions.n_embedded("hashed-words"), 6);
    assert_ne!(captions.values(), after);
    captions.score("");
    assert_eq!(captions.values(), after);
}

#[test]
fn without_the_encoder_s_weights_its_metrics_are_left_out_unless_they_are_asked_for() {
    let captions = Captions::new();
    let dir = &captions.0;
    image_folders(dir.path(), &["1", "2", "10"]);
    let with_images = format!("{SCORE} --gt gt --recon recon");
    let plan = dir.succeed(&format!("{with_images} --dry-run"));
    let of_captions: Vec<&str> = plan.stdout.lines().filter(|line| line.contains("cap_sim")).collect();
    assert_snapshot!(of_captions.join("\n"), @"
    cap_sim: the weights of all-MiniLM-L6-v2 are not on this machine
    seed: needs object_f1 and cap_sim and effnet
    ");
    assert_snapshot!(dir.succeed(&with_images).messages(), @"
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    note: left out, for want of weights: alexnet2, alexnet5, inception, clip, effnet, swav, alexnet2_correlation, alexnet5_correlation, inception_correlation, clip_correlation, cap_sim. `neurogauge models fetch alexnet inception_v3 clip_vit_l_14 efficientnet_b1 swav_resnet50 all-MiniLM-L6-v2` gets them, and so does asking for a metric by name with --metrics
    run: 3 pairs scored
    ");
    assert!(scores(&captions.run()).column("cap_sim").is_none());
    assert_snapshot!(dir.run(&format!("{with_images} --metrics cap_sim")), @"
    exit 1, stderr:
    error: the weights of all-MiniLM-L6-v2 are not on this machine, and downloading is switched off by HF_HUB_OFFLINE.
    [HOW TO FETCH all-MiniLM-L6-v2]
    ");
    // Nothing else can be scored, so the message has no alternative.
    assert_snapshot!(dir.run(&format!("{SCORE} -q")), @"
    exit 1, stderr:
    error: the weights of all-MiniLM-L6-v2 are not on this machine, and downloading is switched off by HF_HUB_OFFLINE.
    [HOW TO FETCH all-MiniLM-L6-v2]
    ");
    dir.succeed(&format!("{with_images} --weights {}", arg(&weights())));
    assert!(scores(&captions.run()).column("cap_sim").is_some());
}

#[test]
fn stand_ins_json_marks_what_rests_on_the_observations_it_names() {
    let dir = folder_of(small_dataset);
    let score = |stand_ins: &str| {
        dir.write("stand_ins.json", stand_ins);
        let weights = format!("--weights {}", arg(&weights()));
        dir.run(&format!("{} --metrics sdm,swav,snm {weights}", observations::SCORE))
    };
    let marked = |stand_ins: &str| -> Vec<String> {
        score(stand_ins).done();
        let summary = dir.summary("run");
        let marked = summary.fields().iter().filter(|(_, entry)| entry["stand_in"] == true);
        marked.map(|(id, _)| id.clone()).collect()
    };
    let features = marked(r#"{"features/efficientnet_b1": "a thumbnail"}"#);
    assert_eq!(features, ["effnet", "seed", "sdm"]);
    let detections = marked(r#"{"detections": "guesses"}"#);
    assert_eq!(detections, ["object_f1", "seed", "snm", "sdm"]);
    assert_snapshot!(score(r#"{"captoins": "a slip"}"#), @r#"exit 1, stderr: error: [DIR]/stand_ins.json: key "captoins": no such input; expected captions, detections, image_texts, images, masks, scene_graphs, vlm_categories, vqa_scores, features/<model> or recorded/<metric>"#);
}
