//! Detections: the meaning of their labels, the unit of their boxes, and their comparison, with one pair of files in
//! memory per thread.

use super::{Needs, ObservedKind, PairKind, add_observed};
use crate::Error;
use crate::compute::{Computed, Context, Loaded, content, sameness};
use crate::dataset::{Dataset, Opening, Paired};
use crate::execute::{Places, StepOutput};
use crate::observers::detections::DEFAULT_DETECTOR;
use crate::option_names::{DETECTOR_MODEL, LABELS, OBSERVATIONS, SCORE_ORDER_ANY};
use neurogauge_core::option_words::option;
use neurogauge_core::{
    BoxXyxy, Detections, Finding, LabelList, ObservationKind, Outcome, Pair, Side, Sides, Undefined, first_names,
};
use neurogauge_formats::Problem;
use neurogauge_formats::detections::{BoxUnits, DetectionSource, Seen};
use neurogauge_formats::item_source::ItemSource;
use neurogauge_metrics::decoding::grounding::{GroundedBox, box_shares, grounded_boxes};
use neurogauge_metrics::{BoxFunction, DetectionFunction, Metric, Taxonomy};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The highest label number without a name. Larger numbers are not positions in a list.
const MOST_NUMBERS: i64 = 100_000;
/// How far a box in pixels may lie outside an image, as a multiple of the image's size. Detectors exceed the edges a
/// little.
const MOST_BEYOND: f64 = 1.5;
/// The convention of metrics that depend on the names of categories.
const NAMES_MATTER: &str = "snm-categories";

pub(crate) struct DetectionKind;

impl ObservedKind for DetectionKind {
    const KIND: ObservationKind = ObservationKind::Detections;
    type Items = DetectionSource;

    /// Also opens the images, if a metric needs their size.
    fn open(files: Option<&Sides<PathBuf>>, opening: &mut Opening<'_>) -> Result<(), Error> {
        let sides = match (files, &mut opening.located.official) {
            (Some(paths), _) => {
                let box_scale_px = opening.request.box_scale_px;
                Some(DetectionSource::open_both(paths, opening.labels, box_scale_px)?)
            }
            (None, Some((_, layout))) => {
                let gt = layout.gt_detections.take();
                gt.zip(layout.recon_detections.take()).map(|(gt, recon)| Sides { gt, recon })
            }
            (None, None) => None,
        };
        if let Some(sides) = sides {
            let mut paired = opening.paired(Self::KIND, sides)?;
            opening.record(Self::KIND, &paired.sides)?;
            opening.read_as(&mut paired, files.is_none())?;
            opening.dataset.add(Self::KIND, paired);
        }
        let needs_size = opening.request.options.objects.variant.needs_image_size();
        match needs_size && opening.request.image_size_px.is_none() {
            true => opening.kind(ObservationKind::Images),
            false => Ok(()),
        }
    }

    fn reopen(_outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
        add_observed::<Self>(dataset, |dataset, side, stems| {
            let folder = places.folder(side.into(), Self::KIND);
            Ok(DetectionSource::of_stems(&folder, &dataset.resources.labels, stems))
        })
    }

    fn needs(metric: &Metric) -> Needs {
        let needs = Needs {
            models: vec![DEFAULT_DETECTOR],
            ..Needs::of_both_sides(Self::KIND, OBSERVATIONS)
        };
        match metric.compute.function::<BoxFunction>() {
            Some(_) => needs,
            None => needs.or_images(&format!(" and {DETECTOR_MODEL}")),
        }
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        let metrics = context.functions::<DetectionFunction>(Self::KIND);
        let of_boxes = context.functions::<BoxFunction>(Self::KIND);
        let is_idle = metrics.is_empty() && of_boxes.is_empty();
        let (Some(detections), Some(pairs), false) = (Self::of(context.dataset), Self::pairs(context), is_idle) else {
            return Ok(());
        };
        let taxonomy = Taxonomy::new(&context.dataset.resources.labels);
        let options = &context.request.options;
        let smallest_px2 = options.objects.smallest_area_px2();
        let seen = pairs.compared(
            &metrics,
            computed,
            |function, _, Sides { gt, recon }| function(gt, recon, &taxonomy, options),
            |pair, sides| Look {
                grounded: match of_boxes.is_empty() {
                    true => Vec::new(),
                    false => grounded_boxes(&sides.gt, &sides.recon).into_iter().map(|(_, boxes)| boxes).collect(),
                },
                ..Look::at(pair, &sides, &detections.sides, smallest_px2)
            },
        )?;
        compare_grounded(of_boxes, &seen, context, computed);
        if metrics.is_empty() {
            return Ok(());
        }
        let contents = |side: Side| seen.iter().map(move |look| *look.as_ref().ok()?.contents.side(side));
        let same = Side::BOTH.map(|side| sameness(side, Self::KIND.noun(), contents(side)));
        let looks: Vec<&Look> = seen.iter().flatten().collect();
        let stops = options.objects.stops_at_first_below();
        let found = [
            unordered(&looks, seen.len()).filter(|_| stops),
            inverted_boxes(&looks),
            small_boxes(&looks, smallest_px2),
        ];
        computed.findings.extend(found.into_iter().chain(same).flatten());
        Ok(())
    }
}

impl PairKind for DetectionKind {
    type Item<'a> = Detections;
    const READS_FILES: bool = true;

    /// Looks the image's size up only if it matters.
    fn load(items: &Paired<DetectionSource>, place: usize, side: Side, context: &Context<'_>) -> Loaded<Detections> {
        let (source, pair) = (items.sides.side(side), &items.pairs[place]);
        let images = context.dataset.images();
        if !source.has(pair.of(side)) {
            return Ok(Err(Undefined::NoDetections(side)));
        }
        let mut detections = source.load(pair.of(side))?;
        if let Some(images) = images.filter(|_| context.request.box_units.is_none()) {
            let size = images.sides.side(side).size_px(images.pairs[place].of(side));
            refuse_beyond(source.path(), pair, &detections, size)?;
        }
        let variant = context.request.options.objects.variant;
        if variant.needs_image_size() && detections.image_size_px.is_none() {
            detections.image_size_px = match (context.request.image_size_px, images) {
                (Some(size), _) => Some(size),
                (None, Some(images)) => {
                    let image = images.sides.side(side).load(images.pairs[place].of(side))?;
                    Some((image.width_px() as f64, image.height_px() as f64))
                }
                (None, None) => None,
            };
        }
        Ok(Ok(detections))
    }
}

/// Facts about both sides of a pair.
struct Look {
    stem: String,
    is_descending: bool,
    inverted: Vec<String>,
    contents: Sides<Option<u64>>,
    n_boxes: usize,
    /// Number of boxes that are too small to count.
    n_small: usize,
    /// The boxes of the stimulus's categories, if a metric compares them.
    grounded: Vec<GroundedBox>,
}

impl Look {
    fn at(pair: &Pair, sides: &Sides<Detections>, sources: &Sides<DetectionSource>, smallest_px2: f64) -> Self {
        let Sides { gt, recon } = sides;
        let areas = gt.items.iter().chain(&recon.items).map(|item| item.bbox.area_px2());
        Look {
            stem: pair.stem.clone(),
            is_descending: gt.is_descending() && recon.is_descending(),
            inverted: [sources.gt.inverted(pair.gt, gt), sources.recon.inverted(pair.recon, recon)].concat(),
            contents: Sides::new(content(&gt.items), content(&recon.items)),
            n_boxes: areas.clone().count(),
            n_small: areas.filter(|area| (0.0..smallest_px2).contains(area)).count(),
            grounded: Vec::new(),
        }
    }
}

fn unordered(looks: &[&Look], n_pairs: usize) -> Option<Finding> {
    let unordered: Vec<&&Look> = looks.iter().filter(|look| !look.is_descending).collect();
    let message = format!(
        "{} of {n_pairs} pairs have detections whose scores are not in descending order; SEED's code stops reading a \
         file at the first score below the threshold, and so does this preset ({SCORE_ORDER_ANY} reads all)",
        unordered.len(),
    );
    Some(Finding::warning("scores_not_descending", unordered.first()?.stem.clone(), message))
}

/// A warning that most boxes are too small to count.
fn small_boxes(looks: &[&Look], smallest_px2: f64) -> Option<Finding> {
    let n_small: usize = looks.iter().map(|look| look.n_small).sum();
    let n_boxes: usize = looks.iter().map(|look| look.n_boxes).sum();
    (2 * n_small > n_boxes).then(|| {
        let message = format!("{n_small} of {n_boxes} boxes are smaller than {smallest_px2} px² and do not count");
        let advice = format!("{} counts them", option("min-box-area", "0"));
        Finding::warning("small_boxes", "detections", message).advise(advice)
    })
}

/// A warning about inverted boxes: one whose right edge is left of its left one is most likely an error of the program
/// that wrote the file.
fn inverted_boxes(looks: &[&Look]) -> Option<Finding> {
    let boxes: Vec<&str> = looks.iter().flat_map(|look| look.inverted.iter().map(String::as_str)).collect();
    if boxes.is_empty() {
        return None;
    }
    let message = format!(
        "inverted boxes (a box is [left, top, right, bottom]): {}; as in SEED's code, such a box does not count \
         unless both axes are inverted, which makes its area positive",
        first_names(&boxes),
    );
    Some(Finding::warning("inverted_boxes", "detections", message))
}

/// Refuses boxes far outside their image, which have another unit or belong to an image of another size.
fn refuse_beyond(path: &Path, pair: &Pair, found: &Detections, size_px: Option<(usize, usize)>) -> Result<(), Error> {
    let Some((width, height)) = size_px else {
        return Ok(());
    };
    let beyond = found.items.iter().find(|item| {
        let [right, bottom] = [item.bbox.x0.max(item.bbox.x1), item.bbox.y0.max(item.bbox.y1)];
        right > MOST_BEYOND * width as f64 || bottom > MOST_BEYOND * height as f64
    });
    let Some(BoxXyxy { x0, y0, x1, y1 }) = beyond.map(|item| item.bbox) else {
        return Ok(());
    };
    let reason = format!(
        "the box {:?} lies far outside the image of {width} x {height} px; {} takes boxes as pixels of an image of another size",
        [x0, y0, x1, y1],
        option("box-units", "pixels")
    );
    Err(Problem::invalid(&pair.stem, reason).at(path).into())
}

/// Computes the mean over the boxes of each pair, and what each pair adds to the mean over the boxes of all pairs.
fn compare_grounded(
    metrics: Vec<(&'static str, BoxFunction)>,
    seen: &[Result<Look, Undefined>],
    context: &Context<'_>,
    computed: &mut Computed,
) {
    for (id, score) in metrics {
        // For each pair, the sum over its boxes and their number.
        let sums: Vec<Result<(f64, f64), Undefined>> = seen
            .iter()
            .map(|look| {
                let look = look.as_ref().map_err(Clone::clone)?;
                let scores: Vec<f64> = look.grounded.iter().flat_map(score).collect();
                match scores.len() {
                    0 => Err(Undefined::NoCategories(Side::Gt)),
                    n => Ok((scores.iter().sum(), n as f64)),
                }
            })
            .collect();
        let mean = |sums: &Result<(f64, f64), Undefined>| sums.clone().map(|(y, x)| y / x);
        let means: Vec<Outcome> = sums.iter().map(mean).collect();
        let weights = match context.items {
            Some(items) => items.weights_of_pairs(id, &means),
            None => vec![1.0; means.len()],
        };
        let known = sums.iter().zip(weights).filter_map(|(sums, weight)| Some((*sums.as_ref().ok()?, weight)));
        let mut of_all = box_shares(&known.collect::<Vec<_>>()).into_iter();
        computed.add_column(id, means);
        let share = |sums: &Result<(f64, f64), Undefined>| -> Outcome {
            sums.clone().map(|_| of_all.next().unwrap_or_default())
        };
        computed.add_pseudo_values(id, sums.iter().map(share).collect());
    }
}

impl Opening<'_> {
    /// Decides what labels mean and in which unit boxes are (conventions `labels`, `box-scale`).
    fn read_as(&mut self, paired: &mut Paired<DetectionSource>, is_official: bool) -> Result<(), Error> {
        let seen = Sides::new(paired.sides.gt.seen()?, paired.sides.recon.seen()?);
        let have_sizes = match self.request.box_units {
            None => Sides::of(|side| self.take_sizes(side, paired))?,
            Some(_) => Sides::default(),
        };
        let sides = &mut paired.sides;
        match self.request.box_units {
            Some(BoxUnits::Pixels) => {}
            Some(BoxUnits::Shares) => {
                DetectionSource::set_shares_of_both(sides, self.request.box_scale_px);
            }
            None => {
                let of = option("box-scale", "WxH").to_string();
                for side in Side::BOTH.into_iter().filter(|side| !have_sizes.side(*side)) {
                    sides.side(side).check_pixels(seen.side(side), &of)?;
                }
            }
        }
        let labels = self.meaning(&seen.gt.and(seen.recon), is_official)?;
        sides.gt.set_labels(labels.clone());
        sides.recon.set_labels(labels.clone());
        self.dataset.resources.labels = labels;
        Ok(())
    }

    /// Gives boxes that are shares the sizes of their images, if those are given.
    fn take_sizes(&mut self, side: Side, paired: &mut Paired<DetectionSource>) -> Result<bool, Error> {
        if !paired.sides.side(side).are_shares() {
            return Ok(false);
        }
        self.kind(ObservationKind::Images)?;
        let Some(images) = self.dataset.images() else {
            return Ok(false);
        };
        let of_stem: HashMap<&str, usize> =
            images.pairs.iter().map(|pair| (pair.stem.as_str(), pair.of(side))).collect();
        let images = images.sides.side(side);
        let mut sizes = vec![None; paired.sides.side(side).stems().len()];
        for pair in &paired.pairs {
            let Some(&image) = of_stem.get(pair.stem.as_str()) else {
                return Ok(false);
            };
            sizes[pair.of(side)] = Some(match images.size_px(image) {
                Some((width, height)) => (width as f64, height as f64),
                None => {
                    let image = images.load(image)?;
                    (image.width_px() as f64, image.height_px() as f64)
                }
            });
        }
        // Images without a partner are not compared.
        let sizes = sizes.into_iter().map(Option::unwrap_or_default).collect();
        match side {
            Side::Gt => paired.sides.gt.set_sizes(sizes),
            Side::Recon => paired.sides.recon.set_sizes(sizes),
        }
        Ok(true)
    }

    /// The list that the labels index.
    fn meaning(&mut self, seen: &Seen, is_official: bool) -> Result<LabelList, Error> {
        if seen.unnamed.is_none() {
            let names = seen.names_of_numbers.as_deref();
            return Ok(match names.filter(|_| self.request.labels.is_empty()) {
                Some(names) => LabelList::of_names(names),
                None => self.labels.clone(),
            });
        }
        let by_number = seen.most_frequent(&|label| label.to_string());
        let has_labels = !self.request.labels.is_empty();
        if has_labels || is_official {
            let list = self.labels;
            let name = |label: i64| match usize::try_from(label).map(|place| list.names().get(place)) {
                Ok(Some(name)) => format!("{label} {name}"),
                _ => label.to_string(),
            };
            let message = format!(
                "labels are numbers without names, and are read as {}; the most frequent ones are {}",
                list.id(),
                seen.most_frequent(&name)
            );
            let finding = Finding::note("label_names", "detections", message);
            self.dataset.find(match has_labels {
                true => finding,
                false => finding.on_evidence("SEED's layout").advise(format!("{LABELS} names another list")),
            });
            return Ok(list.clone());
        }
        let highest = seen.numbers.keys().next_back().copied().unwrap_or_default();
        let reads_names = self.selection.metrics.iter().any(|selected| {
            selected.source.is_compared() && selected.metric.spec.conventions().any(|id| id == NAMES_MATTER)
        });
        if highest > MOST_NUMBERS || reads_names || seen.has_names || seen.names_of_numbers.is_some() {
            seen.refuse_unnamed()?;
        }
        self.dataset.find(
            Finding::note(
                "label_names",
                "detections",
                format!("labels are numbers without names ({by_number}), and are compared as numbers"),
            )
            .advise(format!("{LABELS} says what they mean")),
        );
        Ok(LabelList::of_numbers(usize::try_from(highest).unwrap_or_default()))
    }
}
