//! Published crates: each has everything that a registry requires, and all files from which it is compiled.

use super::circles::rust_files;
use super::{check_written, packages};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// The crate of Python's extension module, which is only released as a wheel, and that of tests.
const NOT_PUBLISHED: [&str; 2] = ["neurogauge-python", "neurogauge-tests"];

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

fn folder(package: &Value) -> PathBuf {
    Path::new(text(package, "manifest_path")).parent().unwrap().to_path_buf()
}

fn published() -> Vec<Value> {
    let (published, others): (Vec<Value>, Vec<Value>) =
        packages().into_iter().partition(|package| package["publish"].is_null());
    let others: Vec<&str> = others.iter().map(|package| text(package, "name")).collect();
    assert_eq!(others, NOT_PUBLISHED);
    published
}

#[test]
fn published_crates_say_what_a_registry_asks_for() {
    let mut repositories = BTreeSet::new();
    for package in &published() {
        let name = text(package, "name");
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(!text(package, key).is_empty(), "{name} has no {key}");
        }
        assert!(folder(package).join(text(package, "readme")).exists());
        for (key, longest) in [("keywords", 20), ("categories", 64)] {
            let words = package[key].as_array().unwrap();
            assert!((1..=5).contains(&words.len()), "{name}: {key} {words:?}");
            for word in words.iter().filter_map(Value::as_str) {
                assert!(word.len() <= longest, "{name}: {word} is too long");
            }
        }
        repositories.insert(text(package, "repository").to_owned());
    }
    assert_eq!(repositories.len(), 1, "one repository: {repositories:?}");
}

#[test]
fn published_crates_take_each_other_in_this_very_version() {
    for package in &published() {
        let version = text(package, "version");
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = text(dependency, "name");
            if name.starts_with("neurogauge") {
                let from = text(package, "name");
                assert!(!NOT_PUBLISHED.contains(&name), "{from} takes {name}");
                assert_eq!(text(dependency, "req"), format!("={version}"), "{from}");
            }
        }
    }
}

/// Resolves `..` without reading the disk.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The text before the bracket that closes a call.
fn arguments(behind: &str) -> &str {
    let mut depth = 1;
    let closing = behind.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    });
    &behind[..closing.unwrap()]
}

/// The files that a source file includes at compile time, with names joined from string literals; where a macro's
/// argument is a part of the name, the folder before it.
fn included(source: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(source).unwrap();
    ["include_str!(", "include_bytes!("]
        .iter()
        .flat_map(|call| text.split(call).skip(1))
        .map(|behind| {
            let before_argument = arguments(behind).split('$').next().unwrap_or_default();
            let literals = before_argument.split('"').skip(1).step_by(2);
            let name: String = literals.collect();
            plain(&source.parent().unwrap().join(name))
        })
        .collect()
}

/// The names of the files in each crate's package.
fn packed(packages: &[Value]) -> Vec<BTreeSet<PathBuf>> {
    let runs: Vec<_> = packages
        .iter()
        .map(|package| {
            let mut list = Command::new(env!("CARGO"));
            list.args(["package", "--list", "--allow-dirty", "--offline"]);
            list.arg("--manifest-path").arg(text(package, "manifest_path"));
            list.stdout(Stdio::piped()).stderr(Stdio::null());
            list.spawn().unwrap()
        })
        .collect();
    runs.into_iter()
        .map(|run| {
            let output = run.wait_with_output().unwrap();
            assert!(output.status.success());
            String::from_utf8(output.stdout).unwrap().lines().map(PathBuf::from).collect()
        })
        .collect()
}

#[test]
fn packages_carry_what_they_are_compiled_of() {
    let published = published();
    let mut n_included = 0;
    for (package, files) in published.iter().zip(packed(&published)) {
        let (name, folder) = (text(package, "name"), folder(package));
        let source = if name == "neurogauge" {
            "src/main.rs"
        } else {
            "src/lib.rs"
        };
        for needed in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", source] {
            assert!(files.contains(Path::new(needed)), "{name} lacks {needed}");
        }
        let tests = files.iter().find(|file| file.starts_with("tests"));
        assert_eq!(tests, None, "{name}: tests read what no crate carries");
        for source in rust_files(&folder.join("src")) {
            for path in included(&source) {
                let at = source.display();
                let inside = path.strip_prefix(&folder);
                let inside = inside.unwrap_or_else(|_| panic!("{at}: {} is not in the crate", path.display()));
                let carried = files.iter().any(|file| file.starts_with(inside));
                assert!(carried, "{at}: {} is not in the package", inside.display());
                n_included += 1;
            }
        }
    }
    assert!(n_included > 10, "found only {n_included} included files");
}

/// One crate reads the citation; GitHub needs it at the root.
#[test]
fn the_written_citation_is_the_one_at_the_root() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copy = root.join("crates/guide/CITATION.cff");
    let citation = std::fs::read_to_string(root.join("CITATION.cff")).unwrap();
    check_written(&copy, &citation);
    let version = format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"));
    assert!(citation.contains(&version), "CITATION.cff is of another version");
    let recipe = std::fs::read_to_string(root.join("release/conda/recipe.yaml")).unwrap();
    let version = format!("\n  version: \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(recipe.contains(&version), "release/conda/recipe.yaml is of another version");
}
