//! Three systems that reconstruct the demo's scenes with different quality, and people who rated one of them.

use super::*;
use neurogauge::core::{Captions, LabelList, Seed};
use neurogauge::formats::{captions, detections as detection_files, json};
use neurogauge_demo::{Scene, blur_and_noise, detections, read, stimuli};

const SEED: Seed = Seed(2026);
/// Each system's name and how much it loses.
pub(crate) const SYSTEMS: [(&str, f64); 3] = [("near", 0.3), ("middle one", 0.6), ("far", 1.0)];
pub(crate) const METRICS: &str = "[\"pixcorr\", \"ssim\", \"effnet\", \"swav\", \"seed\", \"snm\", \"sdm\"]";

/// The folder and its contents.
pub(crate) struct StudyData {
    pub(crate) dir: Folder,
    pub(crate) stems: Vec<String>,
}

impl StudyData {
    /// Writes `gt/`, and `<system>/` with `images/` and `observations/`; and `ratings.csv` for the system "middle one".
    pub(crate) fn new(n: usize) -> StudyData {
        let dir = folder();
        let root = dir.path();
        let stimuli = &stimuli().unwrap()[..n];
        for scene in stimuli {
            write_png(&root.join("gt").join(format!("{}.png", scene.stem)), &scene.image).unwrap();
        }
        for (system, strength) in SYSTEMS {
            let folder = root.join(system);
            let decoded = &DECODED[system][..n];
            for scene in decoded {
                write_png(&folder.join("images").join(format!("{}.png", scene.stem)), &scene.image).unwrap();
            }
            let observations = folder.join("observations");
            observe(&observations.join("gt"), stimuli, 1.0, "");
            observe(&observations.join("recon"), decoded, 1.0 - strength / 2.0, "");
            if system == SYSTEMS[1].0 {
                write(&root.join("ratings.csv"), &ratings(stimuli, decoded));
                write(&root.join("vqa.csv"), &further(stimuli, decoded));
                // Observations by another detector and another captioner.
                observe(&root.join("other/gt"), stimuli, 0.7, "a drawing of ");
                observe(&root.join("other/recon"), decoded, 0.5, "a drawing of ");
            }
        }
        let stems = stimuli.iter().map(|scene| scene.stem.clone()).collect();
        let data = StudyData { dir, stems };
        data.config("");
        data
    }

    /// Writes the configuration, with ratings and eight combinations of components; `more` is inserted before its first
    /// section.
    pub(crate) fn config(&self, more: &str) {
        let mut text = format!("{more}\n[inputs]\ngt = \"gt\"\n");
        text += &format!("[score]\nmetrics = {METRICS}\ntext_encoder = \"placeholder\"\n");
        text += "[score.perception]\nstand_in = true\n[score.bootstrap]\nresamples = 50\n";
        for (name, _) in SYSTEMS {
            text += &format!(
                "[[systems]]\nname = \"{name}\"\nrecon = \"{name}/images\"\nobservations = \"{name}/observations\"\n"
            );
        }
        let rated = SYSTEMS[1].0;
        text += &format!(
            "[[ratings]]\nsystem = \"{rated}\"\nfile = \"ratings.csv\"\nscores = [\"vqa.csv\"]\nhigher_is_better = [\"vqa_score\"]\n\
             [meta]\npermutations = 20\n[meta.bootstrap]\nresamples = 50\n[examples]\nothers_agree = 0.5\n"
        );
        for (component, file) in [("detector", "detections"), ("captioner", "captions.json")] {
            text += &format!(
                "[[choices.{component}]]\nname = \"{component} A\"\n[[choices.{component}]]\nname = \"{component} B\"\n\
                 gt = \"other/gt/{file}\"\nrecon = {{ \"{rated}\" = \"other/recon/{file}\" }}\n"
            );
        }
        text += "[[choices.text_encoder]]\nname = \"encoder A\"\nmodel = \"placeholder\"\n\
                 [[choices.text_encoder]]\nname = \"encoder B\"\n";
        self.dir.write("study.toml", text);
    }
}

/// The twelve scenes as reconstructed by each system.
static DECODED: LazyLock<HashMap<&str, Vec<Scene>>> = LazyLock::new(|| {
    SYSTEMS
        .map(|(system, strength)| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/cli/support/scenes")
                .join(system.replace(' ', "_"));
            let sheet = fs::read(path.with_extension("png")).unwrap();
            let mut scenes = read(&sheet, &fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
            for (scene, index) in scenes.iter_mut().zip(0..) {
                scene.image = blur_and_noise(&scene.image, strength / 2.0, Seed(SEED.0 + index));
            }
            (system, scenes)
        })
        .into()
});

/// Writes detections and captions of some scenes.
fn observe(folder: &Path, scenes: &[Scene], confidence: f64, before: &str) {
    let labels = LabelList::coco_gender();
    let mut texts = Vec::new();
    for (scene, index) in scenes.iter().zip(0..) {
        let found = detections(scene, &labels, Seed(SEED.0 + index), confidence);
        detection_files::write_mmdet(&folder.join("detections").join(format!("{}.json", scene.stem)), &found).unwrap();
        texts.push((scene.stem.clone(), Captions(vec![format!("{before}{}", scene.caption)])));
    }
    captions::write_json(&folder.join("captions.json"), &texts).unwrap();
    let recipe = BTreeMap::from([("categories", labels.names())]);
    json::write(&folder.join("detections.recipe.json"), &recipe).unwrap();
}

/// The share of the kinds of things in either scene that are in both.
fn likeness(gt: &Scene, recon: &Scene) -> f64 {
    let kinds = |scene: &Scene| -> BTreeSet<String> { scene.objects.iter().map(|o| o.category.clone()).collect() };
    let (gt, recon) = (kinds(gt), kinds(recon));
    gt.intersection(&recon).count() as f64 / gt.union(&recon).count().max(1) as f64
}

/// Four raters who rate the similarity of the scenes, each with noise.
fn ratings(stimuli: &[Scene], decoded: &[Scene]) -> String {
    let mut text = "item,a,b,c,d\n".to_owned();
    for (place, (gt, recon)) in stimuli.iter().zip(decoded).enumerate() {
        text += &gt.stem;
        for rater in 0..4 {
            let noise = Synthetic::new("ratings", rater).uniform(place as u64);
            let rating = 1.0 + 3.0 * likeness(gt, recon) + f64::from(noise) * 1.5;
            text += &format!(",{}", rating.round().clamp(1.0, 5.0));
        }
        text.push('\n');
    }
    text
}

/// A metric from another program.
fn further(stimuli: &[Scene], decoded: &[Scene]) -> String {
    let mut text = "item,vqa_score\n".to_owned();
    for (place, (gt, recon)) in stimuli.iter().zip(decoded).enumerate() {
        let noise = f64::from(Synthetic::new("vqa", 1).uniform(place as u64));
        text += &format!("{},{}\n", gt.stem, 0.5 * likeness(gt, recon) + noise);
    }
    text
}

/// Every file below a folder, by path, except journals, whose lines have no fixed order.
pub(crate) fn files(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|ending| ending != "jsonl") {
                found.push((path.strip_prefix(root).unwrap().display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
