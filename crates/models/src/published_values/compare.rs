//! Compares a computed value with the published one.

use super::measure::Measured;
use super::record::{Check, Quantity};
use crate::observers::scene_graph_parsing::graph_text::tidy;

/// The number with the largest deviation relative to its tolerance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Largest {
    pub(super) difference: f64,
    pub(super) allowed: f64,
    /// Says which number it is.
    pub(super) place: String,
    pub(super) found: f64,
    pub(super) expected: f64,
}

impl Largest {
    pub(super) fn is_within(&self) -> bool {
        self.difference <= self.allowed
    }

    /// The deviation relative to the tolerance.
    pub(super) fn share(&self) -> f64 {
        match (self.difference, self.allowed) {
            (0.0, _) => 0.0,
            (difference, 0.0) => difference * f64::INFINITY,
            (difference, allowed) => difference / allowed,
        }
    }
}

/// The result of a comparison.
pub(super) enum Compared {
    Numbers(Largest),
    /// The difference of two texts, in words; `None` if they are equal.
    Text(Option<String>),
    /// The number of values differs, or a text is missing; in words.
    Other(String),
}

pub(super) fn compare(check: &Check, found: &Measured, published: &Measured) -> Compared {
    match (found, published) {
        (Measured::Numbers(found), Measured::Numbers(expected)) => {
            if found.len() != expected.len() {
                let (found, expected) = (found.len(), expected.len());
                return Compared::Other(format!("there are {found} numbers where {expected} were published"));
            }
            let each = found.iter().zip(expected).enumerate();
            let each = each.map(|(index, (&found, &expected))| Largest {
                // NaN deviates infinitely.
                difference: match (found - expected).abs() {
                    difference if difference.is_nan() => f64::INFINITY,
                    difference => difference,
                },
                allowed: check.tolerance + check.relative * expected.abs(),
                place: place(&check.quantity, index),
                found,
                expected,
            });
            match each.max_by(|a, b| a.share().total_cmp(&b.share())) {
                Some(largest) => Compared::Numbers(largest),
                None => Compared::Other("no numbers were published".to_owned()),
            }
        }
        (Measured::Text(found), Measured::Text(expected)) => {
            let is_same = match check.quantity {
                Quantity::Facts { .. } => tidy(found) == tidy(expected),
                _ => found == expected,
            };
            Compared::Text((!is_same).then(|| format!("it says {found:?}, published is {expected:?}")))
        }
        _ => Compared::Other("a text is compared with numbers".to_owned()),
    }
}

/// Says which of a quantity's numbers this is.
fn place(quantity: &Quantity, index: usize) -> String {
    let at = |at: &[usize]| at.get(index).copied().unwrap_or(index);
    let of_pair = |what: &str, pairs: &[[usize; 2]]| match pairs.get(index) {
        Some([a, b]) => format!("{what} of texts {a} and {b}"),
        None => what.to_owned(),
    };
    match quantity {
        Quantity::Cosines(pairs) => of_pair("the cosine", pairs),
        Quantity::NegativeManhattan(pairs) => of_pair("the Manhattan distance", pairs),
        Quantity::BeforeNorm { text, at: places } => {
            format!("element {} of text {text}", at(places))
        }
        Quantity::Layer { name, at: places } => format!("element {} of {name}", at(places)),
        Quantity::Softmax { at: places, .. } => format!("the share of class {}", at(places)),
        Quantity::Sum { layer } => format!("the sum of {layer}"),
        Quantity::MeanOfUnit { layer } => format!("the mean of {layer}"),
        Quantity::TopClasses { .. } | Quantity::TopSet { .. } => format!("class {}", index + 1),
        Quantity::TextLogits { texts, .. } => {
            format!("the logit of {:?}", texts.get(index).map_or("", String::as_str))
        }
        Quantity::TokenLogits { .. } => format!("the logit of text {index}"),
        Quantity::Lpips | Quantity::CosineDistances { .. } => {
            format!("the distance of pair {index}")
        }
        Quantity::TopOneAccuracy { .. } => "the accuracy".to_owned(),
        Quantity::MaskScores { .. } => format!("predicted overlap {index}"),
        Quantity::MaskCorner { side, .. } => {
            format!("the logit of row {}, column {} of a mask", index / side % side, index % side)
        }
        Quantity::FirstLogits(places) => format!("the first logit of word {}", at(places)),
        Quantity::QueryLogits { tokens, .. } => {
            format!("the logit of query {} for token {}", index / tokens, index % tokens)
        }
        Quantity::QueryBoxes { sides, .. } => {
            format!("number {} of the box of query {}", index % sides, index / sides)
        }
        Quantity::FoundScores { .. } => format!("the score of object {index}"),
        Quantity::FoundBoxes { .. } => format!("number {} of box {}", index % 4, index / 4),
        Quantity::Caption { .. } | Quantity::Facts { .. } => "the text".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Expected;
    use super::*;

    fn check(quantity: Quantity, tolerance: f64, relative: f64) -> Check {
        Check {
            quantity,
            expected: Expected::Numbers(Vec::new()),
            tolerance,
            relative,
        }
    }

    #[test]
    fn the_worst_number_is_the_one_that_is_furthest_off_for_what_it_may_be() {
        let pairs = Quantity::Cosines(vec![[0, 1], [0, 2], [1, 2]]);
        let of = |found: [f64; 3]| {
            let published = Measured::Numbers(vec![0.5, 100.0, 0.25]);
            match compare(&check(pairs.clone(), 0.01, 0.1), &Measured::Numbers(found.into()), &published) {
                Compared::Numbers(largest) => largest,
                _ => panic!("numbers"),
            }
        };
        let near = of([0.505, 105.0, 0.2500]);
        assert_eq!(near.place, "the cosine of texts 0 and 2");
        assert!(near.is_within() && near.share() < 0.51);
        let far = of([0.5, 100.0, 0.75]);
        assert_eq!(far.place, "the cosine of texts 1 and 2");
        assert!(!far.is_within());
        assert_eq!(of([0.5, f64::NAN, 0.25]).difference, f64::INFINITY);
        // Without a tolerance only the same number passes.
        let exact = check(
            Quantity::TopClasses {
                layer: "fc".into(),
                n: 1,
            },
            0.0,
            0.0,
        );
        let of = |class: f64| compare(&exact, &Measured::Numbers(vec![class]), &Measured::Numbers(vec![7.0]));
        assert!(matches!(of(7.0), Compared::Numbers(largest) if largest.is_within()));
        assert!(matches!(of(8.0), Compared::Numbers(largest) if !largest.is_within()));
    }

    #[test]
    fn facts_are_a_set_and_captions_are_not() {
        let facts = check(
            Quantity::Facts {
                n_beams: 1,
                max_new_tokens: 9,
            },
            0.0,
            0.0,
        );
        let caption = check(
            Quantity::Caption {
                max_new_tokens: 9,
                n_beams: 1,
            },
            0.0,
            0.0,
        );
        let of = |check: &Check| {
            let found = Measured::Text("( b , is , 2 ) , ( a , is , 1 )".into());
            let published = Measured::Text("( a , is , 1 ), ( b , is , 2 )".into());
            matches!(compare(check, &found, &published), Compared::Text(None))
        };
        assert!(of(&facts));
        assert!(!of(&caption));
    }
}
