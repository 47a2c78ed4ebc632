//! `neurogauge score` with scene graphs: results with fewer resources, and the record.

use super::appendix_d3::{appendix_d3, score};
use super::parser::WORDS;
use crate::support::*;
use neurogauge::formats::scene_graphs;

#[test]
fn words_alone_need_neither_wordnet_nor_an_encoder() {
    let dir = folder();
    dir.write(
        "gt/scene_graphs.txt",
        "[1]\nobjects: boat, race track, carpet\nattributes: boat: white\nrelations: (boat, on, sea)\n",
    );
    dir.write(
        "recon/scene_graphs.txt",
        "[1]\nobjects: boat, track, car\nattributes: boat: white, made of wood\nrelations: (boat, at, sea)\n",
    );
    let (run, _) = score(&dir, WORDS);
    close(&values(&run, "basic_object_f1"), &[2.0 / 3.0]);
    close(&values(&run, "basic_attribute_f1"), &[1.0]);
    close(&values(&run, "basic_relation_f1"), &[0.0]);
    close(&values(&run, "basic_h"), &[0.4 * 2.0 / 3.0 + 0.4]);
    assert_eq!(record(&run)["models"], serde_json::json!([]));

    score(&dir, &format!("{WORDS} --set basic_containment=substring --set basic_drop_of=off"));
    close(&values(&run, "basic_object_f1"), &[1.0]);
    close(&values(&run, "basic_attribute_precision"), &[0.5]);
    dir.write("stop_words.txt", "car\ncarpet\n");
    score(&dir, &format!("{WORDS} --set basic_stop_words=stop_words.txt --set basic_weights=1:0:0"));
    close(&values(&run, "basic_h"), &[1.0]);
    let stop_words = &record(&run)["request"]["options"]["basic_h"]["normalise"]["stop_words"];
    assert_eq!(*stop_words, serde_json::json!(["car", "carpet"]));
}

#[test]
fn without_being_asked_for_it_is_left_out_with_a_note() {
    let dir = folder();
    appendix_d3(dir.path());
    for side in ["gt", "recon"] {
        let graphs = scene_graphs::read(&dir.join(side).join("scene_graphs.json")).unwrap();
        let captions: Vec<(&str, &str)> = graphs.iter().map(|(stem, _)| (stem.as_str(), "a boat")).collect();
        write_captions(&dir.join(side), &captions);
    }
    let (run, ran) = score(&dir, "--set phrase_encoder=none-such --set text_encoder=placeholder");
    ran.says(&[", basic_h, basic_l; --metrics NAME"]);
    assert!(!ran.stderr.contains("basic_object_f1"), "{ran}");
    assert_eq!(summary(&run).fields().len(), 1, "Cap-Sim alone");
}
