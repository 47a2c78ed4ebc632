//! Which files are read, and which of their results count.

use super::result_file::PageResult;
use super::{Sitting, has_ending};
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::{IoResult, Problem};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

#[derive(Default)]
pub(super) struct PageResults<'a> {
    /// The file of each result.
    places: HashMap<String, PathBuf>,
    /// Which rater answered which page.
    answered: HashSet<(String, &'a str)>,
    /// The names in the ratings of people from a platform, since platform ids should not be in ratings that are passed
    /// on.
    names: HashMap<String, String>,
}

impl<'a> PageResults<'a> {
    /// Adds a result, unless it is a duplicate or the same person has answered the page before. Without a name or a
    /// platform's id, everyone who answers a page counts as a different person.
    pub(super) fn add(
        &mut self,
        found: PageResult<'a>,
        path: &Path,
        findings: &mut Vec<Finding>,
    ) -> Option<Sitting<'a>> {
        let PageResult {
            result,
            page,
            platform_id,
            is_named,
            mut sitting,
        } = found;
        let mut warn = |code: &str, message: String| {
            findings.push(Finding::warning(code, path.display().to_string(), message));
        };
        if let Some(earlier) = self.places.get(&result) {
            warn("result_twice", format!("holds a result that {} holds, too; it counts once", earlier.display()));
            return None;
        }
        self.places.insert(result, path.to_owned());
        let known = match is_named {
            true => Some(sitting.rater.clone()),
            false => platform_id.as_ref().and_then(|id| self.names.get(id).cloned()),
        };
        if let Some(rater) = known {
            sitting.rater = rater;
            if self.answered.insert((sitting.rater.clone(), page)) {
                return Some(sitting);
            }
            warn("page_twice", format!("{} answered page {page} before; this time does not count", sitting.rater));
            return None;
        }
        let mut times = 1;
        while !self.answered.insert((sitting.rater.clone(), page)) {
            times += 1;
            sitting.rater = format!("{page} ({times})");
        }
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
        Some(sitting)
    }
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
