//! Cuts grids of pictures into their cells.

use neurogauge::Error;
use neurogauge::core::Image;
use neurogauge::formats::image_limit::{max_pixels, set_max_pixels};
use neurogauge::formats::names_below::below;
use neurogauge::formats::{FormatError, Problem, image_file};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The positions of the cells in a picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Width and height of the picture, px; a picture of another size is refused.
    pub size_px: (usize, usize),
    /// Width and height of a cell, px.
    pub cell_px: (usize, usize),
    /// Left edges of the columns, px.
    pub lefts_px: Edges,
    /// Top edges of the rows, px.
    pub tops_px: Edges,
    /// The folders for the cells of a row, in turn: `["gt", "recon"]` if stimuli are beside their reconstructions.
    pub sides: Vec<String>,
    /// Number of stimuli, row by row.
    pub n: usize,
}

/// Edges, px.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Edges {
    Each(Vec<usize>),
    /// Position of the first edge, distance between neighbouring edges, and their number.
    Regular {
        first: usize,
        /// Distance to the next edge, px.
        step: usize,
        n: usize,
    },
}

/// The most cells that are cut out of one picture.
const MOST_CELLS: usize = 100_000;

impl Edges {
    fn n(&self) -> usize {
        match self {
            Edges::Each(edges) => edges.len(),
            Edges::Regular { n, .. } => *n,
        }
    }

    /// The edge at an index that [`Self::fit`] has checked.
    fn at(&self, place: usize) -> usize {
        match self {
            Edges::Each(edges) => edges[place],
            Edges::Regular { first, step, .. } => first + place * step,
        }
    }

    /// Are the cells inside the picture, and do they not overlap?
    fn fit(&self, cell_px: usize, picture_px: usize) -> bool {
        let ends_within = |edge: usize| edge.checked_add(cell_px).is_some_and(|end| end <= picture_px);
        let is_side_by_side = |a: usize, b: usize| b.checked_sub(a).is_some_and(|step| step >= cell_px);
        match self {
            _ if cell_px == 0 => false,
            Edges::Each(edges) => {
                edges.iter().all(|edge| ends_within(*edge)) && edges.is_sorted_by(|a, b| is_side_by_side(*a, *b))
            }
            Edges::Regular { first, step, n } => {
                let last = n.saturating_sub(1).checked_mul(*step).and_then(|way| way.checked_add(*first));
                last.is_some_and(ends_within) && (*n < 2 || *step >= cell_px)
            }
        }
    }
}

impl Grid {
    /// Cuts a picture into PNG files `<side>/000.png`, ... of a folder, and returns their number.
    ///
    /// # Errors A picture of another size, cells beyond its edges, too few cells; a side that leads out of the folder,
    /// an existing cell with other content; files that cannot be read or written.
    pub(super) fn cut(&self, picture: &Path, into: &Path) -> Result<usize, Error> {
        let refused = |reason: String| {
            let problem = Problem::new(format!("{reason}; nothing was cut, correct the grid in a recipe of your own"));
            Error::Format(problem.at(picture))
        };
        self.check().map_err(refused)?;
        // The recipe says how large the picture is; a larger one is refused.
        set_max_pixels((self.size_px.0 as u64).saturating_mul(self.size_px.1 as u64).max(max_pixels()));
        let image = image_file::read_rgb8(picture)?;
        let (width, height) = (image.width_px(), image.height_px());
        if (width, height) != self.size_px {
            let (expected_width, expected_height) = self.size_px;
            return Err(refused(format!(
                "{width} x {height} px; the grid of the recipe is of {expected_width} x {expected_height} px"
            )));
        }
        let sides: Vec<PathBuf> = self.folders(into)?;
        let (cell_width, cell_height) = self.cell_px;
        let per_row = self.lefts_px.n() / sides.len();
        for stimulus in 0..self.n {
            let top = self.tops_px.at(stimulus / per_row);
            for (place, side) in sides.iter().enumerate() {
                let left = self.lefts_px.at(stimulus % per_row * sides.len() + place);
                let mut pixels = Vec::with_capacity(3 * cell_width * cell_height);
                for y in top..top + cell_height {
                    let start = 3 * (y * width + left);
                    pixels.extend_from_slice(&image.data()[start..start + 3 * cell_width]);
                }
                // The number of pixels fits the cell.
                if let Ok(cell) = Image::new(cell_width, cell_height, pixels) {
                    write_cell(&below(side, &format!("{stimulus:03}.png"))?, &cell)?;
                }
            }
        }
        Ok(self.n * sides.len())
    }

    /// The folder of each side, inside the picture's folder.
    pub(super) fn folders(&self, into: &Path) -> Result<Vec<PathBuf>, FormatError> {
        self.sides.iter().map(|side| below(into, side)).collect()
    }

    /// Are there enough cells for all stimuli and sides, all of them inside the picture?
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self) -> Result<(), String> {
        let (width, height) = self.size_px;
        if !self.lefts_px.fit(self.cell_px.0, width) || !self.tops_px.fit(self.cell_px.1, height) {
            return Err("cells of the grid are beyond the edges of the picture, or lie upon each other".into());
        }
        let (columns, rows, n_sides) = (self.lefts_px.n(), self.tops_px.n(), self.sides.len());
        let per_row = columns.checked_div(n_sides).unwrap_or(0);
        if per_row.saturating_mul(rows) < self.n || per_row * n_sides != columns || n_sides == 0 {
            return Err(format!(
                "{columns} columns of {n_sides} sides and {rows} rows have no place for {} stimuli",
                self.n
            ));
        }
        if self.sides.iter().collect::<HashSet<_>>().len() < n_sides {
            return Err(format!("two sides have one name: {}", self.sides.join(", ")));
        }
        let n_cells = self.n.saturating_mul(n_sides);
        (n_cells <= MOST_CELLS)
            .then_some(())
            .ok_or_else(|| format!("{n_cells} cells; expected {MOST_CELLS} at most"))
    }
}

/// Writes a cell. An existing file with the same picture stays, and a different one is not replaced.
fn write_cell(path: &Path, cell: &Image<u8>) -> Result<(), FormatError> {
    if !path.exists() {
        return image_file::write_png(path, cell);
    }
    match image_file::read_rgb8(path)? == *cell {
        true => Ok(()),
        false => Err(Problem::new("holds another picture than this cell; move it away to cut the grid again").at(path)),
    }
}

#[cfg(test)]
#[path = "../../../formats/tests/formats/damage.rs"]
mod damage;

#[cfg(test)]
mod tests {
    use super::damage::{Draws, mutated};
    use crate::fetch::{RECIPES, Recipe};
    use neurogauge::formats::names_below::{below, own_file};

    /// What is cut after a check is in the picture and in the folder.
    #[test]
    fn damaged_recipes_are_refused_or_stay_within_picture_and_folder() {
        let (folder, mut n_read) = (tempfile::tempdir().unwrap(), 0);
        let (path, out) = (own_file(folder.path(), "recipe.toml"), own_file(folder.path(), "out"));
        let grids: Vec<&[u8]> =
            RECIPES.iter().filter(|(_, text)| text.contains("grid")).map(|(_, text)| text.as_bytes()).collect();
        for number in 0..2_000 {
            let mut draws = Draws(number);
            let [seed, other] = [(); 2].map(|()| grids[draws.below(grids.len())]);
            std::fs::write(&path, mutated(&mut draws, seed, other)).unwrap();
            let Ok(recipe) = Recipe::open(path.to_str().unwrap()) else {
                continue;
            };
            n_read += 1;
            for file in &recipe.files {
                if let Ok(path) = below(&out, file.name()) {
                    assert!(path.starts_with(&out), "{number}");
                }
                let Some(grid) = file.grid.as_ref().filter(|grid| grid.check().is_ok() && grid.n > 0) else {
                    continue;
                };
                let (width, height) = grid.size_px;
                let per_row = grid.lefts_px.n() / grid.sides.len();
                for place in [0, grid.n - 1] {
                    assert!(grid.tops_px.at(place / per_row) + grid.cell_px.1 <= height, "{number}");
                }
                for place in [0, grid.lefts_px.n() - 1] {
                    assert!(grid.lefts_px.at(place) + grid.cell_px.0 <= width, "{number}");
                }
            }
        }
        assert!(n_read > 100, "{n_read}");
    }
}
