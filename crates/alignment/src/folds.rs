//! The stimuli on which fits are trained, tested and cross-validated.

use crate::AlignmentError;
use neurogauge_core::Seed;
use neurogauge_stats::draw_to_front;
use serde::{Deserialize, Serialize};

/// Number of outer and of inner folds in the paper.
pub const N_FOLDS: usize = 5;

/// A pool of stimuli, divided into inner folds.
///
/// Each inner fold is a list of positions **in the pool** (not of stimuli), which is in ascending order. The fit of an
/// inner fold is trained on the stimuli of all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// The stimuli, in ascending order.
    pub stimuli: Vec<usize>,
    /// Positions in `stimuli` that each inner fold holds out, in ascending order.
    pub inner: Vec<Vec<usize>>,
}

impl Pool {
    /// A pool with given inner folds; they must contain each position exactly once.
    pub fn new(mut stimuli: Vec<usize>, mut inner: Vec<Vec<usize>>) -> Result<Self, AlignmentError> {
        stimuli.sort_unstable();
        inner.iter_mut().for_each(|fold| fold.sort_unstable());
        check_partition("inner", &inner, stimuli.len())?;
        Ok(Pool { stimuli, inner })
    }

    /// A pool whose inner folds are drawn: a permutation of the positions from stream `stream` of the seed, cut into
    /// pieces whose sizes differ by at most one, longer ones first.
    pub fn draw(stimuli: Vec<usize>, n_folds: usize, seed: Seed, stream: u64) -> Result<Self, AlignmentError> {
        let inner = draw_chunks("inner", stimuli.len(), n_folds, seed, stream)?;
        Pool::new(stimuli, inner)
    }

    pub fn len(&self) -> usize {
        self.stimuli.len()
    }

    pub fn is_empty(&self) -> bool {
        self.stimuli.is_empty()
    }

    /// The positions in the pool that inner fold `fold` is trained on, and those it holds out.
    pub(crate) fn inner_positions(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        let held_out = &self.inner[fold];
        let mut is_held_out = vec![false; self.len()];
        held_out.iter().for_each(|&place| is_held_out[place] = true);
        let training = (0..self.len()).filter(|&place| !is_held_out[place]);
        (training.collect(), held_out.clone())
    }

    /// The stimuli at [`Pool::inner_positions`].
    pub(crate) fn inner_stimuli(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        let (training, held_out) = self.inner_positions(fold);
        let stimuli = |places: Vec<usize>| places.into_iter().map(|place| self.stimuli[place]).collect();
        (stimuli(training), stimuli(held_out))
    }
}

/// One outer fold: chunk f is the test set, chunk f + 1 (cyclic) is reserved, and the others are
/// the training set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OuterFold {
    /// The stimuli to which sources are fitted.
    pub training: Pool,
    /// The reserved stimuli, in ascending order, used only for the auxiliary readouts.
    pub reserved: Vec<usize>,
    /// The test set. It is also the pool of the fits behind the target reference.
    pub test: Pool,
}

/// All outer folds, shared by subjects and sources.
///
/// ```
/// use neurogauge_alignment::FoldPlan;
/// use neurogauge_core::Seed;
/// let plan = FoldPlan::draw(515, 5, 5, Seed(0))?;
/// let fold = &plan.folds[4];
/// assert_eq!((fold.training.len(), fold.reserved.len(), fold.test.len()), (309, 103, 103));
/// // The chunk after the last is the first.
/// assert_eq!(fold.reserved, plan.folds[0].test.stimuli);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoldPlan {
    /// Number of stimuli of every matrix.
    pub n_stimuli: usize,
    pub folds: Vec<OuterFold>,
}

impl FoldPlan {
    /// A plan with given chunks and given inner folds of each training pool and each test pool, as positions in the
    /// ascending pool.
    pub fn new(
        n_stimuli: usize,
        chunks: &[Vec<usize>],
        inner_training: &[Vec<Vec<usize>>],
        inner_test: &[Vec<Vec<usize>>],
    ) -> Result<Self, AlignmentError> {
        let inner = [inner_training, inner_test];
        if let Some(other) = inner.iter().find(|inner| inner.len() != chunks.len()) {
            return Err(AlignmentError::option(
                "inner folds",
                format!("those of {} pools", other.len()),
                "those of one pool per outer fold",
            ));
        }
        FoldPlan::of_chunks(n_stimuli, chunks, |fold, pool, stimuli| Pool::new(stimuli, inner[pool][fold].clone()))
    }

    /// A plan with given chunks; `pool_of` makes the training pool (0) and the test pool (1) of each fold.
    fn of_chunks(
        n_stimuli: usize,
        chunks: &[Vec<usize>],
        pool_of: impl Fn(usize, usize, Vec<usize>) -> Result<Pool, AlignmentError>,
    ) -> Result<Self, AlignmentError> {
        check_partition("outer", chunks, n_stimuli)?;
        check_chunk_count(chunks.len())?;
        let folds = (0..chunks.len()).map(|fold| {
            let (training, reserved) = training_and_reserved(chunks, fold);
            Ok(OuterFold {
                training: pool_of(fold, 0, training)?,
                reserved,
                test: pool_of(fold, 1, chunks[fold].clone())?,
            })
        });
        let folds = folds.collect::<Result<_, AlignmentError>>()?;
        Ok(FoldPlan { n_stimuli, folds })
    }

    /// A seeded plan: one permutation of the stimuli (stream 0), cut into chunks; the inner folds
    /// of the training pool of fold f come from stream 1 + 2f, those of its test pool from 2 + 2f.
    pub fn draw(n_stimuli: usize, n_outer: usize, n_inner: usize, seed: Seed) -> Result<Self, AlignmentError> {
        check_chunk_count(n_outer)?;
        let chunks = draw_chunks("outer", n_stimuli, n_outer, seed, 0)?;
        FoldPlan::draw_inner(n_stimuli, &chunks, n_inner, seed)
    }

    /// A plan with given chunks, and inner folds drawn as in [`draw`](FoldPlan::draw).
    pub fn draw_inner(
        n_stimuli: usize,
        chunks: &[Vec<usize>],
        n_inner: usize,
        seed: Seed,
    ) -> Result<Self, AlignmentError> {
        FoldPlan::of_chunks(n_stimuli, chunks, |fold, pool, stimuli| {
            Pool::draw(stimuli, n_inner, seed, (1 + 2 * fold + pool) as u64)
        })
    }

    pub fn fold(&self, fold: usize) -> Result<&OuterFold, AlignmentError> {
        self.folds
            .get(fold)
            .ok_or_else(|| AlignmentError::option("outer fold", fold, "less than the number of outer folds"))
    }

    /// The position of the fold whose test set is reserved in fold `fold`.
    pub fn next(&self, fold: usize) -> usize {
        (fold + 1) % self.folds.len()
    }
}

/// Three chunks are needed, so that something besides the test and the reserved chunk is left for training.
fn check_chunk_count(n_outer: usize) -> Result<(), AlignmentError> {
    if n_outer < 3 {
        return Err(AlignmentError::option(
            "outer folds",
            n_outer,
            "at least 3: one to test, one reserved, the others to train",
        ));
    }
    Ok(())
}

fn training_and_reserved(chunks: &[Vec<usize>], fold: usize) -> (Vec<usize>, Vec<usize>) {
    let next = (fold + 1) % chunks.len();
    let training = (0..chunks.len())
        .filter(|&chunk| chunk != fold && chunk != next)
        .flat_map(|chunk| chunks[chunk].iter().copied())
        .collect();
    let mut reserved = chunks[next].clone();
    reserved.sort_unstable();
    (training, reserved)
}

fn draw_chunks(
    what: &'static str,
    n: usize,
    n_folds: usize,
    seed: Seed,
    stream: u64,
) -> Result<Vec<Vec<usize>>, AlignmentError> {
    if n_folds < 2 {
        return Err(AlignmentError::option("folds", n_folds, "at least 2"));
    }
    if n < n_folds {
        return Err(AlignmentError::too_few_stimuli(what, n, n_folds));
    }
    let mut order: Vec<usize> = (0..n).collect();
    draw_to_front(&mut order, n, &mut seed.stream(stream));
    let (least, longer) = (n / n_folds, n % n_folds);
    let mut rest = order.as_slice();
    Ok((0..n_folds)
        .map(|fold| {
            let (chunk, others) = rest.split_at(least + usize::from(fold < longer));
            rest = others;
            chunk.to_vec()
        })
        .collect())
}

fn check_partition(what: &'static str, folds: &[Vec<usize>], n_stimuli: usize) -> Result<(), AlignmentError> {
    if folds.len() < 2 || folds.iter().any(Vec::is_empty) {
        return Err(AlignmentError::too_few_stimuli(what, n_stimuli, folds.len()));
    }
    let mut seen = vec![false; n_stimuli];
    for (fold, items) in folds.iter().enumerate() {
        for &found in items {
            let defect = match seen.get_mut(found) {
                None => Some("out of range"),
                Some(seen) => std::mem::replace(seen, true).then_some("in a fold already"),
            };
            if let Some(defect) = defect {
                return Err(AlignmentError::Data(format!(
                    "{what} fold {fold} holds {found}, which is {defect}; every stimulus of the {n_stimuli} must be in \
                     exactly one fold, counted from 0"
                )));
            }
        }
    }
    let found = seen.iter().filter(|&&seen| seen).count();
    if found < n_stimuli {
        return Err(AlignmentError::Data(format!(
            "the {what} folds hold {found} of {n_stimuli} stimuli; every one must be in a fold"
        )));
    }
    Ok(())
}

/// The positions that each fold holds out, from the fold number of each position; folds go from 0 to the largest
/// number.
///
/// ```
/// assert_eq!(neurogauge_alignment::folds_of(&[1, 0, 1]), [vec![1], vec![0, 2]]);
/// ```
pub fn folds_of(labels: &[usize]) -> Vec<Vec<usize>> {
    let n_folds = labels.iter().max().map_or(0, |largest| largest + 1);
    // A label above the number of positions leaves a fold empty, which the check of folds refuses.
    let mut folds = vec![Vec::new(); n_folds.min(labels.len() + 1)];
    for (position, &label) in labels.iter().enumerate() {
        if let Some(fold) = folds.get_mut(label) {
            fold.push(position);
        }
    }
    folds
}
