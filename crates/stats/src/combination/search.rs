//! A search over all subsets of columns.

use super::agreement::Target;
use super::scaling::Scaled;
use crate::StatsError;
use crate::meta::Statistic;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;

/// The best subset of a size.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) parts: Vec<usize>,
    pub(crate) value: f64,
}

/// For each size from 1 to `largest`, the subset with the highest value; ties go to the first in `order`. Subsets
/// without a value are skipped.
pub(crate) fn search(
    scaled: &Scaled,
    target: &Target,
    by: Statistic,
    order: &[usize],
    largest: usize,
) -> Result<Vec<Option<Found>>, StatsError> {
    let mut usable: Vec<(usize, &[f64])> = Vec::new();
    for &part in order {
        if let Ok(column) = scaled.column(part) {
            usable.push((part, column));
        }
    }
    // Each task covers all subsets that begin with these columns; combined in this order, the results of each size
    // follow the order of names.
    let n = usable.len();
    let mut tasks = Vec::new();
    for first in 0..n {
        tasks.push(vec![first]);
        if largest > 1 {
            tasks.extend((first + 1..n).map(|second| vec![first, second]));
        }
    }
    let search = Search {
        target,
        by,
        usable: &usable,
        largest,
    };
    let found = parallel::try_map_each(&tasks, |start| search.beginning_with(start.clone()))?;
    let mut best = vec![None; largest];
    for task in found {
        for (best, candidate) in best.iter_mut().zip(task) {
            if let Some(candidate) = candidate {
                keep_better(best, candidate);
            }
        }
    }
    Ok(best)
}

fn keep_better(best: &mut Option<Found>, candidate: Found) {
    if best.as_ref().is_none_or(|best| candidate.value > best.value) {
        *best = Some(candidate);
    }
}

struct Search<'a> {
    target: &'a Target,
    by: Statistic,
    /// Columns that have a scale, in the order of names.
    usable: &'a [(usize, &'a [f64])],
    largest: usize,
}

impl Search<'_> {
    /// Searches a single column alone, or two columns with all columns that can follow them.
    fn beginning_with(&self, mut chosen: Vec<usize>) -> Result<Vec<Option<Found>>, StatsError> {
        let mut total = self.usable[chosen[0]].1.to_vec();
        let mut best = vec![None; self.largest];
        match *chosen.as_slice() {
            [_, second] => {
                total = self.plus(&total, second);
                self.visit(&mut chosen, &total, &mut best)?;
            }
            _ => self.measure(&chosen, &total, &mut best)?,
        }
        Ok(best)
    }

    fn visit(&self, chosen: &mut Vec<usize>, total: &[f64], best: &mut [Option<Found>]) -> Result<(), StatsError> {
        self.measure(chosen, total, best)?;
        if chosen.len() == self.largest {
            return Ok(());
        }
        for next in chosen.last().map_or(0, |last| last + 1)..self.usable.len() {
            chosen.push(next);
            self.visit(chosen, &self.plus(total, next), best)?;
            chosen.pop();
        }
        Ok(())
    }

    fn plus(&self, total: &[f64], next: usize) -> Vec<f64> {
        total.iter().zip(self.usable[next].1).map(|(total, value)| total + value).collect()
    }

    fn measure(&self, chosen: &[usize], total: &[f64], best: &mut [Option<Found>]) -> Result<(), StatsError> {
        stop_if_asked();
        if let Ok(value) = self.target.agreement(self.by, total)? {
            let parts = chosen.iter().map(|&place| self.usable[place].0).collect();
            keep_better(&mut best[chosen.len() - 1], Found { parts, value });
        }
        Ok(())
    }
}
