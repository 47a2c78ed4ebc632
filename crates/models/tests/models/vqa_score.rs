//! Probabilities of yes and no from log-probabilities, against sums in Python (`reference/vqa_score.py`).

use crate::parity::typed_golden;
use neurogauge_models::vlm::{Beginning, YesNo};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    beginnings: Vec<Beginning>,
    yes: Option<f64>,
    no: Option<f64>,
}

#[test]
fn words_are_as_probable_as_all_their_listed_spellings() {
    let cases: Vec<Case> = typed_golden("../vqa_score");
    let (mut n_neither, mut n_several) = (0, 0);
    for case in cases {
        match (YesNo::among(&case.beginnings), case.yes.zip(case.no)) {
            (Ok(found), Some((yes, no))) => {
                assert!((found.yes - yes).abs() < 1e-12, "{found:?} {yes}");
                assert!((found.no - no).abs() < 1e-12, "{found:?} {no}");
                n_several += usize::from(yes > 0.0 && no > 0.0);
            }
            (Err(reason), None) => {
                assert!(reason.contains("neither yes nor no"), "{reason}");
                n_neither += 1;
            }
            (found, expected) => panic!("{found:?} and not {expected:?}"),
        }
    }
    assert!(n_neither > 10 && n_several > 10, "{n_neither} {n_several}");
}
