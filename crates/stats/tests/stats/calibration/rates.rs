//! What simulations found, and how it is written to `bench/calibration/`.

use rayon::prelude::*;
use std::fmt::Write;

/// Writes tables to `bench/calibration/NAME.tsv`, a line for each cell.
#[track_caller]
pub(crate) fn write_part(name: &str, cells: &str) {
    let path = format!("{}/../../bench/calibration/{name}.tsv", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(path, format!("table\tcase\tat\tresult\n{cells}")).unwrap();
}

/// A table with a row for each population and a column for each number of pairs.
pub(crate) struct Rates {
    title: String,
    columns: Vec<String>,
    text: String,
}

/// A table for each of several things that happened, with a row for each case at its number of stimuli.
#[allow(dead_code, reason = "of the experiments of `alignment`, which include this file")]
pub(crate) fn tables<const N: usize>(titles: [&str; N], cases: &[(&str, usize, [Rate; N])]) -> String {
    let of_case = |place: usize, (name, n, rates): &(&str, usize, [Rate; N])| {
        let mut table = Rates::new(titles[place], &[*n]);
        table.row(name, &[rates[place]]);
        table.text()
    };
    let cells = (0..N).flat_map(|place| cases.iter().map(move |case| of_case(place, case)));
    cells.collect()
}

/// How often something happened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    pub(crate) hits: usize,
    /// Number of experiments with a result.
    pub(crate) of: usize,
    /// Number of experiments without a result.
    pub(crate) without: usize,
}

impl Rate {
    /// The rate in experiments; `None` means no result.
    pub(crate) fn of(experiments: &[Option<bool>]) -> Rate {
        Rate {
            hits: experiments.iter().filter(|hit| **hit == Some(true)).count(),
            of: experiments.iter().filter(|hit| hit.is_some()).count(),
            without: experiments.iter().filter(|hit| hit.is_none()).count(),
        }
    }

    /// The rate over several things together.
    pub(crate) fn of_all(rates: &[Rate]) -> Rate {
        let sum = |of: fn(&Rate) -> usize| rates.iter().map(of).sum();
        Rate {
            hits: sum(|rate| rate.hits),
            of: sum(|rate| rate.of),
            without: sum(|rate| rate.without),
        }
    }

    pub(crate) fn share(&self) -> f64 {
        self.hits as f64 / self.of as f64
    }

    /// The standard error of the share if it is truly `share`.
    pub(crate) fn standard_error(&self, share: f64) -> f64 {
        (share * (1.0 - share) / self.of as f64).sqrt()
    }

    /// Is the share at least `bound`, up to four standard errors?
    #[track_caller]
    pub(crate) fn assert_at_least(&self, bound: f64, what: &str) {
        let least = bound - 4.0 * self.standard_error(bound);
        assert!(self.share() >= least, "{what}: {self:?}, {} is below {least}", self.share());
    }

    /// Is the share at most `bound`, up to four standard errors?
    #[track_caller]
    pub(crate) fn assert_at_most(&self, bound: f64, what: &str) {
        let most = bound + 4.0 * self.standard_error(bound);
        assert!(self.share() <= most, "{what}: {self:?}, {} is above {most}", self.share());
    }
}

/// How often each of several things happened in experiments that run in parallel.
pub(crate) fn rates<const N: usize>(
    n_experiments: usize,
    experiment: impl Fn(usize) -> [Option<bool>; N] + Sync + Send,
) -> [Rate; N] {
    let all: Vec<[Option<bool>; N]> = (0..n_experiments).into_par_iter().map(experiment).collect();
    std::array::from_fn(|what| Rate::of(&all.iter().map(|found| found[what]).collect::<Vec<_>>()))
}

/// Does the interval contain the truth, up to rounding?
pub(crate) fn holds(interval: Option<(f64, f64)>, truth: f64) -> Option<bool> {
    interval.map(|(low, high)| low - 1e-12 <= truth && truth <= high + 1e-12)
}

pub(crate) fn is_significant(p_value: Option<f64>) -> Option<bool> {
    p_value.map(|p| p <= 0.05)
}

impl Rates {
    pub(crate) fn new(title: &str, columns: &[usize]) -> Rates {
        let names: Vec<String> = columns.iter().map(|n| format!("n = {n}")).collect();
        Rates::named(title, &names)
    }

    pub(crate) fn named(title: &str, columns: &[String]) -> Rates {
        Rates {
            title: title.to_owned(),
            columns: columns.to_vec(),
            text: String::new(),
        }
    }

    /// Adds percentages with their standard errors.
    pub(crate) fn row(&mut self, name: &str, rates: &[Rate]) {
        let cell = |rate: &Rate| {
            let share = rate.share();
            let mut cell = format!("{:.1} ±{:.1}", 100.0 * share, 100.0 * rate.standard_error(share));
            let without = 100.0 * rate.without as f64 / (rate.of + rate.without) as f64;
            if without >= 0.5 {
                write!(cell, " ({without:.0}% without)").unwrap();
            }
            cell
        };
        self.cells(name, &rates.iter().map(cell).collect::<Vec<_>>());
    }

    /// Adds finished cells.
    pub(crate) fn cells(&mut self, name: &str, cells: &[String]) {
        for (column, cell) in self.columns.iter().zip(cells) {
            writeln!(self.text, "{}\t{name}\t{column}\t{cell}", self.title).unwrap();
        }
    }

    pub(crate) fn text(&self) -> String {
        self.text.clone()
    }
}
