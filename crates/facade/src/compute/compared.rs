//! Compares items pair by pair. This is the only loop over the pairs of a kind: it loads items, shows progress, gives
//! pairs that lack an item their reason, calls the functions of metrics and makes columns.
//!
//! Statistics of all pairs at once have another shape and code of their own: identification (`identification.rs`), words
//! of captions, whose weights depend on all references (`caption_words.rs`), and the search for equal stimuli
//! (`repeated_stimuli.rs`) and similar ones (`alike.rs`). Composites combine finished columns (`composites.rs`).

use super::Computed;
use crate::Error;
use crate::dataset::of_pairs;
use crate::progress::Progress;
use neurogauge_core::parallel;
use neurogauge_core::{Explained, Outcome, Pair, Side, Sides, Silent, Undefined};
use neurogauge_metrics::MetricError;

/// What is compared, or the reason why there is nothing.
pub(crate) type Loaded<T, R = Undefined> = Result<Result<T, R>, Error>;

/// What `load` returns for both sides, or the reason why a side has nothing.
pub(crate) fn both<T, R>(load: impl Fn(Side) -> Loaded<T, R>) -> Loaded<Sides<T>, R> {
    Ok(match (load(Side::Gt)?, load(Side::Recon)?) {
        (Ok(gt), Ok(recon)) => Ok(Sides { gt, recon }),
        (Err(reason), _) | (_, Err(reason)) => Err(reason),
    })
}

/// The outcomes of all pairs: `found` for those that were seen, and their reasons for the others.
pub(crate) fn among_all<S>(seen: &[Result<S, Undefined>], found: Vec<Outcome>) -> Vec<Outcome> {
    let mut found = found.into_iter();
    let of_pair = |seen: &Result<S, Undefined>| match seen {
        // Nothing is found in an empty pool.
        Ok(_) => found.next().unwrap_or(Err(Undefined::EmptyPool)),
        Err(reason) => Err(reason.clone()),
    };
    seen.iter().map(of_pair).collect()
}

/// Pairs, with a function that loads what is compared of the pair at a place.
pub(crate) struct Pairs<'a, L> {
    pairs: &'a [Pair],
    load: L,
    stage: String,
    progress: &'a dyn Progress,
}

impl<'a, T, R: Send, L: Fn(usize, &Pair) -> Loaded<T, R> + Sync> Pairs<'a, L> {
    /// Shows no progress, as for items in memory.
    pub(crate) fn new(pairs: &'a [Pair], load: L) -> Self {
        Pairs {
            pairs,
            load,
            stage: String::new(),
            progress: &Silent,
        }
    }

    /// Shows progress under this name.
    pub(crate) fn shown(self, stage: impl Into<String>, progress: &'a dyn Progress) -> Self {
        let stage = stage.into();
        Pairs {
            stage,
            progress,
            ..self
        }
    }

    /// The result of `look` for each pair.
    pub(crate) fn seen<S: Send>(
        &self,
        look: impl Fn(&Pair, T) -> Result<S, Error> + Sync,
    ) -> Result<Vec<Result<S, R>>, Error> {
        let look = |_, pair: &Pair, loaded: Loaded<T, R>| match loaded? {
            Ok(items) => look(pair, items).map(Ok),
            Err(reason) => Ok(Err(reason)),
        };
        let places: Vec<usize> = (0..self.pairs.len()).collect();
        let mut found = Vec::new();
        self.in_batches(&places, usize::MAX, look, |_, seen| {
            found = seen;
            Ok(())
        })?;
        Ok(found)
    }

    /// Goes over the pairs at these places in batches; `keep` receives the results of `look` for each batch.
    pub(crate) fn in_batches<S: Send>(
        &self,
        places: &[usize],
        batch: usize,
        look: impl Fn(usize, &Pair, Loaded<T, R>) -> Result<S, Error> + Sync,
        mut keep: impl FnMut(&[usize], Vec<S>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let n_pairs = self.pairs.len();
        self.progress.start(&self.stage, n_pairs as u64, (n_pairs - places.len()) as u64);
        let seen = |&place: &usize| {
            let pair = &self.pairs[place];
            let seen = look(place, pair, (self.load)(place, pair))?;
            self.progress.advance(1);
            Ok::<S, Error>(seen)
        };
        let done = places.chunks(batch).try_for_each(|places| {
            // Of several faults the first pair's is told, whichever thread is faster.
            keep(places, parallel::try_map_each(places, seen)?)
        });
        self.progress.finish();
        done
    }
}

impl<T, L: Fn(usize, &Pair) -> Loaded<T> + Sync> Pairs<'_, L> {
    /// Compares every pair, and adds one column for each metric.
    pub(crate) fn compare<F: Sync>(
        &self,
        metrics: &[(&'static str, F)],
        computed: &mut Computed,
        compare: impl Fn(&F, &Pair, &T) -> Result<Explained, MetricError> + Sync,
    ) -> Result<(), Error> {
        self.compared(metrics, computed, compare, |_, _| ()).map(|_| ())
    }

    /// The same; returns the result of `look` for each pair, once it is compared.
    pub(crate) fn compared<F: Sync, S: Send>(
        &self,
        metrics: &[(&'static str, F)],
        computed: &mut Computed,
        compare: impl Fn(&F, &Pair, &T) -> Result<Explained, MetricError> + Sync,
        look: impl Fn(&Pair, T) -> S + Sync,
    ) -> Result<Vec<Result<S, Undefined>>, Error> {
        let seen = self.seen(|pair, items| {
            let row = outcomes(metrics, pair, |function| compare(function, pair, &items))?;
            Ok((row, look(pair, items)))
        })?;
        let (rows, seen) = seen
            .into_iter()
            .map(|seen| match seen {
                Ok((row, found)) => (row, Ok(found)),
                Err(reason) => (vec![Err(reason.clone()).into(); metrics.len()], Err(reason)),
            })
            .unzip();
        let rows = of_pairs(&computed.scores.pairs, self.pairs, rows);
        computed.add(&ids(metrics), rows);
        Ok(seen)
    }
}

impl Computed {
    /// Adds one column for each metric; the matches behind the outcomes go to the details.
    pub(super) fn add(&mut self, ids: &[&'static str], rows: Vec<Vec<Explained>>) {
        let columns = &mut self.scores.columns;
        let first = columns.len();
        columns.extend(ids.iter().map(|id| ((*id).to_owned(), Vec::with_capacity(rows.len()))));
        for (row, pair) in rows.into_iter().zip(&mut self.details) {
            for ((_, column), explained) in columns[first..].iter_mut().zip(row) {
                column.push(explained.outcome);
                pair.add(explained.details);
            }
        }
    }
}

/// The results of all functions for a pair.
pub(super) fn outcomes<F, T>(
    metrics: &[(&'static str, F)],
    pair: &Pair,
    compute: impl Fn(&F) -> Result<T, MetricError>,
) -> Result<Vec<T>, Error> {
    let of_pair = metrics.iter().map(|(metric, function)| {
        compute(function).map_err(|source| Error::Metric {
            pair: pair.stem.clone(),
            metric,
            source,
        })
    });
    of_pair.collect()
}

pub(super) fn ids<F>(metrics: &[(&'static str, F)]) -> Vec<&'static str> {
    metrics.iter().map(|(id, _)| *id).collect()
}
