//! Writes a questionnaire as one file, which loads nothing and runs only its own script.

use super::pictures::{PagePicture, Pictures};
use crate::make::record::SurveyRecord;
use crate::plan::PlannedPage;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use indexmap::{IndexMap, IndexSet};
use maud::{DOCTYPE, PreEscaped, html};
use serde_json::json;
use sha2::{Digest, Sha256};

const SCRIPT: &str = include_str!("../../page/dist/survey.js");
const STYLE: &str = include_str!("../../page/dist/survey.css");

pub(super) fn page(record: &SurveyRecord, page: &PlannedPage, pictures: &Pictures) -> String {
    // Each image and each picture once, by index among everything that is shown.
    let mut images: IndexSet<usize> = IndexSet::new();
    let mut on_page: IndexMap<usize, PagePicture> = IndexMap::new();
    let mut picture = |(place, shown): (usize, &PagePicture)| {
        let entry = on_page.entry(place);
        let at = entry.index();
        entry.or_insert_with(|| PagePicture {
            parts: (shown.parts.iter())
                .map(|frames| frames.iter().map(|image| images.insert_full(*image).0).collect())
                .collect(),
            ms: shown.ms.clone(),
        });
        at
    };
    let trials: Vec<[usize; 2]> = page.trials.iter().map(|trial| pictures.shown(trial).map(&mut picture)).collect();
    let words = &record.questions;
    let participation = &record.request.participation;
    let (survey, id) = (&record.survey, &page.id);
    let completion = participation.completion.as_ref();
    let completion = completion.map(|known| json!({ "code": known.code(survey, id), "url": known.url(survey, id) }));
    let data = json!({
        "survey": record.survey,
        "page": page.id,
        "title": words.title,
        "instructions": words.instructions,
        "questions": words.questions,
        "stimulus": words.stimulus,
        "reconstruction": words.reconstruction,
        "left": page.left,
        "images": images.iter().map(|place| pictures.data_url(*place)).collect::<Vec<String>>(),
        "pictures": on_page.values().collect::<Vec<_>>(),
        "trials": trials,
        "consent": record.consent,
        "demographics": record.demographics,
        "completion": completion,
        "submission": participation.submission,
    });
    let submission = participation.submission.as_ref();
    let connected = submission.map(|submission| format!(" connect-src {};", submission.origins().join(" ")));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:;{} base-uri 'none'; form-action 'none'",
        hash_source(SCRIPT),
        hash_source(STYLE),
        connected.unwrap_or_default()
    );
    let page = html! {
        (DOCTYPE)
        html lang=(words.language) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (words.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main #survey { noscript { "This questionnaire needs JavaScript." } }
                // In JSON, `<` only occurs in strings; this escape keeps it from ending the element.
                script type="application/json" id="data" { (PreEscaped(data.to_string().replace('<', "\\u003c"))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// The hash with which a content security policy allows a script or style.
fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_by_hash() {
        // The hash of the empty text, from `openssl dgst -sha256 -binary | base64`.
        assert_eq!(hash_source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
    }
}
