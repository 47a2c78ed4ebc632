//! Attention checks: pairs whose answer is known.

use super::Answer;
use crate::plan::{Kind, Trial};
use crate::questions::Questions;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedCheck {
    pub trial: Trial,
    /// The ratings, one per question.
    pub ratings: Vec<u32>,
}

/// The number of answered checks, and the failed ones (convention `survey-checks`): an identical pair with any question
/// rated at the middle of its scale or below, and a mismatched pair with any question rated above the middle.
pub(super) fn failed(answers: &[Answer<'_>], questions: &Questions) -> (usize, Vec<FailedCheck>) {
    let mut n_checks = 0;
    let mut failed = Vec::new();
    for answer in answers {
        let ratings: Option<Vec<u32>> = answer.ratings.iter().copied().collect();
        let (Kind::Identical | Kind::Mismatched, Some(ratings)) = (answer.trial.kind, ratings) else {
            continue;
        };
        n_checks += 1;
        let is_wrong = ratings.iter().zip(&questions.questions).any(|(&rating, question)| {
            // Twice the middle of the points 1 to n is n + 1.
            let is_above_middle = 2 * rating > question.n_points() + 1;
            is_above_middle == (answer.trial.kind == Kind::Mismatched)
        });
        if is_wrong {
            failed.push(FailedCheck {
                trial: answer.trial.clone(),
                ratings,
            });
        }
    }
    (n_checks, failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_scale_decides() {
        let questions = Questions::open(None, false).unwrap();
        let is_failed = |kind, ratings: [u32; 2]| {
            let trial = Trial {
                kind,
                stimulus: "a".into(),
                reconstruction: "b".into(),
                system: None,
            };
            let answer = Answer {
                trial: &trial,
                ratings: ratings.map(Some).to_vec(),
                seconds: None,
            };
            failed(&[answer], &questions).1.len() == 1
        };
        for (ratings, of_identical, of_mismatched) in [
            ([5, 5], false, true),
            ([4, 5], false, true),
            ([3, 5], true, true),
            ([5, 3], true, true),
            ([3, 3], true, false),
            ([1, 3], true, false),
            ([1, 4], true, true),
        ] {
            assert_eq!(is_failed(Kind::Identical, ratings), of_identical, "{ratings:?}");
            assert_eq!(is_failed(Kind::Mismatched, ratings), of_mismatched, "{ratings:?}");
        }
        let trial = Trial {
            kind: Kind::Identical,
            stimulus: "a".into(),
            reconstruction: "a".into(),
            system: None,
        };
        let open = Answer {
            trial: &trial,
            ratings: vec![Some(1), None],
            seconds: None,
        };
        assert_eq!(failed(&[open], &questions).0, 0, "what is not answered is no check");
    }
}
