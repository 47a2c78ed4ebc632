//! `neurogauge perceive --captions`.

use super::captions::CaptionParser;
use super::recipe::GraphRecipe;
use crate::Error;
use crate::dataset::InputRecord;
use crate::describing::Undescribed;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::SceneGraph;
use neurogauge_formats::{FormatError, captions, json, scene_graphs};
use neurogauge_language::WordNet;
use neurogauge_metrics::decoding::basic_h::{NormaliseOptions, normalise};
use neurogauge_models::ParserOptions;
use serde::Serialize;
use std::path::PathBuf;

/// Captions that are to become scene graphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRequest {
    /// A file of captions.
    pub captions: PathBuf,
    /// Id of the parser.
    pub parser: String,
    /// Beams and limits.
    pub options: ParserOptions,
    /// Folder of Punkt's parameters; `None`: sentences by our own rules.
    pub punkt: Option<PathBuf>,
    /// WordNet's folder: words are written in their base forms, attributes with " of" left out. `None`: as the
    /// parser wrote them.
    pub wordnet: Option<PathBuf>,
}

/// A file of scene graphs.
#[derive(Debug, Clone, PartialEq)]
pub struct PerceivedGraphs {
    /// How they were made.
    pub recipe: GraphRecipe,
    /// The file.
    pub path: PathBuf,
    /// Images that have captions.
    pub n_images: usize,
    /// Captions that the model had to read; the rest was known.
    pub n_read: usize,
    /// Facts that the model wrote and that are not of three parts.
    pub n_malformed: usize,
    /// Images that are not in the file, with the reason.
    pub without: Vec<Undescribed>,
}

impl PerceivedGraphs {
    /// An error if the captions of an image have no graph.
    ///
    /// # Errors
    /// [`Error::Undescribed`].
    pub fn check(&self) -> Result<(), Error> {
        Undescribed::check(&self.without, "scene graph")
    }
}

/// What stands beside the graphs.
#[derive(Serialize)]
struct WrittenRecipe<'a> {
    #[serde(flatten)]
    recipe: &'a GraphRecipe,
    /// SHA-256 of WordNet's files, where words stand in their base forms.
    wordnet_sha256: Option<String>,
}

/// Parses captions and writes `<out>/scene_graphs.json`, with `scene_graphs.recipe.json` beside it, which says how.
///
/// Graphs are kept in `<out>/scene_graphs.jsonl` as they come: an interrupted call goes on where it stopped, and a caption is
/// parsed anew only where it, the weights, the options or the rules of sentences changed. A caption that cannot be
/// parsed is named and left out, and the others go on.
///
/// Conventions: `parsed-captions`, `parser-source-limit`, `graph-text`, `sentences-punkt`.
///
/// # Errors
/// Unknown parsers; weights that are neither here nor may be downloaded; faulty captions, parameters or WordNet files; a
/// `scene_graphs.json` that was not written here.
pub fn parse_captions(
    request: &ParseRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<PerceivedGraphs, Error> {
    let out = &settings.out;
    let path = out.join("scene_graphs.json");
    let recipe_path = out.join("scene_graphs.recipe.json");
    if path.exists() && !recipe_path.exists() {
        return Err(Error::ForeignObservations {
            path,
            mark: "scene_graphs.recipe.json",
        });
    }
    let captions = captions::read(&request.captions)?;
    let wordnet = match &request.wordnet {
        Some(folder) => {
            let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES);
            Some((WordNet::open(folder)?, record?.sha256))
        }
        None => None,
    };
    let punkt = request.punkt.as_deref();
    let mut parser =
        CaptionParser::find(&request.parser, request.options, punkt, settings, progress)?;
    std::fs::create_dir_all(out).map_err(|source| FormatError::Io {
        path: out.clone(),
        action: "creating",
        source,
    })?;
    let mut journal = Journal::open(&out.join("scene_graphs.jsonl"))?;
    let parsed = parser.parse("captions", &captions, &mut journal, progress)?;
    let in_base_forms = |graph: SceneGraph| match &wordnet {
        Some((wordnet, _)) => normalise(&[graph], wordnet, &NormaliseOptions::default()),
        None => graph,
    };
    let stems = captions.iter().map(|(stem, _)| stem.clone());
    let graphs: Vec<(String, SceneGraph)> = stems
        .zip(parsed.graphs)
        .filter_map(|(stem, graph)| Some((stem, in_base_forms(graph?))))
        .collect();
    let written = WrittenRecipe {
        recipe: &parser.recipe,
        wordnet_sha256: wordnet.as_ref().map(|(_, sha256)| sha256.clone()),
    };
    json::write(&recipe_path, &written)?;
    scene_graphs::write_json(&path, &graphs)?;
    Ok(PerceivedGraphs {
        recipe: parser.recipe,
        path,
        n_images: captions.len(),
        n_read: parsed.n_read,
        n_malformed: parsed.n_malformed,
        without: parsed.without,
    })
}
