//! Paths made from names in files of others.
//!
//! A recipe, a survey or a board may come from anybody, and the names in it become paths here. [`below`] is the only way to
//! make them: crates that read such files deny `Path::join`.

use crate::{FormatError, Problem};
use std::path::{Component, Path, PathBuf};

/// The path of a file or folder with this name in a folder.
///
/// # Errors
/// The name could lead out of the folder (`..`, an absolute path, a drive), is empty, or has control characters; there
/// is a symbolic link at the path or on the way to it from the folder. (The folder itself may be one.)
///
/// ```
/// use neurogauge_formats::names_below::below;
/// let out = "out".as_ref();
/// assert_eq!(below(out, "gt/000.png").unwrap(), std::path::Path::new("out/gt/000.png"));
/// for name in ["../gt", "gt/../../gt", "/gt", "", ".", "gt/\n"] {
///     assert!(below(out, name).is_err(), "{name:?}");
/// }
/// ```
pub fn below(folder: &Path, name: &str) -> Result<PathBuf, FormatError> {
    let expected = "a name within the folder: no .., no absolute path, no control characters";
    let refused = || Problem::unexpected(format_args!("the name {name:?}"), expected).at(folder);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if name.is_empty() || name.contains(char::is_control) || !Path::new(name).components().all(is_plain) {
        return Err(refused());
    }
    let mut path = folder.to_owned();
    for part in Path::new(name) {
        path.push(part);
        if path.is_symlink() {
            return Err(Problem::new("a symbolic link, which could lead out of the folder; remove it").at(path));
        }
    }
    Ok(path)
}

/// The path of a file whose name comes from this program.
#[allow(clippy::disallowed_methods)]
pub fn own_file(folder: &Path, name: &'static str) -> PathBuf {
    folder.join(name)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_on_the_way_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (root, elsewhere) = (folder.path().join("root"), folder.path().join("elsewhere"));
        std::fs::create_dir_all(root.join("plain")).unwrap();
        std::os::unix::fs::symlink(&elsewhere, root.join("link")).unwrap();
        assert!(below(&root, "plain/000.png").is_ok());
        for name in ["link", "link/000.png", "link/further/000.png"] {
            let error = below(&root, name).unwrap_err().to_string();
            assert!(error.contains("root/link: a symbolic link"), "{error}");
        }
        // A folder of results may itself be a link.
        std::os::unix::fs::symlink(&root, folder.path().join("out")).unwrap();
        assert!(below(&folder.path().join("out"), "plain/000.png").is_ok());
    }
}
