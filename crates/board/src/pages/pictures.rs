//! Some stimuli, and what each system made of them.

use super::{SiteFile, system_link};
use crate::board::{Board, BoardTable};
use maud::{Markup, html};
use neurogauge::core::image::{Filter, resize_u8};
use neurogauge::core::{Finding, Image, Side, counted};
use neurogauge::report::figures::jpeg;
use neurogauge::{Error, Reopened};
use std::collections::{BTreeSet, HashSet};

/// The longer side of a picture, px.
const SIDE_PX: usize = 128;
const QUALITY: u8 = 75;
/// Number of systems whose pictures are not folded away.
const UNFOLDED: usize = 5;

/// The files of pictures that were written.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    names: BTreeSet<String>,
    /// Entries whose pictures could not be read.
    pub(super) findings: Vec<Finding>,
}

/// Stimuli of a table that all its systems have, evenly spaced, so that nobody chooses them.
fn chosen<'a>(board: &'a Board, table: &BoardTable) -> Vec<&'a str> {
    let Some((&first, others)) = table.entries.split_first() else {
        return Vec::new();
    };
    let pairs = |entry: usize| board.entries[entry].run.scores.pairs.iter().map(String::as_str);
    let others: Vec<HashSet<&str>> = others.iter().map(|&entry| pairs(entry).collect()).collect();
    let shared: Vec<&str> = pairs(first).filter(|stem| others.iter().all(|other| other.contains(stem))).collect();
    let n = board.config.pictures.min(shared.len());
    (0..n).map(|k| shared[k * shared.len() / n]).collect()
}

/// The file of a picture: of an entry, or of the stimuli of a table.
fn name(board: &Board, side: Side, (table, entry): (usize, usize), place: usize) -> String {
    match side {
        Side::Gt => format!("pictures/stimuli-{table}/{place}.jpg"),
        Side::Recon => format!("pictures/{}/{place}.jpg", board.entry_address(entry)),
    }
}

/// The picture as a small JPEG file.
fn small(image: &Image<u8>) -> Option<Vec<u8>> {
    let longer = image.width_px().max(image.height_px()).max(1);
    let within = |px: usize| (px * SIDE_PX.min(longer) / longer).max(1);
    let small = resize_u8(image, within(image.width_px()), within(image.height_px()), Filter::Bicubic).ok()?;
    jpeg(&small, QUALITY).ok()
}

impl Pictures {
    /// Writes the pictures of an entry, and the stimuli if no earlier entry had them.
    pub(super) fn add(
        &mut self,
        board: &Board,
        entry: usize,
        inputs: &Reopened,
        write: &mut impl FnMut(SiteFile) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (at, table) in board.tables.iter().enumerate().filter(|(_, table)| table.entries.contains(&entry)) {
            let stems = chosen(board, table);
            let before = self.names.len();
            let pictures = Side::BOTH.into_iter().flat_map(|side| stems.iter().enumerate().map(move |of| (side, of)));
            for (side, (place, stem)) in pictures {
                let name = name(board, side, (at, entry), place);
                if self.names.contains(&name) {
                    continue;
                }
                let image = inputs.images.as_ref().and_then(|images| images.side(side).shown(stem).ok()?);
                if let Some(file) = image.as_ref().and_then(small) {
                    write((name.clone(), file))?;
                    self.names.insert(name);
                }
            }
            if !stems.is_empty() && self.names.len() == before {
                let folder = board.entries[entry].folder.display().to_string();
                let message = "none of its pictures can be read, so the board shows none of it; `pictures` in board.toml asks for them";
                self.findings.push(Finding::warning("no_pictures", folder, message));
            }
        }
        Ok(())
    }

    /// A row of stimuli, and a row for each system; empty if there are none.
    pub(super) fn of(&self, board: &Board, table: &BoardTable) -> Markup {
        let stems = chosen(board, table);
        let at = board.tables.iter().position(|other| std::ptr::eq(other, table)).unwrap_or_default();
        let picture = |entry: usize, side: Side, place: usize| {
            let name = name(board, side, (at, entry), place);
            let whose = match side {
                Side::Gt => "stimulus",
                Side::Recon => board.entries[entry].card.system.as_str(),
            };
            html! {
                @if self.names.contains(&name) { img src=(name) alt={ (whose) ", " (stems[place]) } loading="lazy"; } @else { "–" }
            }
        };
        let has = |entry: &usize| {
            (0..stems.len()).any(|place| self.names.contains(&name(board, Side::Recon, (at, *entry), place)))
        };
        let shown: Vec<usize> = table.by_rank().into_iter().map(|row| table.entries[row]).filter(has).collect();
        let (first, others) = shown.split_at(shown.len().min(UNFOLDED));
        let rows = |entries: &[usize]| {
            html! {
                div.wide {
                    table.pictures {
                        thead { tr {
                            th { "stimulus" }
                            @for place in 0..stems.len() { th { (picture(table.entries[0], Side::Gt, place)) } }
                        } }
                        tbody {
                            @for &entry in entries {
                                tr {
                                    td { (system_link(board, entry, "")) }
                                    @for place in 0..stems.len() { td { (picture(entry, Side::Recon, place)) } }
                                }
                            }
                        }
                    }
                }
            }
        };
        html! {
            @if !first.is_empty() { (rows(first)) }
            @if !others.is_empty() { details { summary { (counted(others.len(), "more system")) } (rows(others)) } }
        }
    }
}
