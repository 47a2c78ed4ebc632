//! Grids of pictures, cut into their cells.

use neurogauge::Error;
use neurogauge::core::Image;
use neurogauge::formats::image_limit::{max_pixels, set_max_pixels};
use neurogauge::formats::{IoResult, image_file};
use serde::Deserialize;
use std::path::Path;

/// Where cells are in a picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Width and height of the picture, px: one of another size is not cut.
    pub size_px: (usize, usize),
    /// Width and height of a cell, px.
    pub cell_px: (usize, usize),
    /// Left edges of the columns, px.
    pub lefts_px: Edges,
    /// Top edges of the rows, px.
    pub tops_px: Edges,
    /// The folders of the cells of a row, in turn: `["gt", "recon"]` for stimuli beside their reconstructions.
    pub sides: Vec<String>,
    /// Number of stimuli; row by row.
    pub n: usize,
}

/// Edges, px.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Edges {
    Each(Vec<usize>),
    /// The first one, the distance of two, and their number.
    Regular {
        first: usize,
        /// From one to the next.
        step: usize,
        n: usize,
    },
}

impl Edges {
    fn list(&self) -> Vec<usize> {
        match self {
            Edges::Each(edges) => edges.clone(),
            Edges::Regular { first, step, n } => (0..*n).map(|place| first + place * step).collect(),
        }
    }
}

impl Grid {
    /// Cuts a picture into PNG files `<side>/000.png`, ... of a folder, and returns their number.
    ///
    /// # Errors
    /// A picture of another size, cells beyond its edges, too few cells; files that cannot be read or written.
    pub(super) fn cut(&self, picture: &Path, into: &Path) -> Result<usize, Error> {
        let refused = |reason: String| {
            Err(Error::Usage(format!(
                "{}: {reason}; nothing was cut, correct the grid in a recipe of your own",
                picture.display()
            )))
        };
        // The recipe says how large the picture is, and nothing larger is cut.
        set_max_pixels((self.size_px.0 as u64).saturating_mul(self.size_px.1 as u64).max(max_pixels()));
        let image = image_file::read_rgb8(picture)?;
        let (width, height) = (image.width_px(), image.height_px());
        if (width, height) != self.size_px {
            return refused(format!(
                "{width} x {height} px; the grid of the recipe is of {} x {} px",
                self.size_px.0, self.size_px.1
            ));
        }
        let (lefts, tops) = (self.lefts_px.list(), self.tops_px.list());
        let beyond = |edges: &[usize], cell: usize, end: usize| cell == 0 || edges.iter().any(|edge| edge + cell > end);
        if beyond(&lefts, self.cell_px.0, width) || beyond(&tops, self.cell_px.1, height) {
            return refused("cells of the grid are beyond the edges of the picture".into());
        }
        let per_row = lefts.len().checked_div(self.sides.len()).unwrap_or(0);
        if per_row * tops.len() < self.n || per_row * self.sides.len() != lefts.len() {
            return refused(format!(
                "{} columns of {} sides and {} rows have no place for {} stimuli",
                lefts.len(),
                self.sides.len(),
                tops.len(),
                self.n
            ));
        }
        for side in &self.sides {
            create_folder(&into.join(side))?;
        }
        let (cell_width, cell_height) = self.cell_px;
        for stimulus in 0..self.n {
            let top = tops[stimulus / per_row];
            for (place, side) in self.sides.iter().enumerate() {
                let left = lefts[stimulus % per_row * self.sides.len() + place];
                let mut pixels = Vec::with_capacity(3 * cell_width * cell_height);
                for y in top..top + cell_height {
                    let start = 3 * (y * width + left);
                    pixels.extend_from_slice(&image.data()[start..start + 3 * cell_width]);
                }
                let path = into.join(side).join(format!("{stimulus:03}.png"));
                // The number of pixels is that of the cell.
                if let Ok(cut) = Image::new(cell_width, cell_height, pixels) {
                    image_file::write_png(&path, &cut)?;
                }
            }
        }
        Ok(self.n * self.sides.len())
    }
}

pub(super) fn create_folder(folder: &Path) -> Result<(), Error> {
    Ok(std::fs::create_dir_all(folder).when("creating", folder)?)
}
