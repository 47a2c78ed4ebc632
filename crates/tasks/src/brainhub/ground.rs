//! Brain grounding.

use super::{BenchmarkRecord, BenchmarkRow, BenchmarkRun, Measure};
use crate::pairs::PairsRequest;
use clap::Args;
use neurogauge::core::option_values::{Finite, Level, number};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::Form;
use neurogauge::core::{BoxXyxy, Detections, Finding, LabelList, Outcome, ScoreTable, Side, Sides, Undefined};
use neurogauge::formats::detections::{BoxUnits, DetectionSource};
use neurogauge::formats::{Problem, item_source::ItemSource};
use neurogauge::metrics::categories::{is_salient, supercategory};
use neurogauge::metrics::decoding::grounding::{GroundedBox, grounded_boxes, grounding_hit, grounding_iou};
use neurogauge::stats::{BootstrapOptions, estimate_ratio};
use neurogauge::{Error, InputRecord, Silent, label_list};
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
    /// height, or all else that `--gt detections=` takes. The first box of each category counts, or the most confident
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
    /// What the numbers of categories mean where the files do not say it: coco, coco_gender, god, or a file of names
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<String>,
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
/// A file has no boxes; numbers of categories have no names; only one file has an image; the threshold is outside 0 to
/// 1.
pub fn ground(request: &GroundRequest) -> Result<BenchmarkRun, Error> {
    if !(0.0..1.0).contains(&request.threshold) {
        return Err(Error::Usage(format!(
            "{} is {}; expected an intersection over union from 0 to below 1",
            option("threshold", ""),
            request.threshold
        )));
    }
    let boxes = Boxes::open(request)?;
    let Boxes { sides, labels, .. } = &boxes;
    let form = Form::of_both(Sides::new(sides.gt.taken_for(), sides.recon.taken_for()));
    let (gt, recon) = ((sides.gt.stems(), sides.gt.path()), (sides.recon.stems(), sides.recon.path()));
    let (paired, found) = request.pairs.pair(("boxes", form), gt, recon)?;
    let pairs = paired.pairs;
    let images = pairs.iter().map(|pair| {
        let of = Sides::of(|side| boxes.of(side, pair.of(side)))?;
        Ok(Image::of(&of.gt, &of.recon, request.threshold))
    });
    let images = images.collect::<Result<Vec<Image>, Error>>()?;
    let options = BootstrapOptions {
        level: request.level,
        ..BootstrapOptions::default()
    };
    let mut record = BenchmarkRecord::new("ground", request, (request.level, None), &CONVENTIONS);
    (record.row_heading, record.counted) = ("categories", "boxes");
    record.n_images = images.len();
    record.findings = found.into_iter().chain(findings(&images)).collect();
    for (role, source) in [("reference", &sides.gt), ("decoded", &sides.recon)] {
        record.provenance.inputs.push(match source.path().is_dir() {
            true => InputRecord::of_items(role, source, &Silent)?,
            false => InputRecord::of_file(role.to_owned(), source.path())?,
        });
    }
    let is_marked = record.rests_on_placeholder::<Detections>([&request.reference, &request.decoded])?;
    let mut scores = ScoreTable::new(pairs.iter().map(|pair| pair.stem.clone()).collect());
    for (id, name) in GROUPS {
        let totals: Vec<Totals> = images.iter().map(|image| image.totals(id, labels)).collect();
        record.rows.push(row(name, &totals, &options)?.marked(|_| is_marked));
        for (metric, of) in MEASURES {
            let column = totals.iter().map(|totals| totals.mean(of)).collect();
            scores.columns.push((format!("{id}/{metric}"), column));
        }
    }
    Ok(BenchmarkRun { record, scores })
}

/// The boxes of both sides, in one unit.
struct Boxes {
    sides: Sides<DetectionSource>,
    labels: LabelList,
    /// The side whose boxes are pixels where those of the other are shares of the image.
    in_pixels: Option<Side>,
}

impl Boxes {
    fn open(request: &GroundRequest) -> Result<Self, Error> {
        let given = request.labels.as_deref().map(label_list).transpose()?;
        let paths = Sides::new(request.reference.clone(), request.decoded.clone());
        let known = given.clone().unwrap_or_else(LabelList::coco);
        // Ratios of boxes need no size of the image.
        let mut sides = DetectionSource::open_both(&paths, &known, (1.0, 1.0))?;
        let seen = Sides::new(sides.gt.seen()?, sides.recon.seen()?);
        let units = (sides.gt.units(&seen.gt), sides.recon.units(&seen.recon));
        let seen = seen.gt.and(seen.recon);
        let labels = match (given, &seen.names_of_numbers) {
            (Some(given), _) => given,
            (None, Some(names)) => LabelList::of_names(names),
            (None, None) => known,
        };
        if request.labels.is_none() {
            seen.refuse_unnamed()?;
        }
        sides.gt.set_labels(labels.clone());
        sides.recon.set_labels(labels.clone());
        Ok(Boxes {
            sides,
            labels,
            in_pixels: match units {
                (Some(BoxUnits::Pixels), Some(BoxUnits::Shares)) => Some(Side::Gt),
                (Some(BoxUnits::Shares), Some(BoxUnits::Pixels)) => Some(Side::Recon),
                _ => None,
            },
        })
    }

    /// The boxes of the image at this place, the most confident first.
    fn of(&self, side: Side, place: usize) -> Result<Detections, Error> {
        let source = self.sides.side(side);
        let mut found = source.load_upright(place)?;
        found.items.sort_by(|a, b| b.score.total_cmp(&a.score));
        if self.in_pixels == Some(side) && !found.items.is_empty() {
            let (width, height) = found.image_size_px.ok_or_else(|| {
                let reason = "boxes in pixels of an image of unknown size, and those of the other side are shares of the image; expected \
                              the image's size in the file (COCO's images, or ori_shape), or one unit on both sides";
                Problem::invalid(format!("{:?}", source.stems()[place]), reason.to_owned()).at(source.path())
            })?;
            for item in &mut found.items {
                let [x0, y0, x1, y1] = item.bbox.edges();
                item.bbox = BoxXyxy::of([x0 / width, y0 / height, x1 / width, y1 / height]);
            }
        }
        Ok(found)
    }
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
