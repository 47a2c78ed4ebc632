//! `score --dry-run`.

use crate::support::*;

const OPTIONS: &str = "--metrics cap_sim,ssim,effnet --captioner placeholder-captioner --set text_encoder=placeholder --set image_models=placeholder \
                       --set pixel_size=48";

#[test]
fn it_says_what_is_observed_and_writes_nothing() {
    let dir = images(&["a", "b", "c"]);
    let score = format!("score --gt gt --recon recon --out run {OPTIONS}");
    let plan = |more: &str| dir.run_with_cache(&format!("{score} --dry-run {more}"), "cache").to_string();
    let first = plan("");
    assert_snapshot!(first, @"
    exit 0, stdout:
    observe
      gt/captions by colour-words, of gt/images: 3 items, 0 known
      recon/captions by colour-words, of recon/images: 3 items, 0 known
      gt/features by mean-colours.grid4, of gt/images: 3 items, 0 known
      recon/features by mean-colours.grid4, of recon/images: 3 items, 0 known
    compare 3 pairs
      ssim: computed
      effnet: perceived/mean-colours.grid4, rests on a placeholder
      cap_sim: computed, rests on a placeholder
    memory: about [SIZE]
    ");
    assert!(!dir.has("run") && !dir.has("cache"));
    dir.run_with_cache(&score, "cache").done();
    assert_eq!(plan("--overwrite"), first.replace("0 known", "3 known"));
}

#[test]
fn it_says_what_is_left_out_and_why() {
    let ran = images(&["a", "b"]).run("score --gt gt --recon recon --out run --dry-run").to_string();
    // Each reason once, for the first metric with it.
    let mut reasons = std::collections::HashSet::new();
    let pattern = regex::Regex::new(r"^  \w+: (needs|the weights)(.*)").unwrap();
    let features = regex::Regex::new(r"[\w.]+\.npy or \w+\.npy").unwrap();
    let is_new = |line: &&str| {
        !pattern.is_match(line) || reasons.insert(features.replace(line.split_once(": ").unwrap().1, "X").into_owned())
    };
    assert_snapshot!(ran.lines().filter(is_new).collect::<Vec<_>>().join("\n"), @"
    exit 0, stdout:
    observe: nothing; all that is compared is there
    compare 2 pairs
      pixcorr: computed
      ssim: computed
      psnr: computed
    leave out
      lpips_alex: needs images of both sides (--gt, --recon), the weights of its network and its linear heads (--lpips-heads FILE): the network is alexnet, and FILE is lpips/weights/v0.1/alex.pth of the Python package lpips, whose wheel (PyPI, version 0.1.4) carries it
      lpips_vgg: needs images of both sides (--gt, --recon), the weights of its network and its linear heads (--lpips-heads FILE): the network is vgg16, and FILE is lpips/weights/v0.1/vgg.pth of the Python package lpips, whose wheel (PyPI, version 0.1.4) carries it
      alexnet2: the weights of alexnet are not on this machine
      inception: the weights of inception_v3 are not on this machine
      clip: the weights of clip_vit_l_14 are not on this machine
      effnet: the weights of efficientnet_b1 are not on this machine
      swav: the weights of swav_resnet50 are not on this machine
      alexnet2_pool: needs alexnet.features.4.npy or alexnet2.npy in the features folders of both sides (--observations, or --gt features=DIR and --recon features=DIR), and the same of other images in --pool, or images of both sides and of others (--gt, --recon, --pool)
      object_recall: needs detections of both sides (--observations, or --gt detections=PATH and --recon detections=PATH), or images of both sides (--gt, --recon) and --detector MODEL
      object_f1_vlm: needs names of categories of both sides (vlm_categories.json in --observations, or --gt vlm-categories=FILE and --recon vlm-categories=FILE)
      cap_sim: needs captions of both sides (--observations, or --gt captions=FILE and --recon captions=FILE), or images of both sides (--gt, --recon) and --captioner MODEL
      seed: needs object_f1 and cap_sim and effnet
      sdm: needs object_f1 and seed
      basic_object_precision: needs scene graphs of both sides (scene_graphs.json or scene_graphs.txt in --observations, or --gt scene-graphs=FILE and --recon scene-graphs=FILE), or captions of both sides and --set parser=t5
      basic_h: needs basic_object_f1 and basic_attribute_f1 and basic_relation_f1
      salient_iou: needs masks of both sides (--observations, with gt/masks and recon/masks, or --gt masks=PATH and --recon masks=PATH)
      basic_l: needs salient_iou and semantic_iou and instance_iou and part_iou
      basic: needs basic_l and basic_h
    memory: about [SIZE]
    stderr:
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, cap_sim, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    note: left out, for want of weights: alexnet2, alexnet5, inception, clip, effnet, swav, alexnet2_correlation, alexnet5_correlation, inception_correlation, clip_correlation. `neurogauge models fetch alexnet inception_v3 clip_vit_l_14 efficientnet_b1 swav_resnet50` gets them, and so does asking for a metric by name with --metrics
    ");
}

#[test]
fn weights_that_are_missing_are_listed_below_the_plan_and_all_together_in_errors() {
    let dir = images(&["a", "b"]);
    let score = "score --gt gt --recon recon --out run --metrics cap_sim,object_f1,effnet";
    assert_snapshot!(dir.run(&format!("{score} --dry-run")), @"
    exit 1, stdout:
    observe
      gt/captions by git_large_coco, of gt/images: 2 items, 0 known
      recon/captions by git_large_coco, of recon/images: 2 items, 0 known
      gt/detections by mm_grounding_dino_swin_l, of gt/images: 2 items, 0 known
      recon/detections by mm_grounding_dino_swin_l, of recon/images: 2 items, 0 known
      gt/features by efficientnet_b1.avgpool, of gt/images: 2 items, 0 known
      recon/features by efficientnet_b1.avgpool, of recon/images: 2 items, 0 known
    compare 2 pairs
      effnet: perceived/efficientnet_b1.avgpool
      object_f1: computed
      cap_sim: computed
    memory: about [SIZE], and in addition that of git_large_coco and mm_grounding_dino_swin_l, which is not known before the run
    time: about [TIME], and in addition that of git_large_coco, mm_grounding_dino_swin_l and all-MiniLM-L6-v2, which is not counted
    missing weights
      git_large_coco: about 1.6 GB
      all-MiniLM-L6-v2: 91 MB
      mm_grounding_dino_swin_l: about 1.4 GB
      efficientnet_b1: about 31 MB
      fetch them: neurogauge models fetch git_large_coco all-MiniLM-L6-v2 mm_grounding_dino_swin_l efficientnet_b1
    stderr:
    error: the weights of git_large_coco (about 1.6 GB), all-MiniLM-L6-v2 (91 MB), mm_grounding_dino_swin_l (about 1.4 GB), efficientnet_b1 (about 31 MB) are not on this machine, and a dry run downloads nothing.
    Fetch them: neurogauge models fetch git_large_coco all-MiniLM-L6-v2 mm_grounding_dino_swin_l efficientnet_b1
    ");
    assert!(!dir.has("run"));
    // The run itself also names all of them at once.
    assert_snapshot!(dir.run(score), @"
    exit 1, stderr:
    error: the weights of git_large_coco are not on this machine, and downloading is not allowed.
    [HOW TO FETCH git_large_coco]
    All that are missing: git_large_coco (about 1.6 GB), all-MiniLM-L6-v2 (91 MB), mm_grounding_dino_swin_l (about 1.4 GB), efficientnet_b1 (about 31 MB); on a machine with a network: neurogauge models fetch git_large_coco all-MiniLM-L6-v2 mm_grounding_dino_swin_l efficientnet_b1
    Or give captions, so that git_large_coco is not needed: --observations, or --gt captions=FILE and --recon captions=FILE
    ");
}

/// Without a terminal there is no prompt and no download: not even an address is looked up. If allowed, a download is
/// tried.
#[test]
fn a_download_is_allowed_first() {
    let dir = images(&["a", "b"]);
    let empty = serve(dir.join("nothing"));
    let run = |more: &str| {
        let score = "score --gt gt --recon recon --out run --metrics cap_sim,effnet";
        let mut command = dir.command(&format!("{score} {more}"), "cache");
        command.env_remove("HF_HUB_OFFLINE");
        command.env("HF_ENDPOINT", &empty);
        Ran::of(&mut command)
    };
    assert_snapshot!(run(""), @"
    exit 1, stderr:
    error: the weights of git_large_coco (about 1.6 GB), all-MiniLM-L6-v2 (91 MB), efficientnet_b1 (about 31 MB) are not on this machine, and nothing is downloaded unless you allow it.
    Allow it with --yes, or fetch them first: neurogauge models fetch git_large_coco all-MiniLM-L6-v2 efficientnet_b1
    Or give captions, so that git_large_coco is not needed: --observations, or --gt captions=FILE and --recon captions=FILE
    ");
    assert_snapshot!(run("--yes"), @"
    exit 1, stderr:
    error: downloading http://127.0.0.1:[PORT]/microsoft/git-large-coco/resolve/main/config.json failed: the server answers 404 Not Found.
    [HOW TO FETCH git_large_coco]
    ");
}

#[test]
fn a_dry_run_of_a_plan_is_that_of_the_command_and_a_recorded_run_is_not_planned() {
    let dir = images(&["a", "b"]);
    let score = format!("score --gt gt --recon recon --out run {OPTIONS} --dry-run");
    let [of_score, of_plan] =
        [score.clone(), format!("cluster plan {score}")].map(|line| dir.run_with_cache(&line, "cache").to_string());
    assert!(of_score.starts_with("exit 0"), "{of_score}");
    assert_eq!(of_plan, of_score);
    assert_snapshot!(dir.run("cluster plan score --from-run nowhere --out run"), @"exit 2, stderr: error: --from-run: a recorded run is repeated by `neurogauge score --from-run RUN`, and not in shards; leave it out, and give the inputs and options of that run");
    assert!(!dir.has("run"));
}

#[test]
fn a_folder_that_refuses_the_run_is_said_below_the_plan() {
    let dir = images(&["a", "b"]);
    dir.write("notes/todo.txt", "not a run");
    let score = "score --gt gt --recon recon --metrics";
    dir.succeed(&format!("{score} psnr --out run"));
    let record = dir.read("run/run.json");
    for out in ["run", "notes", "gt"] {
        let line = format!("{score} ssim --out {out}");
        let (planned, done) = (dir.run(&format!("{line} --dry-run")), dir.run(&line));
        assert!(planned.stdout.contains("ssim: computed"), "{planned}");
        assert_ne!(done.code, 0, "{out}");
        assert_eq!((planned.code, planned.stderr), (done.code, done.stderr));
    }
    assert_eq!(dir.read("run/run.json"), record);
    // Commands that replace nothing, or are allowed to replace.
    for rest in ["psnr --out run", "ssim --out run --overwrite", "ssim --out new"] {
        dir.succeed(&format!("{score} {rest} --dry-run"));
    }
}
