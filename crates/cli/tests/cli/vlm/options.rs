//! The options, before anything is sent.

use super::caption;
use super::chat_server::{ChatServer, Reply};
use crate::support::*;

#[test]
fn prompts_are_listed_and_printed() {
    let dir = folder();
    assert_snapshot!(dir.run("list prompts"), @"
    exit 0, stdout:
    7 prompts

    id                           version  asks for         from
    basic-description            1        captions         BASIC, Appendix D.5 and Table S9, prompt 1 (Appendix C.1 has it without the full stop)
    basic-description-objects    1        captions         BASIC, Appendix D.5 and Table S9, prompt 2
    basic-description-relations  1        captions         BASIC, Appendix D.5 and Table S9, prompt 3
    basic-categories             1        categories       BASIC, Table S7 (the line breaks are ours)
    seed-objects                 1        VLM categories   SEED, Appendix B.2
    image-texts                  1        texts in images  Neurogauge; BASIC's Table 1 names text in images, and gives no prompt
    vqa-question                 1        VQA scores       VQAScore, the question of its released code; {caption} is the stimulus's

    `neurogauge list prompts ID` prints the text. The first of each kind is asked where none is named
    ");
    assert_snapshot!(dir.run("list prompts basic-description-relations"), @"exit 0, stdout: Describe the image in detail, focusing on visible objects and their relationships.");
    assert_snapshot!(dir.run("list prompts basic-desciption"), @r#"exit 2, stderr: error: no prompt is called "basic-desciption" (did you mean "basic-description"?). Known prompts: basic-description, basic-description-objects, basic-description-relations, basic-categories, seed-objects, image-texts, vqa-question"#);
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_sent() {
    let dir = images(&["a", "b"]);
    dir.write("captions.json", r#"{"a": "A dog.", "b": "A cat."}"#);
    let start = "score gt recon --out run --set text_encoder=placeholder";
    let captions = format!("{start} --metrics cap_sim");
    let table = "
    --vlm http://127.0.0.1:1
      exit 2, stderr: error: http://127.0.0.1:1: which of its models? Say what the server calls it: --vlm-model NAME
    --set vlm_tokens=9
      exit 2, stderr: error: --set vlm_tokens=9: it says how a vision-language model is asked, and there is none; say where it is: --vlm URL --vlm-model NAME
    --vlm localhost:8000 --vlm-model m
      exit 2, stderr: error: localhost:8000: expected an address such as http://localhost:8000
    ";
    dir.refuses(&captions, "run", table);
    let served = "--vlm http://127.0.0.1:1 --vlm-model m";
    let table = r#"
    --vlm-prompt basic
      exit 2, stderr: error: invalid value 'basic' for '--vlm-prompt <ID|WHAT=FILE>': no prompt is called "basic" (did you mean "basic-categories"?). Known prompts: basic-description, basic-description-objects, basic-description-relations, basic-categories, seed-objects, image-texts, vqa-question
    --vlm-prompt captions=/nowhere
      exit 2, stderr: error: /nowhere: No such file or directory
    --vlm-field messages=[]
      exit 2, stderr: error: the field "messages" of a request is made here; expected another, such as max_completion_tokens
    --vlm-field top_p=high
      exit 2, stderr: error: invalid value 'top_p=high' for '--vlm-field <FIELD=JSON>': high: expected value at line 1 column 1; expected JSON, so put words in quotes: top_p='"high"'
    --captioner git_large_coco --vlm-asks captions
      exit 2, stderr: error: --captioner and --vlm would both describe the images; leave one of them out
    --gt captions=captions.json --recon captions=captions.json --vlm-asks captions
      exit 2, stderr: error: --captioner describes the images, and there are captions already ([DIR]/captions.json); leave one of them out
    "#;
    dir.refuses(&format!("{captions} {served}"), "run", table);
    assert_snapshot!(dir.run(&format!("{start} --metrics pixcorr {served}")), @"exit 2, stderr: error: --vlm: nothing is asked of m: say what (--vlm-asks WHAT: captions, categories, vlm-categories, image-texts, vqa-scores), or name metrics that need its words (--metrics NAME)");
}

#[test]
fn a_plan_says_what_is_asked_of_whom_and_the_environment_may_name_the_server() {
    let dir = images(&["a", "b"]);
    dir.write("own.txt", "What is this?\n");
    let score = "score gt recon --out run --metrics cap_sim,object_f1_vlm --set text_encoder=placeholder --vlm-model tiny/vlm \
                 --vlm-prompt captions=own.txt";
    let ran = dir.run(score);
    assert_snapshot!(ran, @"exit 2, stderr: error: tiny/vlm is to be asked for captions, and not all of its answers are known; say where it is served: --vlm URL, or NEUROGAUGE_VLM in the environment. Models that need no server: qwen2.5-vl-7b, qwen2.5-vl-3b, clip_flant5_xl, clip_flant5_xxl, placeholder-vlm");
    assert!(!dir.has("run"), "nothing is begun");
    assert_eq!(dir.run(&format!("{score} --dry-run")).stderr, ran.stderr);
    assert_snapshot!(dir.run(&format!("{score} --vlm http://localhost:1 --dry-run")), @"
    exit 0, stdout:
    observe
      gt/captions by tiny/vlm (asked, prompt own), of gt/images: 2 items, 0 known
      recon/captions by tiny/vlm (asked, prompt own), of recon/images: 2 items, 0 known
      gt/vlm_categories by tiny/vlm (asked, prompt seed-objects), of gt/images: 2 items, 0 known
      recon/vlm_categories by tiny/vlm (asked, prompt seed-objects), of recon/images: 2 items, 0 known
    compare 2 pairs
      object_f1_vlm: computed
      cap_sim: computed, rests on a placeholder
    memory: about [SIZE], and in addition that of tiny/vlm, which is not known before the run
    ");
}

/// A plan contains no address, so its shards get it as an option.
#[test]
fn the_parts_of_a_plan_are_told_where_the_model_is_served() {
    let dir = images(&["a", "b"]);
    let server = ChatServer::start(|asked| Reply::Says(caption(asked)));
    let run = |line: &str| dir.run_with_cache(line, "cache");
    let plan =
        "cluster plan score gt recon --metrics cap_sim --set text_encoder=placeholder --vlm-model tiny/vlm --out run";
    assert_snapshot!(run(&format!("{plan} --vlm {}", server.url)).messages(), @"
    run: planned; `neurogauge cluster work run --shard I/N` does a shard, `neurogauge cluster finish run` the rest
    note: a plan keeps no address of a server, nor how it is asked: give --vlm (and --parallel, --vlm-timeout and --vlm-tries) to `neurogauge cluster work` and `neurogauge cluster finish`, or set NEUROGAUGE_VLM there
    ");
    assert!(!dir.read("run/plan.json").contains("127.0.0.1"));
    let ends = ["", "--parallel 1", "--vlm localhost:8000", "--vlm other=http://localhost:1"];
    assert_snapshot!(ends.map(|end| format!("{}\n", run(&format!("cluster work run --shard 0/2 {end}")))).concat(), @"
    exit 2, stderr: error: tiny/vlm is to be asked for captions, and not all of its answers are known; say where it is served: --vlm URL, or NEUROGAUGE_VLM in the environment. Models that need no server: qwen2.5-vl-7b, qwen2.5-vl-3b, clip_flant5_xl, clip_flant5_xxl, placeholder-vlm
    exit 2, stderr: error: --parallel says how a server is asked, and there is none; say where it is: --vlm URL
    exit 2, stderr: error: invalid value 'localhost:8000' for '--vlm <[MODEL=]URL>': expected an address such as http://localhost:8000
    exit 2, stderr: error: --vlm other=http://localhost:1: the plan asks no model of that name; it asks tiny/vlm
    ");
    for line in ["cluster work run --shard 0/2 --vlm", "cluster finish run --vlm tiny/vlm="] {
        let space = if line.ends_with('=') { "" } else { " " };
        run(&format!("{line}{space}{} --parallel 1", server.url)).done();
    }
    // Each of two images on both sides, once.
    assert_eq!(server.asked().len(), 4);
    dir.succeed("cluster plan score gt recon --metrics ssim --set pixel_size=48 --out other");
    assert_snapshot!(dir.run("cluster finish other --vlm http://localhost:1"), @"exit 2, stderr: error: --vlm http://localhost:1: nothing of this plan is asked of a vision-language model; leave it out");
}
