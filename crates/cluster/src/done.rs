//! Finds unfinished shards, for any number of shards.

use crate::shard::{folder, of_name, plan_of, record};
use neurogauge::{Error, Shard};
use std::num::NonZeroUsize;
use std::path::Path;

/// All shards of a run that have a folder or a log, sorted by number and position.
pub(crate) fn begun(run: &Path) -> Vec<Shard> {
    let entries = std::fs::read_dir(folder(run)).into_iter().flatten();
    let named = entries.flatten().filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        of_name(name.strip_suffix(".log").unwrap_or(&name))
    });
    let mut shards: Vec<Shard> = named.collect();
    shards.sort_by_key(|shard| (shard.of, shard.index));
    shards.dedup();
    shards
}

/// The number of shards of the run: the most frequent number among its shards, the larger one in a tie; `None` if no
/// shard was begun.
pub(crate) fn most_common_number(run: &Path) -> Option<NonZeroUsize> {
    let shards = begun(run);
    let count = |of| shards.iter().filter(|shard| shard.of == of).count();
    let numbers = shards.iter().map(|shard| shard.of);
    numbers.max_by_key(|&of| (count(of), of))
}

/// The positions of the unfinished shards among `of`. `done` may contain shards of any division: items that are done in
/// another division are not missing.
fn lacking(of: NonZeroUsize, done: &[Shard]) -> Vec<usize> {
    // A shard has the items from the fraction index / of up to the next one.
    let is_covered = |index: usize| {
        let (mut at, end) = ((index, of.get()), (index + 1, of.get()));
        let is_before =
            |a: (usize, usize), b: (usize, usize)| (a.0 as u128) * (b.1 as u128) < (b.0 as u128) * (a.1 as u128);
        while is_before(at, end) {
            let next = done.iter().find_map(|shard| {
                let (begin, end) = ((shard.index, shard.of.get()), (shard.index + 1, shard.of.get()));
                (!is_before(at, begin) && is_before(at, end)).then_some(end)
            });
            match next {
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    };
    (0..of.get()).filter(|&index| !is_covered(index)).collect()
}

/// The positions of the shards with unfinished items, if the run is divided into `of`. `again` adds those with failed
/// items.
///
/// # Errors
/// The plan cannot be read.
pub fn missing(run: &Path, of: NonZeroUsize, again: bool) -> Result<Vec<usize>, Error> {
    let plan = plan_of(run)?;
    let is_done = |shard: &Shard| {
        let record = record(run, *shard, &plan);
        record.is_some_and(|record| !again || record.failed.is_empty())
    };
    let done: Vec<Shard> = begun(run).into_iter().filter(is_done).collect();
    Ok(lacking(of, &done))
}

/// The message of `finish` about missing shards; `None` if none is missing.
///
/// # Errors
/// The plan cannot be read; shards are missing although all are `required`.
pub fn check_all_done(run: &Path, required: bool) -> Result<Option<String>, Error> {
    let words = match most_common_number(run) {
        None => "no shard was worked on".to_owned(),
        Some(of) => {
            let missing = missing(run, of, false)?;
            if missing.is_empty() {
                return Ok(None);
            }
            let names = missing.iter().map(|index| format!("{index}/{of}"));
            let names = names.collect::<Vec<_>>().join(", ");
            format!("{} of {of} shards are missing: {names}", missing.len())
        }
    };
    if required {
        return Err(Error::Data(format!("{}: {words}; do them with `neurogauge cluster work`", run.display())));
    }
    Ok(Some(format!("{}: {words}; what they lack is done here", run.display())))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn shards(list: &[(usize, usize)]) -> Vec<Shard> {
        let shard = |&(index, of): &(usize, usize)| Shard {
            index,
            of: of.try_into().unwrap(),
        };
        list.iter().map(shard).collect()
    }

    fn lacks(of: usize, done: &[(usize, usize)]) -> Vec<usize> {
        lacking(of.try_into().unwrap(), &shards(done))
    }

    #[test]
    fn shards_of_several_numbers_make_up_for_each_other() {
        assert_eq!(lacks(3, &[]), [0, 1, 2]);
        assert_eq!(lacks(3, &[(1, 3)]), [0, 2]);
        assert_eq!(lacks(3, &[(0, 1)]), [] as [usize; 0]);
        assert_eq!(lacks(4, &[(0, 2), (3, 4)]), [2]);
        assert_eq!(lacks(2, &[(0, 3), (1, 3)]), [1]);
        assert_eq!(lacks(2, &[(2, 3), (0, 3), (1, 3)]), [] as [usize; 0]);
        // Thirds and fifths share no border: 1/3 to 2/5 remains.
        assert_eq!(lacks(3, &[(0, 3), (2, 5), (3, 5), (4, 5)]), [1]);
    }

    #[test]
    fn the_items_of_a_covered_shard_are_those_of_the_shards_that_cover_it() {
        for n_items in 0..40 {
            for (of, done) in [(2, vec![(0, 3), (1, 3), (2, 3)]), (3, vec![(0, 2), (1, 2)])] {
                let done = shards(&done);
                let items: Vec<usize> = done.iter().flat_map(|d| d.items(n_items)).collect();
                for index in 0..of {
                    let shard = shards(&[(index, of)])[0];
                    assert!(shard.items(n_items).all(|item| items.contains(&item)));
                }
            }
        }
    }
}
