//! Papers as folders: an exhibit (a table or a figure) is an entry of `exhibits.toml` that says which values of which
//! records of runs are its rows, columns and marks, where it is in the paper, and what would add it where it is missing.
//!
//! A [`Paper`] is built in or a user's own folder. [`Paper::make`] makes tables and figures of [`Records`], and
//! [`Paper::beside`] sets published values beside. Numbers are those of the records; nothing is estimated here.

mod exhibit;
mod figure;
mod made;
mod paper;
mod place;
mod table;
mod value;

pub use exhibit::Erratum;
pub use figure::MadeFigure;
pub use made::{Absent, Made, MadeExhibit, Records};
pub use paper::Paper;
pub use table::PairLines;
