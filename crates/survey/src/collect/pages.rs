//! The pages of a survey over HTTP: by name, and one for each visitor of the server's root.

use super::answers::Answers;
use super::http::Reply;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Parameters that identify people.
const IDS: [&str; 2] = ["PROLIFIC_PID=", "workerId="];

/// The folder of pages, and which pages were handed out since the server started.
#[derive(Debug)]
pub(super) struct Pages {
    folder: PathBuf,
    given: Mutex<Given>,
}

#[derive(Debug, Default)]
struct Given {
    /// How often each page was handed out.
    times: HashMap<usize, usize>,
    /// The page of each platform id.
    by_id: HashMap<String, usize>,
}

impl Pages {
    pub(super) fn new(folder: PathBuf) -> Self {
        Pages {
            folder,
            given: Mutex::default(),
        }
    }

    /// A page, or a redirect to one.
    pub(super) fn reply(&self, target: &str, answers: &Answers) -> Reply {
        let (path, parameters) = target.split_once('?').unwrap_or((target, ""));
        let not_found = || Reply::text("404 Not Found", "the survey has no such page");
        if !target.chars().all(|c| c.is_ascii_graphic()) {
            return not_found();
        }
        let pages = &answers.survey.pages;
        if path == "/" {
            let next = pages.get(self.next(parameters, &answers.counts()));
            let mark = if parameters.is_empty() { "" } else { "?" };
            return next.map_or_else(not_found, |page| Reply {
                location: Some(format!("{}.html{mark}{parameters}", page.id)),
                ..Reply::text("302 Found", "")
            });
        }
        let named = path.strip_prefix('/').and_then(|path| path.strip_suffix(".html"));
        let known = pages.iter().find(|page| Some(page.id.as_str()) == named);
        let text = known.map(|page| std::fs::read_to_string(self.folder.join(format!("{}.html", page.id))));
        match text {
            Some(Ok(body)) => Reply {
                media_type: "text/html",
                ..Reply::text("200 OK", body)
            },
            _ => not_found(),
        }
    }

    /// The page with the fewest answers; ties go to the page that was handed out least often, then to the first. The
    /// same platform id gets the same page again.
    fn next(&self, parameters: &str, counts: &[usize]) -> usize {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let id = parameters.split('&').find(|part| IDS.iter().any(|id| part.starts_with(id)));
        if let Some(&page) = id.and_then(|id| given.by_id.get(id)) {
            return page;
        }
        let order = |page: &usize| (counts[*page], given.times.get(page).copied().unwrap_or_default());
        let page = (0..counts.len()).min_by_key(order).unwrap_or_default();
        *given.times.entry(page).or_default() += 1;
        if let Some(id) = id {
            given.by_id.insert(id.to_owned(), page);
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_given_out_in_turn_and_those_with_answers_last() {
        let pages = Pages::new(PathBuf::new());
        let none = [0, 0, 0];
        assert_eq!([1, 2, 3, 4].map(|_| pages.next("", &none)), [0, 1, 2, 0]);
        assert_eq!(pages.next("", &[1, 0, 0]), 1, "one has answers");
        assert_eq!(pages.next("", &[1, 1, 1]), 2, "all have answers, this was given out once");
        let parameters = "STUDY_ID=s&PROLIFIC_PID=a";
        let first = pages.next(parameters, &none);
        assert_eq!(pages.next(parameters, &none), first);
        assert_ne!(pages.next("STUDY_ID=s&PROLIFIC_PID=b", &none), first);
    }
}
