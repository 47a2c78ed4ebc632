//! `neurogauge align --preset`: the recovery paper's study, and its estimated cost.

use crate::support::nsd_folder::{N_SESSIONS, N_SYNTHETIC, TRIALS, shared_image, write_core, write_synthetic};
use crate::support::*;
use neurogauge::align::AlignConfig;
use neurogauge_recovery::PresetRequest;

fn of_core(nsd: &Path) -> PresetRequest {
    PresetRequest {
        nsd: nsd.to_owned(),
        ..PresetRequest::default()
    }
}

/// `make written` rewrites it.
#[test]
fn the_written_example_is_the_preset() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let path = examples.join("recovery-paper.toml");
    let text = of_core(Path::new("nsd")).text().unwrap();
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let example = AlignConfig::read(&path).unwrap();
    let preset = of_core(&examples.join("nsd")).config().unwrap();
    assert_eq!(example, preset);
    // Table 5 has nineteen trained models and six untrained ones; Table 4 has three more seeds for four of the latter.
    let seeds: Vec<&str> = preset
        .sources
        .iter()
        .filter_map(|source| source.model.as_ref()?.split_once("-untrained-"))
        .map(|(_, seed)| seed)
        .collect();
    assert_eq!((preset.sources.len(), seeds.len()), (37, 18));
    assert_eq!(seeds.iter().filter(|seed| **seed == "42").count(), 6);
}

/// Figure 10: the seven models of its two families, and what the main text adds: VGG-16 and ResNet-18, and its four
/// architectures untrained with the seed of cases. VGG-16 has five layers, the others four.
#[test]
fn layers_are_sources_on_request() {
    let request = PresetRequest {
        models: ["all", "layers"].map(str::to_owned).to_vec(),
        ..of_core(Path::new("nsd"))
    };
    let config = request.config().unwrap();
    let of_layers: Vec<&str> =
        config.sources.iter().filter(|own| own.each_layer).filter_map(|own| own.model.as_deref()).collect();
    assert_eq!((config.sources.len(), of_layers.len()), (37 + 13, 7 + 2 + 4));
    assert!(of_layers.contains(&"vit_b_16-untrained-42") && !of_layers.contains(&"vit_b_16-untrained-0"));
    let apart = config.resolved().unwrap().sources.iter().filter(|own| own.each_layer).count();
    assert_eq!(apart, 4 * 13 + 2);
}

#[test]
fn a_dry_run_says_what_is_missing_and_does_nothing() {
    let dir = folder();
    let start = "align --preset nsd-core --nsd nsd --out run";
    let printed =
        |atlas: &str| dir.succeed(&format!("{start} --dry-run {atlas}")).stdout.replace(arg(dir.path()), "[DIR]");
    let plan = printed("");
    // The time depends on the machine.
    let (before, time) = plan.split_once("Estimated time").unwrap();
    // Without most files.
    let shown = before.lines().filter(|line| !line.contains("betas_session"));
    assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @"
    112 target units, 515 stimuli, 37 models and 7 other subjects as sources of each

    Regions: labels of nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz

    Weights of 19 models are missing, about 11 GB; `neurogauge models fetch` downloads them, and so does the run if you allow it:
      resnet18 (47 MB)
      resnet50 (103 MB)
      dino_resnet50 (about 94 MB)
      clip_rn50 (256 MB)
      robust_resnet50 (about 102 MB)
      vgg16 (553 MB)
      convnext_tiny (about 114 MB)
      vit_b_16 (346 MB)
      clip_vit_b_16 (351 MB)
      dinov3_vit_b_16 (about 343 MB)
      swin_t (113 MB)
      siglip2_vit_so400m_14 (about 1.7 GB)
      siglip2_vit_so400m_16 (about 1.7 GB)
      siglip2_vit_so400m_16_gap (about 1.7 GB)
      siglip2_vit_b_16 (about 372 MB)
      dfn_clip_vit_l_14 (about 1.2 GB)
      mobileclip2_vit_b (about 345 MB)
      pe_core_vit_b_16 (about 375 MB)
      pe_core_vit_l_14_336 (about 1.3 GB)

    571 files of responses are missing:
      [DIR]/nsd/nsddata/experiments/nsd/nsd_expdesign.mat
      [DIR]/nsd/nsddata/freesurfer/fsaverage/label/lh.Kastner2015.mgz
      [DIR]/nsd/nsddata/freesurfer/fsaverage/label/rh.Kastner2015.mgz
      and 559 more

    Images: [DIR]/nsd/nsddata_stimuli/stimuli/nsd/nsd_stimuli.hdf5: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    ");
    let (time, memory) = time.split_once("Memory: about ").unwrap();
    assert!(!time.contains("untrained"), "{time}");
    assert!(memory.contains("responses in files that are missing or are no arrays"), "{memory}");
    let regions = |text: String| -> Vec<String> {
        text.lines().filter(|line| line.contains("mgz")).map(|line| format!("{}\n", line.trim())).collect()
    };
    assert_snapshot!(regions(printed("--atlas prf-visualrois")).concat(), @"
    Regions: labels of nsddata/freesurfer/fsaverage/label/{hemisphere}.prf-visualrois.mgz
    [DIR]/nsd/nsddata/freesurfer/fsaverage/label/lh.prf-visualrois.mgz
    [DIR]/nsd/nsddata/freesurfer/fsaverage/label/rh.prf-visualrois.mgz
    ");
    let own = regions(printed("--atlas labels/{subject}.{hemisphere}.mgz"));
    assert_snapshot!(own[own.len() - 2..].concat(), @"
    [DIR]/nsd/labels/subj06.lh.mgz
    [DIR]/nsd/labels/subj06.rh.mgz
    ");
    assert_snapshot!(dir.refusals(start, &["--atlas Wang --dry-run", "--sources main,siglip"], "run"), @"
    --atlas Wang --dry-run
      exit 2, stderr: error: --atlas Wang: expected kastner2015, prf-visualrois, or a file of labels on fsaverage below the dataset's folder with {hemisphere} (and {subject}) in its name
    --sources main,siglip
      exit 2, stderr: error: --sources siglip: the paper has no such model; it has resnet18, resnet50, dino_resnet50, clip_rn50, robust_resnet50, vgg16, convnext_tiny, vit_b_16, clip_vit_b_16, dinov3_vit_b_16, swin_t, siglip2_vit_so400m_14, siglip2_vit_so400m_16, siglip2_vit_so400m_16_gap, siglip2_vit_b_16, dfn_clip_vit_l_14, mobileclip2_vit_b, pe_core_vit_b_16, pe_core_vit_l_14_336, resnet18-untrained-42, resnet18-untrained-0, resnet18-untrained-1, resnet18-untrained-2, resnet50-untrained-42, resnet50-untrained-0, resnet50-untrained-1, resnet50-untrained-2, vgg16-untrained-42, vgg16-untrained-0, vgg16-untrained-1, vgg16-untrained-2, convnext_tiny-untrained-42, vit_b_16-untrained-42, vit_b_16-untrained-0, vit_b_16-untrained-1, vit_b_16-untrained-2, swin_t-untrained-42; groups of them: all, main, untrained, layers
    ");
    assert!(!dir.has("run"));
}

/// A small study with NSD's own file names, and untrained networks that look at pictures.
#[test]
fn the_preset_runs_end_to_end() {
    let dir = folder();
    write_synthetic(&dir.join("nsd"));
    for stimulus in 0..N_SYNTHETIC {
        dir.picture(format!("images/{stimulus:03}.png"), &stimulus.to_string(), 32, 30.0);
    }
    let small = "--null 1 --null-keep --null-p draws --controls target-pca,fixed-rank --offline --no-figures";
    let preset = format!(
        "align --preset nsd-synthetic --nsd nsd --subjects 1,2 --sources resnet18-untrained-42 \
         --stimuli images {small} --stimulus-scores"
    );
    let looked = || dir.succeed(&format!("{preset} --out run --dry-run")).stdout.replace(arg(dir.path()), "[DIR]");
    let before = looked();
    let units = "28 target units, 36 stimuli, 1 models and 1 other subjects";
    assert!(before.contains(units) && !before.contains("missing"), "{before}");
    dir.succeed(&format!("{preset} --out run"));
    let found = dir.json("run/align.json");
    assert_eq!(found["units"].list().len(), 28);
    let blocks = &found["sources"][1];
    assert_eq!(blocks["source"], "resnet18-untrained-42");
    assert_eq!(blocks["layers"], "residual stages 1, 2, 3, and 4");
    // The paper has no numbers for NSD-synthetic.
    assert_eq!(dir.json("run/paper.json")["published"], serde_json::json!([]));
    let stimuli = dir.json("run/stimuli.json");
    assert_eq!(stimuli["units"].list().len(), 28);
    let beside = |place: usize, key: &str| stimuli["sources"][place][key].clone();
    assert_eq!(beside(3, "source"), "resnet18-untrained-42");
    assert_eq!([3, 4, 5].map(|place| beside(place, "score")), ["accuracy", "ProfileMean", "FullRefCov"]);
    for place in 0..6 {
        let of = |key: &str| beside(place, key)["mean"].number();
        assert!(of("value") > 0.0 && of("ceiling") > 0.0 && of("share") > 0.0);
    }
    assert!(dir.has("run/stimulus_scores.parquet"));
    // The file in the run's folder defines the same study; numbers on the command line take precedence.
    dir.succeed(&format!("align --config run/align.toml --out run {small}"));
    // A different study is refused there, and the file does not change.
    let written = dir.read("run/align.toml");
    let other = preset.replace("--subjects 1,2", "--subjects 1,2,3");
    assert_ne!(dir.run(&format!("{other} --out run")).code, 0);
    assert_eq!(dir.read("run/align.toml"), written);
    dir.remove("images/007.png");
    assert_snapshot!(dir.run(&format!("{preset} --out other")), @"exit 1, stderr: error: [DIR]/images: stimulus 7: no image is called by its number or name, such as 12.png, 00012.png or dog_12s.jpg");
    dir.remove(
        "nsd/nsddata_betas/ppdata/subj02/fsaverage/nsdsyntheticbetas_fithrf_GLMdenoise_RR/rh.betas_nsdsynthetic.mgh",
    );
    let after = looked();
    let missing: Vec<&str> = after.lines().skip_while(|line| !line.contains("missing")).take(2).collect();
    assert_snapshot!(missing.join("\n"), @"
    1 files of responses are missing:
      [DIR]/nsd/nsddata_betas/ppdata/subj02/fsaverage/nsdsyntheticbetas_fithrf_GLMdenoise_RR/rh.betas_nsdsynthetic.mgh
    ");
}

/// Two sessions of the main experiment, with NSD's own file names.
#[test]
fn the_core_study_runs_end_to_end() {
    let dir = folder();
    write_core(&dir.join("nsd"));
    let trials = (0..N_SESSIONS).flat_map(|session| (0..TRIALS).map(move |trial| (session, trial)));
    let shared = trials.filter_map(|(session, trial)| shared_image(session, trial));
    let shared: BTreeSet<u64> = shared.collect();
    for stimulus in &shared {
        dir.picture(format!("images/{stimulus:05}.png"), &stimulus.to_string(), 32, 30.0);
    }
    let align = |preset: &str, out: &str| {
        format!(
            "align --preset {preset} --nsd nsd --subjects 1,2 --sessions 2 --sources resnet18-untrained-42 --stimuli images --null 1 --null-keep --null-p draws \
             --controls target-pca --offline --no-figures --out {out}"
        )
    };
    let core = align("nsd-core", "run");
    let looked = dir.succeed(&format!("{core} --dry-run")).stdout;
    let units = "28 target units, 36 stimuli, 1 models and 1 other subjects";
    assert!(looked.contains(units) && !looked.contains("missing"), "{looked}");
    let outside = "regions of 28 of 28 target units are outside the paper's range of 307 to 1117 (median 604.5; here ";
    assert!(looked.contains(outside), "{looked}");
    let ran = dir.succeed(&core);
    ran.says(&[outside, "regions are labels of nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz"]);
    contains(&dir.read("run/paper.md"), &["Beside the paper's Table 5", "Here: 2 subjects, 28 target units"]);
    // Published values are shown for the references, for other subjects, and for this model (Table 5).
    let paper = dir.json("run/paper.json");
    let published = paper["published"].list();
    let of = |place: &str, quantity: &str| {
        let mut all = published.iter();
        all.find(|own| own["place"] == place && own["quantity"] == quantity)
            .unwrap_or_else(|| panic!("{place} {quantity}"))
    };
    let weight = of("Section 4", "weight of the first 3 reference directions");
    assert_eq!(weight["published"], 0.886);
    assert_eq!(weight["here"], paper["references"]["cumulative"][2]);
    assert_eq!(of("Section 4", "other subjects, TopKCov at k = 1")["published"], 0.959);
    let own = of("Table 5", "accuracy");
    let found = dir.json("run/align.json");
    assert_eq!(own["of"], "resnet18-untrained-42");
    assert_eq!(own["published"], 0.239);
    assert_eq!(own["here"], found["sources"][1]["accuracy"]["mean"]);
    // Without the main text's models, their values are not shown.
    let is_shown = |table: &str| published.iter().any(|own| own["place"] == table);
    assert!(!is_shown("Table 3") && !is_shown("Table 4"));
    assert_eq!(found["units"].list().len(), 28);
    let stimuli: Vec<u64> = serde_json::from_value(found["stimuli"].clone()).unwrap();
    assert!(stimuli.iter().eq(&shared));
    assert_eq!(found["sources"][1]["source"], "resnet18-untrained-42");
    assert!(dir.read("run/align.toml").contains("sessions = [2, 2, 2, 2"));
    dir.remove("nsd/nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/rh.betas_session02.mgh");
    assert_snapshot!(dir.run(&align("nsd-core", "run")), @"exit 1, stderr: error: [DIR]/nsd/nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/rh.betas_session02.mgh: not found; expected an MGH file (.mgh or .mgz)");
    assert_snapshot!(dir.run(&align("nsd-synthetic", "other")), @"exit 2, stderr: error: --sessions 2: expected how many of the sessions of nsd-core, 1 or more");
}
