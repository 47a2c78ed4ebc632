//! Draws figures of exhibits from marks.

use crate::exhibit::{FigureKind, Mark, MarkKind, unfilled};
use crate::making::Making;
use crate::place::{PathError, Place};
use crate::table::DAGGER;
use crate::value::{interval_of, number_of};
use indexmap::{IndexMap, IndexSet};
use itertools::Itertools;
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

/// The figure of an exhibit; `None` without one, or if there is nothing to draw here.
pub(crate) fn figure(making: &Making<'_>) -> Result<Option<MadeFigure>, PathError> {
    let Some(figure) = &making.exhibit.figure else {
        return Ok(None);
    };
    let mut all = Drawings::default();
    for (number, mark) in (1..).zip(&figure.marks) {
        all.add(mark, making.reads(format!("mark {number}")))?;
    }
    if all.of(MarkKind::Value).next().is_none() {
        return Ok(None);
    }
    let own_title = Some(&figure.title).filter(|own| !unfilled(own).is_empty());
    let title = making.words(own_title.unwrap_or(&making.exhibit.title), "title")?;
    let mut caption = making.words(&figure.caption, "caption")?;
    let mut names = all.panels.iter().chain(&all.rows).chain(&all.series);
    if names.any(|name| name.contains(DAGGER)) && !caption.contains(DAGGER) {
        caption = format!("{caption} {}.", dagger_note()).trim_start().to_owned();
    }
    let x_label = making.words(&figure.x_label, "x_label")?;
    let y_label = making.words(&figure.y_label, "y_label")?;
    Ok(Some(match figure.kind {
        FigureKind::Intervals => MadeFigure::Intervals(Intervals {
            title,
            panels: all.in_panels(Drawings::intervals),
            notch_label: making.words(&figure.notch_label, "notch_label")?,
            shared_axis: false,
            caption,
            rows: all.rows.into_iter().collect(),
            series: named(all.series),
        }),
        FigureKind::Curves => MadeFigure::Curves(Curves {
            x_label,
            y_label,
            y_reaches: figure.y_reaches.clone(),
            ..Curves::of(title, all.in_panels(Drawings::curves), caption)
        }),
        FigureKind::Bars => MadeFigure::Bars(Bars {
            title,
            y_label,
            bars: all.matrix(|own| Bar {
                rank: own.rank,
                ..Bar::estimate(own.value, own.ends)
            }),
            caption,
            groups: all.rows.into_iter().collect(),
            series: all.series.into_iter().collect(),
        }),
        FigureKind::Scatter => {
            let note = making.words(&figure.note, "note")?;
            MadeFigure::Scatter(Scatter {
                panels: all.in_panels(|all, place, title| ScatterPanel {
                    fit: figure.fit,
                    note: note.clone(),
                    ..ScatterPanel::of(title, all.points(place))
                }),
                title,
                x_label,
                y_label,
                groups: named(all.series),
                caption,
            })
        }
        FigureKind::Heatmap => MadeFigure::Heatmap(Heatmap {
            title,
            values: all.matrix(|own| own.value),
            decimals: figure.decimals.unwrap_or(Cell::DECIMALS),
            outlined: all.of(MarkKind::Outline).map(|own| (own.row, own.series)).collect(),
            outline_label: making.words(&figure.outline_label, "outline_label")?,
            scale: match figure.diverging {
                true => ColourScale::Diverging,
                false => ColourScale::Sequential,
            },
            value_label: y_label,
            caption,
            rows: all.rows.into_iter().collect(),
            columns: all.series.into_iter().collect(),
        }),
    }))
}

/// The names, none if there is only one and it is empty.
fn named(names: IndexSet<String>) -> Vec<String> {
    match names.first() {
        Some(only) if only.is_empty() && names.len() == 1 => Vec::new(),
        _ => names.into_iter().collect(),
    }
}

impl Drawings {
    fn add(&mut self, mark: &Mark, making: &Making<'_>) -> Result<(), PathError> {
        let places = match mark.of.iter().all(String::is_empty) {
            true => vec![making.place.clone()],
            false => making.places(&mark.of)?,
        };
        let mut together: IndexMap<[usize; 3], (Drawing, Vec<f64>)> = IndexMap::new();
        for place in &places {
            if !place.fulfils(mark.condition.as_ref())? {
                continue;
            }
            let name = |sentence| Ok::<_, PathError>(place.sentence(sentence)?.unwrap_or_default());
            let names = [name(&mark.panel)?, name(&mark.row)?, name(&mark.series)?];
            for mut own in numbers(mark, place)? {
                own.label = name(&mark.label)?;
                self.put(&mut own, names.clone());
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
    /// no series. Marks of order alone name only what they have.
    fn put(&mut self, own: &mut Drawing, [panel, row, series]: [String; 3]) {
        let is_order = own.kind == MarkKind::Order;
        let place = |names: &mut IndexSet<String>, name: String| match is_order && name.is_empty() {
            true => 0,
            false => names.insert_full(name).0,
        };
        own.panel = place(&mut self.panels, panel);
        if matches!(own.kind, MarkKind::Level | MarkKind::Band) {
            own.label = series;
            return;
        }
        own.row = place(&mut self.rows, row);
        if own.kind != MarkKind::Point {
            own.series = place(&mut self.series, series);
        }
    }

    fn of(&self, kind: MarkKind) -> impl Iterator<Item = &Drawing> {
        self.all.iter().filter(move |own| own.kind == kind)
    }

    /// The values of a kind in a panel.
    fn within(&self, panel: usize, kind: MarkKind) -> impl Iterator<Item = &Drawing> {
        self.of(kind).filter(move |own| own.panel == panel)
    }

    fn in_panels<T>(&self, panel: impl Fn(&Self, usize, &str) -> T) -> Vec<T> {
        self.panels.iter().enumerate().map(|(place, title)| panel(self, place, title)).collect()
    }

    fn intervals(&self, place: usize, title: &str) -> IntervalPanel {
        let dots = self.within(place, MarkKind::Value).filter_map(|own| {
            let notch = own.notch;
            Dot::estimate((own.row, own.series), own.value, own.ends).map(|dot| Dot { notch, ..dot })
        });
        let points = self.within(place, MarkKind::Point).filter_map(|own| Some((own.row, own.value?)));
        let levels = self.within(place, MarkKind::Level);
        let levels = levels.filter_map(|own| Some(Level::at(own.value?, own.label.as_str())));
        IntervalPanel {
            points: points.sorted_by_key(|(row, _)| *row).collect(),
            levels: levels.dedup().collect(),
            ..IntervalPanel::of(title, dots.sorted_by_key(|dot| (dot.row, dot.series)))
        }
    }

    fn curves(&self, place: usize, title: &str) -> CurvePanel {
        let mut curves: IndexMap<usize, Curve> = IndexMap::new();
        for (own, x) in self.within(place, MarkKind::Value).filter_map(|own| Some((own, own.x?))) {
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
    }

    fn points(&self, place: usize) -> Vec<Point> {
        let points = self.within(place, MarkKind::Value).filter_map(|own| {
            let label = own.label.clone();
            Some(Point {
                label,
                ..Point::of_group(own.series, own.x?, own.value?)
            })
        });
        points.collect()
    }

    /// What is drawn of each row in each series.
    fn matrix<T: Default + Clone>(&self, drawn: impl Fn(&Drawing) -> T) -> Vec<Vec<T>> {
        let mut matrix = vec![vec![T::default(); self.series.len()]; self.rows.len()];
        self.of(MarkKind::Value).for_each(|own| matrix[own.row][own.series] = drawn(own));
        matrix
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
        ends: ends.or_else(|| interval_of(value)),
        ..whole.clone()
    });
    let drawings: Vec<Drawing> = drawings.collect();
    Ok(if drawings.is_empty() { vec![whole] } else { drawings })
}
