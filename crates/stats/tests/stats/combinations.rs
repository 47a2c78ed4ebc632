//! Combinations of metrics against `reference/combinations.py`.

use crate::support::*;
use neurogauge_stats::combination::ScoreTable;

/// The inputs of a case, computed like those of the script. For every second metric, lower is better.
fn table(case: &Value) -> ScoreTable {
    let (seed, n) = (whole(&case["seed"]), whole(&case["n"]));
    let uniform = |name: &str, item: u64| f64::from(Synthetic::new(name, seed).uniform(item));
    let metrics: Vec<MetricColumn> = (0..list(&case["shares"]).len())
        .map(|j| {
            let of = |key: &str| number(&case[key][j]);
            let share = of("shares");
            let lower = j % 2 == 1;
            let score = |item: u64| {
                let noise = uniform(&format!("metric{j}"), item);
                let score = share * uniform("quality", item) + (1.0 - share) * noise;
                let score = on_grid(score, of("levels")) * of("units");
                let is_there = uniform(&format!("missing{j}"), item) >= number(&case["missing"]);
                is_there.then_some(if lower { -score } else { score })
            };
            MetricColumn {
                name: format!("m{j}"),
                direction: if lower { Direction::Lower } else { Direction::Higher },
                scores: (0..n).map(score).collect(),
            }
        })
        .collect();
    let people = |item: u64| {
        let score = 0.5 * uniform("quality", item) + 0.5 * uniform("people", item);
        Some(on_grid(score, number(&case["human_levels"])))
    };
    ScoreTable::new(&metrics, (0..n).map(people).collect()).unwrap()
}

fn same(found: &[impl Figure], golden: &Value) {
    assert_eq!(found.len(), 4);
    for (figure, golden) in found.iter().zip(list(golden)) {
        match figure.value() {
            Ok(_) if golden == "rounding" => {}
            Ok(value) => close(*value, golden, 1e-12),
            Err(reason) => assert!(golden.is_null(), "{reason}: {golden}"),
        }
    }
}

fn names(parts: &Value) -> Vec<String> {
    list(parts).iter().map(|p| format!("m{p}")).collect()
}

fn each_case(check: impl Fn(&Value, &ScoreTable, &CompleteScores, Scaling, &Value)) {
    let cases = read("combinations.json");
    assert_eq!(list(&cases).len(), 3);
    for case in list(&cases) {
        let table = table(case);
        let all: Vec<usize> = (0..table.names().len()).collect();
        let complete = table.complete(&all);
        assert_eq!(complete.items.len() as u64, whole(&case["n_complete"]));
        for scaling in [Scaling::Raw, Scaling::ZScore, Scaling::Rank] {
            let golden = &case["found"][scaling.id()];
            check(case, &table, &complete, scaling, golden);
        }
    }
}

fn folds(case: &Value, complete: &CompleteScores) -> Folds {
    let n_folds = count(&case["folds"]);
    let labels = (0..complete.items.len()).map(|item| item % n_folds);
    Folds::new(labels.collect(), n_folds).unwrap()
}

fn statistic(id: &str) -> Statistic {
    COMBINED_STATISTICS.into_iter().find(|s| s.id() == id).unwrap()
}

#[test]
fn pairwise_averages_equal_the_reference() {
    each_case(|_, table, _, scaling, golden| {
        let found = pairwise_averages(table, scaling).unwrap();
        let cells = list(&golden["heatmap"]);
        assert_eq!(found.cells.len(), cells.len());
        for (cell, golden) in found.cells.iter().zip(cells) {
            assert_eq!(cell.n_items as u64, whole(&golden["n"]));
            same(&cell.statistics, &golden["values"]);
        }
        for statistic in COMBINED_STATISTICS {
            let matrix = found.matrix(statistic);
            for (row, values) in matrix.iter().enumerate() {
                for (column, value) in values.iter().enumerate() {
                    assert_eq!(*value, matrix[column][row]);
                }
            }
            let best = found.best(statistic).unwrap().value(statistic).unwrap();
            assert!(matrix.iter().flatten().flatten().all(|&value| value <= best));
        }
    });
}

#[test]
fn best_subsets_are_those_of_the_reference() {
    each_case(|case, _, complete, scaling, golden| {
        let folds = folds(case, complete);
        for by in list(&case["select_by"]) {
            let by = by.as_str().unwrap();
            let found = best_subsets(complete, &folds, scaling, statistic(by)).unwrap();
            let golden = list(&golden["subsets"][by]);
            let sizes = found.sizes.iter().chain([&found.overall]);
            assert_eq!(found.sizes.len() + 1, golden.len());
            for (subset, golden) in sizes.zip(golden) {
                assert_eq!(subset.metrics, names(&golden["parts"]), "{by} {scaling:?}");
                let in_folds: Vec<Vec<String>> = list(&golden["in_folds"]).iter().map(names).collect();
                assert_eq!(subset.chosen_in_folds, in_folds);
                same(&subset.in_sample, &golden["in_sample"]);
                same(&subset.cross_validated, &golden["cross_validated"]);
            }
        }
    });
}

#[test]
fn weights_are_those_of_the_reference() {
    each_case(|case, _, complete, scaling, golden| {
        let found = fit_weights(complete, &folds(case, complete), scaling).unwrap();
        let golden = &golden["weights"];
        let weights = found.weights.unwrap();
        assert!((weights.iter().map(|w| w.weight).sum::<f64>() - 1.0).abs() < 1e-15);
        for (m, weight) in weights.iter().enumerate() {
            close(weight.weight, &golden["weights"][m], 1e-9);
            for (fold, found) in weight.in_folds.iter().enumerate() {
                close(found.unwrap(), &golden["in_folds"][fold][m], 1e-9);
            }
        }
        same(&found.in_sample, &golden["in_sample"]);
        same(&found.cross_validated, &golden["cross_validated"]);
        same(&found.equal, &golden["equal"]);
        same(&found.equal_cross_validated, &golden["equal_cross_validated"]);
    });
}

#[test]
fn contributions_are_differences_of_averages_with_and_without() {
    each_case(|case, _, complete, scaling, golden| {
        // Two raters who agree, for the items without missing values.
        let ratings = complete.human.iter().flat_map(|&h| [Some(h), Some(h)]);
        let ratings = Ratings::new(2, ratings.collect()).unwrap();
        let columns = complete.names.iter().zip(&complete.columns);
        let metrics: Vec<MetricColumn> = columns.map(|(name, scores)| metric(name, scores.clone())).collect();
        let composite = Composite {
            name: "all".into(),
            parts: (0..metrics.len()).collect(),
        };
        let meta = MetaOptions {
            bootstrap: resampled(3),
            ..MetaOptions::default()
        };
        let options = CombinationOptions {
            scaling,
            folds: count(&case["folds"]),
            ..CombinationOptions::default()
        };
        let found = combine_metrics((&ratings, None), &metrics, &[composite], &meta, &options).unwrap();
        let found = &found.composites[0];
        let golden = &golden["contributions"];
        for (s, figure) in found.statistics.iter().enumerate() {
            if golden["all"][s] == "rounding" {
                continue;
            }
            close(figure.value.clone().unwrap(), &golden["all"][s], 1e-12);
            for (part, contribution) in found.contributions.iter().enumerate() {
                let without = &golden["without"][part][s];
                let figure = &contribution.statistics[s];
                if without == "rounding" {
                    continue;
                }
                close(figure.without.unwrap(), without, 1e-12);
                let added = number(&golden["all"][s]) - number(without);
                assert!((figure.value.clone().unwrap() - added).abs() < 2e-12);
            }
        }
    });
}
