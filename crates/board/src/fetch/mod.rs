//! Downloads what a recipe names, checks it, and cuts grids of pictures.

mod checksum;
mod grid;
mod recipe;

pub use grid::{Edges, Grid};
pub use recipe::{RECIPES, Recipe, RecipeFile};

use checksum::Checksum;
use grid::create_folder;
use neurogauge::formats::IoResult;
use neurogauge::models::weights::{WeightOptions, fetch_file};
use neurogauge::{DownloadBar, Error, Progress};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    pub path: PathBuf,
    /// Was it there already, with the right hash?
    pub was_here: bool,
    /// Number of pictures that were cut out of it.
    pub n_cut: usize,
}

/// Puts the files of a recipe into a folder. A file that is there with the right hash stays; another one is not
/// touched. Pictures of a grid are cut into a folder called as the file.
///
/// # Errors
/// An address that cannot be reached, a file with another hash (which is not kept), a grid that does not fit; files
/// that cannot be read or written.
pub fn fetch(recipe: &Recipe, out: &Path, progress: &dyn Progress) -> Result<Vec<Fetched>, Error> {
    let options = WeightOptions::given(None, true);
    let fetched = recipe.files.iter().map(|file| {
        let path = out.join(file.name());
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        let expected = Checksum::of(file);
        let was_here = path.is_file();
        if was_here {
            let found = expected.found_in(&path)?;
            if found != expected.value {
                return Err(Error::Usage(format!(
                    "{}: {} {found}, expected {}; move it away to fetch it again",
                    path.display(),
                    expected.name(),
                    expected.value
                )));
            }
        } else {
            let address = format!("{}/{}", recipe.from.trim_end_matches('/'), file.path);
            get(&address, &path, &expected, &options, progress)?;
        }
        let n_cut = match &file.grid {
            Some(grid) => grid.cut(&path, &path.with_extension(""))?,
            None => 0,
        };
        Ok(Fetched { path, was_here, n_cut })
    });
    fetched.collect()
}

/// Downloads or copies a file beside its place, and moves it there if it has the hash.
fn get(
    address: &str,
    path: &Path,
    expected: &Checksum<'_>,
    options: &WeightOptions,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let unchecked = path.with_added_extension("unchecked");
    if address.starts_with("https://") || address.starts_with("http://") {
        fetch_file(address, &unchecked, options, &DownloadBar(progress))?;
    } else {
        std::fs::copy(address, &unchecked).when("copying", address)?;
    }
    let found = expected.found_in(&unchecked)?;
    if found != expected.value {
        std::fs::remove_file(&unchecked).when("removing", &unchecked)?;
        return Err(Error::Usage(format!(
            "{address}: {} {found}, expected {}; the file is another one than the recipe names, and was not kept",
            expected.name(),
            expected.value
        )));
    }
    Ok(std::fs::rename(&unchecked, path).when("moving", &unchecked)?)
}
