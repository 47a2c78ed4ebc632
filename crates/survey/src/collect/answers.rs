//! The folder of answers, with a file for each sitting.

use super::http::Reply;
use crate::make::record::SurveyRecord;
use crate::read::{RECEIVED, Received, checked};
use neurogauge::Error;
use neurogauge::formats::names_below::below;
use neurogauge::formats::parser_words::of_json;
use neurogauge::formats::{IoResult, atomic_file, regular_file};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// At most this many sittings are stored, so that nobody can fill the disk.
const MAX_SITTINGS: usize = 20_000;
/// Older temporary files were left by a server that was killed.
const LEFT_OVER: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Answers {
    pub(super) survey: SurveyRecord,
    folder: PathBuf,
    /// Number of the answers that arrived last.
    last: Mutex<u64>,
}

impl Answers {
    /// Opens the folder, and continues the numbers of the answers in it.
    pub(super) fn open(survey: SurveyRecord, folder: PathBuf) -> Result<Answers, Error> {
        std::fs::create_dir_all(&folder).when("creating", &folder)?;
        atomic_file::probe(&folder).when("writing", &folder)?;
        atomic_file::sweep(&folder, LEFT_OVER);
        let mut last = 0;
        for entry in std::fs::read_dir(&folder).when("listing", &folder)? {
            let path = entry.when("listing", &folder)?.path();
            let bytes = regular_file::read(&path).unwrap_or_default();
            let received = serde_json::from_slice(&bytes).ok().and_then(|found: Value| received(&found));
            last = last.max(received.map_or(0, |received| received.number));
        }
        let last = Mutex::new(last);
        Ok(Answers { survey, folder, last })
    }

    /// Writes valid answers to a new file, with the number and time of their arrival. The same answers may arrive again
    /// after a lost reply; that is not an error.
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
        match (below(&self.folder, &name), serde_json::from_slice(body)) {
            (Ok(path), Ok(answers)) => self.keep_as(&path, &name, page, &answers),
            (Err(error), _) => refused(error.to_string()),
            (_, Err(error)) => refused(format!("answers: {}; expected a JSON object", of_json(&error))),
        }
    }

    fn keep_as(&self, path: &Path, name: &str, page: &str, answers: &Map<String, Value>) -> Reply {
        // One at a time, so that numbers are in the order of the files.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let failed =
            |error: &dyn std::fmt::Display| Reply::text("500 Internal Server Error", format!("not kept: {error}"));
        let beside = |stored: &[u8]| {
            let mut stored: Map<String, Value> = serde_json::from_slice(stored).unwrap_or_default();
            stored.remove(RECEIVED);
            match stored == *answers {
                true => Reply::text("200 OK", format!("{name}: the same answers came again")),
                false => {
                    Reply::text("409 Conflict", format!("{name}: holds other answers of this sitting, which stay"))
                }
            }
        };
        if path.exists() {
            return match regular_file::read(path).when("reading", path) {
                Ok(stored) => beside(&stored),
                Err(error) => failed(&error),
            };
        }
        let n_sittings = self.counts().iter().sum::<usize>();
        if n_sittings >= MAX_SITTINGS {
            let reason = format!("not kept: the folder has {n_sittings} sittings, and takes no more");
            return Reply::text("507 Insufficient Storage", reason);
        }
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let received = Received {
            // Another server of this folder may have taken answers since.
            number: (*last).max(n_sittings as u64) + 1,
            unix_seconds: since.unwrap_or_default().as_secs(),
        };
        let mut stamped = answers.clone();
        stamped.insert(RECEIVED.to_owned(), serde_json::json!(received));
        let bytes = Value::Object(stamped).to_string().into_bytes();
        let written = atomic_file::write_new(path, &bytes);
        match written.and_then(|()| regular_file::read(path).when("reading", path)) {
            Ok(stored) if stored == bytes => {
                *last = received.number;
                Reply::text("201 Created", format!("{name}: answers to page {page}"))
            }
            // Another server with this folder was first.
            Ok(stored) => beside(&stored),
            Err(error) => failed(&error),
        }
    }

    /// Number of files for each page, in the survey's order.
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

fn received(answers: &Value) -> Option<Received> {
    serde_json::from_value(answers.get(RECEIVED)?.clone()).ok()
}
