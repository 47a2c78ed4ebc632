//! `neurogauge perceive --captions`, with a synthetic parser.

use super::parser::{CAPTIONS, Setting, TOKENS, merged, n_read};
use crate::support::*;
use neurogauge::metrics::decoding::basic_h::{NormaliseOptions, normalise};

#[test]
fn graphs_of_captions_are_the_library_s_whatever_the_number_of_threads() {
    let setting = Setting::new();
    let ran = setting.perceive("out", "--threads 1");
    assert_eq!(n_read(&ran), CAPTIONS.len());
    ran.says(&["sentences by our own rules"]);
    assert_eq!(ran.stdout.trim(), "out/scene_graphs.json");
    let graphs = setting.graphs("out");
    for ((stem, graph), (expected_stem, sentences)) in graphs.iter().zip(CAPTIONS) {
        assert_eq!(stem, expected_stem);
        let sentences: Vec<&str> = sentences.iter().filter(|s| !s.is_empty()).copied().collect();
        assert_eq!(*graph, setting.parsed(&sentences, 5), "{stem}");
    }
    assert!(graphs.iter().filter(|(_, graph)| !graph.objects.is_empty()).count() > 3);
    setting.perceive("four", "--threads 4");
    let bytes = |out: &str, file: &str| fs::read(setting.path(out).join(file)).unwrap();
    for file in ["scene_graphs.json", "scene_graphs.jsonl", "scene_graphs.recipe.json"] {
        assert_eq!(bytes("out", file), bytes("four", file), "{file}");
    }
    let recipe: Value = serde_json::from_slice(&bytes("out", "scene_graphs.recipe.json")).unwrap();
    assert_eq!(recipe["model"]["id"], "factual_t5-custom");
    assert_eq!(recipe["model"]["sha256"].text().len(), 64);
    assert_eq!(
        recipe["options"],
        json!({"n_beams": 5, "max_source_tokens": 64, "max_new_tokens": TOKENS,
               "source_limit": "each_by_itself"})
    );
    assert_eq!(recipe["sentences"], json!({"rules": "own"}));
    assert_eq!(recipe["wordnet_sha256"], Value::Null);

    // Parsed captions are not parsed again unless something changed.
    assert_eq!(n_read(&setting.perceive("out", "")), 0);
    let texts = CAPTIONS.map(|(stem, sentences)| match stem {
        "4" => (stem, "a red hat".to_owned()),
        _ => (stem, sentences.join(" ")),
    });
    setting.write_captions("captions.json", &texts);
    assert_eq!(n_read(&setting.perceive("out", "")), 1);
    let second = setting.graphs("out");
    for ((stem, before), (_, after)) in graphs.iter().zip(&second) {
        if stem == "4" {
            assert_eq!(*after, setting.parsed(&["a red hat"], 5));
        } else {
            assert_eq!(before, after, "{stem}");
        }
    }
    // With other options of generation, other weights, or other rules for sentences, everything is parsed again.
    let ran = setting.perceive("out", "--set parser_beams=1");
    assert_eq!(n_read(&ran), CAPTIONS.len());
    assert_eq!(setting.graphs("out")[3].1, setting.parsed(&["a red hat"], 1));
    let punkt = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/punkt/english");
    let ran = setting.perceive("out", &format!("--punkt {punkt}"));
    assert_eq!(n_read(&ran), CAPTIONS.len());
    ran.says(&["sentences by Punkt's parameters", "note: punkt: Punkt's parameters, which split sentences"]);
    // If a crash truncates a journal within a line, the lines before it are kept.
    let journal = setting.path("out").join("scene_graphs.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let end = text.match_indices('\n').nth(2).unwrap().0;
    fs::write(&journal, &text[..end + 30]).unwrap();
    assert_eq!(n_read(&setting.perceive("out", "")), CAPTIONS.len() - 3);
    assert_eq!(setting.graphs("out"), second);
}

#[test]
fn several_captions_of_an_image_give_one_graph_in_base_forms_if_asked() {
    let setting = Setting::new();
    let several = json!({"1": ["a man", "A large boat is docked at the dock."]});
    setting.dir.write("captions.json", several.to_string());
    setting.perceive("out", "");
    let expected = ["a man", "A large boat is docked at the dock."].map(|caption| setting.parsed(&[caption], 5));
    assert_eq!(setting.graphs("out"), [("1".to_owned(), merged(&expected))]);

    let wordnet = wordnet();
    let ran = setting.perceive("out", &format!("--wordnet {}", arg(&wordnet)));
    assert_eq!(n_read(&ran), 0, "base forms need no model");
    ran.says(&["note: captions: of 1 image, captions by stem", "note: wordnet: the files of WordNet's dictionary"]);
    let lexicon = neurogauge::language::WordNet::open(&wordnet).unwrap();
    let in_base_forms = normalise(&expected, &lexicon, &NormaliseOptions::default());
    assert_eq!(setting.graphs("out"), [("1".to_owned(), in_base_forms)]);
    assert_eq!(setting.dir.json("out/scene_graphs.recipe.json")["wordnet_sha256"].text().len(), 64);
}
