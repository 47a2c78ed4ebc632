//! Which files are read, and which of the results in them count.

use super::result_file::PageResult;
use super::{Sitting, has_ending};
use neurogauge::Error;
use neurogauge::core::Warning;
use neurogauge::formats::FormatError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The results of pages that were read so far.
#[derive(Default)]
pub(super) struct PageResults<'a> {
    /// Where each was found.
    places: HashMap<String, PathBuf>,
    /// How often each rater answered each page.
    times: HashMap<(String, &'a str), usize>,
}

impl<'a> PageResults<'a> {
    /// What counts of a result: nothing of one that is there already, or of a page that somebody of this name answered
    /// before. Without a name, those who answer one page are different people.
    pub(super) fn add(
        &mut self,
        found: PageResult<'a>,
        path: &Path,
        warnings: &mut Vec<Warning>,
    ) -> Option<Sitting<'a>> {
        let PageResult {
            result,
            page,
            is_named,
            mut sitting,
        } = found;
        let mut warn = |code: &str, message: String| {
            warnings.push(Warning::new(code, path.display().to_string(), message));
        };
        if let Some(earlier) = self.places.get(&result) {
            warn(
                "result_twice",
                format!(
                    "holds a result that {} holds, too; it counts once",
                    earlier.display()
                ),
            );
            return None;
        }
        self.places.insert(result, path.to_owned());
        let times = self.times.entry((sitting.rater.clone(), page)).or_default();
        *times += 1;
        if *times == 1 {
            return Some(sitting);
        }
        if is_named {
            warn(
                "page_twice",
                format!(
                    "{} answered page {page} before; this time does not count",
                    sitting.rater
                ),
            );
            return None;
        }
        warn(
            "page_of_several",
            format!(
                "somebody without a name answered page {page}, and so did somebody before: taken for two people"
            ),
        );
        sitting.rater = format!("{page} ({times})");
        Some(sitting)
    }
}

/// The files named, and those of folders that may hold answers, in order.
pub(super) fn listed_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |source| FormatError::Io {
            path: path.clone(),
            action: "listing",
            source,
        };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if ["json", "txt", "csv"]
                .iter()
                .any(|ending| has_ending(&file, ending))
            {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(FormatError::EmptyFolder {
                path: path.clone(),
                expected: "answers (.json, .txt, .csv)",
            }
            .into());
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}
