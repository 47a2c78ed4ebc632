//! The top modules of a crate that depend on each other in a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files in a folder, or the file itself.
pub(crate) fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries.flat_map(|entry| rust_files(&entry.unwrap().path())).collect();
    }
    let ending = path.extension().filter(|ending| *ending == "rs");
    ending.map(|_| path.to_owned()).into_iter().collect()
}

/// The code of a file without comments and tests.
pub(crate) fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap().split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The first names of a `use` tree: those of `{a::{b, c}, d}` are a and d.
fn first_names(tree: &str) -> BTreeSet<String> {
    let name = |text: &str| -> String {
        let is_of_name = |c: &char| c.is_alphanumeric() || *c == '_';
        text.trim_start().chars().take_while(is_of_name).collect()
    };
    let Some(inside) = tree.strip_prefix('{') else {
        return BTreeSet::from([name(tree)]);
    };
    let (mut names, mut depth, mut is_first) = (BTreeSet::new(), 0, true);
    for (place, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            c if is_first && !c.is_whitespace() => {
                names.insert(name(&inside[place..]));
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

/// The module of each name that the crate root re-exports.
fn re_exports(face: &str, modules: &BTreeMap<String, Vec<PathBuf>>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for statement in face.split(';') {
        let Some((_, tree)) = statement.split_once("pub use ").or(statement.split_once("pub(crate) use ")) else {
            continue;
        };
        let words = tree.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let mut words = words.filter(|word| !word.is_empty());
        if let Some(module) = words.next().filter(|module| modules.contains_key(*module)) {
            found.extend(words.map(|name| (name.to_owned(), module.to_owned())));
        }
    }
    found
}

/// The top modules of a crate.
pub(crate) struct Modules {
    /// The files of each module.
    files: BTreeMap<String, Vec<PathBuf>>,
    /// The module of each name that the crate root re-exports.
    re_exports: BTreeMap<String, String>,
}

impl Modules {
    pub(crate) fn of(src: &Path) -> Modules {
        let mut files = BTreeMap::<String, Vec<PathBuf>>::new();
        for path in fs::read_dir(src).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if !["lib", "main"].contains(&name.as_str()) {
                files.entry(name).or_default().extend(rust_files(&path));
            }
        }
        let face = fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
        let re_exports = re_exports(&face, &files);
        Modules { files, re_exports }
    }

    /// The modules that these files of one module use, without that module.
    pub(crate) fn used_by(&self, files: &[PathBuf]) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for text in files.iter().map(|file| code(file)) {
            names.extend(text.split("crate::").skip(1).flat_map(first_names));
        }
        let used = names.into_iter().filter_map(|name| match self.files.contains_key(&name) {
            true => Some(name),
            false => self.re_exports.get(&name).cloned(),
        });
        used.filter(|module| !self.files[module].contains(&files[0])).collect()
    }

    /// The other modules that each module uses.
    fn arrows(&self) -> BTreeMap<String, BTreeSet<String>> {
        self.files.iter().map(|(module, files)| (module.clone(), self.used_by(files))).collect()
    }
}

/// All modules that a module uses, directly or through others.
fn reached(from: &str, arrows: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(module) = open.pop() {
        for next in &arrows[&module] {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The largest set of modules that all use each other, directly or through others.
fn largest_circle(src: &Path) -> BTreeSet<String> {
    let arrows = Modules::of(src).arrows();
    let reached: BTreeMap<&String, BTreeSet<String>> =
        arrows.keys().map(|module| (module, reached(module, &arrows))).collect();
    let circle = |module: &String| -> BTreeSet<String> {
        reached[module].iter().filter(|other| reached[other].contains(module)).cloned().collect()
    };
    arrows.keys().map(circle).max_by_key(BTreeSet::len).unwrap_or_default()
}

/// The largest cycle of each crate that has one, by the crate's folder.
pub(crate) fn largest_circles(crates: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let folders = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    let with_source = folders.filter(|folder| folder.join("src").is_dir());
    let circles = with_source.map(|folder| {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        (name, largest_circle(&folder.join("src")))
    });
    circles.filter(|(_, circle)| !circle.is_empty()).collect()
}

#[test]
fn names_of_uses_are_found() {
    let of = |tree| first_names(tree).into_iter().collect::<Vec<_>>();
    assert_eq!(of("{Error, a::{b, c}, d::e}; rest"), ["Error", "a", "d"]);
    assert_eq!(of("lpips::plan(1, 2)"), ["lpips"]);
}
