//! The parts of docs/pages/project/calibration.md.

use rayon::prelude::*;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

/// Locks the page, since tests in parallel write its tables.
static PAGE: Mutex<()> = Mutex::new(());

/// Replaces the page's part between its two marks.
#[track_caller]
pub(crate) fn write_part(name: &str, text: &str) {
    let _alone = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pages/project/calibration.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (first, last) =
        (format!("<!-- {name}: written by make calibration -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = page.split_once(&first).unwrap();
    let (_, after) = rest.split_once(&last).unwrap();
    std::fs::write(path, format!("{before}{first}{text}{last}{after}")).unwrap();
}

/// A table with a row for each population and a column for each number of pairs.
pub(crate) struct Rates {
    title: String,
    lines: Vec<String>,
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
    pub(crate) fn new(title: &str, first: &str, columns: &[usize]) -> Rates {
        let names: Vec<String> = columns.iter().map(|n| format!("n = {n}")).collect();
        Rates::named(title, first, &names)
    }

    pub(crate) fn named(title: &str, first: &str, columns: &[String]) -> Rates {
        Rates {
            title: title.to_owned(),
            lines: vec![
                format!("| {first} | {} |", columns.join(" | ")),
                format!("|---|{}", "---|".repeat(columns.len())),
            ],
        }
    }

    /// Adds percentages with their standard errors; from ten pairs on, bold if they are outside `sound`.
    pub(crate) fn row(&mut self, name: &str, columns: &[usize], rates: &[Rate], sound: (f64, f64)) {
        let mut line = format!("| {name} |");
        for (n, rate) in columns.iter().zip(rates) {
            let share = 100.0 * rate.share();
            let is_sound = *n < 10 || (sound.0..=sound.1).contains(&share);
            let shown = match is_sound {
                true => format!("{share:.1}"),
                false => format!("**{share:.1}**"),
            };
            let error = 100.0 * rate.standard_error(rate.share());
            write!(line, " {shown} ±{error:.1}").unwrap();
            let without = 100.0 * rate.without as f64 / (rate.of + rate.without) as f64;
            if without >= 0.5 {
                write!(line, " ({without:.0}% without)").unwrap();
            }
            line += " |";
        }
        self.lines.push(line);
    }

    /// Adds finished cells.
    pub(crate) fn cells(&mut self, name: &str, cells: &[String]) {
        self.lines.push(format!("| {name} | {} |", cells.join(" | ")));
    }

    pub(crate) fn text(&self) -> String {
        format!("\n{}\n\n{}\n", self.title, self.lines.join("\n"))
    }
}
