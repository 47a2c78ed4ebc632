//! Writes the site.

use crate::board::{Board, board};
use crate::pages;
use neurogauge::formats::folder_lock::{FolderLock, LOCK_FILE};
use neurogauge::formats::names_below::{below, own_file};
use neurogauge::formats::{IoResult, atomic_file, json};
use neurogauge::{Error, Progress};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The list of the site's files, from which the next `make` knows its own files.
const LIST: &str = "site.json";
/// The folder in which a site is written before its files are moved to their places.
const UNFINISHED: &str = ".unfinished-site";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteList {
    /// False while files are being moved.
    is_finished: bool,
    files: BTreeSet<String>,
}

/// Makes the site of a `board.toml` in a folder, and returns what it shows. The files are the same for the same
/// entries.
///
/// The site is first written into a separate folder, and its files are moved at the end, so that nobody sees an
/// incomplete site. Files of an earlier site that the new one does not have are removed; all other files stay.
///
/// # Errors
/// As in [`board`]; a folder that holds other files or another finished site, unless `overwrite` is set; a folder in
/// which another process writes; files that cannot be written.
pub fn make(config: &Path, out: &Path, overwrite: bool, progress: &dyn Progress) -> Result<Board, Error> {
    let lock = FolderLock::exclusive(out)?;
    if let Some(warning) = lock.warning() {
        progress.warn(&warning.to_string());
    }
    let list = own_file(out, LIST);
    let earlier: Option<SiteList> = list.is_file().then(|| json::read(&list)).transpose()?;
    let is_other = |file: std::fs::DirEntry| ![UNFINISHED, LOCK_FILE].iter().any(|own| file.file_name() == *own);
    let is_in_use = std::fs::read_dir(out).is_ok_and(|files| files.flatten().any(is_other));
    let was_stopped = earlier.as_ref().is_some_and(|earlier| !earlier.is_finished);
    let may_replace = overwrite || was_stopped || !is_in_use;
    let in_use = || {
        let out = out.display();
        Error::Usage(format!("{out}: not empty; choose another folder, or --overwrite to write the site there"))
    };
    if !may_replace && earlier.is_none() {
        return Err(in_use());
    }
    let earlier = earlier.unwrap_or_default().files;
    let mut board = board(config, progress)?;
    let beside = own_file(out, UNFINISHED);
    remove_folder(&beside)?;
    let mut files = BTreeSet::new();
    let lacking = pages::write_all(&board, |(name, content)| {
        if may_replace {
            atomic_file::write(&below(&beside, &name)?, &content)?;
        } else if !std::fs::read(below(out, &name)?).is_ok_and(|held| held == content) {
            return Err(in_use());
        }
        files.insert(name);
        Ok(())
    })?;
    board.findings.extend(lacking);
    if !may_replace {
        return if files == earlier { Ok(board) } else { Err(in_use()) };
    }
    let moves = files.iter().map(|name| Ok((below(&beside, name)?, below(out, name)?)));
    let moves = moves.collect::<Result<Vec<(PathBuf, PathBuf)>, Error>>()?;
    let old = earlier.difference(&files).map(|name| below(out, name)).collect::<Result<Vec<PathBuf>, _>>()?;
    let all = files.union(&earlier).cloned().collect();
    json::write(
        &list,
        &SiteList {
            is_finished: false,
            files: all,
        },
    )?;
    for (from, to) in &moves {
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).when("creating", folder)?;
        }
        std::fs::rename(from, to).when("moving", to)?;
    }
    old.iter().try_for_each(|path| atomic_file::remove(path))?;
    json::write(
        &list,
        &SiteList {
            is_finished: true,
            files,
        },
    )?;
    remove_folder(&beside)?;
    Ok(board)
}

fn remove_folder(folder: &Path) -> Result<(), Error> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Ok(Err(error).when("removing", folder)?),
        _ => Ok(()),
    }
}
