//! Opens captions, scene graphs, category names and texts in images, and the dictionaries and other language data that
//! they need.

use super::opening::Opening;
use super::{InputRecord, StemGraphs, StemScores};
use crate::Error;
use crate::caption_sentences::{self, CaptionSentences};
use neurogauge_core::{CategoryNames, ObservationKind, Role, Side, Sides};
use neurogauge_formats::{FormatError, captions, category_names, scene_graphs, vqa_scores};
use neurogauge_language::NounFilter;
use neurogauge_language::{PerceptronTagger, WordNet};
use std::path::{Path, PathBuf};

/// The words of each image of a file.
type StemWords = Vec<(String, CategoryNames)>;

/// What reads the words of this kind.
pub(super) fn words_of(kind: ObservationKind) -> fn(&Path) -> Result<StemWords, FormatError> {
    match kind {
        ObservationKind::ImageTexts => category_names::read_texts,
        _ => category_names::read,
    }
}

impl Opening<'_> {
    pub(super) fn captions(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides::of(|side| captions::read(paths.side(side)))?;
        if let Some((stem, several)) = sides.recon.iter().find(|(_, c)| c.0.len() != 1) {
            return Err(Error::CaptionCount {
                path: paths.recon.clone(),
                stem: stem.clone(),
                found: several.0.len(),
                expected: "a reconstruction has one (only stimuli may have several references)",
            });
        }
        self.dataset.captions = Some(self.paired_file(ObservationKind::Captions, paths, sides)?);
        Ok(())
    }

    /// Opens captions of the stimuli alone, for questions about reconstructions.
    pub(super) fn captions_of_stimuli(&mut self, path: &Path) -> Result<(), Error> {
        let kind = ObservationKind::Captions;
        let found = captions::read(path)?;
        let stems: Vec<String> = found.iter().map(|(stem, _)| stem.clone()).collect();
        let pairs = self.pair(kind.noun(), (&stems, path), (&stems, path))?;
        let captions = pairs.into_iter().map(|pair| (pair.stem, found[pair.gt].1.clone()));
        self.dataset.stimulus_captions = Some(captions.collect());
        let role = Role::new(Side::Gt, kind).to_string();
        let record = InputRecord::of_file(role, path)?;
        self.dataset.inputs.push(record);
        Ok(())
    }

    pub(super) fn scene_graphs(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides: Sides<StemGraphs> = Sides::of(|side| {
            let graphs = scene_graphs::read(paths.side(side))?.into_iter();
            Ok::<_, Error>(graphs.map(|(stem, graph)| (stem, Some(graph))).collect())
        })?;
        let paired = self.paired_file(ObservationKind::SceneGraphs, paths, sides)?;
        self.dataset.scene_graphs = Some(paired);
        Ok(())
    }

    /// Opens the words of each image, of a kind that is such.
    pub(super) fn words(&mut self, kind: ObservationKind, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides::of(|side| {
            let words = words_of(kind)(paths.side(side))?.into_iter();
            Ok::<_, Error>(words.map(|(stem, words)| (stem, Some(words))).collect())
        })?;
        let paired = self.paired_file(kind, paths, sides)?;
        self.dataset.words.insert(kind, paired);
        Ok(())
    }

    /// Opens VQA scores: one for each pair, under the stem of either side.
    pub(super) fn vqa_scores(&mut self, path: &Path) -> Result<(), Error> {
        let kind = ObservationKind::VqaScores;
        let found = vqa_scores::read(path)?;
        let stems: Vec<String> = found.iter().map(|(stem, _)| stem.clone()).collect();
        let pairs = self.pair(kind.noun(), (&stems, path), (&stems, path))?;
        let scores = pairs.into_iter().map(|pair| (pair.stem, found[pair.recon].1));
        self.dataset.vqa_scores = Some(scores.collect::<StemScores>());
        let role = Role::new(Side::Recon, kind).to_string();
        let record = InputRecord::of_file(role, path)?;
        self.dataset.inputs.push(record);
        Ok(())
    }

    /// Opens the user's parameters for splitting captions into sentences, if given.
    pub(super) fn sentences(&mut self, punkt: Option<&Path>) -> Result<(), Error> {
        let punkt = punkt.filter(|_| self.dataset.input("punkt").is_none());
        if let Some(folder) = punkt {
            self.dataset.inputs.push(caption_sentences::record(folder)?);
        }
        Ok(())
    }

    pub(super) fn tagger(&mut self, folder: &Path, punkt: Option<&Path>) -> Result<(), Error> {
        let files = PerceptronTagger::files(folder)?;
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let record = InputRecord::of_files("tagger".to_owned(), folder, &names)?;
        self.dataset.inputs.push(record);
        self.dataset.noun_filter = Some(NounFilter {
            tagger: PerceptronTagger::open(folder)?,
            splitter: CaptionSentences::of(punkt)?.splitter,
        });
        Ok(())
    }

    pub(super) fn wordnet(&mut self, folder: &Path) -> Result<(), Error> {
        if self.dataset.wordnet.is_some() {
            return Ok(());
        }
        self.dataset.wordnet = Some(WordNet::open(folder)?);
        let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES)?;
        self.dataset.inputs.push(record);
        Ok(())
    }
}
