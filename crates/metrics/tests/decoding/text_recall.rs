//! The recall of text against counters of words in Python (`reference/text_recall.py`).

use crate::support::*;
use neurogauge_metrics::decoding::text_recall::text_recall;

#[derive(Deserialize)]
struct Case {
    gt: Vec<String>,
    recon: Vec<String>,
    recall: Option<f64>,
}

#[test]
fn words_count_as_in_counters() {
    let cases: Vec<Case> = golden("text_recall");
    let (mut n_undefined, mut n_between) = (0, 0);
    for case in &cases {
        let found = text_recall(&case.gt, &case.recon);
        match case.recall {
            None => {
                assert_eq!(found.unwrap_err().to_string(), "no text in the stimulus");
                n_undefined += 1;
            }
            Some(recall) => {
                let found = found.unwrap();
                assert!((found - recall).abs() < 1e-15, "{:?} {:?}", case.gt, case.recon);
                n_between += usize::from(recall > 0.0 && recall < 1.0);
            }
        }
    }
    assert!(n_undefined > 2 && n_between > 10, "{n_undefined} {n_between}");
}
