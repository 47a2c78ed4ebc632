//! Writes estimates as tables (aligned text, JSON, CSV, Markdown and LaTeX) and figures (SVG, PNG and PDF).
//!
//! A [`Table`] is what every format is written from. A [`SystemTable`] holds one [`Estimate`](neurogauge_core::Estimate)
//! for each system and metric, and makes a table and figures of them. No metric is known here by name: its name, decimals
//! and direction are in its [`MetricColumn`].

mod cell;
mod columns;
mod data;
mod error;
pub mod figures;
mod format;
mod grid;
mod latex;
mod markdown;
mod marks;
mod number;
mod ranking;
mod system_grids;
mod system_table;
mod table;
mod text;
mod wording;

pub use cell::{Cell, Value};
pub use error::ReportError;
pub use format::Format;
pub use grid::Described;
pub use latex::{LatexStyle, Spread};
pub use marks::Mark;
pub use number::{fixed, p_in_words};
pub use ranking::{Ranked, Ranking, TestedDifference};
pub use system_table::{MetricColumn, RankEstimate, RowSubject, SystemRow, SystemTable};
pub use table::{Table, paragraph};
pub use wording::{dagger_note, interval_note, marked};
