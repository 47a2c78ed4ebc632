//! Brain grounding.

use super::{BenchmarkRecord, BenchmarkRow, BenchmarkRun, Measure, stems_of};
use crate::pairs::PairsRequest;
use clap::Args;
use neurogauge::Error;
use neurogauge::InputRecord;
use neurogauge::core::option_values::{Finite, Level, number};
use neurogauge::core::option_words::option;
use neurogauge::core::{Detections, Finding, LabelList, Outcome, ScoreTable, Side, Undefined};
use neurogauge::formats::detections;
use neurogauge::metrics::categories::{is_salient, supercategory};
use neurogauge::metrics::decoding::grounding::{GroundedBox, grounded_boxes, grounding_hit, grounding_iou};
use neurogauge::stats::{BootstrapOptions, estimate_ratio};
use serde::Serialize;
use std::path::PathBuf;

const CONVENTIONS: [&str; 5] = [
    "grounding-first-box",
    "grounding-missing",
    "grounding-threshold",
    "grounding-interval",
    "grounding-categories",
];

/// The true boxes of things, and their decoded boxes.
#[derive(Debug, Clone, PartialEq, Serialize, Args)]
pub struct GroundRequest {
    /// Where things are: JSON, {"stem": {"category": [[x0, y0, x1, y1], ...]}}, as shares of width and
    /// height. The first box of each category counts
    #[arg(value_name = "GT")]
    pub reference: PathBuf,
    /// Where they were decoded to be: the same, or with one more list around (answers)
    #[arg(value_name = "RECON")]
    pub decoded: PathBuf,
    /// A box is right if its intersection over union is more than this
    #[arg(long, value_name = "IOU", value_parser = number::<Finite, f64>, default_value_t = 0.5, help_heading = "Grounding")]
    pub threshold: f64,
    /// Level of the intervals
    #[arg(long, value_name = "LEVEL", value_parser = number::<Level, f64>, default_value_t = BootstrapOptions::default().level, help_heading = "Intervals")]
    pub level: f64,
    #[command(flatten)]
    #[serde(flatten)]
    pub pairs: PairsRequest,
}

/// BrainHub's groups of COCO's categories.
const GROUPS: [(&str, &str); 5] = [
    ("all", "all"),
    ("salient", "salient"),
    ("salient_creatures", "salient creatures"),
    ("salient_objects", "salient objects"),
    ("inconspicuous", "inconspicuous"),
];

fn is_in(group: &str, category: &str) -> bool {
    let salient = is_salient(category) == Some(true);
    let creature = matches!(supercategory(category), Some("person" | "animal"));
    match group {
        "salient" => salient,
        "salient_creatures" => salient && creature,
        "salient_objects" => salient && !creature,
        "inconspicuous" => !salient,
        _ => true,
    }
}

/// Accuracy and mean intersection over union of decoded boxes, for each group of categories.
///
/// # Errors
/// A file has no boxes; a category is not one of COCO's; only one file has an image; the threshold is outside 0 to 1.
pub fn ground(request: &GroundRequest) -> Result<BenchmarkRun, Error> {
    if !(0.0..1.0).contains(&request.threshold) {
        return Err(Error::Usage(format!(
            "{} is {}; expected an intersection over union from 0 to below 1",
            option("threshold", ""),
            request.threshold
        )));
    }
    let labels = LabelList::coco();
    // Boxes are shares of the image, and their ratios need no size.
    let read = |path: &PathBuf| {
        let boxes = detections::read_boxes(path, &labels, (1.0, 1.0))?;
        detections::check_upright(path, &labels, &boxes).map(|()| boxes)
    };
    let (reference, decoded) = (read(&request.reference)?, read(&request.decoded)?);
    let (of_reference, of_decoded) = (stems_of(&reference), stems_of(&decoded));
    let sides = (
        (of_reference.as_slice(), request.reference.as_path()),
        (of_decoded.as_slice(), request.decoded.as_path()),
    );
    let (paired, found) = request.pairs.pair(("boxes", String::new()), sides.0, sides.1)?;
    let pairs = paired.pairs;
    let images: Vec<Image> = pairs
        .iter()
        .map(|pair| Image::of(&reference[pair.gt].1, &decoded[pair.recon].1, request.threshold))
        .collect();
    let options = BootstrapOptions {
        level: request.level,
        ..BootstrapOptions::default()
    };
    let mut record = BenchmarkRecord::new("ground", request, (request.level, None), &CONVENTIONS);
    (record.row_heading, record.counted) = ("categories", "boxes");
    record.n_images = images.len();
    record.findings = found.into_iter().chain(findings(&images)).collect();
    for (role, path) in [("reference", &request.reference), ("decoded", &request.decoded)] {
        record.provenance.inputs.push(InputRecord::of_file(role.to_owned(), path)?);
    }
    let is_marked = record.rests_on_placeholder::<Detections>([&request.reference, &request.decoded])?;
    let mut scores = ScoreTable::new(pairs.iter().map(|pair| pair.stem.clone()).collect());
    for (id, name) in GROUPS {
        let totals: Vec<Totals> = images.iter().map(|image| image.totals(id, &labels)).collect();
        record.rows.push(row(name, &totals, &options)?.marked(|_| is_marked));
        for (metric, of) in MEASURES {
            let column = totals.iter().map(|totals| totals.mean(of)).collect();
            scores.columns.push((format!("{id}/{metric}"), column));
        }
    }
    Ok(BenchmarkRun { record, scores })
}

fn row(name: &str, totals: &[Totals], options: &BootstrapOptions) -> Result<BenchmarkRow, Error> {
    let share = |of: TotalOf| {
        estimate_ratio(&totals.iter().map(|totals| (of(totals), totals.n as f64)).collect::<Vec<_>>(), options)
    };
    let [accuracy, iou] = MEASURES;
    Ok(BenchmarkRow {
        name: name.to_owned(),
        n: totals.iter().map(|totals| totals.n).sum(),
        measures: vec![
            Measure::new(accuracy.0, "accuracy", &share(accuracy.1)?),
            Measure::new(iou.0, "IoU", &share(iou.1)?),
        ],
    })
}

type TotalOf = fn(&Totals) -> f64;
const MEASURES: [(&str, TotalOf); 2] = [("accuracy", |totals| totals.hits), ("iou", |totals| totals.iou)];

#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    n: usize,
    hits: f64,
    iou: f64,
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.n += other.n;
        self.hits += other.hits;
        self.iou += other.iou;
    }

    fn mean(&self, of: TotalOf) -> Outcome {
        if self.n == 0 {
            return Err(Undefined::NoCategories(Side::Gt));
        }
        Ok(of(self) / self.n as f64)
    }
}

/// One image: the first box of each reference category with the first decoded one.
struct Image {
    /// Category, hit and IoU of each box.
    boxes: Vec<(usize, Outcome, Outcome)>,
    n_missing: usize,
    n_extra: usize,
}

impl Image {
    fn of(reference: &Detections, decoded: &Detections, threshold: f64) -> Self {
        let wanted = grounded_boxes(reference, decoded);
        // In the reverse direction, this finds decoded boxes without a partner, whose categories were not requested.
        let given = grounded_boxes(decoded, reference);
        let lacking =
            |boxes: &[(usize, GroundedBox)]| boxes.iter().filter(|(_, boxes)| boxes.decoded.is_none()).count();
        Image {
            n_missing: lacking(&wanted),
            n_extra: lacking(&given),
            boxes: wanted
                .into_iter()
                .map(|(category, pair)| (category, grounding_hit(&pair, threshold), grounding_iou(&pair)))
                .collect(),
        }
    }

    fn totals(&self, group: &str, labels: &LabelList) -> Totals {
        let mut totals = Totals::default();
        for (category, hit, iou) in &self.boxes {
            let name = labels.names().get(*category).map_or("", String::as_str);
            if let (true, Ok(hit), Ok(iou)) = (is_in(group, name), hit, iou) {
                totals.add(&Totals {
                    n: 1,
                    hits: *hit,
                    iou: *iou,
                });
            }
        }
        totals
    }
}

fn findings(images: &[Image]) -> Vec<Finding> {
    let sum = |of: fn(&Image) -> usize| images.iter().map(of).sum::<usize>();
    let flat = |image: &Image| image.boxes.iter().filter(|(.., iou)| iou.is_err()).count();
    let found = [
        (
            "grounding_missing",
            sum(|image| image.n_missing),
            "categories of the reference have no decoded box and count with IoU 0",
        ),
        (
            "grounding_extra",
            sum(|image| image.n_extra),
            "decoded categories are not in the reference of their image and do not count",
        ),
        ("grounding_flat", sum(flat), "reference boxes have no area and do not count"),
    ];
    let found = found.into_iter().filter(|(_, n, _)| *n > 0);
    found.map(|(code, n, what)| Finding::warning(code, "grounding", format!("{n} {what}"))).collect()
}
