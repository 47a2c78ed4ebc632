//! `neurogauge score` on scene graphs: results with fewer tools, and the record.

use super::appendix_d3::{appendix_d3, score};
use crate::support::{arg, close, folder, record, summary, values, write};
use neurogauge::formats::scene_graphs;
use serde_json::Value;

#[test]
fn words_alone_need_neither_wordnet_nor_an_encoder() {
    let dir = folder();
    write(
        &dir.path().join("gt/scene_graphs.txt"),
        "[1]\nobjects: boat, race track, carpet\nattributes: boat: white\nrelations: (boat, on, sea)\n",
    );
    write(
        &dir.path().join("recon/scene_graphs.txt"),
        "[1]\nobjects: boat, track, car\nattributes: boat: white, made of wood\nrelations: (boat, at, sea)\n",
    );
    let words = [
        "--basic-synonyms",
        "off",
        "--basic-lemmas",
        "off",
        "--basic-soft",
        "off",
    ];
    let (run, _) = score(dir.path(), &words);
    close(&values(&run, "basic_object_f1"), &[2.0 / 3.0]);
    close(&values(&run, "basic_attribute_f1"), &[1.0]);
    close(&values(&run, "basic_relation_f1"), &[0.0]);
    close(&values(&run, "basic_h"), &[0.4 * 2.0 / 3.0 + 0.4]);
    assert_eq!(record(&run)["models"], serde_json::json!([]));

    let more = ["--basic-containment", "substring", "--basic-drop-of", "off"];
    let (run, _) = score(dir.path(), &[&words[..], &more].concat());
    close(&values(&run, "basic_object_f1"), &[1.0]);
    close(&values(&run, "basic_attribute_precision"), &[0.5]);
    let words_of_no_weight = dir.path().join("stop_words.txt");
    write(&words_of_no_weight, "car\ncarpet\n");
    let more = [
        "--basic-stop-words",
        arg(&words_of_no_weight),
        "--basic-weights",
        "1:0:0",
    ];
    let (run, _) = score(dir.path(), &[&words[..], &more].concat());
    close(&values(&run, "basic_h"), &[1.0]);
    let stop_words = &record(&run)["request"]["options"]["basic_h"]["normalise"]["stop_words"];
    assert_eq!(*stop_words, serde_json::json!(["car", "carpet"]));
}

#[test]
fn stand_ins_are_marked() {
    let dir = folder();
    appendix_d3(dir.path());
    let options = [
        "--metrics",
        "basic_h",
        "--phrase-encoder",
        "stand-in",
        "--basic-synonyms",
        "off",
        "--basic-lemmas",
        "off",
    ];
    let (run, _) = score(dir.path(), &options);
    let n_metrics = summary(&run).as_object().unwrap().len();
    assert_eq!(n_metrics, 4, "BASIC-H and the three F1 it is made of");
    for metric in record(&run)["metrics"].as_array().unwrap() {
        assert_eq!(metric["stand_in"], true, "{metric}");
    }
}

#[test]
fn without_being_asked_for_it_is_left_out_with_a_note() {
    let dir = folder();
    appendix_d3(dir.path());
    for side in ["gt", "recon"] {
        let captions: serde_json::Map<String, Value> =
            scene_graphs::read(&dir.path().join(side).join("scene_graphs.json"))
                .unwrap()
                .into_iter()
                .map(|(stem, _)| (stem, "a boat".into()))
                .collect();
        let text = Value::Object(captions).to_string();
        write(&dir.path().join(side).join("captions.json"), &text);
    }
    let encoder = [
        "--phrase-encoder",
        "none-such",
        "--text-encoder",
        "stand-in",
    ];
    let (run, ran) = score(dir.path(), &encoder);
    ran.says(&[", basic_h, basic_l; --metrics NAME"]);
    assert!(!ran.stderr.contains("basic_object_f1"), "{}", ran.stderr);
    assert_eq!(summary(&run).as_object().unwrap().len(), 1, "Cap-Sim alone");
}
