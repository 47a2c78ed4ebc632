//! The overlap of two phrases by their words: whether one contains the other, and the share of common lemmas.

use super::options::{Containment, Rules};
use neurogauge_core::Lexicon;
use std::collections::{BTreeSet, HashMap};

/// The synonyms of the phrases of two graphs, each looked up once.
pub(super) struct Synonyms<'a> {
    rules: &'a Rules,
    of: HashMap<String, BTreeSet<String>>,
}

impl<'a> Synonyms<'a> {
    pub(super) fn new<'p>(phrases: impl Iterator<Item = &'p str>, lexicon: &dyn Lexicon, rules: &'a Rules) -> Self {
        let mut of = HashMap::new();
        for phrase in phrases.filter(|_| rules.synonyms) {
            if !of.contains_key(phrase) {
                let words: Vec<&str> = phrase.split_whitespace().collect();
                of.insert(phrase.to_owned(), lexicon.synonyms(&words.join("_")));
            }
        }
        Synonyms { rules, of }
    }

    /// 1 for equal phrases and if one is part of the other; otherwise the number of common lemmas divided by that of
    /// all lemmas, 0 if there are none.
    pub(super) fn overlap(&self, a: &str, b: &str) -> f64 {
        if a == b || is_part(a, b, self.rules.containment) {
            return 1.0;
        }
        let (Some(of_a), Some(of_b)) = (self.of.get(a), self.of.get(b)) else {
            return 0.0;
        };
        let shared = of_a.intersection(of_b).count();
        if shared == 0 {
            return 0.0;
        }
        shared as f64 / (of_a.len() + of_b.len() - shared) as f64
    }
}

/// Is one of them part of the other?
pub fn is_part(a: &str, b: &str, containment: Containment) -> bool {
    match containment {
        Containment::Off => false,
        Containment::Substring => a.contains(b) || b.contains(a),
        Containment::WholeWords => {
            let (a, b): (Vec<&str>, Vec<&str>) = (a.split_whitespace().collect(), b.split_whitespace().collect());
            let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            !short.is_empty() && long.windows(short.len()).any(|run| run == short)
        }
    }
}
