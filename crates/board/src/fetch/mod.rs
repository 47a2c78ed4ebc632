//! Downloads the files of a recipe, checks them, and cuts grids of pictures.

mod checksum;
mod grid;
mod recipe;

pub use grid::{Edges, Grid};
pub use recipe::{RECIPES, Recipe, RecipeFile};

use checksum::Checksum;
use neurogauge::formats::names_below::below;
use neurogauge::formats::{FormatError, IoResult, Problem, atomic_file, regular_file};
use neurogauge::models::weights::{WeightOptions, fetch_file};
use neurogauge::{DownloadBar, Error, Progress};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    pub path: PathBuf,
    /// Was it there already, with the right hash?
    pub was_here: bool,
    /// Number of pictures cut from it.
    pub n_cut: usize,
}

/// Puts the files of a recipe into a folder. An existing file with the right hash stays; a different one is not
/// touched. Pictures of a grid are cut into a folder with the file's name.
///
/// # Errors
/// A name that leads out of the folder, before anything is downloaded; an address that cannot be reached, a file with
/// another hash (which is not kept), a grid that does not fit; files that cannot be read or written.
pub fn fetch(recipe: &Recipe, out: &Path, progress: &dyn Progress) -> Result<Vec<Fetched>, Error> {
    let options = WeightOptions::given(None, true);
    let paths = recipe.files.iter().map(|file| {
        let path = below(out, file.name())?;
        let cells = below(out, &Path::new(file.name()).with_extension("").to_string_lossy());
        let cells = file.grid.as_ref().map(|grid| cells.and_then(|folder| grid.folders(&folder).map(|_| folder)));
        Ok((path, cells.transpose()?))
    });
    let paths = paths.collect::<Result<Vec<(PathBuf, Option<PathBuf>)>, FormatError>>()?;
    let fetched = recipe.files.iter().zip(paths).map(|(file, (path, cells))| {
        let expected = Checksum::of(file);
        let was_here = path.is_file();
        if was_here {
            let found = expected.found_in(&path)?;
            if found != expected.value {
                let (name, value) = (expected.name(), expected.value);
                let problem = format!("{name} {found}, expected {value}; move it away to fetch it again");
                return Err(Problem::new(problem).at(path).into());
            }
        } else {
            let address = format!("{}/{}", recipe.from.trim_end_matches('/'), file.path);
            get(&address, &path, &expected, &options, progress)?;
        }
        let n_cut = match (&file.grid, &cells) {
            (Some(grid), Some(cells)) => grid.cut(&path, cells)?,
            _ => 0,
        };
        Ok(Fetched { path, was_here, n_cut })
    });
    fetched.collect()
}

/// Downloads or copies a file to a temporary path, and moves it to its place if it has the right hash.
fn get(
    address: &str,
    path: &Path,
    expected: &Checksum<'_>,
    options: &WeightOptions,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let mut unchecked = path.as_os_str().to_owned();
    unchecked.push(".unchecked");
    let unchecked = PathBuf::from(unchecked);
    if address.starts_with("https://") || address.starts_with("http://") {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).when("creating", folder)?;
        }
        fetch_file(address, &unchecked, path, options, &DownloadBar(progress))?;
    } else {
        let mut source = regular_file::open(Path::new(address)).when("copying", address)?;
        atomic_file::write_with(&unchecked, |writer| std::io::copy(&mut source, writer).map(drop))?;
    }
    let found = expected.found_in(&unchecked)?;
    if found != expected.value {
        atomic_file::remove(&unchecked)?;
        let (name, value) = (expected.name(), expected.value);
        let problem = format!(
            "{name} {found}, expected {value}; the file is another one than the recipe names, and was not kept"
        );
        return Err(Problem::new(problem).at(address).into());
    }
    Ok(std::fs::rename(&unchecked, path).when("moving", &unchecked)?)
}
