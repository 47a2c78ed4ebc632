//! Delivers the pages of a survey: by name, and one to each visitor of the server's root.

use super::answers::Answers;
use super::http::Reply;
use neurogauge::formats::names_below::below;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Parameters that identify people.
const IDS: [&str; 2] = ["PROLIFIC_PID=", "workerId="];

/// The folder of pages, and how often each was delivered since the server started.
#[derive(Debug)]
pub(super) struct Pages {
    folder: PathBuf,
    given: Mutex<Vec<usize>>,
}

impl Pages {
    pub(super) fn new(folder: PathBuf, n_pages: usize) -> Self {
        let given = Mutex::new(vec![0; n_pages]);
        Pages { folder, given }
    }

    /// A page, or a redirect to one.
    pub(super) fn reply(&self, path: &str, parameters: &str, answers: &Answers) -> Reply {
        let not_found = || Reply::text("404 Not Found", "the survey has no such page");
        let pages = &answers.survey.pages;
        if path == "/" {
            let next = pages.get(self.next(parameters, &answers.survey.survey, &answers.counts()));
            let mark = if parameters.is_empty() { "" } else { "?" };
            return next.map_or_else(not_found, |page| Reply {
                location: Some(format!("{}.html{mark}{parameters}", page.id)),
                ..Reply::text("302 Found", "")
            });
        }
        let named = path.strip_prefix('/').and_then(|path| path.strip_suffix(".html"));
        let known = pages.iter().find(|page| Some(page.id.as_str()) == named);
        let file = known.and_then(|page| below(&self.folder, &format!("{}.html", page.id)).ok());
        match file.map(std::fs::read_to_string) {
            Some(Ok(body)) => Reply {
                media_type: "text/html",
                ..Reply::text("200 OK", body)
            },
            _ => not_found(),
        }
    }

    /// Chooses a page. With a platform's id, a hash decides, so that the same person gets the same page even from
    /// another server of the survey. Without an id, it is the page with the fewest answers; ties go to the page that
    /// was delivered least often, then to the first.
    fn next(&self, parameters: &str, survey: &str, counts: &[usize]) -> usize {
        let id = parameters.split('&').find(|part| IDS.iter().any(|id| part.starts_with(id)));
        if let Some(id) = id {
            let hash = Sha256::digest([survey, id].join("\0").as_bytes());
            let number = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
            return (number % counts.len().max(1) as u64) as usize;
        }
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let page = (0..counts.len()).min_by_key(|&page| (counts[page], given[page])).unwrap_or_default();
        if let Some(times) = given.get_mut(page) {
            *times += 1;
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_given_out_in_turn_and_those_with_answers_last() {
        let pages = || Pages::new(PathBuf::new(), 3);
        let (first, none) = (pages(), [0, 0, 0]);
        assert_eq!([1, 2, 3, 4].map(|_| first.next("", "survey", &none)), [0, 1, 2, 0]);
        assert_eq!(first.next("", "survey", &[1, 0, 0]), 1, "one has answers");
        assert_eq!(first.next("", "survey", &[1, 1, 1]), 2, "all have answers, this was given out once");
        // With ids, every server gives the same page, whatever came in between, and all pages about equally often.
        let of_id = |n: usize| format!("STUDY_ID=s&PROLIFIC_PID=u{n}");
        let given: Vec<usize> = (0..300).map(|n| first.next(&of_id(n), "survey", &[5, 0, n])).collect();
        let second = pages();
        assert!((0..300).rev().all(|n| second.next(&of_id(n), "survey", &none) == given[n]));
        for page in 0..3 {
            let n = given.iter().filter(|found| **found == page).count();
            assert!((70..130).contains(&n), "page {page}: {n} of 300");
        }
    }
}
