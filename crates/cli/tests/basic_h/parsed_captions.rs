//! `neurogauge perceive --captions` and `neurogauge score --parser t5`, with a synthetic parser: its graphs are
//! rubbish, and they must be the library's.

use crate::support;
use crate::support::checkpoints::write_parser;
use crate::support::{
    Ran, arg, folder, neurogauge, neurogauge_with_cache, record, refused, scores, write,
};
use neurogauge::core::{ModelIdentity, SceneGraph};
use neurogauge::formats::scene_graphs;
use neurogauge::metrics::decoding::basic_h::{NoLexicon, NormaliseOptions, normalise};
use neurogauge::models::{ParserOptions, SceneGraphParser};
use serde_json::{Value, json};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Sentences by stem; what has several is several sentences, or several captions.
const CAPTIONS: [(&str, &[&str]); 6] = [
    ("1", &["A large boat is docked at the dock."]),
    ("2", &["the man is holding a red hat"]),
    ("3", &["Two men are on a boat.", "The boat is red."]),
    ("4", &["a man"]),
    (
        "7",
        &[
            "The dock is large.",
            "A man is in the boat.",
            "The man is red.",
        ],
    ),
    ("10", &[""]),
];

/// Short, since a synthetic model never ends.
const TOKENS: usize = 24;

struct Setting {
    dir: tempfile::TempDir,
    weights: PathBuf,
}

impl Setting {
    fn new() -> Setting {
        let dir = folder();
        let weights = write_parser(&dir.path().join("parser"), |_, _| {});
        let setting = Setting { dir, weights };
        let texts = CAPTIONS.map(|(stem, sentences)| (stem, sentences.join(" ")));
        setting.write_captions("captions.json", &texts);
        setting
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write_captions(&self, name: &str, captions: &[(&str, String)]) {
        let entries = captions
            .iter()
            .map(|(stem, text)| ((*stem).to_owned(), json!(text)));
        write(
            &self.path(name),
            &Value::Object(entries.collect()).to_string(),
        );
    }

    fn checkpoint(&self) -> String {
        format!("factual_t5={}", arg(&self.weights))
    }

    fn perceive(&self, out: &str, options: &[&str]) -> Ran {
        let (captions, out, checkpoint) = (
            self.path("captions.json"),
            self.path(out),
            self.checkpoint(),
        );
        let args = [
            "perceive",
            "--captions",
            arg(&captions),
            "--with",
            "factual_t5",
            "--checkpoint",
            &checkpoint,
            "--parser-tokens",
            "24",
            "--out",
            arg(&out),
        ];
        neurogauge(&[&args[..], options].concat())
    }

    fn graphs(&self, out: &str) -> Vec<(String, SceneGraph)> {
        scene_graphs::read(&self.path(out).join("scene_graphs.json")).unwrap()
    }

    /// What the library makes of sentences, in one graph.
    fn parsed(&self, sentences: &[&str], n_beams: usize) -> SceneGraph {
        let identity = ModelIdentity {
            id: "synthetic".into(),
            revision: String::new(),
            sha256: String::new(),
            stand_in: false,
        };
        let parser = SceneGraphParser::load(&self.weights, identity).unwrap();
        let options = ParserOptions {
            n_beams: NonZeroUsize::new(n_beams).unwrap(),
            max_new_tokens: TOKENS,
            ..ParserOptions::default()
        };
        let parsed = parser.parse(sentences, &options, &|_| {}).unwrap();
        let graphs: Vec<SceneGraph> = parsed.into_iter().map(|p| p.reading.graph).collect();
        merged(&graphs)
    }
}

fn merged(graphs: &[SceneGraph]) -> SceneGraph {
    let options = NormaliseOptions {
        lemmas: false,
        drop_of: false,
        ..NormaliseOptions::default()
    };
    normalise(graphs, &NoLexicon, &options)
}

/// How many captions the model read.
#[track_caller]
fn n_read(ran: &Ran) -> usize {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let said = ran.stderr.split(" captions read").next().unwrap();
    said.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn graphs_of_captions_are_the_library_s_whatever_the_number_of_threads() {
    let setting = Setting::new();
    let ran = setting.perceive("out", &["--threads", "1"]);
    assert_eq!(n_read(&ran), CAPTIONS.len());
    assert!(
        ran.stderr.contains("sentences by our own rules"),
        "{}",
        ran.stderr
    );
    let path = setting.path("out").join("scene_graphs.json");
    assert_eq!(ran.stdout.trim(), arg(&path));
    let graphs = setting.graphs("out");
    for ((stem, graph), (expected_stem, sentences)) in graphs.iter().zip(CAPTIONS) {
        assert_eq!(stem, expected_stem);
        let sentences: Vec<&str> = sentences
            .iter()
            .filter(|s| !s.is_empty())
            .copied()
            .collect();
        assert_eq!(*graph, setting.parsed(&sentences, 5), "{stem}");
    }
    assert!(
        graphs
            .iter()
            .filter(|(_, graph)| !graph.objects.is_empty())
            .count()
            > 3
    );
    setting.perceive("four", &["--threads", "4"]);
    let bytes = |out: &str, file: &str| fs::read(setting.path(out).join(file)).unwrap();
    for file in [
        "scene_graphs.json",
        "scene_graphs.jsonl",
        "scene_graphs.recipe.json",
    ] {
        assert_eq!(bytes("out", file), bytes("four", file), "{file}");
    }
    let recipe: Value = serde_json::from_slice(&bytes("out", "scene_graphs.recipe.json")).unwrap();
    assert_eq!(recipe["model"]["id"], "factual_t5-custom");
    assert_eq!(recipe["model"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(
        recipe["options"],
        json!({"n_beams": 5, "max_source_tokens": 64, "max_new_tokens": TOKENS,
               "source_limit": "each_by_itself"})
    );
    assert_eq!(recipe["sentences"], json!({"rules": "own"}));
    assert_eq!(recipe["wordnet_sha256"], Value::Null);
}

#[test]
fn what_was_parsed_is_not_parsed_again_unless_something_changed() {
    let setting = Setting::new();
    assert_eq!(n_read(&setting.perceive("out", &[])), CAPTIONS.len());
    let first = setting.graphs("out");
    assert_eq!(n_read(&setting.perceive("out", &[])), 0);
    let texts = CAPTIONS.map(|(stem, sentences)| match stem {
        "4" => (stem, "a red hat".to_owned()),
        _ => (stem, sentences.join(" ")),
    });
    setting.write_captions("captions.json", &texts);
    assert_eq!(n_read(&setting.perceive("out", &[])), 1);
    let second = setting.graphs("out");
    for ((stem, before), (_, after)) in first.iter().zip(&second) {
        if stem == "4" {
            assert_eq!(*after, setting.parsed(&["a red hat"], 5));
        } else {
            assert_eq!(before, after, "{stem}");
        }
    }
    // Another way of writing, other weights, other rules of sentences: all is parsed anew.
    let ran = setting.perceive("out", &["--parser-beams", "1"]);
    assert_eq!(n_read(&ran), CAPTIONS.len());
    assert_eq!(
        setting.graphs("out")[3].1,
        setting.parsed(&["a red hat"], 1)
    );
    let punkt = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../reference/golden/punkt/english"
    );
    let ran = setting.perceive("out", &["--punkt", punkt]);
    assert_eq!(n_read(&ran), CAPTIONS.len());
    assert!(
        ran.stderr.contains("sentences by Punkt's parameters"),
        "{}",
        ran.stderr
    );
    // A journal that a crash cut in a line keeps the lines before.
    let journal = setting.path("out").join("scene_graphs.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let end = text.match_indices('\n').nth(2).unwrap().0;
    fs::write(&journal, &text[..end + 30]).unwrap();
    assert_eq!(n_read(&setting.perceive("out", &[])), CAPTIONS.len() - 3);
    assert_eq!(setting.graphs("out"), second);
}

#[test]
fn several_captions_of_an_image_give_one_graph_in_base_forms_if_asked() {
    let setting = Setting::new();
    let several = json!({"1": ["a man", "A large boat is docked at the dock."]});
    write(&setting.path("captions.json"), &several.to_string());
    setting.perceive("out", &[]);
    let expected = ["a man", "A large boat is docked at the dock."]
        .map(|caption| setting.parsed(&[caption], 5));
    assert_eq!(setting.graphs("out"), [("1".to_owned(), merged(&expected))]);

    let wordnet = support::wordnet();
    let ran = setting.perceive("out", &["--wordnet", arg(&wordnet)]);
    assert_eq!(n_read(&ran), 0, "base forms need no model");
    let lexicon = neurogauge::language::WordNet::open(&wordnet).unwrap();
    let in_base_forms = normalise(&expected, &lexicon, &NormaliseOptions::default());
    assert_eq!(setting.graphs("out"), [("1".to_owned(), in_base_forms)]);
    let recipe = fs::read_to_string(setting.path("out").join("scene_graphs.recipe.json")).unwrap();
    let recipe: Value = serde_json::from_str(&recipe).unwrap();
    assert_eq!(recipe["wordnet_sha256"].as_str().unwrap().len(), 64);
}

/// "c" alone is a token of this tokenizer; weights that are no numbers there spoil the captions that have it.
#[test]
fn a_caption_that_cannot_be_parsed_is_named_and_the_others_go_on() {
    let setting = Setting::new();
    let texts = [("1", "a man"), ("2", "a man 2"), ("5", "the boat")];
    setting.write_captions(
        "captions.json",
        &texts.map(|(stem, text)| (stem, text.to_owned())),
    );
    let tokenizer = support::checkpoints::golden("scene_graph_text")["tokenizer"].clone();
    let pieces = tokenizer["model"]["vocab"].as_array().unwrap();
    let two = pieces
        .iter()
        .position(|piece| piece[0] == "\u{2581}2")
        .unwrap();
    write_parser(&setting.path("parser"), |name, values| {
        if name == "shared.weight" {
            values[two * 48..(two + 1) * 48].fill(f32::NAN);
        }
        // The writer is not to choose that token itself.
        if name == "lm_head.weight" {
            values[two * 48..(two + 1) * 48].fill(0.0);
        }
    });
    let ran = setting.perceive("out", &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for part in [
        "caption of \"2\": ",
        "weights sound?",
        "1 images have no scene graph: captions \"2\"",
    ] {
        assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
    }
    let stems: Vec<String> = setting
        .graphs("out")
        .into_iter()
        .map(|(stem, _)| stem)
        .collect();
    assert_eq!(stems, ["1", "5"]);

    setting.write_captions(
        "gt/captions.json",
        &texts.map(|(s, _)| (s, "the boat".to_owned())),
    );
    setting.write_captions(
        "recon/captions.json",
        &texts.map(|(s, t)| (s, t.to_owned())),
    );
    let ran = score(&setting, "run", &["--parser", "t5"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("recon/captions \"2\""),
        "{}",
        ran.stderr
    );
    let column = scores(&setting.path("run"))
        .column("basic_h")
        .unwrap()
        .to_vec();
    let reason = column[1].clone().unwrap_err().to_string();
    assert!(reason.contains("basic_object_f1"), "{reason}");
    let part = scores(&setting.path("run"))
        .column("basic_object_f1")
        .unwrap()
        .to_vec();
    assert_eq!(
        part[1].clone().unwrap_err().to_string(),
        "no scene graph of the reconstruction"
    );
    assert_eq!(record(&setting.path("run"))["unparsed"][0]["stem"], "2");
}

/// Scores by words alone what the folder holds.
fn score(setting: &Setting, run: &str, options: &[&str]) -> Ran {
    let (out, checkpoint) = (setting.path(run), setting.checkpoint());
    let args = [
        "score",
        "--observations",
        arg(setting.dir.path()),
        "--metrics",
        "basic_h_all",
        "--basic-synonyms",
        "off",
        "--basic-lemmas",
        "off",
        "--basic-soft",
        "off",
        "--out",
        arg(&out),
    ];
    let parser = ["--checkpoint", &checkpoint, "--parser-tokens", "24"];
    let parser = if options.contains(&"t5") {
        &parser[..]
    } else {
        &[]
    };
    neurogauge_with_cache(
        &[&args[..], parser, options].concat(),
        &setting.path("cache"),
    )
}

fn both_sides(setting: &Setting) {
    let texts = CAPTIONS.map(|(stem, sentences)| (stem, sentences.join(" ")));
    setting.write_captions("gt/captions.json", &texts[..5]);
    let others = [0, 2, 2, 1, 4].map(|other| texts[other].1.clone());
    let recon: Vec<(&str, String)> = texts.iter().map(|text| text.0).zip(others).collect();
    setting.write_captions("recon/captions.json", &recon);
}

#[test]
fn a_run_parses_both_sides_and_scores_as_the_files_would() {
    let setting = Setting::new();
    both_sides(&setting);
    let ran = score(&setting, "run", &["--parser", "t5"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let run = setting.path("run");
    let journal = setting.path("cache/scene_graphs/factual_t5-custom.jsonl");
    let lines = || fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines(), 5, "each caption once");
    let recorded = record(&run);
    assert_eq!(recorded["request"]["graph_parser"]["t5"]["n_beams"], 5);
    assert_eq!(recorded["parsed"]["model"]["id"], "factual_t5-custom");
    assert_eq!(recorded["parsed"]["sentences"]["rules"], "own");
    assert_eq!(recorded["models"], json!([recorded["parsed"]["model"]]));
    let roles: Vec<&Value> = recorded["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| &i["role"])
        .collect();
    assert_eq!(roles, ["gt/captions", "recon/captions"]);

    // The graphs that the run keeps, given as files.
    let graphs = |side: &str| {
        run.join("observations")
            .join(side)
            .join("scene_graphs.json")
    };
    let values = scores(&run).columns;
    assert!(values.iter().any(|(_, column)| column.contains(&Ok(1.0))));
    for side in ["gt", "recon"] {
        fs::copy(graphs(side), setting.path(side).join("scene_graphs.json")).unwrap();
    }
    let ran = score(&setting, "of_files", &["--parser", "file"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(scores(&setting.path("of_files")).columns, values);
    let of_default = score(&setting, "of_default", &[]);
    assert_eq!(of_default.code, 0, "{}", of_default.stderr);
    assert_eq!(scores(&setting.path("of_default")).columns, values);

    // Read back, repeated, and done anew with other options; the cache serves all runs.
    let again = score(&setting, "run", &["--parser", "t5"]);
    assert!(
        again.stderr.contains("already finished"),
        "{}",
        again.stderr
    );
    let (run_json, repeated, checkpoint) = (
        run.join("run.json"),
        setting.path("repeated"),
        setting.checkpoint(),
    );
    let args = [
        "score",
        "--from-run",
        arg(&run_json),
        "--out",
        arg(&repeated),
        "--checkpoint",
        &checkpoint,
    ];
    assert_eq!(neurogauge_with_cache(&args, &setting.path("cache")).code, 0);
    assert_eq!(scores(&repeated).columns, values);
    assert_eq!(lines(), 5);
    let other = score(
        &setting,
        "run",
        &["--parser", "t5", "--parser-beams", "2", "--threads", "4"],
    );
    assert_eq!(other.code, 0, "{}", other.stderr);
    assert_eq!(lines(), 10);
    assert_eq!(record(&run)["parsed"]["options"]["n_beams"], 2);
}

#[test]
fn what_is_lacking_is_said() {
    let setting = Setting::new();
    let (captions, out, nowhere) = (
        setting.path("captions.json"),
        setting.path("other"),
        setting.path("nowhere"),
    );
    fs::create_dir(&nowhere).unwrap();
    let perceive = |options: &[&str], code, parts: &[&str]| {
        refused(
            &[&["perceive", "--out", arg(&out)], options].concat(),
            code,
            parts,
        );
    };
    let of_captions = ["--captions", arg(&captions)];
    let offline = [
        "--with",
        "factual_t5",
        "--offline",
        "--weights",
        arg(&nowhere),
    ];
    perceive(
        &[&of_captions[..], &offline].concat(),
        1,
        &[
            "flan-t5-base-VG-factual-sg",
            "model.safetensors",
            "--checkpoint factual_t5=FILE",
            "scene graphs may come from files",
            "--gt-scene-graphs",
        ],
    );
    assert!(!out.exists());
    perceive(&offline, 2, &["--images"]);
    let images = ["--images", "nowhere"];
    perceive(
        &[&images[..], &offline].concat(),
        2,
        &["a parser reads captions", "--captions FILE"],
    );
    perceive(
        &[&of_captions[..], &["--with", "alexnet"]].concat(),
        2,
        &["only a parser reads captions", "--with factual_t5"],
    );
    perceive(
        &[&of_captions[..], &["--with", "factual_t5,alexnet"]].concat(),
        2,
        &["--with alexnet", "--images"],
    );
    perceive(
        &[&of_captions[..], &["--with", "factual_t5:encoder"]].concat(),
        2,
        &["a parser has no layers"],
    );
    let checkpoint = setting.checkpoint();
    let with = ["--with", "factual_t5", "--checkpoint", &checkpoint];
    perceive(
        &[&["--captions", "absent.json"], &with[..]].concat(),
        1,
        &["absent.json"],
    );
    perceive(
        &[&of_captions[..], &with, &["--punkt", arg(&nowhere)]].concat(),
        1,
        &["abbrev_types.txt", "Punkt"],
    );
    write(
        &out.join("scene_graphs.json"),
        r#"{"1": {"objects": ["mine"]}}"#,
    );
    perceive(
        &[&of_captions[..], &with].concat(),
        1,
        &[
            "scene_graphs.json",
            "scene_graphs.recipe.json",
            "not replaced",
        ],
    );

    let refuse = |options: &[&str], code, parts: &[&str]| {
        let ran = score(&setting, "run", options);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        for part in parts {
            assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
        }
    };
    for side in ["gt", "recon"] {
        fs::create_dir(setting.path(side)).unwrap();
    }
    refuse(
        &["--parser", "t5"],
        2,
        &[
            "--parser t5 needs captions of both sides",
            "--captioner MODEL",
        ],
    );
    both_sides(&setting);
    refuse(
        &[],
        2,
        &[
            "scene graphs of both sides",
            "captions of both sides and --parser t5",
        ],
    );
    refuse(
        &["--parser-beams", "3"],
        2,
        &["scene graphs come from files here"],
    );
    let graphs = out.join("scene_graphs.json");
    refuse(
        &[
            "--parser",
            "t5",
            "--gt-scene-graphs",
            arg(&graphs),
            "--recon-scene-graphs",
            arg(&graphs),
        ],
        2,
        &["there are scene graphs already", "leave one of them away"],
    );
    let run = setting.path("run");
    let args = [
        "score",
        "--observations",
        arg(setting.dir.path()),
        "--parser",
        "t5",
        "--out",
        arg(&run),
    ];
    let args = [
        &args[..],
        &[
            "--metrics",
            "basic_h",
            "--offline",
            "--weights",
            arg(&nowhere),
        ],
    ]
    .concat();
    refused(
        &args,
        1,
        &["model.safetensors", "scene graphs may come from files"],
    );
}

#[test]
fn a_stand_in_s_captions_make_scores_that_mean_nothing() {
    let setting = Setting::new();
    let (gt, recon) = support::image_folders(&setting.path("images"), &["1", "2"]);
    let (out, checkpoint) = (setting.path("run"), setting.checkpoint());
    let args = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--captioner",
        "stand-in-captioner",
        "--parser",
        "t5",
        "--metrics",
        "basic_h",
        "--basic-synonyms",
        "off",
        "--basic-lemmas",
        "off",
        "--basic-soft",
        "off",
        "--checkpoint",
        &checkpoint,
        "--parser-tokens",
        "12",
        "--out",
        arg(&out),
    ];
    let ran = neurogauge(&args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let record = record(&out);
    assert_eq!(record["captioned"]["model"]["id"], "colour-words");
    for metric in record["metrics"].as_array().unwrap() {
        assert_eq!(metric["stand_in"], true, "{metric}");
    }
    for (kind, side) in [("captions", "gt"), ("scene_graphs", "recon")] {
        assert!(
            out.join(format!("observations/{side}/{kind}.json"))
                .exists()
        );
    }
}

#[test]
fn a_path_that_is_no_parser_is_refused() {
    let setting = Setting::new();
    let bad = setting.path("parser/bad.safetensors");
    fs::write(&bad, b"nothing").unwrap();
    let captions = setting.path("captions.json");
    let checkpoint = format!("factual_t5={}", arg(&bad));
    let out = setting.path("out");
    let args = [
        "perceive",
        "--captions",
        arg(&captions),
        "--with",
        "factual_t5",
        "--checkpoint",
        &checkpoint,
    ];
    refused(
        &[&args[..], &["--out", arg(&out)]].concat(),
        1,
        &["bad.safetensors"],
    );
    let absent = Path::new("/nonexistent/model.safetensors");
    let checkpoint = format!("factual_t5={}", arg(absent));
    let args = [
        "perceive",
        "--captions",
        arg(&captions),
        "--with",
        "factual_t5",
        "--checkpoint",
        &checkpoint,
    ];
    refused(
        &[&args[..], &["--out", arg(&out)]].concat(),
        1,
        &[arg(absent)],
    );
}
