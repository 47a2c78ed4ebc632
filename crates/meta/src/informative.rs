//! Finds metrics that would decide nothing in tables of combinations, or cost them too many items.

use neurogauge::core::Finding;
use neurogauge::stats::Ratings;
use neurogauge::stats::meta::MetricColumn;

/// A metric that would cost tables of combinations a larger share of their items is left out.
const LARGEST_COST: f64 = 0.05;

/// The positions of the metrics that are combined, and a finding for each other one.
pub(super) fn metrics(ratings: &Ratings, columns: &[MetricColumn]) -> (Vec<usize>, Vec<Finding>) {
    let rated: Vec<bool> = ratings.items().map(|item| item.iter().any(Option::is_some)).collect();
    let scores = |metric: usize| -> Vec<Option<f64>> {
        let scored = columns[metric].scores.iter().zip(&rated);
        scored.map(|(score, is_rated)| score.filter(|score| *is_rated && score.is_finite())).collect()
    };
    let scores: Vec<Vec<Option<f64>>> = (0..columns.len()).map(scores).collect();
    let n_scores = |metric: usize| scores[metric].iter().flatten().count();
    let (mut kept, mut findings) = (Vec::new(), Vec::new());
    let mut by_items: Vec<usize> = (0..columns.len()).collect();
    by_items.sort_by_key(|&metric| std::cmp::Reverse(n_scores(metric)));
    let mut common: Vec<bool> = scores.iter().fold(vec![false; rated.len()], |any, own| {
        any.iter().zip(own).map(|(any, own)| *any || own.is_some()).collect()
    });
    for metric in by_items {
        let mut given = scores[metric].iter().flatten();
        let first = given.next();
        if given.all(|score| Some(score) == first) {
            let why = first.map_or("it has no scores", |_| "its scores are all equal");
            findings.push(left_out(columns, metric, why));
            continue;
        }
        let with: Vec<bool> = common.iter().zip(&scores[metric]).map(|(is_in, own)| *is_in && own.is_some()).collect();
        let n = |items: &[bool]| items.iter().filter(|is_in| **is_in).count();
        let (before, after) = (n(&common), n(&with));
        // The metric with the most items is always kept.
        if !kept.is_empty() && (before - after) as f64 > LARGEST_COST * before as f64 {
            findings.push(left_out(
                columns,
                metric,
                &format!("it has no score for {} of the {before} items of the others", before - after),
            ));
            continue;
        }
        kept.push(metric);
        common = with;
    }
    kept.sort_unstable();
    (kept, findings)
}

fn left_out(columns: &[MetricColumn], metric: usize, why: &str) -> Finding {
    let message = format!("is left out of combinations of metrics: {why}");
    Finding::warning("not_combined", columns[metric].name.clone(), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::core::Direction;

    #[test]
    fn constant_and_costly_metrics_are_left_out_and_named() {
        let n = 40;
        let ratings = Ratings::new(1, (0..n).map(|item| Some(f64::from(item))).collect()).unwrap();
        let column = |name: &str, of: fn(i32) -> Option<f64>| MetricColumn {
            name: name.into(),
            direction: Direction::Higher,
            scores: (0..n).map(of).collect(),
        };
        let columns = [
            column("constant", |_| Some(1.0)),
            column("gaps", |item| (item % 4 > 0).then_some(f64::from(item))),
            column("full", |item| Some(f64::from(item * 7 % 40))),
            column("same gaps", |item| (item % 4 > 0).then_some(f64::from(-item))),
            column("two gaps", |item| (item > 1).then_some(f64::from(item % 9))),
            column("constant where there", |item| (item > 30).then_some(0.0)),
            column("none", |_| None),
        ];
        let (kept, findings) = metrics(&ratings, &columns);
        assert_eq!(kept, [2, 4]);
        let words: Vec<String> = findings.iter().map(Finding::brief).collect();
        let of = |name: &str| words.iter().find(|word| word.starts_with(&format!("{name}: "))).unwrap();
        assert!(of("constant").ends_with("its scores are all equal"));
        assert!(of("constant where there").ends_with("its scores are all equal"));
        assert!(of("none").ends_with("it has no scores"));
        assert!(of("gaps").ends_with("it has no score for 9 of the 38 items of the others"), "{words:?}");
        assert!(of("same gaps").ends_with("it has no score for 9 of the 38 items of the others"), "{words:?}");
        // Alone, they cost nothing.
        let (kept, findings) = metrics(&ratings, &columns[3..4]);
        assert_eq!((kept, findings.len()), (vec![0], 0));
        let (kept, _) = metrics(&ratings, &[columns[1].clone(), columns[3].clone()]);
        assert_eq!(kept, [0, 1]);
    }
}
