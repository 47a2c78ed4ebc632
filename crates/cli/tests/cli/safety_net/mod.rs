//! Runs with placeholder models, compared with hashes of their earlier output.
//!
//! `hashes.json` is a regression snapshot: it records earlier output of our own code, while goldens record the right
//! output. An intended change of a number or an observation replaces its entries.

mod dataset;
mod snapshot;

use crate::support::*;
use dataset::Dataset;
use snapshot::Snapshot;

const WORDS: &str = "--set basic_synonyms=off --set basic_lemmas=off";
const IMAGES: &str = "score gt recon --set image_models=placeholder --set pixel_size=48";
const OBSERVATIONS: &str = "score --observations observations";
const CAPTIONER: &str = "--captioner placeholder-captioner --set text_encoder=placeholder";
const DETECTOR: &str = "--detector placeholder-detector";

#[test]
fn what_placeholder_models_make_is_as_it_was() {
    let dir = folder();
    let data = Dataset::new(dir.path());
    let mut found = Snapshot::new(&dir);

    found.run("images", IMAGES);
    found.run("nsd8", &format!("{IMAGES} --metrics nsd8,nsd8_correlation --preset nsd8-mindeye2 --pool pool"));
    let ties = "--set identification_ties=half --set identification_direction=stimulus";
    let twins = "clip_correlation,alexnet2_correlation";
    let draws = "--set n_way=3 --set top_k=2 --set draws=20 --seed 7";
    found.run("identification", &format!("{IMAGES} --metrics clip,swav,alexnet2,{twins} {draws} {ties}"));
    found.run("captioner", &format!("{IMAGES} --metrics cap_sim {CAPTIONER} --set caption_tokens=9"));
    found.run("detector", &format!("{IMAGES} --metrics object_f1 {DETECTOR} --set object_variant=location"));
    // SEED's EffNet without SEED's own preparation of images.
    let metrics = "--metrics seed,snm,sdm --export-layout official --preset nsd8-mindeye2";
    found.run("both", &format!("{IMAGES} {metrics} {CAPTIONER} {DETECTOR}"));

    let texts = "--gt captions=several_captions.json --recon captions=observations/recon/captions.json";
    found.run("captions", &format!("score {texts} --set references=max --set text_encoder=placeholder"));
    let encoders = "--set text_encoder=placeholder --set phrase_encoder=placeholder";
    found.run("observations", &format!("{OBSERVATIONS} {encoders} {WORDS} --export-layout official"));
    let seeds = "observations_run/evaluations/observations_run";
    found.run("official_layout", &format!("score --observations {seeds} --set text_encoder=placeholder"));
    let graphs = "--metrics basic_h_all --set phrase_encoder=placeholder --preset capture";
    found.run("scene_graphs", &format!("{OBSERVATIONS} {graphs} {WORDS}"));
    let masks = "--metrics basic_l_all --set mask_matching=greedy --set mask_empty=zero";
    found.run("masks", &format!("{OBSERVATIONS} {masks}"));
    let names = "--metrics object_f1_vlm,object_f1 --preset paper";
    found.run("categories", &format!("{OBSERVATIONS} {names}"));
    let features = "--gt features=observations/gt/features --recon features=observations/recon/features";
    found.run("features", &format!("score {features}"));

    let parser = format!("--checkpoint {} --set parser_tokens=12 --set parser_beams=2", data.parser());
    let metrics = "--metrics basic_h_all --set basic_soft=off --captioner placeholder-captioner";
    found.run("parser", &format!("{IMAGES} {metrics} --set parser=t5 {parser} {WORDS}"));

    let perceive = "perceive --images gt --with";
    let with = "placeholder:grid4,placeholder:grid16,placeholder-captioner,placeholder-detector";
    found.run("perceive", &format!("{perceive} {with} --vis --set max_detections=20"));
    let with = "placeholder-captioner,placeholder-detector";
    found.run("perceive_official", &format!("{perceive} {with} --layout official"));
    let captions = "perceive --captions several_captions.json --with factual_t5";
    found.run("perceive_parser", &format!("{captions} {parser}"));

    dir.write("ratings.csv", "item,x,y\n1,1,2\n2,3,3\n10,2,4\nb,5,4\na,1,1\n");
    let study = "study --gt gt --recon recon=recon --recon pool=pool --human recon=ratings.csv";
    let metrics = "--metrics effnet,swav,cap_sim --set image_models=placeholder";
    found.run("study", &format!("{study} {metrics} {CAPTIONER}"));

    found.check();
}
