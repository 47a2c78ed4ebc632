//! `perceive` and `score` share models' observations: images described by one are not described again by the other.

use super::observers::{CAPTIONER, perceiving, repeat, run_record, seen};
use crate::support::arguments::score_images;
use crate::support::{Ran, arg, folder, neurogauge_with_cache, pictures, scores};
use neurogauge::core::ObservationKind;
use std::fs;
use std::path::{Path, PathBuf};

const N_IMAGES: usize = 5;

struct Setting {
    dir: tempfile::TempDir,
    gt: PathBuf,
    recon: PathBuf,
}

impl Setting {
    fn new() -> Self {
        let dir = folder();
        let image = |name: &str| pictures(&dir.path().join(name), name, N_IMAGES, 40, 60.0);
        let (gt, recon) = (image("gt"), image("recon"));
        Setting { dir, gt, recon }
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    fn run(&self, args: &[&str]) -> Ran {
        let ran = neurogauge_with_cache(args, &self.cache());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran
    }

    /// How many images the model saw.
    fn perceive(&self, images: &Path, with: &str, out: &str, options: &[&str]) -> usize {
        let out = self.dir.path().join(out);
        seen(&self.run(&perceiving(images, &out, with, options)))
    }

    /// The captions in the store, a line each.
    fn n_captions(&self) -> usize {
        let journal = self.cache().join("captions/colour-words.jsonl");
        fs::read_to_string(journal).unwrap().lines().count()
    }
}

#[test]
fn captions_of_perceive_are_not_made_again_by_score_and_the_other_way_round() {
    let setting = Setting::new();
    let root = setting.dir.path();
    for (side, images) in [("a", &setting.gt), ("b", &setting.recon)] {
        assert_eq!(
            setting.perceive(images, CAPTIONER.name, side, &[]),
            N_IMAGES
        );
    }
    assert_eq!(setting.n_captions(), 2 * N_IMAGES);
    let ran = CAPTIONER.score(root, (&setting.gt, &setting.recon), "run", &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(setting.n_captions(), 2 * N_IMAGES, "no image twice");

    let other = Setting::new();
    let root = other.dir.path();
    assert_eq!(
        CAPTIONER
            .score(root, (&other.gt, &other.recon), "run", &[])
            .code,
        0
    );
    assert_eq!(other.n_captions(), 2 * N_IMAGES);
    assert_eq!(other.perceive(&other.recon, CAPTIONER.name, "a", &[]), 0);
    assert_eq!(
        scores(&root.join("run")).columns,
        scores(&setting.dir.path().join("run")).columns
    );
    assert_eq!(repeat(root, "run", "again").code, 0);
    assert!(
        run_record(root, "again")
            .failed(ObservationKind::Captions)
            .next()
            .is_none()
    );
}

#[test]
fn features_of_perceive_are_not_computed_again_by_score_and_the_other_way_round() {
    let setting = Setting::new();
    let root = setting.dir.path();
    let preset = ["--preset", "nsd8-mindeye2"];
    let with = "stand-in:grid4";
    assert_eq!(setting.perceive(&setting.gt, with, "a", &preset), N_IMAGES);
    let out = root.join("run");
    let options = ["--metrics", "effnet", "--image-models", "stand-in"];
    let args = score_images(&setting.gt, &setting.recon, &out, &options);
    setting.run(&args);
    let kept = fs::read_dir(setting.cache().join("features/mean-colours.grid4")).unwrap();
    assert_eq!(
        kept.count(),
        2 * 2,
        "a matrix and its keys for each side, those of the stimuli once"
    );
    let file =
        |folder: &str| fs::read(root.join(folder).join("features/mean-colours.grid4.npy")).unwrap();
    assert_eq!(file("a"), file("run/observations/gt"));

    // The run's observations of the reconstructions, and rows of them when other images are among them.
    assert_eq!(setting.perceive(&setting.recon, with, "b", &preset), 0);
    assert_eq!(file("b"), file("run/observations/recon"));
    fs::copy(setting.gt.join("0.png"), setting.recon.join("a.png")).unwrap();
    assert_eq!(setting.perceive(&setting.recon, with, "c", &preset), 0);
    fs::remove_file(setting.recon.join("3.png")).unwrap();
    assert_eq!(setting.perceive(&setting.recon, with, "c", &preset), 0);
    assert_eq!(
        setting.perceive(&setting.gt, with, "d", &[]),
        N_IMAGES,
        "another preparation"
    );
}

#[test]
fn placeholders_go_by_their_name_and_by_that_of_earlier_versions() {
    let setting = Setting::new();
    for (name, earlier) in [
        ("placeholder-captioner", "stand-in-captioner"),
        ("placeholder-detector", "stand-in-detector"),
        ("placeholder:grid4", "stand-in:grid4"),
    ] {
        let out = name.replace(':', "-");
        let n_seen = setting.perceive(&setting.gt, name, &out, &[]);
        assert_eq!(n_seen, N_IMAGES, "{name}");
        let again = earlier.replace(':', "-");
        assert_eq!(setting.perceive(&setting.gt, earlier, &again, &[]), 0);
    }
}

#[test]
fn the_cache_says_what_it_holds_and_is_emptied_on_demand_only() {
    let setting = Setting::new();
    let cache =
        |args: &[&str]| neurogauge_with_cache(&[&["cache"], args].concat(), &setting.cache());
    assert_eq!(cache(&["dir"]).stdout.trim(), arg(&setting.cache()));
    let size = cache(&["size"]).stdout;
    assert!(size.contains("0 files  in all"), "{size}");
    assert!(
        size.ends_with(" holds no observations and no run.\n"),
        "{size}"
    );
    cache(&["prune", "--yes"]).says(&["nothing that could be removed"]);
    setting.perceive(&setting.gt, CAPTIONER.name, "a", &[]);
    setting.perceive(&setting.gt, "stand-in:grid4,stand-in:grid16", "b", &[]);
    let size = cache(&["size"]).stdout;
    for part in [
        "1 files  captions/colour-words",
        "2 files  features/mean-colours.grid16",
        "5 files  in all",
        " of observations (`neurogauge cache prune` removes them). Weights are not counted",
    ] {
        assert!(size.contains(part), "{part} in {size}");
    }
    // Without a terminal there is no prompt, so nothing is deleted.
    let ran = cache(&["prune", "features"]);
    assert_eq!(ran.code, 2);
    ran.says(&["would be removed", "features/mean-colours.grid4", "--yes"]);
    assert_eq!(cache(&["prune", "feature", "--yes"]).code, 2, "not a kind");
    assert_eq!(cache(&["size"]).stdout, size);
    assert_eq!(cache(&["prune", "features", "--yes"]).code, 0);
    let left = cache(&["size"]).stdout;
    assert!(
        left.contains("captions/colour-words") && !left.contains("features"),
        "{left}"
    );
    // Folders of commands keep their files.
    assert_eq!(
        setting.perceive(&setting.gt, "stand-in:grid4,stand-in:grid16", "b", &[]),
        0
    );
    assert_eq!(
        setting.perceive(&setting.gt, "stand-in:grid4", "c", &[]),
        N_IMAGES
    );
}
