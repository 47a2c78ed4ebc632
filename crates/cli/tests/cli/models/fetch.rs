//! `neurogauge models fetch` of sets and plans, and `neurogauge cite`.

use crate::support::{folder, image_folders};
use biblatex::{Bibliography, ChunksExt};
use insta::assert_snapshot;

#[test]
fn all_that_is_missing_is_listed_at_once() {
    let dir = folder();
    let missing = ["nsd8", "seed efficientnet_b1", "clip"].map(|what| {
        let ran = dir.run(&format!("models fetch {what} --offline"));
        // Where the files are looked for depends on the machine.
        let messages = ran.messages();
        let lines = messages.lines().filter(|line| !line.starts_with("Fetch") && !line.starts_with("Put"));
        format!("{what}: exit {}\n{}\n", ran.code, lines.collect::<Vec<_>>().join("\n"))
    });
    assert_snapshot!(missing.concat(), @"
    nsd8: exit 1
    alexnet: licence BSD-3-Clause
    alexnet: the licence is torchvision's; the weights were trained on ImageNet, whose terms are for non-commercial research, and torchvision leaves it to the user to determine whether these bind the weights
    inception_v3: licence BSD-3-Clause
    inception_v3: the licence is torchvision's; the weights were trained on ImageNet, whose terms are for non-commercial research, and torchvision leaves it to the user to determine whether these bind the weights
    clip_vit_l_14: licence MIT
    efficientnet_b1: licence BSD-3-Clause
    efficientnet_b1: the licence is torchvision's; the weights were trained on ImageNet, whose terms are for non-commercial research, and torchvision leaves it to the user to determine whether these bind the weights
    swav_resnet50: licence CC-BY-NC-4.0
    swav_resnet50: commercial use is forbidden
    5 of 5 are not on this machine: 1.3 GB, and 2 of a size that is not published
      alexnet          244 MB
      inception_v3     109 MB
      clip_vit_l_14    933 MB
      efficientnet_b1  size not published
      swav_resnet50    size not published
    error: the weights of alexnet are not on this machine, and downloading is not allowed.
      https://download.pytorch.org/models/alexnet-owt-7be5be79.pth   244408911 bytes  sha256 [HASH]
    and put them into
      [CACHE]/models/alexnet/IMAGENET1K_V1
    or into any folder DIR (or DIR/alexnet) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of inception_v3 are not on this machine, and downloading is not allowed.
      https://download.pytorch.org/models/inception_v3_google-0cc3c7bd.pth   108949747 bytes  sha256 [HASH]
    and put them into
      [CACHE]/models/inception_v3/IMAGENET1K_V1
    or into any folder DIR (or DIR/inception_v3) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of clip_vit_l_14 are not on this machine, and downloading is not allowed.
      https://openaipublic.azureedge.net/clip/models/[HASH]/ViT-L-14.pt   932768134 bytes  sha256 [HASH]
    and put them into
      [CACHE]/models/clip_vit_l_14/openai
    or into any folder DIR (or DIR/clip_vit_l_14) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of efficientnet_b1 are not on this machine, and downloading is not allowed.
      https://download.pytorch.org/models/efficientnet_b1-c27df63c.pth  size not published  sha256 c27df63c... (no more of it is published)
    and put them into
      [CACHE]/models/efficientnet_b1/IMAGENET1K_V2
    or into any folder DIR (or DIR/efficientnet_b1) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of swav_resnet50 are not on this machine, and downloading is not allowed.
      https://dl.fbaipublicfiles.com/deepcluster/swav_800ep_pretrain.pth.tar  size not published  sha256 not published
    and put them into
      [CACHE]/models/swav_resnet50/800ep
    or into any folder DIR (or DIR/swav_resnet50) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    seed efficientnet_b1: exit 1
    mm_grounding_dino_swin_l: licence Apache-2.0
    git_large_coco: licence MIT
    all-MiniLM-L6-v2: licence Apache-2.0
    efficientnet_b1: licence BSD-3-Clause
    efficientnet_b1: the licence is torchvision's; the weights were trained on ImageNet, whose terms are for non-commercial research, and torchvision leaves it to the user to determine whether these bind the weights
    4 of 4 are not on this machine: 91 MB, and 3 of a size that is not published
      mm_grounding_dino_swin_l  size not published
      git_large_coco            size not published
      all-MiniLM-L6-v2          91 MB
      efficientnet_b1           size not published
    error: the weights of mm_grounding_dino_swin_l are not on this machine, and downloading is not allowed.
      config.json        size not published  sha256 not published
      tokenizer.json     size not published  sha256 not published
      model.safetensors  size not published  sha256 not published
    and put them into
      [CACHE]/models/mm_grounding_dino_swin_l/main
    or into any folder DIR (or DIR/mm_grounding_dino_swin_l) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of git_large_coco are not on this machine, and downloading is not allowed.
      config.json            size not published  sha256 not published
      tokenizer_config.json  size not published  sha256 not published
      tokenizer.json         size not published  sha256 not published
      model.safetensors      size not published  sha256 not published
    and put them into
      [CACHE]/models/git_large_coco/main
    or into any folder DIR (or DIR/git_large_coco) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of all-MiniLM-L6-v2 are not on this machine, and downloading is not allowed.
      config.json                       612 bytes  sha256 [HASH]
      sentence_bert_config.json          53 bytes  sha256 [HASH]
      tokenizer.json                 466247 bytes  sha256 [HASH]
      model.safetensors            90868376 bytes  sha256 [HASH]
    and put them into
      [CACHE]/models/all-MiniLM-L6-v2/[HASH]
    or into any folder DIR (or DIR/all-MiniLM-L6-v2) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    error: the weights of efficientnet_b1 are not on this machine, and downloading is not allowed.
      https://download.pytorch.org/models/efficientnet_b1-c27df63c.pth  size not published  sha256 c27df63c... (no more of it is published)
    and put them into
      [CACHE]/models/efficientnet_b1/IMAGENET1K_V2
    or into any folder DIR (or DIR/efficientnet_b1) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    clip: exit 1
    clip_vit_l_14: licence MIT
    1 of 1 are not on this machine: 933 MB
      clip_vit_l_14  933 MB
    error: the weights of clip_vit_l_14 are not on this machine, and downloading is not allowed.
      https://openaipublic.azureedge.net/clip/models/[HASH]/ViT-L-14.pt   932768134 bytes  sha256 [HASH]
    and put them into
      [CACHE]/models/clip_vit_l_14/openai
    or into any folder DIR (or DIR/clip_vit_l_14) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    ");
    // One name is offered, and not the list of all.
    let unknown = ["nowhere/plan.json", "nsd9", "clipp", "clip-vit"];
    assert_snapshot!(dir.refusals("models fetch", &unknown, "none"), @r#"
    nowhere/plan.json
      exit 2, stderr: error: nowhere/plan.json: there is no such plan or run
    nsd9
      exit 2, stderr: error: nothing is called "nsd9" (did you mean "nsd8"?); expected a model (`neurogauge models list` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    clipp
      exit 2, stderr: error: nothing is called "clipp" (did you mean "clip"?); expected a model (`neurogauge models list` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    clip-vit
      exit 2, stderr: error: nothing is called "clip-vit" (did you mean "clip_vit_l_14"?); expected a model (`neurogauge models list` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    "#);
}

#[test]
fn a_plan_and_a_run_name_their_models() {
    let dir = folder();
    image_folders(dir.path(), &["a", "b"]);
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
    assert_snapshot!(dir.run("cite ."), @"exit 2, stderr: error: .: there is no record of a result (run.json, align.json, compare.json, meta.json)");
}

#[test]
fn a_methods_paragraph_says_what_decided_the_numbers_of_runs_and_their_comparison() {
    let dir = folder();
    image_folders(dir.path(), &["a", "b", "c"]);
    dir.succeed("score gt recon --out one --metrics pixcorr,psnr --pixel-size 32");
    dir.succeed("score gt gt --out other --metrics pixcorr,psnr --pixel-size 32");
    dir.succeed("compare one other --holm all --out both");
    let printed = dir.succeed("cite --methods one other both").stdout;
    for part in [
        "3 pairs of stimulus and reconstruction in each of 2 runs were scored with Neurogauge 0.1.0.",
        "Higher values are better for PixCorr",
        "Images were prepared by the preset nsd8-mindeye2; options of metrics differed from the defaults of this version in pixels.size_px",
        "Means are over pairs with a value and have 95% intervals for new stimuli (studentised bootstrap, 2000 resamples, seed 42).",
        "2 systems were compared over the pairs for which all of them have a value, by two-sided sign-flip tests of the paired differences",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
    assert_eq!(printed.lines().count(), 1);
    assert!(!dir.succeed("cite --methods one").stdout.contains("compared"));
    assert_snapshot!(dir.run("cite --methods both"), @"exit 2, stderr: error: --methods: there is no run; expected folders of finished runs (run.json), and at most comparisons of them (compare.json)");
}
