//! Which pairs a gallery shows.

use neurogauge::Error;
use neurogauge::core::first_names;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// The n pairs with the best scores, the best first.
    Best(usize),
    /// The n pairs in the middle of the ranking, the better first.
    Median(usize),
    /// The n pairs with the worst scores, the worst last.
    Worst(usize),
    /// The n pairs in which one system is most superior to another: `A-B`.
    LargestGain(String, usize),
    Stem(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickedPair {
    /// The stem of its stimulus.
    pub stem: String,
    /// Why it is shown: `best`, `median`, ...; empty if it was named.
    pub heading: String,
}

impl Pick {
    /// Reads `best`, `median`, `worst` or `largest-gain:A-B`, each with `:N` for more than one, or a stem.
    ///
    /// ```
    /// use neurogauge_gallery::Pick;
    /// assert_eq!(Pick::of("worst:3"), Ok(Pick::Worst(3)));
    /// assert_eq!(Pick::of("largest-gain:A-B"), Ok(Pick::LargestGain("A-B".into(), 1)));
    /// assert_eq!(Pick::of("shared0042"), Ok(Pick::Stem("shared0042".into())));
    /// assert!(Pick::of("best:0").is_err());
    /// ```
    ///
    /// # Errors
    /// A number that cannot be parsed or is zero.
    pub fn of(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let number = |digits: &str| match digits {
            "" => Ok(1),
            digits => (digits.parse().ok().filter(|n| *n > 0))
                .ok_or_else(|| format!("{text:?}: expected a number from 1 behind the colon, such as best:3")),
        };
        match name {
            "" => Err("expected best, median, worst, largest-gain:A-B or a stem".to_owned()),
            "best" => Ok(Pick::Best(number(rest)?)),
            "median" => Ok(Pick::Median(number(rest)?)),
            "worst" => Ok(Pick::Worst(number(rest)?)),
            "largest-gain" => {
                let (systems, n) = match rest.rsplit_once(':') {
                    Some((systems, digits)) => (systems, number(digits)?),
                    None => (rest, 1),
                };
                Ok(Pick::LargestGain(systems.to_owned(), n))
            }
            _ => Ok(Pick::Stem(text.to_owned())),
        }
    }

    pub(crate) fn needs_scores(&self) -> bool {
        !matches!(self, Pick::Stem(_))
    }

    /// Does it rank pairs by their scores, rather than by the difference of two systems?
    pub(crate) fn ranks_pairs(&self) -> bool {
        matches!(self, Pick::Best(_) | Pick::Median(_) | Pick::Worst(_))
    }

    /// The heading of its columns, with the systems of these names; empty for named pairs.
    pub(crate) fn heading(&self, names: &[String]) -> String {
        match self {
            Pick::Best(_) => "best".to_owned(),
            Pick::Median(_) => "median".to_owned(),
            Pick::Worst(_) => "worst".to_owned(),
            Pick::LargestGain(systems, _) => match two_systems(systems, names) {
                Ok((a, b)) => format!("gain {} − {}", names[a], names[b]),
                Err(_) => format!("gain {systems}"),
            },
            Pick::Stem(_) => String::new(),
        }
    }
}

/// The two systems in `A-B`. Names may contain hyphens, so every hyphen is tried.
pub(crate) fn two_systems(text: &str, names: &[String]) -> Result<(usize, usize), Error> {
    let place = |name: &str| names.iter().position(|known| known == name);
    let splits = text.match_indices('-');
    let found: Vec<(usize, usize)> =
        splits.filter_map(|(at, _)| Some((place(&text[..at])?, place(&text[at + 1..])?))).collect();
    match found.as_slice() {
        [(a, b)] if a != b => Ok((*a, *b)),
        _ => Err(Error::Usage(format!(
            "largest-gain:{text}: expected two of the systems with a hyphen between them, such as largest-gain:A-B; there \
             are {}",
            first_names(names)
        ))),
    }
}

/// Indices of the middle n in a ranking (the best first).
pub(crate) fn middle(n_ranked: usize, n: usize) -> std::ops::Range<usize> {
    let n = n.min(n_ranked);
    let first = (n_ranked - n) / 2;
    first..first + n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_ranking_is_its_median() {
        assert_eq!(middle(5, 1), 2..3);
        assert_eq!(middle(4, 2), 1..3);
        assert_eq!(middle(4, 1), 1..2);
        assert_eq!(middle(2, 5), 0..2);
        assert_eq!(middle(0, 1), 0..0);
    }

    #[test]
    fn systems_with_hyphens_are_found_and_others_named() {
        let names = ["mind-eye", "brain"].map(str::to_owned);
        assert_eq!(two_systems("mind-eye-brain", &names).unwrap(), (0, 1));
        assert_eq!(two_systems("brain-mind-eye", &names).unwrap(), (1, 0));
        let gain = Pick::LargestGain("mind-eye-brain".to_owned(), 1);
        assert_eq!(gain.heading(&names), "gain mind-eye − brain");
        let error = two_systems("brain-brain", &names).unwrap_err().to_string();
        assert!(error.contains("there are mind-eye, brain"), "{error}");
    }
}
