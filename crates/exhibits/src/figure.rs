//! Draws figures of exhibits from marks.

use crate::exhibit::{Exhibit, Figure, FigureKind, Mark, MarkKind, Sentence, unfilled};
use crate::making::Making;
use crate::place::{PathError, Place};
use crate::table::DAGGER;
use crate::value::{interval_of, number_of};
use indexmap::{IndexMap, IndexSet};
use neurogauge::Error;
use neurogauge::report::figures::{
    Band, Bar, Bars, ColourScale, Curve, CurvePanel, Curves, Dot, Heatmap, IntervalPanel, Intervals, Level, Picture,
    Point, Scatter, ScatterPanel,
};
use neurogauge::report::{Cell, ReportError, dagger_note};

/// A value to draw, with the places of its panel, row and series among their names.
#[derive(Debug, Clone, Default)]
struct Drawing {
    kind: MarkKind,
    panel: usize,
    row: usize,
    series: usize,
    /// The name of a level or an area.
    label: String,
    x: Option<f64>,
    value: Option<f64>,
    ends: Option<(f64, f64)>,
    notch: Option<f64>,
    rank: Option<f64>,
    dashed: bool,
}

/// All values of a figure, and the names of panels, rows and series in the order in which they occur.
#[derive(Debug, Default)]
struct Drawings {
    all: Vec<Drawing>,
    panels: IndexSet<String>,
    rows: IndexSet<String>,
    series: IndexSet<String>,
}

/// A figure before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum MadeFigure {
    Intervals(Intervals),
    Curves(Curves),
    Bars(Bars),
    Scatter(Scatter),
    Heatmap(Heatmap),
}

impl MadeFigure {
    /// # Errors
    /// A number is not finite, or the picture would be too large.
    pub fn draw(&self) -> Result<Picture, ReportError> {
        match self {
            MadeFigure::Intervals(figure) => figure.draw(),
            MadeFigure::Curves(figure) => figure.draw(),
            MadeFigure::Bars(figure) => figure.draw(),
            MadeFigure::Scatter(figure) => figure.draw(),
            MadeFigure::Heatmap(figure) => figure.draw(),
        }
    }
}

/// The sentences of a figure.
struct Words {
    title: String,
    caption: String,
    x_label: String,
    y_label: String,
    note: String,
    notch_label: String,
    outline_label: String,
}

/// The figure of an exhibit; `None` without one, or if there is nothing to draw here.
pub(crate) fn figure(exhibit: &Exhibit, making: &Making<'_>) -> Result<Option<MadeFigure>, Error> {
    let Some(figure) = &exhibit.figure else {
        return Ok(None);
    };
    let mut drawings = Drawings::default();
    for (number, mark) in (1..).zip(&figure.marks) {
        drawings.add(mark, making, &format!("mark {number}"))?;
    }
    if drawings.of(MarkKind::Value).next().is_none() {
        return Ok(None);
    }
    let title = if unfilled(&figure.title).is_empty() {
        &exhibit.title
    } else {
        &figure.title
    };
    let mut words = Words {
        title: making.words(title, "title")?,
        caption: making.words(&figure.caption, "caption")?,
        x_label: making.words(&figure.x_label, "x_label")?,
        y_label: making.words(&figure.y_label, "y_label")?,
        note: making.words(&figure.note, "note")?,
        notch_label: making.words(&figure.notch_label, "notch_label")?,
        outline_label: making.words(&figure.outline_label, "outline_label")?,
    };
    let mut names = drawings.panels.iter().chain(&drawings.rows).chain(&drawings.series);
    if names.any(|name| name.contains(DAGGER)) && !words.caption.contains(DAGGER) {
        words.caption = format!("{} {}.", words.caption, dagger_note()).trim_start().to_owned();
    }
    Ok(Some(match figure.kind {
        FigureKind::Intervals => drawings.intervals(words),
        FigureKind::Curves => drawings.curves(figure, words),
        FigureKind::Bars => drawings.bars(words),
        FigureKind::Scatter => drawings.scatter(figure, words),
        FigureKind::Heatmap => drawings.heatmap(figure, words),
    }))
}

/// The place of a name among those so far.
fn place_in(names: &mut IndexSet<String>, name: Option<String>) -> usize {
    names.insert_full(name.unwrap_or_default()).0
}

/// The names, none if there is only one and it is empty.
fn named(names: IndexSet<String>) -> Vec<String> {
    match names.first() {
        Some(only) if only.is_empty() && names.len() == 1 => Vec::new(),
        _ => names.into_iter().collect(),
    }
}

impl Drawings {
    fn add(&mut self, mark: &Mark, making: &Making<'_>, key: &str) -> Result<(), Error> {
        let places = match mark.of.iter().all(String::is_empty) {
            true => vec![making.place.clone()],
            false => making.places(&mark.of, key)?,
        };
        let mut together: IndexMap<[usize; 3], (Drawing, Vec<f64>)> = IndexMap::new();
        for place in &places {
            let condition = mark.condition.iter().map(|condition| making.told(key, place.holds(condition)));
            if !condition.collect::<Result<Vec<bool>, _>>()?.iter().all(|holds| *holds) {
                continue;
            }
            let name = |sentence: &Option<Sentence>| {
                sentence.as_ref().map(|own| making.sentence(place, own, key)).transpose().map(Option::flatten)
            };
            let names = [name(&mark.panel)?, name(&mark.row)?, name(&mark.series)?];
            for mut own in making.told(key, numbers(mark, place))? {
                self.put(&mut own, names.clone());
                if let Some(label) = name(&mark.label)? {
                    own.label = label;
                }
                match (mark.statistics, own.value) {
                    (None, _) if mark.kind != MarkKind::Order => self.all.push(own),
                    (Some(_), Some(value)) => {
                        let group = together.entry([own.panel, own.row, own.series]);
                        group.or_insert_with(|| (own, Vec::new())).1.push(value);
                    }
                    _ => {}
                }
            }
        }
        for (mut own, values) in together.into_values() {
            if let Some((centre, low, high)) = mark.statistics {
                (own.value, own.ends) = (centre.of(&values), low.of(&values).zip(high.of(&values)));
                self.all.push(own);
            }
        }
        Ok(())
    }

    /// Gives a value its places. Names of levels and areas are apart from those of series, and single values belong to
    /// no series.
    fn put(&mut self, own: &mut Drawing, [panel, row, series]: [Option<String>; 3]) {
        match own.kind {
            MarkKind::Order => {
                let all = [(&mut self.panels, panel), (&mut self.rows, row), (&mut self.series, series)];
                all.into_iter().filter(|(_, name)| name.is_some()).for_each(|(names, name)| {
                    place_in(names, name);
                });
            }
            MarkKind::Level | MarkKind::Band => {
                own.panel = place_in(&mut self.panels, panel);
                own.label = series.unwrap_or_default();
            }
            MarkKind::Point => {
                (own.panel, own.row) = (place_in(&mut self.panels, panel), place_in(&mut self.rows, row));
            }
            MarkKind::Value | MarkKind::Outline => {
                own.panel = place_in(&mut self.panels, panel);
                own.row = place_in(&mut self.rows, row);
                own.series = place_in(&mut self.series, series);
            }
        }
    }

    fn of(&self, kind: MarkKind) -> impl Iterator<Item = &Drawing> {
        self.all.iter().filter(move |own| own.kind == kind)
    }

    /// The values of a kind in a panel.
    fn within(&self, panel: usize, kind: MarkKind) -> impl Iterator<Item = &Drawing> {
        self.of(kind).filter(move |own| own.panel == panel)
    }

    fn intervals(self, words: Words) -> MadeFigure {
        let panel = |(place, title): (usize, &String)| {
            let dots = self.within(place, MarkKind::Value).filter_map(|own| {
                Some(Dot {
                    notch: own.notch,
                    ..Dot::estimate((own.row, own.series), own.value, own.ends)?
                })
            });
            let mut dots: Vec<Dot> = dots.collect();
            dots.sort_by_key(|dot| (dot.row, dot.series));
            let points = self.within(place, MarkKind::Point).filter_map(|own| Some((own.row, own.value?)));
            let mut levels = Vec::new();
            for own in self.within(place, MarkKind::Level) {
                let level = own.value.map(|value| Level::at(value, own.label.as_str()));
                levels.extend(level.filter(|level| !levels.contains(level)));
            }
            let mut points: Vec<(usize, f64)> = points.collect();
            points.sort_by_key(|(row, _)| *row);
            IntervalPanel {
                points,
                levels,
                ..IntervalPanel::of(title, dots)
            }
        };
        MadeFigure::Intervals(Intervals {
            title: words.title,
            panels: self.panels.iter().enumerate().map(panel).collect(),
            notch_label: words.notch_label,
            shared_axis: false,
            caption: words.caption,
            rows: self.rows.into_iter().collect(),
            series: named(self.series),
        })
    }

    fn curves(self, figure: &Figure, words: Words) -> MadeFigure {
        let panel = |(place, title): (usize, &String)| {
            let mut curves: IndexMap<usize, Curve> = IndexMap::new();
            for own in self.within(place, MarkKind::Value) {
                let Some(x) = own.x else { continue };
                let curve = curves.entry(own.series).or_insert_with(|| Curve {
                    dashed: own.dashed,
                    ..Curve::of(self.series[own.series].as_str(), [])
                });
                curve.points.push((x, own.value));
                curve.interval.extend(own.ends.map(|(low, high)| (x, low, high)));
            }
            let mut bands: IndexMap<&str, Band> = IndexMap::new();
            for own in self.within(place, MarkKind::Band) {
                let band = bands.entry(&own.label).or_insert_with(|| Band {
                    label: own.label.clone(),
                    points: Vec::new(),
                });
                let ends = own.ends.or(own.value.map(|value| (0.0, value)));
                band.points.extend(own.x.zip(ends).map(|(x, (low, high))| (x, low, high)));
            }
            CurvePanel {
                bands: bands.into_values().collect(),
                ..CurvePanel::of(title, curves.into_values())
            }
        };
        MadeFigure::Curves(Curves {
            x_label: words.x_label,
            y_label: words.y_label,
            y_reaches: figure.y_reaches.clone(),
            ..Curves::of(words.title, self.panels.iter().enumerate().map(panel).collect(), words.caption)
        })
    }

    /// The value of each row in each series.
    fn matrix(&self) -> Vec<Vec<Option<&Drawing>>> {
        let mut matrix = vec![vec![None; self.series.len()]; self.rows.len()];
        self.of(MarkKind::Value).for_each(|own| matrix[own.row][own.series] = Some(own));
        matrix
    }

    fn bars(self, words: Words) -> MadeFigure {
        let bar = |own: &Option<&Drawing>| {
            own.map_or_else(Bar::default, |own| Bar {
                rank: own.rank,
                ..Bar::estimate(own.value, own.ends)
            })
        };
        MadeFigure::Bars(Bars {
            title: words.title,
            y_label: words.y_label,
            bars: self.matrix().iter().map(|group| group.iter().map(bar).collect()).collect(),
            caption: words.caption,
            groups: self.rows.into_iter().collect(),
            series: self.series.into_iter().collect(),
        })
    }

    fn scatter(self, figure: &Figure, words: Words) -> MadeFigure {
        let panel = |(place, title): (usize, &String)| {
            let points = self.within(place, MarkKind::Value);
            let points = points.filter_map(|own| {
                Some(Point {
                    label: own.label.clone(),
                    ..Point::of_group(own.series, own.x?, own.value?)
                })
            });
            ScatterPanel {
                fit: figure.fit,
                note: words.note.clone(),
                ..ScatterPanel::of(title, points.collect())
            }
        };
        MadeFigure::Scatter(Scatter {
            panels: self.panels.iter().enumerate().map(panel).collect(),
            title: words.title,
            x_label: words.x_label,
            y_label: words.y_label,
            groups: named(self.series),
            caption: words.caption,
        })
    }

    fn heatmap(self, figure: &Figure, words: Words) -> MadeFigure {
        let value = |own: &Option<&Drawing>| own.and_then(|own| own.value);
        MadeFigure::Heatmap(Heatmap {
            title: words.title,
            values: self.matrix().iter().map(|row| row.iter().map(value).collect()).collect(),
            decimals: figure.decimals.unwrap_or(Cell::DECIMALS),
            outlined: self.of(MarkKind::Outline).map(|own| (own.row, own.series)).collect(),
            outline_label: words.outline_label,
            scale: match figure.diverging {
                true => ColourScale::Diverging,
                false => ColourScale::Sequential,
            },
            value_label: words.y_label,
            caption: words.caption,
            rows: self.rows.into_iter().collect(),
            columns: self.series.into_iter().collect(),
        })
    }
}

/// The numbers of a mark at a place: one for each value to which its path leads, or one without a value.
fn numbers(mark: &Mark, place: &Place<'_>) -> Result<Vec<Drawing>, PathError> {
    let at = |path: &Option<String>| path.as_ref().map(|path| place.number(path)).transpose().map(Option::flatten);
    let mut ends = None;
    if let Some([low, high]) = &mark.ends {
        ends = place.number(low)?.zip(place.number(high)?);
    }
    let whole = Drawing {
        kind: mark.kind,
        x: at(&mark.x)?,
        value: mark.at,
        notch: at(&mark.notch)?,
        rank: at(&mark.rank)?,
        dashed: mark.dashed,
        ends,
        ..Drawing::default()
    };
    let found = mark.value.as_ref().map(|path| place.find(path)).transpose()?.unwrap_or_default();
    let there = found.iter().map(Place::value).filter(|value| !value.is_null());
    let drawings = there.map(|value| Drawing {
        value: mark.at.or_else(|| number_of(value)),
        ends: ends.or_else(|| interval_of(value).filter(|_| value.is_object())),
        ..whole.clone()
    });
    let drawings: Vec<Drawing> = drawings.collect();
    Ok(if drawings.is_empty() { vec![whole] } else { drawings })
}
