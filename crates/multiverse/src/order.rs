//! Whether the order of systems depends on the convention.

use crate::{ConventionRow, Scored};
use neurogauge::Error;
use neurogauge::core::counted;
use neurogauge::report::p_in_words;
use neurogauge::stats::{BootstrapOptions, MaxT, max_t_test, mean, standard_deviation};
use serde::Serialize;

/// Differences below this share of the largest value are rounding errors.
const ROUNDING: f64 = 1e-12;

/// Whether the differences between systems depend on the convention, over the pairs that all systems have under all
/// conventions.
///
/// Every difference of two systems under every convention is tested at once (`max_t_test`), so that those that stand
/// out can be selected after the test; p values are multiplied by the number of metrics in the multiverse.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Order {
    pub n: usize,
    /// Number of differences that were tested: those of every two systems, under all conventions.
    pub n_tests: usize,
    /// p value of no interaction between system and convention, which means that every difference of two systems is
    /// equal under all conventions.
    pub p_interaction: f64,
    /// Could any p be significant with this many pairs?
    pub is_decidable: bool,
    /// Pairs of systems that change places: each is significantly better than the other under some convention.
    pub reversals: Vec<Reversal>,
}

/// Two systems that change places, each with the convention under which it is most clearly better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reversal {
    pub systems: [String; 2],
    pub first_better: Difference,
    pub second_better: Difference,
}

/// The difference of two systems under a convention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub convention: String,
    /// First minus second, positive if the first is better.
    pub difference: f64,
    /// Its simultaneous interval: at this level, all intervals contain the true values together.
    pub interval: Option<(f64, f64)>,
    /// p, corrected for all differences, conventions and metrics.
    pub p_value: f64,
}

/// The columns of a test, with the differences that they represent.
struct Tested {
    columns: Vec<Vec<f64>>,
    found: MaxT,
}

impl Tested {
    fn of(columns: Vec<Vec<f64>>, options: &BootstrapOptions) -> Result<Option<Self>, Error> {
        let found = max_t_test(&columns, options)?;
        Ok(found.map(|found| Tested { columns, found }))
    }

    fn difference(&self, column: usize, convention: &str, n_metrics: usize) -> Option<Difference> {
        let values = &self.columns[column];
        let difference = mean(values.iter().copied())?;
        let error = standard_deviation(values)? / (values.len() as f64).sqrt();
        let reach = self.found.reach.map(|reach| reach * error);
        Some(Difference {
            convention: convention.to_owned(),
            difference,
            interval: reach.map(|reach| (difference - reach, difference + reach)),
            p_value: (self.found.p_values[column] * n_metrics as f64).min(1.0),
        })
    }
}

/// The order of systems under all conventions of one of `n_metrics` metrics; `sign` is −1 if lower is better. `None`
/// with fewer than two systems or conventions, or two pairs.
pub(crate) fn order(
    systems: &[String],
    rows: &[ConventionRow],
    (sign, n_metrics): (f64, usize),
    options: &BootstrapOptions,
) -> Result<Option<Order>, Error> {
    let is_complete = |row: &&ConventionRow| row.systems.iter().all(|own| own.estimate.value.is_ok());
    let complete: Vec<&ConventionRow> = rows.iter().filter(is_complete).collect();
    let [first, _, ..] = complete.as_slice() else {
        return Ok(None);
    };
    let all: Vec<&Scored> = complete.iter().flat_map(|row| &row.systems).collect();
    let has_all = |stem: &&String| all.iter().all(|own| own.values.contains_key(*stem));
    let stems = first.systems.first().map(|own| own.values.keys());
    let stems: Vec<&String> = stems.into_iter().flatten().filter(has_all).collect();
    let values = |own: &Scored| -> Vec<f64> { stems.iter().map(|stem| sign * own.values[*stem]).collect() };
    let largest = all.iter().flat_map(|own| own.values.values()).fold(0.0_f64, |most, value| most.max(value.abs()));
    let minus = |a: &[f64], b: &[f64]| -> Vec<f64> {
        let rounded = |d: f64| {
            if d.abs() <= ROUNDING * largest { 0.0 } else { d }
        };
        a.iter().zip(b).map(|(a, b)| rounded(a - b)).collect()
    };
    let two = (0..systems.len()).flat_map(|a| (a + 1..systems.len()).map(move |b| (a, b)));
    let two: Vec<(usize, usize)> = two.collect();
    // First all conventions for the first two systems, then for the next two.
    let (mut differences, mut centred) = (Vec::new(), Vec::new());
    for &(a, b) in &two {
        let of = |row: &&ConventionRow| minus(&values(&row.systems[a]), &values(&row.systems[b]));
        let own: Vec<Vec<f64>> = complete.iter().map(of).collect();
        let mean_of = |pair: usize| own.iter().map(|column| column[pair]).sum::<f64>() / own.len() as f64;
        let means: Vec<f64> = (0..stems.len()).map(mean_of).collect();
        centred.extend(own.iter().map(|column| minus(column, &means)));
        differences.extend(own);
    }
    // The level of the intervals also includes Bonferroni's correction over metrics.
    let options = &BootstrapOptions {
        level: 1.0 - (1.0 - options.level) / n_metrics as f64,
        ..*options
    };
    let (Some(tested), Some(interaction)) = (Tested::of(differences, options)?, Tested::of(centred, options)?) else {
        return Ok(None);
    };
    let p = interaction.found.p_values.iter().copied().fold(1.0, f64::min);
    let mut reversals = Vec::new();
    for (place, &(a, b)) in two.iter().enumerate() {
        let of = |(convention, row): (usize, &&ConventionRow)| {
            tested.difference(place * complete.len() + convention, &row.name, n_metrics)
        };
        let is_shown = |found: &Difference| found.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
        let mut shown: Vec<Difference> = complete.iter().enumerate().filter_map(of).filter(is_shown).collect();
        shown.sort_by(|x, y| x.p_value.total_cmp(&y.p_value));
        let side = |is_first: bool| shown.iter().find(|found| (found.difference > 0.0) == is_first).cloned();
        if let (Some(first_better), Some(second_better)) = (side(true), side(false)) {
            reversals.push(Reversal {
                systems: [systems[a].clone(), systems[b].clone()],
                first_better,
                second_better,
            });
        }
    }
    Ok(Some(Order {
        n: stems.len(),
        n_tests: tested.columns.len(),
        p_interaction: (p * n_metrics as f64).min(1.0),
        is_decidable: tested.found.reach.is_some(),
        reversals,
    }))
}

impl Order {
    /// Whether the order depends on the convention, in a sentence.
    pub(crate) fn answer(&self, alpha: f64) -> String {
        let interaction = p_in_words(self.p_interaction);
        match (self.is_decidable, self.p_interaction <= alpha, self.reversals.is_empty()) {
            (false, ..) => format!(
                "Whether the order of systems depends on the convention cannot be decided with {}.",
                counted(self.n, "pair")
            ),
            (_, true, false) => format!(
                "The order of systems depends on the convention (interaction of system and convention: {interaction})."
            ),
            (_, true, true) => format!(
                "How far systems are apart depends on the convention (interaction of system and convention: {interaction}), but it is not \
                 shown that any two change places."
            ),
            (_, false, _) => format!(
                "It is not shown that the order of systems depends on the convention (interaction of system and convention: {interaction})."
            ),
        }
    }

    /// Which systems change places, and how that was tested.
    pub(crate) fn details(&self) -> Vec<String> {
        let better = |name: &str, sign: f64, found: &Difference| {
            let (low, high) = found.interval.unwrap_or_default();
            let (low, high) = if sign > 0.0 { (low, high) } else { (-high, -low) };
            format!(
                "{name} is better by {:.4} [{low:.4}, {high:.4}] ({}) under ({})",
                sign * found.difference,
                p_in_words(found.p_value),
                found.convention
            )
        };
        let reversal = |own: &Reversal| {
            let [a, b] = &own.systems;
            format!("{}; {}.", better(a, 1.0, &own.first_better), better(b, -1.0, &own.second_better))
        };
        let how = format!(
            "Sign flips over {}; p and intervals are corrected for all {} differences of systems under conventions (max-T), and for all \
             metrics of the multiverse (Bonferroni).",
            counted(self.n, "pair"),
            self.n_tests
        );
        let mut sentences: Vec<String> = self.reversals.iter().map(reversal).collect();
        sentences.extend(self.is_decidable.then_some(how));
        sentences
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use neurogauge::core::{Estimate, Seed};
    use rand::RngExt;

    fn scored(values: &[f64]) -> Scored {
        Scored {
            estimate: Estimate::of(Ok(mean(values.iter().copied()).unwrap()), None, values.len()),
            standard_error: None,
            run: String::new(),
            values: values.iter().enumerate().map(|(pair, value)| (pair.to_string(), *value)).collect(),
        }
    }

    /// Systems on the same pairs under conventions: a system's scores under them are correlated, like scores of the
    /// same picture. Under convention 0, the first system is better by `first`; under convention 1, the second is by
    /// `second`.
    fn world(
        n: usize,
        (n_systems, n_conventions): (usize, usize),
        (first, second): (f64, f64),
        seed: u64,
    ) -> (Vec<String>, Vec<ConventionRow>) {
        let mut rng = Seed(seed).stream(0);
        let mut noise = |size: f64| size * ((0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0);
        let pairs: Vec<f64> = (0..n).map(|_| noise(0.1)).collect();
        let of_systems: Vec<Vec<f64>> =
            (0..n_systems).map(|_| pairs.iter().map(|pair| pair + noise(0.1)).collect()).collect();
        let row = |convention: usize| ConventionRow {
            name: format!("c{convention}"),
            choices: Vec::new(),
            systems: (of_systems.iter().enumerate())
                .map(|(system, values)| {
                    let better = match (convention, system) {
                        (0, 0) => first,
                        (1, 1) => second,
                        _ => 0.0,
                    };
                    scored(&values.iter().map(|value| value + better + noise(0.05)).collect::<Vec<_>>())
                })
                .collect(),
        };
        let rows = (0..n_conventions).map(row).collect();
        ((0..n_systems).map(|system| format!("s{system}")).collect(), rows)
    }

    fn found(n: usize, size: (usize, usize), better: (f64, f64), seed: u64) -> Order {
        let (systems, rows) = world(n, size, better, seed);
        order(&systems, &rows, (1.0, 1), &BootstrapOptions::default()).unwrap().unwrap()
    }

    /// Before this test existed, five equal systems were said to depend on the convention in every run.
    #[test]
    fn exchangeable_systems_seldom_change_places() {
        for (size, n) in [((5, 6), 20), ((2, 12), 12)] {
            const RUNS: u64 = 200;
            let all: Vec<Order> = (0..RUNS).map(|seed| found(n, size, (0.0, 0.0), seed)).collect();
            // Two systems without interaction: 5%, plus four standard errors for 200 runs.
            let most = |share: f64| RUNS as f64 * (share + 4.0 * (share * (1.0 - share) / RUNS as f64).sqrt());
            let n_interactions = all.iter().filter(|own| own.p_interaction <= 0.05).count();
            assert!((n_interactions as f64) <= most(0.05), "{n_interactions} of {RUNS}");
            let n_reversed = all.iter().filter(|own| !own.reversals.is_empty()).count();
            assert!((n_reversed as f64) <= most(0.01), "{n_reversed} of {RUNS}");
            let claims = |own: &&Order| own.answer(0.05).starts_with("The order of systems depends");
            assert!(all.iter().filter(claims).count() <= n_reversed);
        }
    }

    #[test]
    fn systems_that_change_places_are_named_with_their_differences() {
        let own = found(40, (3, 4), (0.2, 0.2), 1);
        assert!(own.p_interaction <= 0.001 && own.reversals.len() == 1, "{own:?}");
        let reversal = &own.reversals[0];
        assert_eq!(reversal.systems, ["s0", "s1"]);
        assert_eq!(
            (reversal.first_better.convention.as_str(), reversal.second_better.convention.as_str()),
            ("c0", "c1")
        );
        let (low, high) = reversal.second_better.interval.unwrap();
        assert!(low < reversal.second_better.difference && high < 0.0);
        assert!(own.answer(0.05).starts_with(
            "The order of systems depends on the convention (interaction of system and convention: p < 0.001)"
        ));
        let details = own.details();
        assert!(
            details[0].starts_with("s0 is better by 0.") && details[0].contains("; s1 is better by 0."),
            "{details:?}"
        );
    }

    /// A system that is better everywhere, but by more under one convention, does not change places.
    #[test]
    fn differences_of_one_sign_are_an_interaction_and_no_reversal() {
        let (systems, mut rows) = world(40, (2, 3), (0.0, 0.0), 2);
        for (place, row) in rows.iter_mut().enumerate() {
            let better = 0.2 + 0.2 * place as f64;
            let values: Vec<f64> = row.systems[0].values.values().map(|value| value + better).collect();
            row.systems[0] = scored(&values);
            row.systems[1] = scored(&row.systems[1].values.values().copied().collect::<Vec<_>>());
        }
        let own = order(&systems, &rows, (1.0, 1), &BootstrapOptions::default()).unwrap().unwrap();
        assert!(own.p_interaction <= 0.001 && own.reversals.is_empty());
        assert!(own.answer(0.05).contains("it is not shown that any two change places"));
        // The differences are equal under all conventions, up to rounding.
        for row in &mut rows {
            row.systems[0] = scored(&row.systems[1].values.values().map(|value| 0.1 + value).collect::<Vec<_>>());
        }
        let same = order(&systems, &rows, (1.0, 1), &BootstrapOptions::default()).unwrap().unwrap();
        assert_eq!((same.p_interaction, same.reversals.len()), (1.0, 0));
    }

    #[test]
    fn few_pairs_decide_nothing_and_metrics_are_corrected_for() {
        let own = found(5, (2, 2), (0.5, 0.5), 3);
        assert!(!own.is_decidable && own.reversals.is_empty());
        assert_eq!(
            own.answer(0.05),
            "Whether the order of systems depends on the convention cannot be decided with 5 pairs."
        );
        let (systems, rows) = world(7, (2, 2), (0.5, 0.5), 3);
        let of = |n_metrics| order(&systems, &rows, (1.0, n_metrics), &BootstrapOptions::default()).unwrap().unwrap();
        assert_eq!((of(1).p_interaction, of(1).reversals.len()), (2.0 / 128.0, 1));
        assert_eq!((of(4).p_interaction, of(4).reversals.len()), (8.0 / 128.0, 0));
        // If lower is better, the other system is.
        let lower = order(&systems, &rows, (-1.0, 1), &BootstrapOptions::default()).unwrap().unwrap();
        assert_eq!(lower.reversals[0].first_better.convention, "c1");
        assert_eq!(order(&systems[..1], &rows, (1.0, 1), &BootstrapOptions::default()).unwrap(), None);
    }
}
