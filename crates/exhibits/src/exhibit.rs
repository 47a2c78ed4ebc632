//! What `exhibits.toml` of a paper says.

use crate::value::Statistic;
use neurogauge::formats::target_files::OneOrMore;
use neurogauge::report::figures::Fit;
use serde::Deserialize;

/// A table, a figure, both, or an item that another command makes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Exhibit {
    /// The name of its files, without ending; empty for an item that another command makes.
    pub(crate) name: Sentence,
    /// The kind of record that it belongs to, and whose command shows it.
    pub(crate) from: String,
    /// Where it is in the paper.
    pub(crate) place: String,
    /// What it shows, in a few words.
    pub(crate) shows: String,
    /// Whom it is about, for each of several.
    pub(crate) about: Sentence,
    /// What would add it; without it, a missing exhibit is not listed.
    pub(crate) needs: Sentence,
    /// What would add it at one of the places of `each`, in which case `needs` is for the lack of any.
    pub(crate) lacks: Sentence,
    /// What it takes and does not have, for dry runs.
    pub(crate) takes: Vec<Sentence>,
    /// Makes one exhibit for each of these places, from which all other paths start.
    pub(crate) each: String,
    pub(crate) title: Sentence,
    /// The name of a table that the command made itself.
    pub(crate) table: Sentence,
    /// The places that are rows.
    pub(crate) rows: Paths,
    /// A condition of rows.
    pub(crate) row_if: String,
    pub(crate) columns: Vec<Column>,
    /// The first columns of a wide table, whose cells are those of the columns at the exhibit's rows, in columns that are
    /// named by what the headings are there.
    pub(crate) pivot: Vec<Column>,
    pub(crate) notes: Vec<Note>,
    pub(crate) figure: Option<Figure>,
    /// Lines beside the images of each row's `pair`.
    pub(crate) lines: Vec<Note>,
}

impl Exhibit {
    /// Its place and its name, for errors.
    pub(crate) fn entry(&self) -> String {
        format!("{:?}", format!("{} {}", self.place, unfilled(&self.name)).trim())
    }
}

/// A path, or several one after the other.
pub(crate) type Paths = OneOrMore<String>;

/// A sentence with fields in braces, or several parts; a part is left out if one of its fields is missing.
pub(crate) type Sentence = OneOrMore<String>;

/// All parts of a sentence, with their fields unfilled.
pub(crate) fn unfilled(sentence: &Sentence) -> String {
    sentence.iter().map(String::as_str).collect()
}

/// A sentence below a table or beside images, or one for each of several places.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Note {
    Once(Sentence),
    Each { each: String, text: Sentence },
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Column {
    pub(crate) heading: Sentence,
    /// The path of its value; empty for the row itself.
    pub(crate) value: String,
    /// Words instead of a value.
    pub(crate) text: Sentence,
    pub(crate) kind: Option<Kind>,
    pub(crate) decimals: Option<Decimals>,
    /// The path of the value's interval, if its estimate has none.
    pub(crate) interval: String,
    /// The path of a number from which the value's difference is shown.
    pub(crate) less: String,
    /// The statistic of all values at the path.
    pub(crate) statistic: Option<Statistic>,
    /// Makes one column for each of these places, from which its paths start; `~` is the row.
    pub(crate) each: String,
    /// Without it, the column is left out.
    #[serde(rename = "if")]
    pub(crate) condition: String,
}

/// How a value is shown; by default words as words, whole numbers as counts, others with their decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Words that are printed only in the first of the rows that share them.
    Group,
    Number,
}

/// A number of decimals, or the path of one; the decimals of a printed number are those with which it is printed.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Decimals {
    Fixed(usize),
    Of(String),
}

/// A figure, drawn from marks.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Figure {
    pub(crate) kind: FigureKind,
    /// By default that of the exhibit.
    pub(crate) title: Sentence,
    pub(crate) caption: Sentence,
    pub(crate) x_label: Sentence,
    pub(crate) y_label: Sentence,
    /// Values that the y axis of curves reaches.
    pub(crate) y_reaches: Vec<f64>,
    pub(crate) notch_label: Sentence,
    /// The line through the points of a scatter plot.
    pub(crate) fit: Fit,
    pub(crate) note: Sentence,
    pub(crate) decimals: Option<usize>,
    /// Is white zero, blue below and red above?
    pub(crate) diverging: bool,
    pub(crate) outline_label: Sentence,
    pub(crate) marks: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FigureKind {
    #[default]
    Intervals,
    Curves,
    Bars,
    Scatter,
    Heatmap,
}

/// Marks of one kind, one for each place.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Mark {
    #[serde(rename = "as")]
    pub(crate) kind: MarkKind,
    pub(crate) of: Paths,
    /// Without it, a place has no mark.
    #[serde(rename = "if")]
    pub(crate) condition: String,
    pub(crate) panel: Sentence,
    /// The row of intervals and heatmaps, the group of bars.
    pub(crate) row: Sentence,
    /// The series of intervals and bars, the name of a curve or of a level, the column of a heatmap.
    pub(crate) series: Sentence,
    /// The name of a point.
    pub(crate) label: Sentence,
    pub(crate) x: Option<String>,
    /// The path of its value; a mark for each if it leads to several.
    pub(crate) value: Option<String>,
    pub(crate) notch: Option<String>,
    pub(crate) rank: Option<String>,
    /// One mark for all values at a place: the statistic, and those that are its ends.
    pub(crate) statistics: Option<(Statistic, Statistic, Statistic)>,
    pub(crate) dashed: bool,
    /// A value that does not come from the records, such as a level at 0.
    pub(crate) at: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MarkKind {
    /// What the figure's kind is made of: dots, curves, bars, points, cells.
    #[default]
    Value,
    /// Single values of a row of intervals.
    Point,
    /// A line across a panel of intervals.
    Level,
    /// An area behind curves, between two ends, or from 0 to a value.
    Band,
    /// A cell of a heatmap that is outlined.
    Outline,
    /// Nothing: only the order of panels, rows and series.
    Order,
}

/// A contradiction within the paper.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Where both statements are.
    pub place: String,
    /// What contradicts what, with the arithmetic.
    pub says: String,
    /// The published values that it concerns, as `place: quantity`.
    pub concerns: Vec<String>,
}
