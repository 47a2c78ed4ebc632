//! A synthetic parser with captions to read: its graphs are meaningless, but must equal the library's.

use crate::support::*;
use neurogauge::core::{ModelIdentity, SceneGraph};
use neurogauge::formats::scene_graphs;
use neurogauge::metrics::decoding::basic_h::{NoLexicon, NormaliseOptions, normalise};
use neurogauge::models::{ParserOptions, SceneGraphParser};
use std::num::NonZeroUsize;

/// Sentences by stem; several are either one caption with several sentences, or several captions.
pub(crate) const CAPTIONS: [(&str, &[&str]); 6] = [
    ("1", &["A large boat is docked at the dock."]),
    ("2", &["the man is holding a red hat"]),
    ("3", &["Two men are on a boat.", "The boat is red."]),
    ("4", &["a man"]),
    ("7", &["The dock is large.", "A man is in the boat.", "The man is red."]),
    ("10", &[""]),
];

/// A low limit, since a synthetic model never ends.
pub(crate) const TOKENS: usize = 24;

pub(crate) struct Setting {
    pub(crate) dir: Folder,
    pub(crate) weights: PathBuf,
}

impl Setting {
    pub(crate) fn new() -> Setting {
        let dir = folder();
        let weights = write_parser(&dir.path().join("parser"), |_, _| {});
        let setting = Setting { dir, weights };
        setting.write_captions("captions.json", &CAPTIONS.map(|(stem, sentences)| (stem, sentences.join(" "))));
        setting
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write_captions(&self, name: &str, captions: &[(&str, String)]) {
        let captions = Value::Object(captions.iter().map(|(stem, text)| ((*stem).to_owned(), json!(text))).collect());
        self.dir.write(name, captions.to_string());
    }

    pub(crate) fn checkpoint(&self) -> String {
        format!("--checkpoint factual_t5={}", arg(&self.weights))
    }

    pub(crate) fn perceive(&self, out: &str, options: &str) -> Ran {
        let parser = format!("--with factual_t5 {} --set parser_tokens=24", self.checkpoint());
        self.dir.run(&format!("perceive --captions captions.json {parser} --out {out} {options}"))
    }

    pub(crate) fn graphs(&self, out: &str) -> Vec<(String, SceneGraph)> {
        scene_graphs::read(&self.path(out).join("scene_graphs.json")).unwrap()
    }

    /// The library's parse of sentences, merged into one graph.
    pub(crate) fn parsed(&self, sentences: &[&str], n_beams: usize) -> SceneGraph {
        let identity = ModelIdentity::named("synthetic");
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

pub(crate) fn merged(graphs: &[SceneGraph]) -> SceneGraph {
    let options = NormaliseOptions {
        lemmas: false,
        drop_of: false,
        ..NormaliseOptions::default()
    };
    normalise(graphs, &NoLexicon, &options)
}

/// Number of captions that the model read.
#[track_caller]
pub(crate) fn n_read(ran: &Ran) -> usize {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stderr.split(" captions read").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

/// Options for matching by words only.
pub(crate) const WORDS: &str = "--set basic_synonyms=off --set basic_lemmas=off --set basic_soft=off";

/// Scores the folder by words only.
pub(crate) fn score(setting: &Setting, run: &str, options: &str) -> Ran {
    let parser = match options.starts_with("--set parser=t5") {
        true => format!("{} --set parser_tokens=24", setting.checkpoint()),
        false => String::new(),
    };
    let score = format!("score --observations . --out {run} --overwrite --metrics basic_h_all {WORDS}");
    setting.dir.run_with_cache(&format!("{score} {parser} {options}"), "cache")
}

pub(crate) fn both_sides(setting: &Setting) {
    let texts = CAPTIONS.map(|(stem, sentences)| (stem, sentences.join(" ")));
    setting.write_captions("gt/captions.json", &texts[..5]);
    let others = [0, 2, 2, 1, 4].map(|other| texts[other].1.clone());
    let recon: Vec<(&str, String)> = texts.iter().map(|text| text.0).zip(others).collect();
    setting.write_captions("recon/captions.json", &recon);
}
