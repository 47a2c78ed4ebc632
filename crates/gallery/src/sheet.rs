//! Makes the figure from a request.

use crate::masks;
use crate::pick::{PickedPair, middle, two_systems};
use crate::request::DEFAULT_METRIC;
use crate::scores::Scores;
use crate::systems::Systems;
use crate::{GalleryRequest, Pick};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::natural_cmp;
use neurogauge::formats::{atomic_file, regular_file};
use neurogauge::report::figures::{FigureFormat, FigureStyle, GridCell, GridRow, ImageGrid, Picture};
use neurogauge::report::fixed;
use std::path::{Path, PathBuf};

/// The height of a journal's page, mm, which limits a figure.
const HIGHEST_MM: f64 = 240.0;
/// Maximum width of an image if the figure's width is free, mm.
const IMAGE_MM: f64 = 36.0;

#[derive(Debug)]
pub struct Gallery {
    /// A single grid; with masks one for each pair.
    grids: Vec<ImageGrid>,
    /// In the order in which they are shown.
    pub pairs: Vec<PickedPair>,
    /// Sentences about the content, which are also in the figure's caption.
    pub notes: Vec<String>,
    /// Warnings about the images.
    pub findings: Vec<Finding>,
    /// Number of images side by side.
    n_columns: usize,
    is_of_masks: bool,
    n_systems: usize,
}

/// Picks pairs and lays them out.
///
/// Pairs are in the order of the picks; ties are in the natural order of stems. Picks by scores only consider pairs
/// that every system has and that have the needed scores.
///
/// # Errors Images that cannot be opened or paired; systems, stems and metrics that do not exist; requests for more
/// pairs than there are.
pub fn gallery(request: &GalleryRequest) -> Result<Gallery, Error> {
    let mut systems = Systems::open(request)?;
    let by = request.by.as_ref().or(request.metrics.first()).map_or(DEFAULT_METRIC, String::as_str);
    let mut notes = Vec::new();
    let mut ranking = None;
    if request.picks.iter().any(Pick::needs_scores) {
        let scores = Scores::of(by, &systems, &systems.stems)?;
        notes.push(how_picked(&scores, request, systems.n_left_out));
        ranking = Some(scores);
    }
    let pairs = picked(request, &systems, ranking.as_ref())?;
    let stems: Vec<String> = pairs.iter().map(|pair| pair.stem.clone()).collect();
    let shown = request.metrics.iter().map(|id| Scores::of(id, &systems, &stems));
    let shown = shown.collect::<Result<Vec<Scores>, Error>>()?;
    for scores in &shown {
        let note = scores.note(systems.systems.len());
        if !notes.iter().any(|known: &String| known.contains(&note)) {
            notes.push(note);
        }
    }
    notes.extend(systems.differing_stimuli(&stems)?);
    if !systems.axes.is_empty() {
        let nouns = systems.axes.iter().map(|axis| format!("{}s", axis.noun())).join(" and ");
        notes.push(format!("Of each item's {nouns}, the middle one is shown."));
    }

    let grids = match request.masks {
        true => {
            notes.push(masks::NOTE.to_owned());
            let grid = |pair: &PickedPair| {
                Ok(ImageGrid {
                    title: "Masks by level".to_owned(),
                    columns: masks::columns(),
                    rows: masks::rows(&systems, pair)?,
                    transposed: false,
                    caption: notes.join(" "),
                })
            };
            pairs.iter().map(grid).collect::<Result<_, Error>>()?
        }
        false => vec![ImageGrid {
            title: "Stimuli and reconstructions".to_owned(),
            columns: pairs.iter().map(|pair| pair.heading.clone()).collect(),
            rows: rows(request, &systems, &stems, &shown)?,
            transposed: request.stimuli_in_column,
            caption: notes.join(" "),
        }],
    };
    Ok(Gallery {
        grids,
        pairs,
        notes,
        findings: std::mem::take(&mut systems.findings),
        n_columns: match (request.masks, request.stimuli_in_column) {
            (true, _) => masks::columns().len(),
            (_, true) => systems.systems.len() + 1,
            _ => stems.len(),
        },
        is_of_masks: request.masks,
        n_systems: systems.systems.len(),
    })
}

/// A row of stimuli, and a row for each system.
fn rows(
    request: &GalleryRequest,
    systems: &Systems,
    stems: &[String],
    shown: &[Scores],
) -> Result<Vec<GridRow>, Error> {
    let mut rows = vec![GridRow {
        name: "stimulus".to_owned(),
        cells: Vec::new(),
    }];
    for stem in stems {
        let caption = systems.stimulus_caption(stem).filter(|_| request.shows_captions());
        rows[0].cells.push(GridCell {
            image: systems.stimulus(stem)?,
            words: caption.unwrap_or_default().to_owned(),
        });
    }
    for (place, system) in systems.systems.iter().enumerate() {
        let mut cells = Vec::new();
        for (pair, stem) in stems.iter().enumerate() {
            let lines = shown.iter().map(|scores| score_line(scores, (place, pair), shown.len() > 1));
            let caption = system.caption(stem).filter(|_| request.shows_captions());
            cells.push(GridCell {
                image: Some(system.reconstruction(stem)?),
                words: lines.chain(caption.map(str::to_owned)).join("\n"),
            });
        }
        rows.push(GridRow {
            name: system.name.clone(),
            cells,
        });
    }
    Ok(rows)
}

impl Gallery {
    /// Says which stems are shown, and why.
    pub fn shown(&self) -> String {
        let shown = self.pairs.iter().map(|pair| match pair.heading.as_str() {
            "" => pair.stem.clone(),
            heading => format!("{} ({heading})", pair.stem),
        });
        shown.collect_vec().join(", ")
    }

    /// The pages of the figure as files. Without a given width they are as wide as two columns of a page, or narrower if
    /// there are few images in a row. Masks continue on the next page, the systems of a pair below its stimulus.
    ///
    /// # Errors
    /// [`Error::Usage`] for more pairs or systems than fit into the width, or onto a page.
    pub fn files(&self, format: FigureFormat, style: &FigureStyle) -> Result<Vec<Vec<u8>>, Error> {
        let few = IMAGE_MM * self.n_columns as f64;
        let style = &FigureStyle {
            width_mm: style.width_mm.or(Some(few.min(FigureStyle::DOUBLE_COLUMN_MM))),
            ..*style
        };
        let high = |picture: &Picture| picture.size_mm(style).1;
        let mut pages = self.drawn(None)?;
        // Fewer systems of a pair on a page, until it fits.
        let mut fewer = (1..=self.n_systems).rev().filter(|_| self.is_of_masks);
        while pages.iter().any(|page| high(page) > HIGHEST_MM) {
            match fewer.next() {
                Some(n) => pages = self.drawn(Some(n))?,
                None => break,
            }
        }
        let highest = pages.iter().map(high).fold(0.0, f64::max);
        if highest > HIGHEST_MM {
            return Err(Error::Usage(format!(
                "{} systems and {} pairs make a figure {highest:.0} mm high, and a page has {HIGHEST_MM:.0} mm; show fewer \
                 systems, more pairs abreast, or a narrower figure with {}",
                self.n_systems,
                self.pairs.len(),
                option("figure-width", "WIDTH")
            )));
        }
        pages.iter().map(|page| Ok(page.file(format, style)?)).collect()
    }

    /// All grids together, or with at most this many systems below each stimulus.
    fn drawn(&self, most: Option<usize>) -> Result<Vec<Picture>, Error> {
        let mut pages: Vec<ImageGrid> = Vec::new();
        for grid in &self.grids {
            match (most, grid.rows.split_first(), pages.last_mut()) {
                (Some(most), Some((stimulus, systems)), _) => pages.extend(systems.chunks(most).map(|own| ImageGrid {
                    rows: [stimulus].into_iter().chain(own).cloned().collect(),
                    ..grid.clone()
                })),
                (_, _, Some(all)) => all.rows.extend(grid.rows.iter().cloned()),
                _ => pages.push(grid.clone()),
            }
        }
        pages.iter().map(|page| Ok(page.draw()?)).collect()
    }

    /// Writes the figure in the format of the path's extension, its second page with `-2` before that, and returns the
    /// files. Existing files are replaced only if `overwrite` is set.
    ///
    /// # Errors
    /// As in [`files`](Self::files); [`Error::Usage`] if a file exists; a file that cannot be written.
    pub fn write(&self, out: &Path, style: &FigureStyle, overwrite: bool) -> Result<Vec<PathBuf>, Error> {
        let pages = self.files(FigureFormat::of_path(out)?, style)?;
        let [stem, ending] = [out.file_stem(), out.extension()].map(|part| part.unwrap_or_default().to_string_lossy());
        let path = |page: usize| match page {
            1 => out.to_owned(),
            page => out.with_file_name(format!("{stem}-{page}.{ending}")),
        };
        let pages: Vec<(PathBuf, Vec<u8>)> = (1..).map(path).zip(pages).collect();
        for (path, bytes) in &pages {
            let is_other = regular_file::read(path).map_or(path.exists(), |known| known != *bytes);
            if is_other && !overwrite {
                return Err(Error::Usage(format!(
                    "{}: is there already and is not what this command would write; choose another {}, or say {}",
                    path.display(),
                    option("out", ""),
                    option("overwrite", "")
                )));
            }
        }
        pages.iter().try_for_each(|(path, bytes)| atomic_file::write(path, bytes))?;
        Ok(pages.into_iter().map(|(path, _)| path).collect())
    }
}

fn score_line(scores: &Scores, (system, pair): (usize, usize), is_named: bool) -> String {
    let spec = &scores.metric.spec;
    let dagger = if scores.placeholders[system] { "†" } else { "" };
    let value = scores.of_systems[system][pair];
    let number =
        value.map_or("–".to_owned(), |value| format!("{}{dagger}", fixed(value, spec.decimals)).replace('-', "−"));
    match is_named {
        true => format!("{} {number}", spec.label),
        false => number,
    }
}

fn how_picked(scores: &Scores, request: &GalleryRequest, n_left_out: usize) -> String {
    let label = scores.metric.spec.label;
    let whose = match &request.by_system {
        Some(name) => format!("of {name}"),
        // A gain involves two systems, so it ranks no pair by a mean.
        None if request.systems.len() > 1 && request.picks.iter().any(Pick::ranks_pairs) => {
            "averaged over the systems".to_owned()
        }
        None => String::new(),
    };
    let left_out = match n_left_out {
        0 => String::new(),
        n => format!(" {n} stimuli that not every system has are left out."),
    };
    let how = format!("Picked by {label} {whose}");
    format!("{}.{left_out} {}", how.trim_end(), scores.note(request.systems.len()))
}

/// The pairs of all picks, without duplicates.
fn picked(request: &GalleryRequest, systems: &Systems, scores: Option<&Scores>) -> Result<Vec<PickedPair>, Error> {
    let names = systems.names();
    let mut pairs: Vec<PickedPair> = Vec::new();
    for pick in &request.picks {
        let stems = match (pick, scores) {
            (Pick::Stem(stem), _) => {
                systems.check_stem(stem)?;
                vec![stem.clone()]
            }
            (Pick::LargestGain(text, n), Some(scores)) => {
                let (a, b) = two_systems(text, &names)?;
                let gain = |pair: usize| Some(scores.of_systems[a][pair]? - scores.of_systems[b][pair]?);
                best(&ranked(systems, |pair| Some(scores.sign() * gain(pair)?)), *n)?
            }
            (Pick::Best(n) | Pick::Median(n) | Pick::Worst(n), Some(scores)) => {
                let by = |pair: usize| Some(scores.sign() * score(scores, &names, request, pair)?);
                let ranking = ranked(systems, by);
                check_number(*n, ranking.len())?;
                match pick {
                    Pick::Median(_) => ranking[middle(ranking.len(), *n)].to_vec(),
                    Pick::Worst(_) => ranking[ranking.len() - n..].to_vec(),
                    _ => best(&ranking, *n)?,
                }
            }
            (_, None) => Vec::new(),
        };
        for stem in stems {
            if pairs.iter().all(|pair| pair.stem != stem) {
                let heading = pick.heading(&names);
                pairs.push(PickedPair { stem, heading });
            }
        }
    }
    Ok(pairs)
}

/// The score that ranks a pair: one system's, or the mean of all.
fn score(scores: &Scores, names: &[String], request: &GalleryRequest, pair: usize) -> Option<f64> {
    let one = request.by_system.as_ref().and_then(|name| names.iter().position(|known| known == name));
    if let Some(system) = one {
        return scores.of_systems[system][pair];
    }
    let all = scores.of_systems.iter().map(|of_system| of_system[pair]).collect::<Option<Vec<f64>>>()?;
    Some(all.iter().sum::<f64>() / all.len() as f64)
}

/// The stems with a value, the highest first, equal ones in natural order.
fn ranked(systems: &Systems, value: impl Fn(usize) -> Option<f64>) -> Vec<String> {
    let pairs = systems.stems.iter().enumerate();
    let mut found: Vec<(f64, &String)> = pairs.filter_map(|(pair, stem)| Some((value(pair)?, stem))).collect();
    found.sort_by(|(a, a_stem), (b, b_stem)| b.total_cmp(a).then_with(|| natural_cmp(a_stem, b_stem)));
    found.into_iter().map(|(_, stem)| stem.clone()).collect()
}

fn best(ranking: &[String], n: usize) -> Result<Vec<String>, Error> {
    check_number(n, ranking.len())?;
    Ok(ranking[..n].to_vec())
}

fn check_number(n: usize, n_ranked: usize) -> Result<(), Error> {
    if n > n_ranked {
        return Err(Error::Usage(format!(
            "{n} pairs are asked for, and {n_ranked} have the scores that they are picked by"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::metrics::find;

    #[test]
    fn a_score_that_rounds_to_zero_has_no_sign() {
        let scores = Scores {
            metric: find("pixcorr").unwrap(),
            computed: Vec::new(),
            of_systems: vec![vec![Some(-0.0001), Some(-0.25)]],
            placeholders: vec![false],
        };
        assert_eq!(score_line(&scores, (0, 0), false), "0.000");
        assert_eq!(score_line(&scores, (0, 1), false), "−0.250");
    }
}
