//! Pictures that show several images in a grid, such as stimuli and their reconstructions side by side.

use super::folder::{self, EXTENSIONS};
use crate::stem_listing::has_ending;
use crate::{FormatError, Problem, video};
use neurogauge_core::Image;
use std::fmt;
use std::path::{Path, PathBuf};

/// The form of a grid's name, for messages.
const FORM: &str = "left, right, top or bottom, alone or with the grid as COLUMNSxROWS or COLUMNSxROWS,LINE, such as left:2x1,2 for \
                    two pictures beside each other with lines of 2 px between and around them";

/// Which one of two neighbouring pictures counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Left,
    Right,
    Top,
    Bottom,
}

impl Half {
    const ALL: [(&str, Half); 4] =
        [("left", Half::Left), ("right", Half::Right), ("top", Half::Top), ("bottom", Half::Bottom)];

    fn is_beside(self) -> bool {
        matches!(self, Half::Left | Half::Right)
    }

    fn word(self) -> &'static str {
        Half::ALL.into_iter().find(|(_, half)| *half == self).map_or("", |(word, _)| word)
    }
}

/// Columns and rows of equally large pictures, with lines of equal width between and around them, as torchvision's
/// `make_grid` draws them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GridLayout {
    columns: usize,
    rows: usize,
    line_px: usize,
}

/// A grid named in a path: `folder#left`, or `folder#left:2x1,2`.
#[derive(Debug)]
pub(super) struct AskedGrid {
    path: PathBuf,
    half: Half,
    /// `None` if it is to be detected.
    layout: Option<GridLayout>,
}

/// The grid of a source's pictures.
#[derive(Debug)]
pub(super) struct PictureGrid {
    asked: AskedGrid,
    layout: GridLayout,
}

/// A part of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    left: usize,
    top: usize,
    width_px: usize,
    height_px: usize,
}

impl Cell {
    pub(super) fn cut(&self, picture: &Image<u8>) -> Image<u8> {
        picture.part((self.left, self.top), (self.width_px, self.height_px))
    }

    fn is_all(&self, picture: &Image<u8>, colour: &[u8]) -> bool {
        self.cut(picture).data().chunks_exact(3).all(|pixel| pixel == colour)
    }
}

/// The folder or picture of such a path, and the grid; `None` if the path names no grid.
pub(super) fn asked(path: &Path) -> Result<Option<(PathBuf, AskedGrid)>, FormatError> {
    let text = path.to_str().filter(|_| !path.exists());
    let Some((base, words)) = text.and_then(|text| text.rsplit_once('#')) else {
        return Ok(None);
    };
    let base = PathBuf::from(base);
    let is_picture = base.is_file() && (has_ending(&base, &EXTENSIONS) || has_ending(&base, &video::EXTENSIONS));
    if !(base.is_dir() || folder::deep(&base).is_some() || is_picture) {
        return Ok(None);
    }
    let (word, layout) = words.split_once(':').map_or((words, None), |(word, layout)| (word, Some(layout)));
    let half = Half::ALL.into_iter().find(|(name, _)| *name == word);
    let parsed = layout.map(GridLayout::parse);
    let (Some((_, half)), None | Some(Some(_))) = (half, parsed) else {
        return Err(Problem::unexpected(format!("{words:?} says which pictures of a grid count"), FORM).at(path));
    };
    let asked = AskedGrid {
        path: path.to_owned(),
        half,
        layout: parsed.flatten(),
    };
    Ok(Some((base, asked)))
}

impl GridLayout {
    fn parse(text: &str) -> Option<GridLayout> {
        let (grid, line_px) = text.split_once(',').unwrap_or((text, "0"));
        let (columns, rows) = grid.split_once('x')?;
        let layout = GridLayout {
            columns: columns.parse().ok()?,
            rows: rows.parse().ok()?,
            line_px: line_px.parse().ok()?,
        };
        let numbers = [layout.columns, layout.rows, layout.line_px.saturating_add(1)];
        numbers.iter().all(|n| (1..1 << 16).contains(n)).then_some(layout)
    }

    /// Width and height of one picture of the grid, in an image of this size.
    fn size_px(&self, (width_px, height_px): (usize, usize)) -> Option<(usize, usize)> {
        let of = |px: usize, n: usize| {
            let pictures = px.checked_sub((n + 1) * self.line_px)?;
            (pictures > 0 && pictures % n == 0).then_some(pictures / n)
        };
        Some((of(width_px, self.columns)?, of(height_px, self.rows)?))
    }
}

impl fmt::Display for GridLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {} pictures", self.columns, self.rows)?;
        match self.line_px {
            0 => f.write_str(" without lines between them"),
            n => write!(f, " with lines of {n} px between and around them"),
        }
    }
}

/// The columns and rows of pixels that form lines: they have one colour in every picture.
struct Lines {
    size_px: (usize, usize),
    colour: Vec<u8>,
    columns: Vec<bool>,
    rows: Vec<bool>,
}

impl Lines {
    /// The candidate lines of a first picture, if its corner is on a line.
    fn at_most(picture: &Image<u8>) -> Self {
        let (width_px, height_px) = (picture.width_px(), picture.height_px());
        Lines {
            size_px: (width_px, height_px),
            colour: picture.data().iter().take(3).copied().collect(),
            columns: vec![true; width_px],
            rows: vec![true; height_px],
        }
    }

    /// Keeps only the lines that another picture has too.
    fn keep(&mut self, picture: &Image<u8>) {
        for (place, pixel) in picture.data().chunks_exact(3).enumerate() {
            if pixel != self.colour {
                self.columns[place % self.size_px.0] = false;
                self.rows[place / self.size_px.0] = false;
            }
        }
    }

    /// The grid, if all lines are equally wide and all pictures equally large.
    fn layout(&self) -> Option<GridLayout> {
        let (columns, of_columns) = regular(&self.columns)?;
        let (rows, of_rows) = regular(&self.rows)?;
        (of_columns == of_rows).then_some(GridLayout {
            columns,
            rows,
            line_px: of_columns,
        })
    }
}

/// The number of pictures, and the width of the lines between and around them.
fn regular(is_line: &[bool]) -> Option<(usize, usize)> {
    let runs: Vec<&[bool]> = is_line.chunk_by(|a, b| a == b).collect();
    let [line, picture, ..] = *runs.as_slice() else {
        return None;
    };
    let as_first = |(place, run): (usize, &&[bool])| run.len() == [line.len(), picture.len()][place % 2];
    let is_regular = line[0] && runs.len() % 2 == 1 && runs.iter().enumerate().all(as_first);
    is_regular.then_some((runs.len() / 2, line.len()))
}

impl AskedGrid {
    /// The named grid, or the one that all pictures show. `visit` calls back with every frame of a file.
    pub(super) fn find<'a>(
        self,
        paths: impl Iterator<Item = &'a Path>,
        visit: impl Fn(&Path, &mut dyn FnMut(Image<u8>, Option<u32>) -> Result<(), FormatError>) -> Result<(), FormatError>,
    ) -> Result<PictureGrid, FormatError> {
        let mut lines: Option<Lines> = None;
        for path in paths.filter(|_| self.layout.is_none()) {
            visit(path, &mut |picture, _| {
                let size_px = (picture.width_px(), picture.height_px());
                let lines = lines.get_or_insert_with(|| Lines::at_most(&picture));
                if size_px != lines.size_px {
                    return Err(self.not_evident(path, size_px, lines.size_px));
                }
                lines.keep(&picture);
                Ok(())
            })?;
        }
        let layout = self.layout.or_else(|| lines.as_ref()?.layout());
        let Some(layout) = layout else {
            let expected = format!(
                "pictures of one size with lines of one width and colour between and around them, or a path that names the grid: {FORM}"
            );
            return Err(Problem::unexpected("its pictures show no grid", expected).at(self.path));
        };
        let n = match self.half.is_beside() {
            true => layout.columns,
            false => layout.rows,
        };
        if n % 2 != 0 {
            let lines = if self.half.is_beside() { "columns" } else { "rows" };
            let expected = format!("an even number of {lines} for {}", self.half.word());
            return Err(Problem::unexpected(layout, expected).at(self.path));
        }
        Ok(PictureGrid { asked: self, layout })
    }

    fn not_evident(&self, path: &Path, (width_px, height_px): (usize, usize), first: (usize, usize)) -> FormatError {
        let expected = format!(
            "{} x {} px as the first picture, since the grid is found in all of them together; otherwise name it: {FORM}",
            first.0, first.1
        );
        Problem::unexpected(format!("a picture of {width_px} x {height_px} px"), expected).at(path)
    }
}

impl PictureGrid {
    /// The grid in words, and whether it was detected.
    pub(super) fn in_words(&self) -> String {
        let how = self.asked.layout.map_or("found", |_| "as given");
        let half = self.asked.half.word();
        format!("{} ({how}); the {half} one of each two counts", self.layout)
    }

    /// The pictures that count, in reading order. With `is_still`, trailing pictures are left out if they and their
    /// neighbours have the lines' colour, which fills an incomplete last row.
    pub(super) fn cells(
        &self,
        path: &Path,
        picture: &Image<u8>,
        is_still: bool,
    ) -> Result<Vec<Option<Cell>>, FormatError> {
        let (layout, half) = (self.layout, self.asked.half);
        let size_px = (picture.width_px(), picture.height_px());
        let Some((width_px, height_px)) = layout.size_px(size_px) else {
            let found = format!("a picture of {} x {} px", size_px.0, size_px.1);
            return Err(Problem::unexpected(found, format!("a size that holds {layout}, all of one size")).at(path));
        };
        let cell = |column: usize, row: usize| Cell {
            left: layout.line_px + column * (width_px + layout.line_px),
            top: layout.line_px + row * (height_px + layout.line_px),
            width_px,
            height_px,
        };
        let (across, down) = match half.is_beside() {
            true => (2, 1),
            false => (1, 2),
        };
        let (columns, rows) = (layout.columns / across, layout.rows / down);
        let both = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).map(|(column, row)| {
            let (column, row) = (column * across, row * down);
            [cell(column, row), cell(column + across - 1, row + down - 1)]
        });
        let mut both: Vec<[Cell; 2]> = both.collect();
        let colour = picture.data().get(..3).unwrap_or_default();
        let is_empty = |both: &[Cell; 2]| both.iter().all(|cell| cell.is_all(picture, colour));
        while is_still && layout.line_px > 0 && both.len() > 1 && both.last().is_some_and(is_empty) {
            both.pop();
        }
        let own = usize::from(matches!(half, Half::Right | Half::Bottom));
        Ok(both.into_iter().map(|both| Some(both[own])).collect())
    }
}
