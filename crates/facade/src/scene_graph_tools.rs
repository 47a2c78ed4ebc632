//! The tools that make and compare scene graphs: captions, a tagger, a dictionary, an encoder of phrases.

use crate::Error;
use crate::observers::text_embeddings::{self, DEFAULT_PHRASE_ENCODER};
use crate::option_names::OBSERVATIONS;
use crate::request::{GraphParser, ScoreRequest};
use itertools::Itertools;
use neurogauge_core::Input;
use neurogauge_core::option_words::option;
use neurogauge_models::ModelError;
use std::path::{Path, PathBuf};

/// The folders into which WordNet's own packages install it.
const USUAL_PLACES: [&str; 2] = ["/usr/share/wordnet", "/usr/local/WordNet-3.0/dict"];
/// The environment variable that WordNet's own programs read.
pub const WORDNET_VARIABLE: &str = "WNSEARCHDIR";

/// The tools that the options require, if they exist.
#[derive(Debug, Clone, Default)]
pub(crate) struct GraphTools {
    /// WordNet's folder, if words are looked up.
    pub(crate) wordnet: Option<PathBuf>,
    parses: bool,
    /// Do objects count only if a noun of the caption names them?
    filters_nouns: bool,
    /// Folder of the tagger's weights, if objects count only if a noun names them.
    pub(crate) tagger: Option<PathBuf>,
    /// WordNet's folder, if it is on this machine, whether required or not.
    pub(crate) dictionary: Option<PathBuf>,
    /// A missing tool, in words.
    pub(crate) lacking: Option<String>,
}

impl GraphTools {
    /// Finds the tools that the options of BASIC-H require, for graphs with or without captions.
    pub(crate) fn find(request: &ScoreRequest, has_captions: bool) -> Result<GraphTools, Error> {
        let options = &request.options.basic_h;
        let mut tools = GraphTools {
            parses: request.graph_parser != GraphParser::File,
            filters_nouns: options.normalise.noun_filter,
            ..GraphTools::default()
        };
        let dictionary = find_wordnet(request.inputs.get(Input::WordNet), &usual_places());
        tools.dictionary = dictionary.as_ref().ok().cloned();
        if options.needs_lexicon() {
            match dictionary {
                Ok(folder) => tools.wordnet = Some(folder),
                Err(lacking) => tools.lacking = Some(lacking),
            }
        }
        if options.normalise.noun_filter {
            let filter = option("basic-noun-filter", "on");
            tools.tagger = request.inputs.get(Input::Tagger).map(Path::to_owned);
            if tools.tagger.is_none() {
                tools.lacking.get_or_insert(format!(
                    "the weights of a tagger for {filter}: give the folder of NLTK's \
                     averaged_perceptron_tagger_eng with {}, or leave the filter off",
                    option("tagger", "DIR")
                ));
            }
            if !has_captions {
                tools.lacking.get_or_insert(format!(
                    "the captions that the scene graphs are of for {filter}, whose nouns \
                     it keeps: captions.json in {OBSERVATIONS}, or {} and {}",
                    option("gt-captions", ""),
                    option("recon-captions", "")
                ));
            }
        }
        if options.needs_embeddings() {
            let encoder = &request.phrase_encoder;
            match text_embeddings::check(encoder) {
                Ok(()) => {}
                Err(Error::Model(ModelError::UnknownModel(_))) => {
                    tools.lacking.get_or_insert(format!(
                        "an encoder of phrases, and {encoder:?} is none of this version; give \
                         {} (CAPTURE's, the default) or {}, or compare words alone with {}",
                        option("phrase-encoder", DEFAULT_PHRASE_ENCODER),
                        text_embeddings::DEFAULT_ENCODER,
                        option("basic-soft", "off")
                    ));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(tools)
    }
}

impl GraphTools {
    /// Are captions read, either for parsing or for their nouns?
    pub(crate) fn needs_captions(&self) -> bool {
        self.parses || self.filters_nouns
    }

    /// Ids of the conventions that affect scores of graphs here, besides those that always apply.
    pub(crate) fn conventions(&self) -> Vec<&'static str> {
        let mut ids = Vec::new();
        if self.parses {
            ids.extend(["parsed-captions", "parser-source-limit", "graph-text"]);
        }
        if self.filters_nouns {
            ids.extend(["noun-filter", "word-tokens"]);
        }
        if self.needs_captions() {
            ids.push("sentences-punkt");
        }
        ids
    }
}

/// WordNet's folder if the user did not give one.
///
/// # Errors
/// Instructions, if WordNet is not found.
pub fn installed_wordnet() -> Result<PathBuf, String> {
    find_wordnet(None, &usual_places())
}

fn usual_places() -> Vec<PathBuf> {
    let named = std::env::var_os(WORDNET_VARIABLE).map(PathBuf::from);
    named.into_iter().chain(USUAL_PLACES.map(PathBuf::from)).collect()
}

/// The given folder, or the first of these places that has WordNet's files.
fn find_wordnet(given: Option<&Path>, places: &[PathBuf]) -> Result<PathBuf, String> {
    if let Some(folder) = given {
        return Ok(folder.to_owned());
    }
    let has_it = |folder: &&PathBuf| folder.join("index.noun").is_file();
    places.iter().find(has_it).cloned().ok_or_else(|| {
        format!(
            "WordNet 3.0, and none is in {}; install it (apt install wordnet-base, on Debian and \
             Ubuntu), or give its folder of index.noun, data.noun and so on with {} \
             or {WORDNET_VARIABLE}; without it: {} {}",
            places.iter().map(|place| place.display()).join(" or "),
            option("wordnet", "DIR"),
            option("basic-synonyms", "off"),
            option("basic-lemmas", "off")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordnet_is_the_given_folder_or_the_first_place_that_has_it_or_an_advice() {
        let folder = tempfile::tempdir().unwrap();
        let [empty, full] = ["empty", "full"].map(|name| folder.path().join(name));
        std::fs::create_dir(&full).unwrap();
        std::fs::write(full.join("index.noun"), "").unwrap();
        let places = [empty.clone(), full.clone()];
        assert_eq!(find_wordnet(None, &places), Ok(full));
        assert_eq!(find_wordnet(Some(&empty), &places), Ok(empty.clone()));
        let lacking = find_wordnet(None, &[empty.clone(), empty]).unwrap_err();
        for part in ["wordnet-base", "wordnet DIR", "WNSEARCHDIR", "basic-lemmas off"] {
            assert!(lacking.contains(part), "{lacking}");
        }
    }
}
