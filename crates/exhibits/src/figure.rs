//! Draws figures of exhibits from marks.

use crate::exhibit::{Exhibit, FigureKind, Mark, MarkKind, Sentence, unfilled};
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
use serde_json::{Value, json};

/// A value to draw, with the places of its panel, row and series among their names.
#[derive(Debug, Clone)]
struct Drawing<'m> {
    mark: &'m Mark,
    panel: usize,
    row: usize,
    series: usize,
    /// The name of a point, a level or an area.
    label: String,
    x: Option<f64>,
    value: Option<f64>,
    ends: Option<(f64, f64)>,
    notch: Option<f64>,
    rank: Option<f64>,
}

/// All values of a figure, and the names of panels, rows and series in the order in which they occur.
#[derive(Debug, Default)]
struct Drawings<'m> {
    all: Vec<Drawing<'m>>,
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

/// The figure of an exhibit at a place; `None` without one, or if there is nothing to draw.
pub(crate) fn figure(exhibit: &Exhibit, place: &Place<'_>) -> Result<Option<MadeFigure>, PathError> {
    let Some(figure) = &exhibit.figure else {
        return Ok(None);
    };
    let mut all = Drawings::default();
    figure.marks.iter().try_for_each(|mark| all.add(mark, place))?;
    if all.of(MarkKind::Value).next().is_none() {
        return Ok(None);
    }
    let own_title = Some(&figure.title).filter(|own| !unfilled(own).is_empty());
    let title = place.words(own_title.unwrap_or(&exhibit.title))?;
    let mut caption = place.words(&figure.caption)?;
    let mut names = all.panels.iter().chain(&all.rows).chain(&all.series);
    if names.any(|name| name.contains(DAGGER)) && !caption.contains(DAGGER) {
        caption = format!("{caption} {}.", dagger_note()).trim_start().to_owned();
    }
    let x_label = place.words(&figure.x_label)?;
    let y_label = place.words(&figure.y_label)?;
    Ok(Some(match figure.kind {
        FigureKind::Intervals => MadeFigure::Intervals(Intervals {
            title,
            panels: all.in_panels(Drawings::intervals),
            notch_label: place.words(&figure.notch_label)?,
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
            let note = place.words(&figure.note)?;
            let point = |own: &Drawing<'_>| {
                let (x, y, label, group) = (own.x?, own.value?, own.label.clone(), own.series);
                Some(Point { x, y, label, group })
            };
            MadeFigure::Scatter(Scatter {
                panels: all.in_panels(|all, place, title| ScatterPanel {
                    fit: figure.fit,
                    note: note.clone(),
                    ..ScatterPanel::of(title, all.within(place, MarkKind::Value).filter_map(point).collect())
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
            outline_label: place.words(&figure.outline_label)?,
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
fn named(mut names: IndexSet<String>) -> Vec<String> {
    if names.len() == 1 {
        names.swap_remove("");
    }
    names.into_iter().collect()
}

impl<'m> Drawings<'m> {
    /// Adds a mark for each value at each of its places, or one without a value. Names of levels and areas are apart from
    /// those of series, and single values belong to no series. Marks of order alone name only what they have.
    fn add(&mut self, mark: &'m Mark, start: &Place<'_>) -> Result<(), PathError> {
        let is_apart = matches!(mark.kind, MarkKind::Level | MarkKind::Band);
        for place in start.all(&mark.of)? {
            if !place.fulfils(&mark.condition)? {
                continue;
            }
            let insert = |names: &mut IndexSet<String>, sentence: &Sentence, is_named: bool| {
                let name = is_named.then(|| place.words(sentence)).transpose()?;
                let name = name.filter(|name| mark.kind != MarkKind::Order || !name.is_empty());
                Ok::<_, PathError>(name.map_or(0, |name| names.insert_full(name).0))
            };
            let at = |path: &Option<String>| path.as_ref().map_or(Ok(None), |path| place.number(path));
            let own = Drawing {
                mark,
                panel: insert(&mut self.panels, &mark.panel, true)?,
                row: insert(&mut self.rows, &mark.row, !is_apart)?,
                series: insert(&mut self.series, &mark.series, !is_apart && mark.kind != MarkKind::Point)?,
                label: place.words(if is_apart { &mark.series } else { &mark.label })?,
                x: at(&mark.x)?,
                value: mark.at,
                ends: None,
                notch: at(&mark.notch)?,
                rank: at(&mark.rank)?,
            };
            let mut values = match (&mark.value, mark.statistics) {
                (Some(path), Some((centre, low, high))) => {
                    let all = place.numbers(path)?;
                    vec![json!({"mean": centre.of(&all), "interval": [low.of(&all), high.of(&all)]})]
                }
                (Some(path), None) => place.find(path)?.iter().map(|own| own.value().clone()).collect(),
                (None, _) => Vec::new(),
            };
            values.retain(|value| !value.is_null());
            if values.is_empty() {
                values.push(Value::Null);
            }
            self.all.extend(values.iter().map(|value| Drawing {
                value: own.value.or_else(|| number_of(value)),
                ends: interval_of(value),
                ..own.clone()
            }));
        }
        Ok(())
    }

    fn of(&self, kind: MarkKind) -> impl Iterator<Item = &Drawing<'m>> {
        self.all.iter().filter(move |own| own.mark.kind == kind)
    }

    /// The values of a kind in a panel.
    fn within(&self, panel: usize, kind: MarkKind) -> impl Iterator<Item = &Drawing<'m>> {
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
            ..IntervalPanel::of(title, dots.sorted_by_key(|dot| (dot.row, dot.series)).dedup())
        }
    }

    fn curves(&self, place: usize, title: &str) -> CurvePanel {
        let mut curves: IndexMap<usize, Curve> = IndexMap::new();
        for (own, x) in self.within(place, MarkKind::Value).filter_map(|own| Some((own, own.x?))) {
            let curve = curves.entry(own.series).or_insert_with(|| Curve {
                dashed: own.mark.dashed,
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

    /// What is drawn of each row in each series.
    fn matrix<T: Default + Clone>(&self, drawn: impl Fn(&Drawing<'_>) -> T) -> Vec<Vec<T>> {
        let mut matrix = vec![vec![T::default(); self.series.len()]; self.rows.len()];
        self.of(MarkKind::Value).for_each(|own| matrix[own.row][own.series] = drawn(own));
        matrix
    }
}
