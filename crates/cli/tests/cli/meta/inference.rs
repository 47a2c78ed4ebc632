//! `neurogauge meta`: intervals over items, the intervals of SEED's paper, and uninformative ones.

use crate::support::*;
use std::fmt::Write;

/// Thirty items, five raters who mostly agree, one metric that follows them and one that does not.
fn survey() -> Folder {
    let mut ratings = String::from("item,a,b,c,d,e\n");
    let mut scores = String::from("item,good,noise\n");
    for item in 0..30_u32 {
        let quality = item * 7 % 30;
        write!(ratings, "{item}").unwrap();
        for rater in 0..5 {
            let opinion = 1 + (quality + (item * 11 + rater * 5) % 7) / 8;
            write!(ratings, ",{opinion}").unwrap();
        }
        ratings.push('\n');
        let (good, noise) = (quality + item * 13 % 9, item * 17 % 31);
        writeln!(scores, "{item},{good},{noise}").unwrap();
    }
    let dir = folder();
    dir.write("r.csv", ratings);
    dir.write("m.csv", scores);
    dir
}

fn meta(dir: &Folder, options: &str) -> (String, Value) {
    let ran = dir.succeed(&format!(
        "meta -v --human r.csv --metrics m.csv --higher-is-better good,noise --permutations 20 --out out --overwrite {options}"
    ));
    (ran.stdout, dir.json("out/meta.json"))
}

fn ends(found: &Value, metric: usize, statistic: usize) -> (f64, f64, f64) {
    let figure = &found["result"]["metrics"][metric]["statistics"][statistic];
    let number = |value: &Value| value.number();
    let ends = &figure["interval"];
    (number(&ends[0]), number(&figure["value"]), number(&ends[1]))
}

#[test]
fn intervals_are_over_items_and_hold_their_value() {
    let (shown, found) = meta(&survey(), "");
    let options = &found["result"]["options"];
    assert_eq!([&options["resampled"], &options["interval"]], ["items", "studentized"]);
    for statistic in 0..8 {
        for metric in 0..2 {
            let (low, value, high) = ends(&found, metric, statistic);
            assert!(low < value && value < high, "{metric} {statistic}");
        }
        let difference = &found["result"]["differences"][0]["statistics"][statistic];
        assert!(difference["p_value"].number() < 0.05);
    }
    // The results do not call noise bad.
    let (low, _, high) = ends(&found, 1, 2);
    assert!(low < 0.0 && 0.0 < high);
    contains(&shown, &["Student's t, with the jackknife over items", "(chance)", "chance: 0"]);
    assert!(!shown.contains('‡'));
}

#[test]
fn the_papers_bootstrap_is_a_preset_and_its_bias_is_marked() {
    let dir = survey();
    // The mean of these very raters agrees better with all of them than with any resample of them.
    let ratings = dir.read("r.csv");
    let scores = ratings.lines().skip(1).zip(0_u32..).map(|(line, item)| {
        let sum: u32 = line.split(',').skip(1).map(|opinion| opinion.parse::<u32>().unwrap()).sum();
        format!("{item},{sum},{}\n", item * 17 % 31)
    });
    let scores: String = scores.collect();
    dir.write("m.csv", format!("item,good,noise\n{scores}"));
    let (shown, found) = meta(&dir, "--preset seed --resamples 200");
    let options = &found["result"]["options"];
    assert_eq!([&options["resampled"], &options["interval"]], ["raters", "percentile"]);
    let (_, same) = meta(&dir, "--bootstrap raters --resamples 200");
    assert_eq!(found["result"], same["result"]);
    let mut figures = (0..8).map(|s| &found["result"]["metrics"][0]["statistics"][s]);
    assert!(figures.any(|figure| !figure["interval_note"].is_null()));
    contains(&shown, &["‡", "the value is at its edge or outside"]);
    assert!(dir.read("out/figures/agreement.svg").contains("biased interval"));
    assert!(dir.read("out/meta.csv").lines().next().unwrap().contains(",interval_note,"));
}

#[test]
fn perfect_agreement_has_no_interval_and_says_so() {
    let dir = folder();
    dir.write("r.csv", "item,a,b\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n5,5,5\n");
    dir.write("m.csv", "item,good,noise\n1,1,3\n2,2,1\n3,3,5\n4,4,2\n5,5,4\n");
    for options in ["", "--preset seed --resamples 20"] {
        let (shown, found) = meta(&dir, options);
        let tau = &found["result"]["metrics"][0]["statistics"][2];
        assert_eq!(tau["interval"], Value::Null);
        assert_eq!(tau["interval_note"], "no interval: nothing varies");
        assert!(shown.contains("no interval: nothing varies (good"), "{shown}");
    }
}
