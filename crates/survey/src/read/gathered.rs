//! Decides which files are read, and which of their results count.

use super::result_file::{PageResult, Received};
use super::{Sitting, has_ending};
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::{IoResult, Problem};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

#[derive(Default)]
pub(super) struct PageResults<'a> {
    /// The file of each result.
    places: HashMap<String, PathBuf>,
    /// For each rater and page, the index of the sitting and the file; `None` if nobody knows which of two files came
    /// first.
    answered: HashMap<(String, &'a str), Option<First>>,
    sittings: Vec<Option<Sitting<'a>>>,
    /// Names in the ratings for people from a platform, whose platform ids should not be in ratings that are passed on.
    names: HashMap<String, String>,
}

struct First {
    place: usize,
    received: Option<Received>,
    path: PathBuf,
}

impl<'a> PageResults<'a> {
    /// The sittings that count.
    pub(super) fn into_sittings(self) -> impl Iterator<Item = Sitting<'a>> {
        self.sittings.into_iter().flatten()
    }

    /// Adds a result, unless it is a duplicate or the same person answered the page before. Results must be added in
    /// the order of arrival. If the files do not say which of two came first, neither counts. Without a name or a
    /// platform's id, everyone who answers a page counts as a different person.
    pub(super) fn add(&mut self, found: PageResult<'a>, path: &Path, findings: &mut Vec<Finding>) {
        let PageResult {
            result,
            page,
            platform_id,
            is_named,
            received,
            mut sitting,
        } = found;
        let place = self.sittings.len();
        let path_here = path.to_owned();
        let first = || {
            Some(First {
                place,
                received,
                path: path_here,
            })
        };
        let mut warn = |code: &str, message: String| {
            findings.push(Finding::warning(code, path.display().to_string(), message));
        };
        if let Some(earlier) = self.places.get(&result) {
            warn("result_twice", format!("holds a result that {} holds, too; it counts once", earlier.display()));
            return;
        }
        self.places.insert(result, path.to_owned());
        let known = match is_named {
            true => Some(sitting.rater.clone()),
            false => platform_id.as_ref().and_then(|id| self.names.get(id).cloned()),
        };
        if let Some(rater) = known {
            sitting.rater = rater;
            let rater = sitting.rater.clone();
            match self.answered.entry((rater.clone(), page)) {
                Entry::Vacant(entry) => {
                    entry.insert(first());
                    self.sittings.push(Some(sitting));
                }
                Entry::Occupied(mut entry) => match entry.get() {
                    Some(earlier)
                        if is_ordered(earlier.received, received)
                            || has_same_ratings(self.sittings[earlier.place].as_ref(), &sitting) =>
                    {
                        warn("page_twice", format!("{rater} answered page {page} before; this time does not count"));
                    }
                    Some(First { place, path, .. }) => {
                        self.sittings[*place] = None;
                        let message = format!(
                            "{rater} answered page {page} here and in {}, and the files do not say which came first: neither \
                             counts; take away the one that should not",
                            path.display()
                        );
                        entry.insert(None);
                        warn("page_twice_in_no_order", message);
                    }
                    None => warn(
                        "page_twice_in_no_order",
                        format!("{rater} answered page {page} once more; it does not count"),
                    ),
                },
            }
            return;
        }
        let mut times = 1;
        while self.answered.contains_key(&(sitting.rater.clone(), page)) {
            times += 1;
            sitting.rater = format!("{page} ({times})");
        }
        self.answered.insert((sitting.rater.clone(), page), first());
        match platform_id {
            Some(id) => {
                self.names.insert(id, sitting.rater.clone());
            }
            None if times > 1 => warn(
                "page_of_several",
                format!(
                    "somebody without a name answered page {page}, and so did somebody before: taken for two people"
                ),
            ),
            None => {}
        }
        self.sittings.push(Some(sitting));
    }
}

/// Did servers record which of two results came first?
fn is_ordered(earlier: Option<Received>, later: Option<Received>) -> bool {
    earlier.is_some() && later.is_some() && earlier != later
}

/// Do two sittings of a page have the same ratings, so that it does not matter which one counts?
fn has_same_ratings(earlier: Option<&Sitting<'_>>, later: &Sitting<'_>) -> bool {
    let ratings =
        |sitting: &Sitting<'_>| sitting.answers.iter().map(|answer| answer.ratings.clone()).collect::<Vec<_>>();
    earlier.is_some_and(|earlier| ratings(earlier) == ratings(later))
}

/// The named files, and files of named folders that may contain answers, in order.
pub(super) fn listed_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).when("listing", path)? {
            let file = entry.when("listing", path)?.path();
            if ["json", "txt", "csv"].iter().any(|ending| has_ending(&file, ending)) {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(Problem::EmptyFolder("answers (.json, .txt, .csv)").at(path).into());
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}
