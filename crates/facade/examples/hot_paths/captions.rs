//! Metrics of words.

use crate::inputs::{defined, sentences};
use crate::{Failure, HotPath, Work};
use neurogauge::language::{SentenceSplitter, porter_stem, ptb_caption_words, word_tokens_of_text};
use neurogauge::metrics::decoding::basic_h::NoLexicon;
use neurogauge::metrics::{WordFunction, WordsOfPairs, find};

pub(crate) const PATHS: &[HotPath] = &[
    ("caption-words", caption_words),
    ("sentence-words", sentence_words),
    ("bleu", || metric("bleu_4")),
    ("meteor", || metric("meteor")),
    ("rouge-l", || metric("rouge_l")),
    ("cider", || metric("cider")),
];

fn caption_words() -> Result<Work, Failure> {
    let captions = sentences("captions", 300);
    Ok(Box::new(
        move || Ok(captions.iter().map(|text| ptb_caption_words(text).len()).sum::<usize>() as f64),
    ))
}

fn sentence_words() -> Result<Work, Failure> {
    let text = sentences("text", 200).join(" ");
    let splitter = SentenceSplitter::with_own_rules();
    Ok(Box::new(move || Ok(word_tokens_of_text(&text, &splitter).len() as f64)))
}

/// 100 pairs, with five references each.
fn metric(id: &'static str) -> Result<Work, Failure> {
    let Some(WordFunction { compare, .. }) = find(id).and_then(|metric| metric.compute.function()) else {
        return Err(format!("{id} is not a metric of words").into());
    };
    let words = |name: &str, n: usize| -> Vec<Vec<String>> {
        sentences(name, n).iter().map(|text| ptb_caption_words(text)).collect()
    };
    let captions = words("captions", 100);
    let references: Vec<Vec<Vec<String>>> = words("references", 500).chunks(5).map(<[_]>::to_vec).collect();
    Ok(Box::new(move || {
        let outcomes = compare(&WordsOfPairs {
            references: &references,
            captions: &captions,
            stem: porter_stem,
            lexicon: &NoLexicon,
            documents: None,
            weights: None,
        });
        let mut sum = 0.0;
        for outcome in outcomes {
            sum += defined(outcome)?;
        }
        Ok(sum)
    }))
}
