//! `neurogauge align --preset`: the recovery paper's study, and its estimated cost.

use crate::support::alignments::record;
use crate::support::nsd_folder::{
    N_SESSIONS, N_SYNTHETIC, TRIALS, shared_image, write_core, write_synthetic,
};
use crate::support::{arg, folder, picture, refused, succeed};
use neurogauge::align::AlignConfig;
use neurogauge::formats::image_file::write_png;
use neurogauge_recovery::{Preset, PresetRequest};
use std::path::Path;

fn of_core(nsd: &Path) -> PresetRequest<'_> {
    PresetRequest {
        preset: Preset::NsdCore,
        nsd,
        stimuli: None,
        atlas: None,
        subjects: &[],
        sessions: None,
        models: &[],
    }
}

/// `make written` rewrites it.
#[test]
fn the_written_example_is_the_preset() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let path = examples.join("recovery-paper.toml");
    let text = of_core(Path::new("nsd")).text().unwrap();
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let example = AlignConfig::read(&path).unwrap();
    let preset = of_core(&examples.join("nsd")).config().unwrap();
    assert_eq!(example, preset);
    // Table 5 has nineteen trained models and six untrained ones; Table 4 has three seeds more of four of these.
    let seeds: Vec<&str> = preset
        .sources
        .iter()
        .filter_map(|source| source.model.as_ref()?.split_once("-untrained-"))
        .map(|(_, seed)| seed)
        .collect();
    assert_eq!((preset.sources.len(), seeds.len()), (37, 18));
    assert_eq!(seeds.iter().filter(|seed| **seed == "42").count(), 6);
}

#[test]
fn a_dry_run_says_what_is_missing_and_does_nothing() {
    let root = folder();
    let run = root.path().join("run");
    let nsd = root.path().join("nsd");
    let args = ["align", "--preset", "nsd-core", "--nsd", arg(&nsd)];
    let ran = succeed(&[&args[..], &["--out", arg(&run), "--dry-run"]].concat());
    for part in [
        "112 target units, 515 stimuli, 37 models and 7 other subjects",
        "resnet50                   no",
        "siglip2_vit_so400m_14      no",
        "19 of 19 are missing: ",
        "nsd_expdesign.mat",
        "nsd_stimuli.hdf5",
        "Regions: labels of nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz",
        "lh.Kastner2015.mgz",
        "Estimated time",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} in\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("untrained"), "{}", ran.stdout);
    assert!(!run.exists());
    let drawn = ["--atlas", "prf-visualrois", "--dry-run", "--out", arg(&run)];
    let ran = succeed(&[&args[..], &drawn].concat());
    assert!(
        ran.stdout.contains("rh.prf-visualrois.mgz"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("Kastner"), "{}", ran.stdout);
    let own = [
        "--atlas",
        "labels/{subject}.{hemisphere}.mgz",
        "--dry-run",
        "--out",
        arg(&run),
    ];
    let ran = succeed(&[&args[..], &own].concat());
    assert!(
        ran.stdout.contains("labels/subj03.rh.mgz"),
        "{}",
        ran.stdout
    );
    let wrong = ["--atlas", "Wang", "--dry-run", "--out", arg(&run)];
    let parts = [
        "--atlas Wang",
        "kastner2015, prf-visualrois",
        "{hemisphere}",
    ];
    refused(&[&args[..], &wrong].concat(), 2, &parts);
    let args = [&args[..], &["--sources", "main,siglip", "--out", arg(&run)]].concat();
    refused(&args, 2, &["--sources siglip", "siglip2_vit_b_16", "main"]);
}

/// Small, under NSD's own names, with untrained networks that look at pictures.
#[test]
fn the_preset_runs_end_to_end() {
    let root = folder();
    let nsd = root.path().join("nsd");
    write_synthetic(&nsd);
    let images = root.path().join("images");
    for stimulus in 0..N_SYNTHETIC {
        let path = images.join(format!("{stimulus:03}.png"));
        write_png(&path, &picture(&stimulus.to_string(), 32, 30.0)).unwrap();
    }
    let run = root.path().join("run");
    let preset = ["align", "--preset", "nsd-synthetic", "--nsd", arg(&nsd)];
    let small = [
        "--subjects",
        "1,2",
        "--sources",
        "resnet18-untrained-42,resnet18-untrained-0",
        "--stimuli",
        arg(&images),
        "--null",
        "1",
        "--controls",
        "target-pca,fixed-rank",
        "--offline",
        "--stimulus-scores",
        "--out",
        arg(&run),
    ];
    let args = [&preset[..], &small].concat();
    let looked = succeed(&[&args[..], &["--dry-run"]].concat());
    let units = "28 target units, 60 stimuli, 2 models and 1 other subjects";
    assert!(looked.stdout.contains(units), "{}", looked.stdout);
    assert!(!looked.stdout.contains("missing"), "{}", looked.stdout);
    succeed(&args);
    let found = record(&run);
    assert_eq!(found["units"].as_array().unwrap().len(), 28);
    let blocks = &found["sources"][1];
    assert_eq!(blocks["source"], "resnet18-untrained-42");
    assert_eq!(blocks["layers"], "residual stages 1, 2, 3, and 4");
    // The paper prints no numbers of NSD-synthetic.
    let paper: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run.join("paper.json")).unwrap()).unwrap();
    assert!(paper["published"].as_array().unwrap().is_empty());
    let stimuli: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run.join("stimuli.json")).unwrap()).unwrap();
    assert_eq!(stimuli["units"].as_array().unwrap().len(), 28);
    let beside = |place: usize, key: &str| stimuli["sources"][place][key].clone();
    assert_eq!(beside(3, "source"), "resnet18-untrained-42");
    let scores = [3, 4, 5].map(|place| beside(place, "score"));
    assert_eq!(scores, ["accuracy", "ProfileMean", "FullRefCov"]);
    for place in 0..6 {
        let of = |key: &str| beside(place, key)["mean"].as_f64().unwrap();
        assert!(of("value") > 0.0 && of("ceiling") > 0.0 && of("share") > 0.0);
    }
    assert!(run.join("stimulus_scores.parquet").exists());
    let sheet = std::fs::read(run.join("figures/stimuli_of_subj01_lh_V1v.png")).unwrap();
    assert!(sheet.starts_with(b"\x89PNG"));
    // The file in the run's folder is the same study; the command line's numbers go before it.
    let as_file = run.join("align.toml");
    let again = ["align", "--config", arg(&as_file), "--out", arg(&run)];
    succeed(&[&again[..], &small[6..10], &["--offline"]].concat());
    std::fs::remove_file(images.join("007.png")).unwrap();
    let other = root.path().join("other");
    let place = args.len() - 1;
    let mut args = args;
    args[place] = arg(&other);
    refused(&args, 1, &["images", "stimulus 7", "no image"]);
    let betas = "nsddata_betas/ppdata/subj02/fsaverage/nsdsyntheticbetas_fithrf_GLMdenoise_RR";
    let missing = nsd.join(betas).join("rh.betas_nsdsynthetic.mgh");
    std::fs::remove_file(&missing).unwrap();
    let looked = succeed(&[&args[..], &["--dry-run"]].concat());
    assert!(looked.stdout.contains("1 files of responses are missing"));
    assert!(looked.stdout.contains("rh.betas_nsdsynthetic.mgh"));
}

/// Two sessions of the main experiment, under NSD's own names.
#[test]
fn the_core_study_runs_end_to_end() {
    let root = folder();
    let [nsd, images, run] = ["nsd", "images", "run"].map(|name| root.path().join(name));
    write_core(&nsd);
    let trials = (0..N_SESSIONS).flat_map(|session| (0..TRIALS).map(move |trial| (session, trial)));
    let shared = trials.filter_map(|(session, trial)| shared_image(session, trial));
    let shared: std::collections::BTreeSet<u64> = shared.collect();
    for stimulus in &shared {
        let path = images.join(format!("{stimulus:05}.png"));
        write_png(&path, &picture(&stimulus.to_string(), 32, 30.0)).unwrap();
    }
    let args = [
        "align",
        "--preset",
        "nsd-core",
        "--nsd",
        arg(&nsd),
        "--subjects",
        "1,2",
        "--sessions",
        "2",
        "--sources",
        "resnet18-untrained-42",
        "--stimuli",
        arg(&images),
        "--null",
        "1",
        "--controls",
        "target-pca",
        "--offline",
        "--out",
        arg(&run),
    ];
    let looked = succeed(&[&args[..], &["--dry-run"]].concat());
    let units = "28 target units, 36 stimuli, 1 models and 1 other subjects";
    assert!(looked.stdout.contains(units), "{}", looked.stdout);
    assert!(!looked.stdout.contains("missing"), "{}", looked.stdout);
    let outside = "regions of 28 of 28 target units are outside the paper's range of 307 to 1117 (median 604.5; here ";
    assert!(looked.stdout.contains(outside), "{}", looked.stdout);
    let ran = succeed(&args);
    assert!(ran.stderr.contains(outside), "{}", ran.stderr);
    assert!(ran.stderr.contains(
        "regions are labels of nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz"
    ));
    // Published values are shown for the references, for other subjects, and for this model (Table 5).
    let paper: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run.join("paper.json")).unwrap()).unwrap();
    let published = paper["published"].as_array().unwrap();
    let of = |place: &str, quantity: &str| {
        let mut all = published.iter();
        all.find(|own| own["place"] == place && own["quantity"] == quantity)
            .unwrap_or_else(|| panic!("{place} {quantity}"))
    };
    let weight = of("Section 4", "weight of the first 3 reference directions");
    assert_eq!(weight["published"], 0.886);
    assert_eq!(weight["here"], paper["references"]["cumulative"][2]);
    let brains = of("Section 4", "other subjects, TopKCov at k = 1");
    assert_eq!(brains["published"], 0.959);
    let own = of("Table 5", "accuracy");
    assert_eq!(
        (&own["of"], &own["published"]),
        (&"resnet18-untrained-42".into(), &0.239.into())
    );
    let found = record(&run);
    assert_eq!(own["here"], found["sources"][1]["accuracy"]["mean"]);
    assert!(
        ran.stdout.contains("Beside the paper's Table 5"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("Here: 2 subjects, 28 target units"),
        "{}",
        ran.stdout
    );
    // Values of the main text's models are not shown without these.
    assert!(
        published
            .iter()
            .all(|own| own["place"] != "Table 3" && own["place"] != "Table 4")
    );
    assert_eq!(found["units"].as_array().unwrap().len(), 28);
    let stimuli: Vec<u64> = serde_json::from_value(found["stimuli"].clone()).unwrap();
    assert!(stimuli.iter().eq(&shared));
    assert_eq!(found["sources"][1]["source"], "resnet18-untrained-42");
    assert!(
        std::fs::read_to_string(run.join("align.toml"))
            .unwrap()
            .contains("sessions = [2, 2, 2, 2")
    );
    let session =
        "nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/rh.betas_session02.mgh";
    std::fs::remove_file(nsd.join(session)).unwrap();
    let other = root.path().join("other");
    let mut args = args;
    args[args.len() - 1] = arg(&other);
    refused(&args, 1, &["subj02", "rh.betas_session02.mgh", "not found"]);
    let synthetic = args.map(|own| {
        if own == "nsd-core" {
            "nsd-synthetic"
        } else {
            own
        }
    });
    refused(&synthetic, 2, &["--sessions 2", "nsd-core"]);
}
