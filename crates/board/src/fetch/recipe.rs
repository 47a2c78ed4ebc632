//! Recipes: which files to download, their hashes, and how pictures are cut.

use super::grid::Grid;
use neurogauge::{Error, read_toml, toml_from_str};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;

/// Published files, by address and hash.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What the files are.
    pub title: String,
    pub licence: String,
    /// What is uncertain about the files, for example that nobody has tried the recipe on them.
    pub caution: Option<String>,
    /// The address that paths of files are relative to: `https://`, `http://` of this machine, or a folder relative to
    /// the file of the recipe.
    pub from: String,
    pub files: Vec<RecipeFile>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeFile {
    /// Its address, relative to the recipe's.
    pub path: String,
    /// Its name in the folder; by default as in the address.
    pub to: Option<String>,
    pub sha256: Option<String>,
    /// MD5 of its bytes, if nothing better is published.
    pub md5: Option<String>,
    /// Its git hash (SHA-1 of its length and bytes), if nothing better is published.
    pub git: Option<String>,
    /// How it is cut, if it is a grid of pictures.
    pub grid: Option<Grid>,
}

/// The built-in recipes: names and texts.
pub const RECIPES: [(&str, &str); 4] = [
    ("brainhub", include_str!("recipes/brainhub.toml")),
    ("brain-diffuser", include_str!("recipes/brain-diffuser.toml")),
    ("mindeye-982", include_str!("recipes/mindeye-982.toml")),
    ("spurious-reconstruction", include_str!("recipes/spurious-reconstruction.toml")),
];

impl Recipe {
    /// Opens a built-in recipe by name, or one in a file.
    ///
    /// # Errors
    /// A name that is neither, a malformed file, a file without exactly one hash, two files with the same name.
    pub fn open(name: &str) -> Result<Recipe, Error> {
        let known = RECIPES.iter().find(|(known, _)| *known == name);
        let path = Path::new(name);
        let mut recipe: Recipe = match known {
            Some((_, text)) => toml_from_str(path, text)?,
            None if !path.is_file() => {
                let names = RECIPES.map(|(name, _)| name).join(", ");
                return Err(Error::Usage(format!(
                    "{name}: no recipe is called so, and no file; expected {names} or a TOML file"
                )));
            }
            None => read_toml(path)?,
        };
        if !recipe.from.contains("://") {
            let mut folder = path.to_owned();
            folder.set_file_name(&recipe.from);
            recipe.from = folder.display().to_string();
        }
        let mut names = HashSet::new();
        for file in &recipe.files {
            let refused = |reason: &str| Err(Error::Usage(format!("{name}: {}: {reason}", file.path)));
            let n_hashes = [&file.sha256, &file.md5, &file.git].into_iter().flatten().count();
            if n_hashes != 1 {
                return refused("expected one of sha256, md5 and git, so that it can be checked");
            }
            if !names.insert(file.name()) {
                return refused("two files have this name here; give another one as `to`");
            }
        }
        Ok(recipe)
    }
}

impl RecipeFile {
    pub fn name(&self) -> &str {
        self.to.as_deref().unwrap_or(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipes_of_the_program_can_be_read() {
        for (name, _) in RECIPES {
            let recipe = Recipe::open(name).unwrap();
            assert!(!recipe.files.is_empty() && recipe.from.starts_with("https://"), "{name}");
            for file in &recipe.files {
                let hashes = [(&file.sha256, 64), (&file.md5, 32), (&file.git, 40)];
                for (hash, n_digits) in hashes {
                    let digits = hash.as_deref().unwrap_or_default();
                    assert!(digits.is_empty() || digits.len() == n_digits, "{name}: {digits}");
                }
            }
        }
        let brainhub = Recipe::open("brainhub").unwrap();
        assert_eq!(brainhub.files.len(), 2 + 17 + 8);
    }
}
