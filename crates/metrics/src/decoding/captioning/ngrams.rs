//! Runs of one to four words.

use std::collections::HashMap;

/// The longest run that is counted.
pub(super) const MAX_N: usize = 4;

/// How often each run of words occurs in a caption, grouped by length, in the order of first occurrence.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NGrams {
    pub(super) n_words: usize,
    /// `counts[n - 1]` has the runs of `n` words, joined by spaces.
    pub(super) counts: [Vec<(String, u32)>; MAX_N],
}

impl NGrams {
    /// A word that contains white space counts as several.
    pub(super) fn of(caption: &[String]) -> Self {
        let words: Vec<&str> = caption.iter().flat_map(|word| word.split_whitespace()).collect();
        let mut counts: [Vec<(String, u32)>; MAX_N] = Default::default();
        for (length, counts) in (1..).zip(&mut counts) {
            let mut position: HashMap<String, usize> = HashMap::new();
            for run in words.windows(length) {
                let run = run.join(" ");
                match position.get(&run) {
                    Some(&at) => counts[at].1 += 1,
                    None => {
                        position.insert(run.clone(), counts.len());
                        counts.push((run, 1));
                    }
                }
            }
        }
        NGrams {
            n_words: words.len(),
            counts,
        }
    }

    /// Number of runs of `n` words.
    pub(super) fn n_runs(&self, n: usize) -> usize {
        (self.n_words + 1).saturating_sub(n)
    }
}
