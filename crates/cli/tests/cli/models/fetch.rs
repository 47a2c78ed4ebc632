//! `neurogauge models fetch` of sets and plans, and `neurogauge cite`.

use crate::support::*;
use biblatex::{Bibliography, ChunksExt};

#[test]
fn all_that_is_missing_is_listed_at_once() {
    let dir = folder();
    let missing = ["nsd8", "seed efficientnet_b1", "clip"].map(|what| {
        let ran = dir.run(&format!("models fetch {what} --offline"));
        // Licences and the files of each are in `list`.
        let about = ["not on this machine", " MB", " GB"];
        format!("{what}: exit {}\n{}\n", ran.code, lines_with(&ran.messages(), &about))
    });
    assert_snapshot!(missing.concat(), @"
    nsd8: exit 1
    5 of 5 are not on this machine: about 1.4 GB
      alexnet          244 MB
      inception_v3     109 MB
      clip_vit_l_14    933 MB
      efficientnet_b1  about 31 MB
      swav_resnet50    about 94 MB
    error: the weights of alexnet are not on this machine, and downloading is not allowed.
    error: the weights of inception_v3 are not on this machine, and downloading is not allowed.
    error: the weights of clip_vit_l_14 are not on this machine, and downloading is not allowed.
    error: the weights of efficientnet_b1 are not on this machine, and downloading is not allowed.
    error: the weights of swav_resnet50 are not on this machine, and downloading is not allowed.
    seed efficientnet_b1: exit 1
    4 of 4 are not on this machine: about 3.1 GB
      mm_grounding_dino_swin_l  about 1.4 GB
      git_large_coco            about 1.6 GB
      all-MiniLM-L6-v2          91 MB
      efficientnet_b1           about 31 MB
    error: the weights of mm_grounding_dino_swin_l are not on this machine, and downloading is not allowed.
    error: the weights of git_large_coco are not on this machine, and downloading is not allowed.
    error: the weights of all-MiniLM-L6-v2 are not on this machine, and downloading is not allowed.
    error: the weights of efficientnet_b1 are not on this machine, and downloading is not allowed.
    clip: exit 1
    1 of 1 are not on this machine: 933 MB
      clip_vit_l_14  933 MB
    error: the weights of clip_vit_l_14 are not on this machine, and downloading is not allowed.
    ");
    // One name is suggested, but not the whole list.
    assert_snapshot!(dir.refusals("models fetch", &["nowhere/plan.json", "nsd9", "clipp", "clip-vit"], "none"), @r#"
    nowhere/plan.json
      exit 2, stderr: error: nowhere/plan.json: there is no such plan or run
    nsd9
      exit 2, stderr: error: nothing is called "nsd9" (did you mean "nsd8"?); expected a model (`neurogauge list models` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    clipp
      exit 2, stderr: error: nothing is called "clipp" (did you mean "clip"?); expected a model (`neurogauge list models` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    clip-vit
      exit 2, stderr: error: nothing is called "clip-vit" (did you mean "clip_vit_l_14"?); expected a model (`neurogauge list models` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    "#);
}

#[test]
fn a_plan_and_a_run_name_their_models() {
    let dir = images(&["a", "b"]);
    dir.succeed("score gt recon --out run");
    let ran = dir.run("models fetch run --offline");
    assert_eq!(ran.code, 1);
    ran.says(&["alexnet", "efficientnet_b1", "5 of 5 are not on this machine"]);

    let cited = dir.succeed("cite run run").stdout;
    let keys: Vec<&str> = cited.lines().filter(|line| line.starts_with('@')).collect();
    assert_snapshot!(keys.join(" "), @"@software{neurogauge, @inproceedings{scotti2024mindeye2, @article{wang2004image,");
    let bibliography = Bibliography::parse(&cited).unwrap();
    let ssim = bibliography.get("wang2004image").unwrap();
    assert_eq!(ssim.author().unwrap().len(), 4);
    assert_eq!(ssim.doi().unwrap(), "10.1109/TIP.2003.819861");
    assert_eq!(ssim.get("pages").unwrap().format_verbatim(), "600–612");
    let mindeye2 = bibliography.get("scotti2024mindeye2").unwrap();
    assert_eq!(mindeye2.author().unwrap()[0].name, "Scotti");
    assert!(mindeye2.get("booktitle").is_some());
    assert_snapshot!(dir.run("cite ."), @"exit 1, stderr: error: .: there is no record of a result (run.json, align.json, compare.json, meta.json)");
}

#[test]
fn a_methods_paragraph_says_what_decided_the_numbers_of_runs_and_their_comparison() {
    let dir = images(&["a", "b", "c"]);
    dir.succeed("score gt recon --out one --metrics pixcorr,psnr --set pixel_size=32");
    dir.succeed("score gt gt --out other --metrics pixcorr,psnr --set pixel_size=32");
    dir.succeed("compare one other --holm all --out both");
    let printed = dir.succeed("cite --methods one other both").stdout;
    assert!(
        printed.contains("3 pairs of stimulus and reconstruction in each of 2 runs were scored with Neurogauge 0.1.0."),
        "{printed}"
    );
    assert!(printed.contains("Higher values are better for PixCorr"), "{printed}");
    assert!(printed.contains("Images were prepared by the preset nsd8-mindeye2; options of metrics differed from the defaults of this version in pixels.size_px"), "{printed}");
    assert!(printed.contains("Means are over pairs with a value and have 95% intervals for new stimuli (studentised bootstrap, 2000 resamples, seed 42)."), "{printed}");
    assert!(printed.contains("2 systems were compared over the pairs for which all of them have a value, by two-sided sign-flip tests of the paired differences"), "{printed}");
    assert_eq!(printed.lines().count(), 1);
    assert!(!dir.succeed("cite --methods one").stdout.contains("compared"));
    assert_snapshot!(dir.run("cite --methods both"), @"exit 2, stderr: error: --methods: there is no run; expected folders of finished runs (run.json), and at most comparisons of them (compare.json)");
}
