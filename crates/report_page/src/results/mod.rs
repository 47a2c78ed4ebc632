//! Results of other commands as sections, each of which opens with its answer, one figure and one table. Everything else
//! is folded under the question that it answers.

mod agreement;
mod dots;
mod files;
mod finished;
mod pictures;
mod recovery;
mod recovery_answers;
mod recovery_views;
mod tables_of_questions;
mod view;

pub(crate) use files::name;
pub(crate) use finished::folded;

use crate::html::SectionHtml;
use crate::inputs::Inputs;
use crate::request::{ImagePlacement, PageRequest};
use crate::thumbnails::Thumbnails;
use finished::Shown;
use maud::{Markup, html};
use neurogauge::Error;
use neurogauge::core::Finding;
use std::path::{Path, PathBuf};

/// The runs of the page and their pictures, if it has runs.
pub(crate) type OnPage<'a> = Option<(&'a Inputs, &'a Thumbnails)>;

/// A section for each kind of result; if there are only alignments, one for each of their views.
pub(crate) fn sections(
    request: &PageRequest,
    on_page: OnPage<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<SectionHtml<'static>>, Error> {
    let shows_images = request.images == ImagePlacement::Within && !request.blurred;
    type Content<'a> = &'a mut dyn FnMut(&Path) -> Result<(String, Shown), Error>;
    let mut sections = Vec::new();
    let mut section = |id, heading, folders: &[PathBuf], content: Content<'_>| -> Result<(), Error> {
        let mut parts = Vec::new();
        for folder in folders {
            let (question, shown) = content(folder)?;
            let prefix = if folders.len() > 1 {
                format!("{}: ", name(folder))
            } else {
                String::new()
            };
            parts.push(asked(&(prefix + &question), &shown));
        }
        if !folders.is_empty() {
            sections.push((id, heading, html! { @for part in parts { (part) } }));
        }
        Ok(())
    };
    section("meta", "Agreement with people", &request.meta, &mut |folder| {
        agreement::content(folder, on_page, shows_images, findings)
    })?;
    section("audit", "Decoding or classification", &request.audit, &mut |folder| {
        tables_of_questions::audit(folder, shows_images, findings)
    })?;
    section("multiverse", "The same pairs under every convention", &request.multiverse, &mut |folder| {
        tables_of_questions::multiverse(folder, findings)
    })?;
    let views = recovery::of_folders(&request.align, shows_images, findings)?;
    match on_page {
        None => sections.extend(views.into_iter().map(recovery::Viewed::section)),
        Some(_) if views.is_empty() => {}
        Some(_) => sections.push(("align", "Recovery of response dimensions", recovery::in_one(views))),
    }
    Ok(sections)
}

/// A question, its answer, and what the answer rests on.
fn asked(question: &str, shown: &Shown) -> Markup {
    html! {
        h3 { (question) }
        @if let Some(answer) = &shown.answer { p.answer { (answer) } }
        (shown.content)
    }
}
