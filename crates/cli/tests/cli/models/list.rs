//! `neurogauge models`: the list of published weights and licences.

use crate::support::*;

#[test]
fn the_list_says_for_each_model_what_is_published_and_what_its_licence_forbids() {
    let list = folder().succeed("list models").stdout;
    let about = |id: &str| {
        let start = list.find(&format!("{id}\n  ")).unwrap();
        let lines: Vec<&str> = list[start..].lines().skip(1).take_while(|line| line.starts_with("  ")).collect();
        format!("{id}\n{}\n", lines.join("\n"))
    };
    let models = ["swav_resnet50", "alexnet", "efficientnet_b1", "clip_vit_l_14"];
    assert_snapshot!(models.map(about).concat(), @"
    swav_resnet50
      purpose  avgpool for SwAV
      source   ResNet-50, https://dl.fbaipublicfiles.com/deepcluster/swav_800ep_pretrain.pth.tar (800ep)
      licence  CC-BY-NC-4.0, about 94 MB, sha256 not published
      terms    commercial use is forbidden
      paper    Caron et al. (2020), Unsupervised Learning of Visual Features by Contrasting Cluster Assignments, NeurIPS
      weights  not here; `neurogauge models fetch` downloads it
    alexnet
      purpose  features.4 and features.11 for AlexNet(2) and AlexNet(5); LPIPS
      source   AlexNet, https://download.pytorch.org/models/alexnet-owt-7be5be79.pth (IMAGENET1K_V1)
      licence  BSD-3-Clause, 244 MB, sha256 7be5be791159472b1fbf3c69796f7cb30dca7ad8466c2df70058c37116cdee02
      terms    the licence is torchvision's; the weights were trained on ImageNet, whose terms are for non-commercial research, and torchvision leaves it to the user to determine whether these bind the weights
      paper    Krizhevsky (2014), One weird trick for parallelizing convolutional neural networks
      weights  not here; `neurogauge models fetch` downloads it
    efficientnet_b1
      purpose  avgpool for EffNet and SEED; class logits
      source   EfficientNet-B1, https://download.pytorch.org/models/efficientnet_b1-c27df63c.pth (IMAGENET1K_V2)
      licence  BSD-3-Clause, about 31 MB, sha256 c27df63c... (no more of it is published)
      terms    the licence is torchvision's; the weights were trained on ImageNet, whose terms are for non-commercial research, and torchvision leaves it to the user to determine whether these bind the weights
      paper    Tan and Le (2019), EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, ICML
      weights  not here; `neurogauge models fetch` downloads it
    clip_vit_l_14
      purpose  image embedding for CLIP
      source   CLIP ViT-L/14, https://openaipublic.azureedge.net/clip/models/b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836/ViT-L-14.pt (openai)
      licence  MIT, 933 MB, sha256 b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836
      paper    Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision, ICML
      weights  not here; `neurogauge models fetch` downloads it
    ");
}

#[test]
fn what_the_licence_forbids_is_said_at_fetch_time_even_if_nothing_can_be_fetched() {
    let dir = folder();
    assert_snapshot!(dir.refusals("models fetch", &["swav_resnet50 --offline"], "none"), @r#"
    swav_resnet50 --offline
      exit 1, stderr:
      swav_resnet50: licence CC-BY-NC-4.0
      swav_resnet50: commercial use is forbidden
      1 of 1 are not on this machine: about 94 MB
        swav_resnet50  about 94 MB
      error: the weights of swav_resnet50 are not on this machine, and downloading is not allowed.
      [HOW TO FETCH swav_resnet50]
    "#);
    // Other snapshots omit this part.
    let offline = dir.run("models fetch swav_resnet50 --offline").stderr;
    let how = &offline[offline.find("Fetch this").unwrap()..];
    assert_snapshot!(how.replace(arg(&no_cache()), "[CACHE]"), @"
    Fetch this:
      https://dl.fbaipublicfiles.com/deepcluster/swav_800ep_pretrain.pth.tar  about 94 MB  sha256 not published
    and put them into
      [CACHE]/models/swav_resnet50/800ep
    or into any folder DIR (or DIR/swav_resnet50) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    ");
}

#[test]
fn a_file_of_which_no_hash_is_published_is_recorded_and_checked_from_then_on() {
    let dir = folder();
    let verify = "models verify swav_resnet50 --weights .";
    dir.write("swav_800ep_pretrain.pth.tar", "weights");
    assert_snapshot!(dir.succeed(verify), @"
    exit 0, stdout: .: every file has the recorded SHA-256
    stderr: swav_resnet50: the weights have SHA-256 [HASH]; no hash of it is published, so this one is recorded beside the file and the file is checked against it from now on
    ");
    dir.write("swav_800ep_pretrain.pth.tar", "other weights");
    assert_snapshot!(dir.run(verify), @"exit 1, stderr: error: ./swav_800ep_pretrain.pth.tar is not the published file of swav_resnet50: it has 13 bytes and SHA-256 [HASH], expected SHA-256 [HASH] (recorded beside it when it was first used); nothing was loaded. Remove the file and fetch it again");

    // A file whose hash begins with other digits is refused.
    dir.write("efficientnet_b1/efficientnet_b1-c27df63c.pth", "weights");
    let ran = dir.run("models verify efficientnet_b1 --weights .");
    ran.says(&["has 7 bytes and SHA-256 9a12"]);
    assert_snapshot!(ran, @"exit 1, stderr: error: ./efficientnet_b1/efficientnet_b1-c27df63c.pth is not the published file of efficientnet_b1: it has 7 bytes and SHA-256 [HASH], expected SHA-256 c27df63c... (no more of it is published); nothing was loaded. Remove the file and fetch it again");
}

#[test]
fn a_folder_given_for_one_model_is_not_taken_for_another_of_the_same_file_names() {
    let ran = folder().run(&format!("models verify clip_vit_l_14_hf --weights {}", arg(&weights())));
    assert_eq!((ran.code, &*ran.stdout), (1, ""));
    ran.says(&["the weights of clip_vit_l_14_hf are not on this machine"]);
}

#[test]
fn a_model_of_images_is_no_text_encoder() {
    let dir = folder();
    dir.write("captions.json", r#"{"1": "a dog", "2": "a cat"}"#);
    let score = "score --gt captions=captions.json --recon captions=captions.json --out run";
    assert_snapshot!(dir.refusals(score, &["--set text_encoder=alexnet"], "run"), @r#"
    --set text_encoder=alexnet
      exit 2, stderr: error: no model is called "alexnet"; known models: all-MiniLM-L6-v2, all-mpnet-base-v2, Qwen3-Embedding-0.6B, clip_vit_b_32_text
    "#);
}
