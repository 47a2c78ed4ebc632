//! Options that affect BASIC-H.

use super::*;
use neurogauge::core::option_values::NumbersOrWords;
use neurogauge::formats::word_list;
use neurogauge::metrics::decoding::basic_h::{BasicHOptions, BasicPreset, Rules};
use neurogauge::{Error, ScoreRequest};
use std::str::FromStr;

/// The defaults of an option, which the presets set.
fn of_presets(decided: impl Fn(Rules) -> String) -> String {
    let of = |preset| {
        let options = BasicHOptions {
            preset,
            ..BasicHOptions::default()
        };
        options.rules().map_or_else(|error| error.to_string(), &decided)
    };
    format!("the preset's: {} for basic, {} for capture", of(BasicPreset::Basic), of(BasicPreset::Capture))
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct BasicArgs {
    /// Where scene graphs come from: files, or t5: captions of both sides are parsed by the FACTUAL parser
    /// (factual_t5), several of an image into one graph; t5-subcaptions: once more from the sentences about one object,
    /// or about two that are related, as the BASIC paper words it
    #[arg(long, value_enum, defaults_to = "file")]
    pub(crate) parser: Option<GraphParserArg>,
    /// Model that embeds what is left unmatched: all-mpnet-base-v2, all-MiniLM-L6-v2, Qwen3-Embedding-0.6B, or
    /// `placeholder` (no weights, numbers mean nothing)
    #[arg(long, value_name = "MODEL", defaults_to = &SCORE.phrase_encoder)]
    pub(crate) phrase_encoder: Option<String>,
    /// When a phrase that is part of another matches it
    #[arg(long, value_parser = choice::<Containment>(), defaults_to = of_presets(|rules| word_of(&rules.containment)))]
    #[serde(deserialize_with = "from_json::word")]
    pub(crate) basic_containment: Option<Containment>,
    /// Which of several possible partners an element gets
    #[arg(long, value_parser = choice::<Assignment>(), defaults_to = of_presets(|rules| word_of(&rules.assignment)))]
    pub(crate) basic_assignment: Option<Assignment>,
    /// Do phrases that share a lemma in WordNet match?
    #[arg(long, value_enum, defaults_to = on_off(SCORE.options.basic_h.synonyms))]
    pub(crate) basic_synonyms: Option<Switch>,
    /// What elements without a match count for: their largest cosine, that with one partner, or nothing
    #[arg(long, value_parser = choice::<SoftMatching>(), defaults_to = word_of(&SCORE.options.basic_h.soft))]
    #[serde(deserialize_with = "from_json::word")]
    pub(crate) basic_soft: Option<SoftMatching>,
    /// What a cosine below 0 counts for
    #[arg(long, value_parser = choice::<NegativeCosines>(), defaults_to = of_presets(|rules| word_of(&rules.negative_cosines)))]
    pub(crate) basic_negative_cosines: Option<NegativeCosines>,
    /// Added to every denominator
    #[arg(long, value_name = "EPSILON", allow_negative_numbers = true, defaults_to = of_presets(|rules| format!("{:?}", rules.epsilon).trim_end_matches(".0").to_owned()))]
    pub(crate) basic_epsilon: Option<AtLeastZero>,
    /// Weights of objects, attributes and relations
    #[arg(long, value_name = "A:B:C", defaults_to = of_presets(|rules| rules.weights.map(|weight| (10.0 * weight).to_string()).join(":")))]
    pub(crate) basic_weights: Option<Weights>,
    /// Bring objects and attributes to their base forms first (WordNet)
    #[arg(long, value_enum, defaults_to = on_off(SCORE.options.basic_h.normalise.lemmas))]
    pub(crate) basic_lemmas: Option<Switch>,
    /// Leave out attributes that hold " of"
    #[arg(long, value_enum, defaults_to = on_off(SCORE.options.basic_h.normalise.drop_of))]
    pub(crate) basic_drop_of: Option<Switch>,
    /// Only what the caption names by a noun counts, as in CAPTURE's code: the words of captions are tagged by --tagger
    #[arg(long, value_enum, defaults_to = on_off(SCORE.options.basic_h.normalise.noun_filter))]
    pub(crate) basic_noun_filter: Option<Switch>,
    /// Objects that do not count, in base form, one per line [default: all count]
    #[arg(long, value_name = "FILE")]
    pub(crate) basic_stop_words: Option<PathBuf>,
}

impl BasicArgs {
    /// Sets the options in a request.
    pub(crate) fn apply(&self, request: &mut ScoreRequest) -> Result<(), Error> {
        set(&mut request.phrase_encoder, self.phrase_encoder.clone());
        let options = &mut request.options.basic_h;
        options.containment = self.basic_containment;
        options.assignment = self.basic_assignment;
        options.negative_cosines = self.basic_negative_cosines;
        options.epsilon = self.basic_epsilon.map(Into::into);
        options.weights = self.basic_weights.map(|Weights(weights)| weights);
        set(&mut options.soft, self.basic_soft);
        set(&mut options.synonyms, self.basic_synonyms);
        set(&mut options.normalise.lemmas, self.basic_lemmas);
        set(&mut options.normalise.drop_of, self.basic_drop_of);
        set(&mut options.normalise.noun_filter, self.basic_noun_filter);
        if let Some(path) = &self.basic_stop_words {
            options.normalise.stop_words = word_list::read(path)?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GraphParserArg {
    File,
    T5,
    T5Subcaptions,
}

/// Weights of objects, attributes and relations.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "NumbersOrWords<[f64; 3]>")]
pub(crate) struct Weights(pub(crate) [f64; 3]);

impl TryFrom<NumbersOrWords<[f64; 3]>> for Weights {
    type Error = String;

    fn try_from(weights: NumbersOrWords<[f64; 3]>) -> Result<Self, String> {
        match weights {
            NumbersOrWords::Numbers(weights) => weights.map(|weight| weight.to_string()).join(":").parse(),
            NumbersOrWords::Words(words) => words.parse(),
        }
    }
}

impl FromStr for Weights {
    type Err = String;

    /// Parses `4:4:2`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split(':').map(|part| part.parse().map(|AtLeastZero(number)| number));
        let numbers: Result<Vec<f64>, String> = numbers.collect();
        let weights = numbers.ok().and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
        let weights = weights.filter(|weights| weights.iter().sum::<f64>() > 0.0);
        weights
            .map(Weights)
            .ok_or_else(|| "expected three numbers, 0 or more and not all 0, for example 4:4:2".to_owned())
    }
}
