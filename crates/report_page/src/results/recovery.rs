//! A finished alignment as views, each of which opens with a reader's question and its answer.

use super::files::{name, sheet};
use super::finished::{Finished, Opening, Shown, folded};
use super::recovery_answers::Answers;
use super::recovery_views::{ENDS, views};
use super::{SectionHtml, asked};
use maud::{Markup, html};
use neurogauge::Error;
use neurogauge::core::Finding;
use std::path::{Path, PathBuf};

/// The prefix of sheets with the stimuli at both ends of a direction; the target unit's name follows.
const SHEET: &str = "stimuli_of_";

/// A view of each alignment: its question, and what answers it.
pub(super) struct Viewed {
    id: &'static str,
    heading: &'static str,
    of_alignments: Vec<(String, Shown)>,
}

impl Viewed {
    pub(super) fn section(self) -> SectionHtml<'static> {
        let content = html! { @for (question, shown) in &self.of_alignments { (asked(question, shown)) } };
        (self.id, self.heading, content)
    }

    /// Below its question, which a reader opens.
    fn folded(&self) -> Markup {
        html! {
            @for (question, shown) in &self.of_alignments {
                (folded(question, shown.answer.as_deref(), &shown.content))
            }
        }
    }
}

/// All views as one section, whose first view is open; empty without any.
pub(super) fn in_one(views: Vec<Viewed>) -> Markup {
    let mut views = views.into_iter();
    let first = views.next().map(|view| view.section().2);
    html! { @if let Some(first) = first { (first) } @for view in views { (view.folded()) } }
}

/// The views, each of which shows all these alignments.
pub(super) fn of_folders(
    folders: &[PathBuf],
    shows_images: bool,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Viewed>, Error> {
    let mut found: Vec<Viewed> = Vec::new();
    for folder in folders {
        let prefix = if folders.len() > 1 {
            format!("{}: ", name(folder))
        } else {
            String::new()
        };
        for (place, (id, heading, question, shown)) in
            of_folder(folder, shows_images, findings)?.into_iter().enumerate()
        {
            if found.len() == place {
                let of_alignments = Vec::new();
                found.push(Viewed {
                    id,
                    heading,
                    of_alignments,
                });
            }
            if !shown.is_empty {
                found[place].of_alignments.push((prefix.clone() + question, shown));
            }
        }
    }
    found.retain(|view| !view.of_alignments.is_empty());
    Ok(found)
}

type OfView = (&'static str, &'static str, &'static str, Shown);

fn of_folder(folder: &Path, shows_images: bool, findings: &mut Vec<Finding>) -> Result<Vec<OfView>, Error> {
    let mut own = Finished::read("align", folder, str::to_owned)?;
    let answers = Answers::read(folder, &own.opening)?;
    for more in ["paper", "stimuli"] {
        // Only the command itself writes these files, and not for every study.
        if folder.join(format!("{more}.md")).exists() {
            own.add(more, folder)?;
        }
    }
    let views = views(answers.is_reverse());
    let last = views.len() - 1;
    let of_view = views.into_iter().enumerate().map(|(place, view)| {
        let sheets = if view.id == ENDS { own.sheets(SHEET) } else { Vec::new() };
        let mut drawn = sheets.iter().filter(|_| shows_images).map(|path| ends(path));
        let opening = Opening {
            answer: answers.of(view.id),
            figure: drawn.next().unwrap_or_default(),
            ..Opening::default()
        };
        let mut shown = own.view(&view, opening, findings);
        let further = if view.id == ENDS {
            folded("And in other target units?", None, &html! { @for sheet in drawn { (sheet) } })
        } else if place == last {
            own.rest(false, findings)
        } else {
            Markup::default()
        };
        shown.is_empty &= further.0.is_empty();
        shown.content = html! {
            @if view.id == ENDS && sheets.is_empty() {
                p { "No pictures are here, since no source of this study names the images of its stimuli." }
            } @else if view.id == ENDS && !shows_images {
                p { "The pictures of stimuli are left out of this page." }
            }
            (shown.content) (further)
        };
        (view.id, view.heading, view.question, shown)
    });
    Ok(of_view.collect())
}

fn ends(path: &Path) -> Markup {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let unit = stem.trim_start_matches(SHEET).replace('_', " ");
    sheet(path, &format!("Stimuli with the highest and the lowest scores on directions of {unit}"))
}
