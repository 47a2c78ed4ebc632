//! How the scene graphs of two captions are made and matched.

use super::entry::Convention;
use super::value::{Values, count, itself, number, optional, switch, word};
use super::{MAX_BEAMS, MAX_TOKENS};
use crate::{GraphParser, ScoreRequest};
use neurogauge_core::option_values::AtLeastZero;
use neurogauge_core::words::word_of;
use neurogauge_formats::word_list;
use neurogauge_metrics::decoding::basic_h::{BasicHOptions, BasicPreset, Rules};
use neurogauge_models::ParserOptions;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::Path;

/// The default of a convention that the presets decide.
fn of_presets(print: fn(&Rules) -> String) -> String {
    let of = |preset| {
        let options = BasicHOptions {
            preset,
            ..BasicHOptions::default()
        };
        options.rules().map_or_else(|error| error.to_string(), |rules| print(&rules))
    };
    format!("the preset's: {} for basic, {} for capture", of(BasicPreset::Basic), of(BasicPreset::Capture))
}

/// The rules of a request, as its preset and its settings make them.
fn answer(request: &ScoreRequest, print: fn(&Rules) -> String) -> String {
    request.options.basic_h.rules().map_or_else(|error| error.to_string(), |rules| print(&rules))
}

fn containment(rules: &Rules) -> String {
    word_of(&rules.containment)
}

fn assignment(rules: &Rules) -> String {
    word_of(&rules.assignment)
}

fn negative_cosines(rules: &Rules) -> String {
    word_of(&rules.negative_cosines)
}

fn epsilon(rules: &Rules) -> String {
    format!("{:?}", rules.epsilon).trim_end_matches(".0").to_owned()
}

/// The weights of presets, in tenths: 4:4:2.
fn in_tenths(rules: &Rules) -> String {
    rules.weights.map(|weight| (10.0 * weight).to_string()).join(":")
}

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("basic_containment", "basic-containment"),
            "When a phrase that is part of another matches it",
            optional("the preset's", word()),
            |request| Some(&mut request.options.basic_h.containment),
        )
        .by_default(of_presets(containment))
        .answered_by(|request| answer(request, containment)),
        Convention::new(
            ("basic_assignment", "basic-assignment"),
            "Which of several possible partners an element gets",
            optional("the preset's", word()),
            |request| Some(&mut request.options.basic_h.assignment),
        )
        .by_default(of_presets(assignment))
        .answered_by(|request| answer(request, assignment)),
        Convention::new(
            ("basic_synonyms", "basic-synonyms"),
            "Do phrases that share a lemma in WordNet match?",
            switch(),
            |request| Some(&mut request.options.basic_h.synonyms),
        ),
        Convention::new(
            ("basic_soft", "basic-soft"),
            "What elements without a match count for: their largest cosine, that with one partner, or nothing",
            word(),
            |request| Some(&mut request.options.basic_h.soft),
        ),
        Convention::new(
            ("basic_negative_cosines", "basic-negative-cosines"),
            "What a cosine below 0 counts for",
            optional("the preset's", word()),
            |request| Some(&mut request.options.basic_h.negative_cosines),
        )
        .by_default(of_presets(negative_cosines))
        .answered_by(|request| answer(request, negative_cosines)),
        Convention::new(
            ("basic_epsilon", "basic-epsilon"),
            "Added to every denominator",
            optional("the preset's", number::<AtLeastZero>("EPSILON")),
            |request| Some(&mut request.options.basic_h.epsilon),
        )
        .by_default(of_presets(epsilon))
        .answered_by(|request| answer(request, epsilon)),
        Convention::new(
            ("basic_weights", "basic-weights"),
            "Weights of objects, attributes and relations",
            optional("the preset's", weights()),
            |request| Some(&mut request.options.basic_h.weights),
        )
        .by_default(of_presets(in_tenths))
        .answered_by(|request| match request.options.basic_h.weights {
            Some(weights) => weights.map(|weight| weight.to_string()).join(":"),
            None => answer(request, in_tenths),
        }),
        Convention::new(
            ("basic_lemmas", "basic-graphs"),
            "Bring objects and attributes to their base forms first (WordNet)",
            switch(),
            |request| Some(&mut request.options.basic_h.normalise.lemmas),
        ),
        Convention::new(
            ("basic_drop_of", "basic-graphs"),
            "Leave out attributes that hold \" of\"",
            switch(),
            |request| Some(&mut request.options.basic_h.normalise.drop_of),
        ),
        Convention::new(
            ("basic_noun_filter", "noun-filter"),
            "Only what the caption names by a noun counts, as in CAPTURE's code: the words of captions are tagged by a \
             perceptron tagger's weights (the input tagger)",
            switch(),
            |request| Some(&mut request.options.basic_h.normalise.noun_filter),
        ),
        Convention::new(
            ("basic_stop_words", "basic-graphs"),
            "Objects that do not count, in base form: a file with one per line",
            words_of_file(),
            |request| Some(&mut request.options.basic_h.normalise.stop_words),
        )
        .by_default("all count")
        .file_if(|_| true),
        Convention::new(
            ("phrase_encoder", "basic-encoder"),
            "Model that embeds what is left unmatched: all-mpnet-base-v2, all-MiniLM-L6-v2, Qwen3-Embedding-0.6B, or \
             `placeholder` (no weights, numbers mean nothing)",
            itself::<String>("MODEL"),
            |request| Some(&mut request.phrase_encoder),
        ),
        Convention::of_fields(
            ("parser", "parsed-captions"),
            "Where scene graphs come from: files, or t5: captions of both sides are parsed by the FACTUAL parser \
             (factual_t5), several of an image into one graph; t5-subcaptions: once more from the sentences about one \
             object, or about two that are related, as the BASIC paper words it",
            word::<Parser>(),
            |request, parser| {
                request.graph_parser = match parser {
                    Parser::File => GraphParser::File,
                    Parser::T5 => GraphParser::T5(ParserOptions::default()),
                    Parser::T5Subcaptions => GraphParser::T5Subcaptions(ParserOptions::default()),
                };
                true
            },
            |request| {
                Some(match request.graph_parser {
                    GraphParser::File => Parser::File,
                    GraphParser::T5(_) => Parser::T5,
                    GraphParser::T5Subcaptions(_) => Parser::T5Subcaptions,
                })
            },
        ),
        Convention::new(
            ("parser_beams", "parsed-captions"),
            "Beams of the search of the parser of captions; 1 is greedy search",
            count::<MAX_BEAMS, NonZeroUsize>("N"),
            |request| Some(&mut parser(request)?.n_beams),
        ),
        Convention::new(
            ("parser_tokens", "parsed-captions"),
            "Tokens of a sentence's graph at most, the end token included",
            count::<MAX_TOKENS, usize>("N"),
            |request| Some(&mut parser(request)?.max_new_tokens),
        ),
    ]
}

fn parser(request: &mut ScoreRequest) -> Option<&mut ParserOptions> {
    request.graph_parser.options_mut()
}

/// Three numbers whose ratio alone matters: `4:4:2`.
fn weights() -> Values<[f64; 3]> {
    let read = |text: &str| {
        let numbers = text.split([':', ',']).map(|part| part.trim().parse().map(|AtLeastZero(number)| number));
        let numbers: Result<Vec<f64>, String> = numbers.collect();
        let weights = numbers.ok().and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
        let weights = weights.filter(|weights| weights.iter().sum::<f64>() > 0.0);
        weights.ok_or_else(|| "expected three numbers, 0 or more and not all 0, for example 4:4:2".to_owned())
    };
    Values::of("A:B:C", read, |weights| weights.map(|weight| weight.to_string()).join(":"))
}

fn words_of_file() -> Values<Vec<String>> {
    let read = |path: &str| word_list::read(Path::new(path)).map_err(|error| error.to_string());
    Values::of("FILE", read, |words: &Vec<String>| words.join(", "))
}

/// Where scene graphs come from.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Parser {
    File,
    T5,
    T5Subcaptions,
}
