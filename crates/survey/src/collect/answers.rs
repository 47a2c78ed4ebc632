//! The folder of answers, with a file for each sitting.

use super::http::Reply;
use crate::make::record::SurveyRecord;
use crate::read::checked;
use neurogauge::formats::{IoResult, atomic_file};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Answers {
    pub(super) survey: SurveyRecord,
    pub(super) folder: PathBuf,
}

impl Answers {
    /// Writes valid answers to a new file. The same answers may arrive again after a lost reply; that is no error.
    pub(super) fn keep(&self, body: &[u8]) -> Reply {
        let refused = |reason: String| Reply::text("422 Unprocessable Content", format!("refused {reason}"));
        let (page, result) = match checked(body, Path::new("answers"), &self.survey) {
            Ok(found) => found,
            Err(error) => return refused(error.to_string()),
        };
        let is_name = (1..=64).contains(&result.len())
            && result.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !is_name {
            return refused(format!("answers: result: {result:?}; expected 1 to 64 letters, digits, - and _"));
        }
        let name = format!("{page}-{result}.json");
        let path = self.folder.join(&name);
        let is_known = path.exists();
        let stored = atomic_file::write_new(&path, body).and_then(|()| std::fs::read(&path).when("reading", &path));
        match stored {
            Ok(stored) if stored != body => {
                Reply::text("409 Conflict", format!("{name}: holds other answers of this sitting, which stay"))
            }
            Ok(_) if is_known => Reply::text("200 OK", format!("{name}: the same answers came again")),
            Ok(_) => Reply::text("201 Created", format!("{name}: answers to page {page}")),
            Err(error) => Reply::text("500 Internal Server Error", format!("not kept: {error}")),
        }
    }

    /// The number of files for each page, in the order of the survey.
    pub(super) fn counts(&self) -> Vec<usize> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let of_page = |id: &str| {
            let is_of_page = |name: &&String| name.strip_prefix(id).is_some_and(|rest| rest.starts_with('-'));
            names.iter().filter(is_of_page).count()
        };
        self.survey.pages.iter().map(|page| of_page(&page.id)).collect()
    }
}
