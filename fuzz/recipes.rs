//! The reader of recipes of `board fetch`, which is in a crate above the formats.

use crate::readers::{Reader, reader};
use neurogauge_board::Recipe;
use neurogauge_formats::names_below::below;

pub(crate) const RECIPES: Reader = reader(
    "recipe",
    "toml",
    &[
        include_str!("../crates/board/src/fetch/recipes/brain-diffuser.toml"),
        include_str!("../crates/board/src/fetch/recipes/spurious-reconstruction.toml"),
    ],
    |path| {
        for file in path.to_str().and_then(|path| Recipe::open(path).ok()).iter().flat_map(|recipe| &recipe.files) {
            drop(below(path, file.name()));
            drop(file.grid.as_ref().map(neurogauge_board::Grid::check));
        }
    },
);
