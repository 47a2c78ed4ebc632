//! Opens dictionaries and other language data.

use crate::Error;
use crate::caption_sentences::{self, CaptionSentences};
use crate::dataset::{InputRecord, Opening};
use neurogauge_core::Input;
use neurogauge_language::{NounFilter, PerceptronTagger, WordNet};
use std::path::Path;

impl<'a> Opening<'a> {
    fn punkt(&self) -> Option<&'a Path> {
        self.request.inputs.get(Input::Punkt)
    }

    /// Opens the user's parameters for splitting captions into sentences, if given.
    pub(super) fn sentences(&mut self) -> Result<(), Error> {
        let punkt = self.punkt().filter(|_| self.dataset.input("punkt").is_none());
        if let Some(folder) = punkt {
            let record = caption_sentences::record(folder)?;
            self.dataset.inputs.push(record);
        }
        Ok(())
    }

    pub(super) fn tagger(&mut self, folder: &Path) -> Result<(), Error> {
        let files = PerceptronTagger::files(folder)?;
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let record = InputRecord::of_files("tagger".to_owned(), folder, &names)?;
        self.dataset.inputs.push(record);
        self.dataset.resources.noun_filter = Some(NounFilter {
            tagger: PerceptronTagger::open(folder)?,
            splitter: CaptionSentences::of(self.punkt())?.splitter,
        });
        Ok(())
    }

    pub(super) fn wordnet(&mut self, folder: &Path) -> Result<(), Error> {
        if self.dataset.resources.wordnet.is_some() {
            return Ok(());
        }
        self.dataset.resources.wordnet = Some(WordNet::open(folder)?);
        let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES)?;
        self.dataset.inputs.push(record);
        Ok(())
    }
}
