//! A questionnaire in one file, which loads nothing and runs only its own script.

use super::pictures::{PagePicture, Pictures};
use crate::plan::PlannedPage;
use crate::record::SurveyRecord;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use neurogauge::Error;
use neurogauge::core::hostile_text::for_html;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

const PAGE: &str = include_str!("../../page/dist/survey.html");
const SCRIPT: &str = include_str!("../../page/dist/survey.js");
const STYLE: &str = include_str!("../../page/dist/survey.css");

pub(super) fn page(record: &SurveyRecord, page: &PlannedPage, pictures: &Pictures) -> Result<String, Error> {
    let mut on_page = OnPage::new(pictures);
    let trials: Vec<[usize; 2]> = page
        .trials
        .iter()
        .map(|trial| pictures.shown(trial).map(|(place, shown)| on_page.picture(place, shown)))
        .collect();
    let words = &record.questions;
    let participation = &record.request.participation;
    let completion = participation.completion.as_ref().map(|completion| {
        json!({
            "code": completion.code(&record.survey, &page.id),
            "url": completion.url(&record.survey, &page.id),
        })
    });
    let data = json!({
        "survey": record.survey,
        "page": page.id,
        "title": words.title,
        "instructions": words.instructions,
        "questions": words.questions,
        "stimulus": words.stimulus,
        "reconstruction": words.reconstruction,
        "left": page.left,
        "images": on_page.images,
        "pictures": on_page.pictures,
        "trials": trials,
        "consent": record.consent,
        "demographics": record.demographics,
        "completion": completion,
        "submission": participation.submission,
    });
    let connected = participation
        .submission
        .as_ref()
        .map(|submission| format!(" connect-src {};", submission.origins().join(" ")));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:;{} base-uri 'none'; form-action 'none'",
        hash_source(SCRIPT),
        hash_source(STYLE),
        connected.unwrap_or_default()
    );
    Ok(filled(&[
        ("language", &for_html(&words.language)),
        ("policy", &policy),
        ("title", &for_html(&words.title)),
        ("style", STYLE),
        // In JSON `<` only occurs in strings; escaped like this it cannot end the element.
        ("data", &data.to_string().replace('<', "\\u003c")),
        ("script", SCRIPT),
    ]))
}

/// What a page has to show, each image and each picture once.
struct OnPage<'a> {
    all: &'a Pictures,
    images: Vec<String>,
    pictures: Vec<PagePicture>,
    /// Places on the page, by the place among everything that is shown.
    of_images: HashMap<usize, usize>,
    of_pictures: HashMap<usize, usize>,
}

impl<'a> OnPage<'a> {
    fn new(all: &'a Pictures) -> Self {
        OnPage {
            all,
            images: Vec::new(),
            pictures: Vec::new(),
            of_images: HashMap::new(),
            of_pictures: HashMap::new(),
        }
    }

    /// The place of a picture on the page.
    fn picture(&mut self, place: usize, shown: &PagePicture) -> usize {
        if let Some(known) = self.of_pictures.get(&place) {
            return *known;
        }
        let mut image = |place: &usize| {
            *self.of_images.entry(*place).or_insert_with(|| {
                self.images.push(self.all.data_url(*place));
                self.images.len() - 1
            })
        };
        let parts = shown.parts.iter();
        self.pictures.push(PagePicture {
            parts: parts.map(|frames| frames.iter().map(&mut image).collect()).collect(),
            ms: shown.ms.clone(),
        });
        self.of_pictures.insert(place, self.pictures.len() - 1);
        self.pictures.len() - 1
    }
}

/// The page's template with each `{{name}}` replaced, in order of appearance.
fn filled(parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = PAGE;
    for (name, part) in parts {
        if let Some((before, after)) = rest.split_once(&format!("{{{{{name}}}}}")) {
            text.push_str(before);
            text.push_str(part);
            rest = after;
        }
    }
    text + rest
}

/// The hash source of a script or style for a content security policy.
fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_frame_is_filled_in_its_order() {
        let names = ["language", "policy", "title", "style", "data", "script"];
        let parts = names.map(|name| (name, "x"));
        let text = filled(&parts);
        assert!(!text.contains("{{"), "{text}");
        // A part that looks like a placeholder is left alone.
        let text = filled(&names.map(|name| (name, if name == "title" { "{{script}}" } else { "x" })));
        assert!(text.contains("<title>{{script}}</title>"), "{text}");
    }

    #[test]
    fn the_policy_is_by_hash() {
        // For the empty text, from `openssl dgst -sha256 -binary | base64`.
        assert_eq!(hash_source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
    }
}
