//! Splits a prompt into phrases. A token attends to the tokens of its own phrase only.

use neurogauge_kernels::blocks::Sequences;

/// `[CLS]`, `[SEP]`, the full stop and the question mark in BERT's vocabulary: each ends a phrase.
const ENDS: [u32; 4] = [101, 102, 1012, 1029];

/// Which tokens attend to each other, and each token's position in its phrase.
#[derive(Debug, Clone)]
pub(super) struct Phrases {
    /// One sequence for each phrase, which ends with its punctuation mark. Tokens outside phrases attend only to
    /// themselves: `[CLS]`, `[SEP]`, and everything after the last mark.
    pub(super) sequences: Sequences,
    pub(super) positions: Vec<u32>,
}

impl Phrases {
    /// Finds the phrases in the tokens of a prompt.
    pub(super) fn new(ids: &[u32]) -> Self {
        let is_end = |&place: &usize| ENDS.contains(&ids[place]);
        let ends: Vec<usize> = (0..ids.len()).filter(is_end).collect();
        let (mut lengths, mut positions) = (Vec::new(), Vec::new());
        let mut first = 0;
        for end in ends {
            let length = end + 1 - first;
            // A phrase must end inside the prompt.
            if end > 0 && end + 1 < ids.len() {
                lengths.push(length);
                positions.extend(0..length as u32);
            } else {
                lengths.extend(std::iter::repeat_n(1, length));
                positions.extend(std::iter::repeat_n(0, length));
            }
            first = end + 1;
        }
        let n_left = ids.len() - first;
        lengths.extend(std::iter::repeat_n(1, n_left));
        positions.extend(std::iter::repeat_n(0, n_left));
        Phrases {
            sequences: Sequences::new(lengths),
            positions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(phrases: &Phrases) -> Vec<usize> {
        phrases.sequences.rows().map(|rows| rows.len()).collect()
    }

    #[test]
    fn a_phrase_ends_at_its_mark() {
        let phrases = Phrases::new(&[101, 7, 8, 1012, 9, 1029, 102]);
        assert_eq!(lengths(&phrases), [1, 3, 2, 1]);
        assert_eq!(phrases.positions, [0, 0, 1, 2, 0, 1, 0]);
    }

    #[test]
    fn what_no_mark_ends_sees_itself_alone() {
        let phrases = Phrases::new(&[101, 7, 1012, 8, 9, 102]);
        assert_eq!(lengths(&phrases), [1, 2, 1, 1, 1]);
        assert_eq!(phrases.positions, [0, 0, 1, 0, 0, 0]);
        let phrases = Phrases::new(&[7, 8]);
        assert_eq!((lengths(&phrases), phrases.positions), (vec![1, 1], vec![0, 0]));
    }

    #[test]
    fn a_mark_behind_a_mark_is_a_phrase() {
        let phrases = Phrases::new(&[101, 1012, 1012, 102]);
        assert_eq!(lengths(&phrases), [1, 1, 1, 1]);
        assert_eq!(phrases.positions, [0, 0, 0, 0]);
    }
}
