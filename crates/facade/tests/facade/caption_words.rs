//! METEOR and ROUGE of captions equal those of NLTK and rouge-score.

use neurogauge::CaptionTools;
use neurogauge::language::WordNet;
use neurogauge::metrics::find;
use serde_json::Value;
use std::path::PathBuf;

fn wordnet() -> WordNet {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.wordnet/usr/share/wordnet");
    let folder = std::env::var_os("NEUROGAUGE_TEST_WORDNET");
    WordNet::open(folder.map_or_else(|| default.into(), PathBuf::from)).expect("`make test` fetches WordNet")
}

fn golden() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/caption_overlap.json");
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    golden["captions"].as_array().unwrap().clone()
}

#[track_caller]
fn check(metric: &str, stemmed: bool, expected: impl Fn(&Value) -> f64) {
    let (wordnet, cases) = (wordnet(), golden());
    let punkt = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/punkt/english");
    let tools = CaptionTools::new(Some(&wordnet), stemmed, Some(punkt.as_ref())).unwrap();
    let texts = cases.iter().map(|case| {
        let references = case["references"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        (references, case["caption"].as_str().unwrap())
    });
    let scores = tools.scores(find(metric).unwrap(), &texts.collect::<Vec<_>>());
    assert_eq!(scores.len(), cases.len());
    for (case, score) in cases.iter().zip(scores) {
        let (score, expected) = (score.unwrap(), expected(case));
        assert!((score - expected).abs() <= 1e-12 * expected.abs(), "{metric}: {score}, expected {expected}: {case}");
    }
}

#[test]
fn meteor_is_that_of_nltk() {
    check("meteor", false, |case| case["meteor"].as_f64().unwrap());
}

#[test]
fn rouge_is_that_of_rouge_score_with_and_without_stemming() {
    for (stemmed, place) in [(false, 0), (true, 1)] {
        for (n, metric) in ["rouge_1", "rouge_2", "rouge_l_f1"].into_iter().enumerate() {
            check(metric, stemmed, |case| case["rouge"][place][n].as_f64().unwrap());
        }
    }
}
