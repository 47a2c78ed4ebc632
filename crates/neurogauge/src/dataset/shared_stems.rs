//! All kinds of input of a run are about the same stimuli.

use crate::Error;
use neurogauge_core::Pair;
use std::collections::HashSet;

/// The stems that the first kind of input brought; every other kind must bring the same.
#[derive(Default)]
pub(crate) struct SharedStems {
    first: Option<(&'static str, Vec<String>)>,
}

impl SharedStems {
    pub(crate) fn agree(&mut self, kind: &'static str, pairs: &[Pair]) -> Result<(), Error> {
        let stems: Vec<String> = pairs.iter().map(|pair| pair.stem.clone()).collect();
        let Some((first, known)) = &self.first else {
            self.first = Some((kind, stems));
            return Ok(());
        };
        if *known == stems {
            return Ok(());
        }
        let here: HashSet<&String> = stems.iter().collect();
        let there: HashSet<&String> = known.iter().collect();
        let only_one: Vec<&str> = known
            .iter()
            .filter(|stem| !here.contains(stem))
            .chain(stems.iter().filter(|stem| !there.contains(stem)))
            .take(5)
            .map(String::as_str)
            .collect();
        Err(Error::StemsDiffer {
            first,
            second: kind,
            n_first: known.len(),
            n_second: stems.len(),
            examples: only_one.join(", "),
        })
    }

    pub(crate) fn into_stems(self) -> Vec<String> {
        self.first.map(|(_, stems)| stems).unwrap_or_default()
    }
}
