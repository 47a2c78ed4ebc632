//! Does the order of systems depend on the convention?

use crate::{ConventionRow, Scored};
use neurogauge::Error;
use neurogauge::stats::{kendall_tau_b, mean, standard_deviation};
use serde::Serialize;

/// How the order of systems changes from convention to convention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Order {
    /// The lowest of Kendall's tau-b between the orders under two conventions, and these; none where it is undefined throughout.
    pub least_agreement: Option<(f64, String, String)>,
    /// Pairs of systems whose order two conventions reverse.
    pub reversals: Vec<Reversal>,
}

/// Two systems whose order two conventions reverse: those of the largest difference in either direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reversal {
    /// The two systems.
    pub systems: [String; 2],
    /// Where the first is better.
    pub first_better: Difference,
    /// Where the second is better.
    pub second_better: Difference,
}

/// The difference of two systems under a convention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The convention.
    pub convention: String,
    /// First minus second, positive where the first is better, over the pairs that both have.
    pub difference: f64,
    /// Its standard error over these.
    pub standard_error: f64,
}

/// The order of systems under all conventions; none with fewer than two systems or conventions.
pub(crate) fn order(
    systems: &[String],
    rows: &[ConventionRow],
    sign: f64,
) -> Result<Option<Order>, Error> {
    let complete: Vec<&ConventionRow> = rows
        .iter()
        .filter(|row| {
            row.systems
                .iter()
                .all(|scored| scored.estimate.value.is_ok())
        })
        .collect();
    if systems.len() < 2 || complete.len() < 2 {
        return Ok(None);
    }
    let values = |row: &ConventionRow| -> Vec<f64> {
        let values = row.systems.iter();
        values
            .map(|scored| sign * scored.estimate.value.clone().unwrap_or_default())
            .collect()
    };
    let mut least: Option<(f64, String, String)> = None;
    for (place, first) in complete.iter().enumerate() {
        for second in &complete[place + 1..] {
            if let Ok(tau) = kendall_tau_b(&values(first), &values(second))?
                && least.as_ref().is_none_or(|(known, ..)| tau < *known)
            {
                least = Some((tau, first.name.clone(), second.name.clone()));
            }
        }
    }
    let mut reversals = Vec::new();
    for a in 0..systems.len() {
        for b in a + 1..systems.len() {
            let differences = complete
                .iter()
                .filter_map(|row| difference(row, &row.systems[a], &row.systems[b], sign));
            let mut differences: Vec<Difference> = differences.collect();
            differences.sort_by(|x, y| y.difference.total_cmp(&x.difference));
            if let (Some(best), Some(worst)) = (differences.first(), differences.last())
                && best.difference > 0.0
                && worst.difference < 0.0
            {
                reversals.push(Reversal {
                    systems: [systems[a].clone(), systems[b].clone()],
                    first_better: best.clone(),
                    second_better: worst.clone(),
                });
            }
        }
    }
    Ok(Some(Order {
        least_agreement: least,
        reversals,
    }))
}

fn difference(row: &ConventionRow, a: &Scored, b: &Scored, sign: f64) -> Option<Difference> {
    let shared = a.values.iter().filter_map(|(stem, value)| {
        let other = b.values.get(stem)?;
        Some(sign * (value - other))
    });
    let differences: Vec<f64> = shared.collect();
    let n = differences.len() as f64;
    Some(Difference {
        convention: row.name.clone(),
        difference: mean(differences.iter().copied())?,
        standard_error: standard_deviation(&differences)? / n.sqrt(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use neurogauge::core::Estimate;
    use std::collections::BTreeMap;

    fn row(name: &str, systems: &[[f64; 2]]) -> ConventionRow {
        let scored = |values: &[f64; 2]| Scored {
            estimate: Estimate {
                value: Ok(values.iter().sum::<f64>() / 2.0),
                interval: None,
                n: 2,
                n_undefined: 0,
            },
            standard_error: None,
            run: String::new(),
            values: BTreeMap::from([("a".to_owned(), values[0]), ("b".to_owned(), values[1])]),
        };
        ConventionRow {
            name: name.to_owned(),
            choices: Vec::new(),
            systems: systems.iter().map(scored).collect(),
        }
    }

    #[test]
    fn reversals_are_named_with_the_conventions_that_disagree_most() {
        let systems = ["first".to_owned(), "second".to_owned()];
        let rows = [
            row("little", &[[0.5, 0.7], [0.5, 0.5]]),
            row("much", &[[0.5, 0.9], [0.5, 0.5]]),
            row("against", &[[0.5, 0.5], [0.7, 0.5]]),
        ];
        let found = order(&systems, &rows, 1.0).unwrap().unwrap();
        let (tau, ..) = found.least_agreement.unwrap();
        assert_eq!((tau, found.reversals.len()), (-1.0, 1));
        let reversal = &found.reversals[0];
        assert_eq!(reversal.first_better.convention, "much");
        assert_eq!(reversal.second_better.convention, "against");
        // Differences of 0 and 0.4: mean 0.2, standard deviation 0.4/√2, over √2.
        assert!((reversal.first_better.difference - 0.2).abs() < 1e-12);
        assert!((reversal.first_better.standard_error - 0.2).abs() < 1e-12);
        // Where lower is better, the other system is the first.
        let found = order(&systems, &rows, -1.0).unwrap().unwrap();
        assert_eq!(found.reversals[0].first_better.convention, "against");
        assert_eq!(order(&systems[..1], &rows, 1.0).unwrap(), None);
    }
}
