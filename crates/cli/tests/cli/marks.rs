//! The mark of a placeholder follows its results: every placeholder, every writer, every reader.

use crate::support::*;
use neurogauge::models::placeholders;

const N_IMAGES: usize = 6;
const MATRIX: &str = "features/mean-colours.grid4.npy";
const TEXTS: &str = "--gt captions=texts/gt/captions.json --recon captions=texts/recon/captions.json";

/// What placeholders make: the id that asks for one and which model it is | how `perceive` makes it, if it does | how
/// `score` makes it, with a metric of it | the option that names its file or folder of a side | how `score` compares what
/// was made, if it is written.
const MADE: &str = "\
placeholder-detector colour-boxes | --with placeholder-detector | gt recon --detector placeholder-detector --metrics object_f1 | detections | --labels coco_gender --metrics object_f1
placeholder-captioner colour-words | --with placeholder-captioner | gt recon --captioner placeholder-captioner --metrics rouge_l | captions | --metrics rouge_l
placeholder-vlm colour-words | --vlm-model placeholder-vlm --vlm-asks captions | gt recon --vlm-model placeholder-vlm --metrics rouge_l | captions | --metrics rouge_l
placeholder-vlm colour-words | --vlm-model placeholder-vlm --vlm-asks vlm-categories | gt recon --vlm-model placeholder-vlm --metrics object_f1_vlm | vlm-categories | --metrics object_f1_vlm
placeholder-vlm colour-words | --vlm-model placeholder-vlm --vlm-asks image-texts | gt recon --vlm-model placeholder-vlm --metrics text_recall | image-texts | --metrics text_recall
placeholder-vlm colour-words | | gt recon --gt captions=texts/gt/captions.json --vlm-model placeholder-vlm --metrics vqa_score | | --recon vqa-scores=run/observations/recon/vqa_scores.json
placeholder mean-colours | --with placeholder:grid4 | gt recon --set image_models=placeholder --metrics clip | features | --metrics mean-colours:grid4:correlation
placeholder-segmenter box-masks | --boxes boxes --labels coco --masks placeholder-segmenter | gt recon --gt categories=categories.json --recon categories=categories.json --masks placeholder-segmenter --set mask_detector=placeholder-detector --set box_threshold=0 --set text_threshold=0 --metrics salient_iou | masks | --gt categories=categories.json --recon categories=categories.json --metrics salient_iou
placeholder hashed-words | | --gt captions=texts/gt/captions.json --recon captions=texts/recon/captions.json --set text_encoder=placeholder --metrics cap_sim | | 
placeholder hashed-words | | --gt scene-graphs=graphs.txt --recon scene-graphs=graphs.txt --set basic_synonyms=off --set basic_lemmas=off --set phrase_encoder=placeholder --metrics basic_h | | ";

/// Images, and human captions, categories, boxes and graphs of them.
fn setting() -> Folder {
    let dir = folder();
    for side in ["gt", "recon"] {
        pictures(&dir.join(side), side, N_IMAGES, 40, 60.0);
        let texts: Vec<(String, String)> =
            (0..N_IMAGES).map(|stem| (stem.to_string(), format!("a {side} of {stem} dogs"))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(stem, text)| (stem.as_str(), text.as_str())).collect();
        write_captions(&dir.join("texts").join(side), &texts);
    }
    let held = json!({"foreground_objects": [{"object": "person", "semantic_category": "animal", "parts": []}], "background_elements": []});
    let found =
        json!({"labels": [0, 5], "scores": [0.9, 0.8], "bboxes": [[2.0, 3.0, 20.0, 30.0], [10.0, 5.0, 38.0, 25.0]]});
    let all = (0..N_IMAGES).map(|stem| (stem.to_string(), held.clone()));
    dir.write("categories.json", Value::Object(all.collect()).to_string());
    for stem in 0..N_IMAGES {
        dir.write(&format!("boxes/{stem}.json"), found.to_string());
    }
    dir.write("graphs.txt", "[1]\nobjects: boat, sea\nattributes: boat: white\nrelations: (boat, on, sea)\n");
    dir
}

/// Asserts that all metrics of a run are marked.
#[track_caller]
fn is_marked(dir: &Folder, run: &str, of: &str) {
    let metrics = dir.record(run)["metrics"].clone();
    let metrics = metrics.list();
    assert!(!metrics.is_empty(), "{of}");
    assert!(metrics.iter().all(|metric| metric["stand_in"] == true), "{of}: {metrics:?}");
}

/// Asserts that boards refuse it.
#[track_caller]
fn is_refused_by_boards(dir: &Folder, run: &str, of: &str) {
    dir.write(&format!("{run}/card.toml"), "system = \"s\"\nsubject = \"1\"\n");
    dir.write("board.toml", format!("title = \"x\"\nentries = [\"{run}\"]\n"));
    let refused = dir.run("board make board.toml --out site");
    assert_ne!(refused.code, 0, "{of}");
    refused.says(&["rests on a placeholder"]);
}

#[test]
fn every_placeholder_marks_what_it_makes() {
    let rows = MADE.lines().map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let tested: BTreeSet<(&str, &str)> = rows.clone().map(|row| row[0].split_once(' ').unwrap()).collect();
    let known = placeholders();
    let known: BTreeSet<(&str, &str)> = known.iter().map(|(id, model)| (*id, model.id.as_str())).collect();
    assert_eq!(tested, known, "each placeholder has a row in the table");

    for row in rows {
        let [by, perceive, score, option, given] = row[..] else {
            panic!("{row:?}")
        };
        let dir = setting();
        let of = format!("{by}, {score}");
        let marked = |words: &str, out: &str| {
            let ran = dir.succeed(&format!("score {words} --out {out}"));
            assert!(ran.stdout.contains('†'), "{of}: {ran}");
            is_marked(&dir, out, &format!("{of}: {words}"));
        };
        marked(score, "run");
        is_refused_by_boards(&dir, "run", &of);
        if perceive.is_empty() {
            // Written results are given by their path.
            (!given.is_empty()).then(|| marked(given, "of_run"));
            continue;
        }
        marked(&format!("--observations run/observations {given}"), "of_run");
        for side in ["gt", "recon"] {
            dir.succeed(&format!("perceive --images {side} --out obs/{side} {perceive}"));
        }
        marked(&format!("--observations obs {given}"), "of_folder");
        let kind = option.replace('-', "_");
        let (key, file) = match option {
            "features" => (format!("{kind}/mean-colours.grid4"), kind),
            "detections" | "masks" => (kind.clone(), kind),
            _ => (kind.clone(), format!("{kind}.json")),
        };
        let files = |gt: &str, recon: &str| {
            format!("--gt {option}={gt}/gt/{file} --recon {option}={recon}/recon/{file} {given}")
        };
        marked(&files("obs", "obs"), "of_files");
        // One side is enough, and a recipe is needed.
        for side in ["gt", "recon"] {
            copy_without_recipes(&dir, &format!("obs/{side}"), &format!("own/{side}"));
        }
        marked(&files("obs", "own"), "of_one_side");
        let ran = dir.succeed(&format!("score {} --out of_none", files("own", "own")));
        assert!(!ran.stdout.contains('†'), "{of}: {ran}");
        // The same for a list.
        dir.write("own/stand_ins.json", json!({ key: "a trial" }).to_string());
        marked(&files("own", "own"), "of_list");
    }
}

/// Copies observations without recipes, as for a user of other programs.
fn copy_without_recipes(dir: &Folder, from: &str, to: &str) {
    fs::create_dir_all(dir.join(to)).unwrap();
    for entry in fs::read_dir(dir.join(from)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let (from, to) = (format!("{from}/{name}"), format!("{to}/{name}"));
        if entry.path().is_dir() {
            copy_without_recipes(dir, &from, &to);
        } else if !name.ends_with(".recipe.json") && !name.ends_with(".keys.json") {
            dir.copy(from, to);
        }
    }
}

/// Commands that read observations or scores from the folder OF, and what is in lines of their CSV that depend on them.
/// Tests of `align` cover its sources. `by_hand.json` is another file beside the captions with the recipe.
const READERS: &str = "\
score embeddings own/gt/MATRIX OF/recon/MATRIX --candidates 3 | ,
score embeddings OF/gt/MATRIX own/recon/MATRIX --candidates 3 | ,
audit --test OF/gt/MATRIX --clusters 2 | ,
audit --test own/gt/MATRIX --recon OF/recon/MATRIX --clusters 2 | ,
audit --train OF/recon/MATRIX --test own/gt/MATRIX --clusters 2 | ,
audit --train own/recon/MATRIX --test own/gt/MATRIX --recon own/recon/MATRIX --clusters 2 --caption-pictures OF/gt/MATRIX | ,
audit --train own/recon/MATRIX --test own/gt/MATRIX --recon own/recon/MATRIX --clusters 2 --train-captions own/recon/MATRIX --decoded-captions OF/gt/MATRIX | ,
audit --train own/recon/MATRIX --test own/gt/MATRIX --clusters 2 --random-fold-scores own/run/scores.csv --cluster-fold-scores OF/run | ,
audit --train own/recon/MATRIX --test own/gt/MATRIX --clusters 2 --random-fold-scores OF/run/scores.parquet --cluster-fold-scores own/run | ,
audit --test own/gt/MATRIX --clusters 2 --sample-scores OF/samples.csv | ,
score captions own/gt/captions.json OF/recon/captions.json | ,
score captions OF/gt/captions.json own/recon/captions.json | ,
score captions own/gt/captions.json own/recon/captions.json --image-captions OF/gt/captions.json | image,
score captions own/gt/captions.json OF/recon/captions.json OF/recon/by_hand.json | captions,
score captions own/gt/captions.json own/recon/captions.json --image-embeddings OF/gt/MATRIX --caption-embeddings own/recon/MATRIX | ,clip_s,
score captions own/gt/captions.json own/recon/captions.json --image-embeddings own/gt/MATRIX --caption-embeddings OF/recon/MATRIX | ,clip_s,
score boxes OF/gt/detections.json own/recon/detections.json | ,
score boxes own/gt/detections.json OF/recon/detections.json | ,";

#[test]
fn every_reader_marks_what_rests_on_a_placeholder() {
    let dir = setting();
    for side in ["gt", "recon"] {
        dir.succeed(&format!(
            "perceive --images {side} --out obs/{side} --with placeholder:grid4,placeholder-captioner,placeholder-detector --set max_detections=2"
        ));
        // The form of boxes that `score boxes` reads.
        let whole = json!([[0.0, 0.0, 1.0, 1.0]]);
        let boxes = json!({"0": {"dog": whole, "kite": whole}, "1": {"dog": [[0.0, 0.0, 1.0, 0.5]], "car": whole}});
        dir.remove(format!("obs/{side}/detections"));
        dir.write(&format!("obs/{side}/detections.json"), boxes.to_string());
        fs::copy(dir.join(format!("texts/{side}/captions.json")), dir.join(format!("obs/{side}/by_hand.json")))
            .unwrap();
    }
    copy_without_recipes(&dir, "obs", "own");
    // If masks beside them are a placeholder's, these files are not marked.
    for side in ["gt", "recon"] {
        dir.write(&format!("own/{side}/stand_ins.json"), r#"{"masks": "drawn"}"#);
        dir.write(&format!("own/{side}/masks.recipe.json"), r#"{"model": {"stand_in": true}}"#);
    }
    dir.succeed(&format!("score {TEXTS} --set text_encoder=placeholder --metrics cap_sim --out obs/run"));
    dir.write(
        "obs/samples.csv",
        "item,cap_sim,stand_in\n0_0,0.5,cap_sim\n0_1,0.25,cap_sim\n1_0,0.5,cap_sim\n1_1,0.75,cap_sim\n",
    );
    // The same scores without marks.
    for file in ["samples.csv", "run/scores.csv"] {
        let marked = dir.read(format!("obs/{file}"));
        let lines = marked.lines().map(|line| line.rsplit_once(',').unwrap().0);
        dir.write(&format!("own/{file}"), lines.collect::<Vec<_>>().join("\n"));
    }
    dir.copy("obs/run/scores.parquet", "own/run/scores.parquet");
    for (place, row) in READERS.lines().enumerate() {
        let (words, rests) = row.split_once(" | ").unwrap();
        for (of, is_marked) in [("obs", true), ("own", false)] {
            let out = format!("out/{of}/{place}");
            let words = words.replace("OF", of).replace("MATRIX", MATRIX);
            let ran = dir.succeed(&format!("{words} --out {out}"));
            assert_eq!(ran.stdout.contains('†'), is_marked, "{words}\n{ran}");
            let mut command = words.split(' ');
            let (json, csv) = match (command.next(), command.next()) {
                (_, Some("embeddings")) => ("retrieval.json", "retrieval.csv"),
                (Some("audit"), _) => ("audit.json", "audit.csv"),
                _ => ("run.json", "summary.csv"),
            };
            let findings = dir.json(format!("{out}/{json}"))["findings"].clone();
            let mut codes = findings.list().iter().map(|finding| &finding["code"]);
            assert_eq!(codes.any(|code| code == "stand_in"), is_marked, "{words}: {findings}");
            let csv = dir.read(format!("{out}/{csv}"));
            let mut lines = csv.lines();
            assert!(lines.next().unwrap().ends_with(",stand_in"), "{words}");
            assert!(lines.clone().count() > 1);
            for line in lines {
                let expected = is_marked && line.contains(rests);
                assert!(line.ends_with(&format!(",{expected}")), "{words}: {line}");
            }
        }
    }
}

#[test]
fn seed_s_layout_keeps_the_mark_both_ways() {
    let dir = setting();
    let models = "--detector placeholder-detector --captioner placeholder-captioner";
    dir.succeed(&format!("score gt recon {models} --metrics object_f1,rouge_l --export-layout official --out run"));
    dir.succeed("score --observations run/evaluations/run --metrics object_f1,rouge_l --out again");
    is_marked(&dir, "again", "the exported folder");
    is_refused_by_boards(&dir, "again", "the exported folder");
    for side in ["gt", "recon"] {
        dir.succeed(&format!("perceive --images {side} --layout official --with placeholder-detector,placeholder-captioner --out seed/{side}"));
    }
    dir.succeed(
        "score --gt detections=seed/gt --recon detections=seed/recon --gt captions=seed/gt/captions.npy --recon captions=seed/recon/captions.npy \
         --metrics object_f1,rouge_l --out of_layout",
    );
    is_marked(&dir, "of_layout", "perceive in SEED's layout");
}

/// Masks that a placeholder makes from a placeholder's boxes.
#[test]
fn what_is_made_of_a_placeholder_s_files_is_marked() {
    let dir = setting();
    dir.succeed("perceive --images gt --out boxes --with placeholder-detector --set max_detections=2");
    dir.succeed("perceive --images gt --out masks --boxes boxes/detections --masks placeholder-segmenter");
    let recipe = dir.json("masks/masks.recipe.json");
    assert_eq!(recipe["stand_in"], true, "{recipe}");
}
