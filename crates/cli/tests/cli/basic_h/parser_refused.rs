//! A caption parser's inputs, and the messages if one is missing.

use super::parser::{Setting, both_sides, score};
use crate::support::*;

#[test]
fn what_is_lacking_is_said() {
    let setting = Setting::new();
    let dir = &setting.dir;
    fs::create_dir(dir.join("nowhere")).unwrap();
    let table = "
    --with factual_t5 --offline --weights nowhere
      exit 2, stderr:
      error: the following required arguments were not provided:
        --images <PATH>

      Usage: neurogauge perceive --out <DIR> --with <MODEL[:LAYER[:POOLING]],...> --offline --weights <DIR> --images <PATH>
    --captions captions.json --with factual_t5 --offline --weights nowhere
      exit 1, stderr:
      error: the weights of factual_t5 are not on this machine, and downloading is not allowed.
      [HOW TO FETCH factual_t5]
      Weights of your own: --checkpoint factual_t5=FILE, with config.json and tokenizer.json beside FILE. Without weights, scene graphs may come from files: gt/scene_graphs.json and recon/scene_graphs.json in --observations, or --gt scene-graphs=FILE and --recon scene-graphs=FILE of `neurogauge score`
    --images nowhere --with factual_t5 --offline --weights nowhere
      exit 2, stderr: error: --with factual_t5: a parser reads captions; give them with --captions FILE, or name a captioner too (--with git_large_coco,factual_t5)
    --captions captions.json --with alexnet
      exit 2, stderr: error: --captions captions.json: only a parser reads captions; add it, --with factual_t5
    --captions captions.json --with factual_t5,alexnet
      exit 2, stderr: error: --with alexnet: it looks at images, and there are none; give them with --images
    --captions captions.json --with factual_t5:encoder
      exit 2, stderr: error: --with factual_t5: a parser has no layers to ask for; write factual_t5 alone
    --captions absent.json --with factual_t5 --checkpoint factual_t5=parser/model.safetensors
      exit 1, stderr: error: absent.json: not found; expected captions as JSON, a table, or SEED's .npy
    ";
    dir.refuses("perceive --out other", "other", table);
    assert_snapshot!(setting.perceive("other", "--punkt nowhere"), @"exit 1, stderr: error: nowhere/abbrev_types.txt: not found; expected a file of Punkt's parameters. The folder is punkt_tab/english of nltk_data; without it, sentences are split by the rules of this program");
    dir.write("other/scene_graphs.json", r#"{"1": {"objects": ["mine"]}}"#);
    assert_snapshot!(setting.perceive("other", ""), @"exit 1, stderr: error: other/scene_graphs.json: not written by neurogauge (it has no scene_graphs.recipe.json beside it), so it is not replaced; choose another --out or move it");

    for side in ["gt", "recon"] {
        fs::create_dir(dir.join(side)).unwrap();
    }
    let without_captions = score(&setting, "run", "--set parser=t5");
    both_sides(&setting);
    let graphs = "other/scene_graphs.json";
    let said = [
        without_captions,
        score(&setting, "run", ""),
        score(&setting, "run", "--set parser_beams=3"),
        score(
            &setting,
            "run",
            &format!("--set parser=t5 --gt scene-graphs={graphs} --recon scene-graphs={graphs}"),
        ),
        dir.run("score --observations . --out run --set parser=t5 --metrics basic_h --offline --weights nowhere"),
    ];
    assert_snapshot!(said.map(|ran| format!("{ran}\n")).concat(), @"
    exit 2, stderr: error: --set parser=t5 needs captions of both sides (captions.json in --observations, or --gt captions=FILE and --recon captions=FILE), or images of both sides (--gt, --recon) and --captioner MODEL; graphs may come from files as well: --set parser=file
    exit 2, stderr: error: basic_object_precision needs scene graphs of both sides (scene_graphs.json or scene_graphs.txt in --observations, or --gt scene-graphs=FILE and --recon scene-graphs=FILE), or captions of both sides and --set parser=t5
    exit 2, stderr: error: --set parser_beams=3: it says how a parser of captions writes, and there is none
    exit 2, stderr: error: --set parser=t5 parses captions, and there are scene graphs already ([DIR]/other/scene_graphs.json); leave one of them out
    exit 1, stderr:
    error: the weights of factual_t5 are not on this machine, and downloading is not allowed.
    [HOW TO FETCH factual_t5]
    Weights of your own: --checkpoint factual_t5=FILE, with config.json and tokenizer.json beside FILE. Without weights, scene graphs may come from files: gt/scene_graphs.json and recon/scene_graphs.json in --observations, or --gt scene-graphs=FILE and --recon scene-graphs=FILE of `neurogauge score`
    ");

    // A path without a parser.
    dir.write("parser/bad.safetensors", "nothing");
    for file in ["parser/bad.safetensors", "/nonexistent/model.safetensors"] {
        let parser = format!("--with factual_t5 --checkpoint factual_t5={file}");
        dir.run(&format!("perceive --captions captions.json --out out {parser}")).exits(1).says(&[file]);
    }
}
