//! Representational similarity analysis: the sources of an alignment beside its subjects, region by region.

use super::analysis::{AnalysedRegion, AnalysisRecord, Kept, OfRegion, SourceAnalysis};
use super::{AlignConfig, Study, run};
use crate::{Error, ResultFiles};
use itertools::Itertools;
use neurogauge_alignment::rsa::{Dissimilarities, Dissimilarity, RdmComparison, evaluate_rsa};
use neurogauge_alignment::{AlignmentError, Quantity};
use neurogauge_core::Finding;
use neurogauge_core::words::word_of;
use neurogauge_report::{Cell, Format, fixed};
use neurogauge_stats::BootstrapOptions;
use serde::Serialize;

/// The code of the finding that a unit lacks stimuli of others.
const MISSING_STIMULI: &str = "missing_stimuli";
const CEILINGS: &str =
    "Ceilings: each subject beside the mean of the others (lower) and of all (upper), over the stimuli that all have";
const COSINES: &str = "No p: cosines are above 0 without any relation, and the higher the less a source's dissimilarities vary; a correlation has a \
     chance of 0";

/// How dissimilarities are computed and compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RsaSettings {
    /// How dissimilar responses are. Features have the same, or squared Euclidean distances beside crossnobis.
    pub dissimilarity: Dissimilarity,
    pub comparison: RdmComparison,
}

impl SourceAnalysis for RsaSettings {
    const FILES: ResultFiles = ResultFiles::of("rsa.json", "rsa", &[Format::Markdown, Format::Csv]);
    const NAME: &'static str = "RSA";
    const CLAIMS: [&'static str; 2] = [
        "is similar to these brains beyond chance",
        "no source is shown to be more similar to these brains than chance",
    ];

    fn fewest_repeats(&self) -> usize {
        0
    }

    fn prepared<'a>(
        &'a self,
        (study, _): (&'a Study, &'a AlignConfig),
        options: &'a BootstrapOptions,
        kept: &mut Kept,
    ) -> Result<OfRegion<'a>, Error> {
        let of = |source: &super::SourceFeatures| {
            let found = Dissimilarities::of(&source.features, self.dissimilarity.of_features())
                .map_err(|error| AlignmentError::Data(format!("source {:?}: {error}", source.name)))?;
            kept.findings.extend(left_out(&source.name, &found));
            kept.matrices.insert(file_of("features", &source.name), found.clone());
            Ok::<_, Error>(found)
        };
        let sources = study.sources.iter().map(of).collect::<Result<Vec<Dissimilarities>, Error>>()?;
        let n_stimuli = study.stimuli.len();
        Ok(Box::new(move |group, kept| {
            let mut subjects = Vec::new();
            for unit in group {
                let name = unit.trials.unit().to_string();
                let own: Vec<usize> = unit.order.stimuli.iter().copied().sorted_unstable().dedup().collect();
                let few = unit.trials.repeats().iter().position(|repeats| repeats.len() < 2);
                if let Some(place) = few.filter(|_| self.dissimilarity == Dissimilarity::Crossnobis) {
                    return Err(Error::Data(format!(
                        "{name}: 1 trial of stimulus {}; crossnobis needs two of each, so write `repeats = 2` at the top of the \
                         configuration, or choose another --dissimilarity",
                        study.stimuli[own[place]]
                    )));
                }
                let found = Dissimilarities::of_trials(&unit.trials, self.dissimilarity)?;
                kept.findings.extend(left_out(&name, &found));
                let found = found.among(&own, n_stimuli);
                kept.matrices.insert(file_of("responses", &name), found.clone());
                subjects.push(found);
                let n_missing = n_stimuli - own.len();
                let lacks = || format!("lacks {n_missing} of {n_stimuli} stimuli, and is compared over its own");
                kept.findings.extend((n_missing > 0).then(|| Finding::note(MISSING_STIMULI, name, lacks())));
            }
            Ok(evaluate_rsa(&subjects, &sources, self.comparison, options)?)
        }))
    }

    fn quantity(&self) -> String {
        word_of(&self.comparison)
    }

    fn addition(region: &AnalysedRegion, _: Option<(usize, &str)>) -> Option<String> {
        let words = |quantity| Some(fixed(*region.estimates.get(0, quantity)?.value.as_ref().ok()?, Cell::DECIMALS));
        let (lower, upper) = (words(Quantity::LowerCeiling)?, words(Quantity::UpperCeiling)?);
        Some(format!("The noise ceiling is between {lower} and {upper}."))
    }

    fn notes(record: &AnalysisRecord<Self>, over: &str) -> Vec<String> {
        let rsa = &record.request.analysis;
        let [responses, features] = [rsa.dissimilarity, rsa.dissimilarity.of_features()].map(|kind| word_of(&kind));
        let mut notes = vec![format!(
            "Dissimilarities of responses: {responses}; of features: {features}; over pairs of {} stimuli, responses z-scored within \
             sessions. {over}. p: Holm within the region",
            record.stimuli.len()
        )];
        let of_several = record.regions.iter().any(|region| region.subjects.len() > 1);
        notes.extend(of_several.then(|| CEILINGS.to_owned()));
        notes.extend((!rsa.comparison.has_zero_chance()).then(|| COSINES.to_owned()));
        let n = record.kept.findings.iter().filter(|finding| finding.code == MISSING_STIMULI).count();
        let lacking = || format!("Target units that lack stimuli of others, and are compared over their own: {n}");
        notes.extend((n > 0).then(lacking));
        notes
    }
}

/// The file of a source's or a unit's square matrix, in the order of the record's stimuli.
fn file_of(what: &str, name: &str) -> String {
    format!("dissimilarities/{what}.{}.npy", name.split(' ').map(run::file_part).join("."))
}

/// Says how many stimuli have a pattern without dissimilarity.
fn left_out(name: &str, found: &Dissimilarities) -> Option<Finding> {
    let n = found.is_present().iter().filter(|is_present| !**is_present).count();
    let message = || format!("stimuli left out, since a constant pattern, or one of zeros, has no dissimilarity: {n}");
    (n > 0).then(|| Finding::warning("constant_patterns", name, message()))
}
