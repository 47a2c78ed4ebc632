//! Shapes decoded from brains: `neurogauge score shapes`.

use super::{BenchmarkRecord, BenchmarkRow, BenchmarkRun, Measure, stems_of};
use crate::pairs::{PairsRequest, SystemNames};
use clap::Args;
use neurogauge::Error;
use neurogauge::InputRecord;
use neurogauge::core::option_values::{Count, number};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{Form, listed};
use neurogauge::core::parallel;
use neurogauge::core::words::{choice, word_of};
use neurogauge::core::{Finding, Outcome, ScoreTable, Seed, Undefined};
use neurogauge::formats::shapes::{self, Shape};
use neurogauge::metrics::decoding::point_clouds::{
    ChamferForm, Point, PointScale, chamfer_distance, earth_movers_distance, sample_points,
};
use neurogauge::stats::{BootstrapOptions, estimate_within};
use serde::Serialize;
use std::path::{Path, PathBuf};

const CONVENTIONS: [&str; 3] = ["chamfer-form", "point-cloud-scale", "point-cloud-samples"];
const MAX_DRAWN_POINTS: usize = 1_000_000;
const METRICS: [(&str, &str); 2] = [("chamfer_distance", "Chamfer"), ("earth_movers_distance", "EMD")];

/// The seen shapes, and those that systems decoded.
#[derive(Debug, Clone, PartialEq, Serialize, Args)]
pub struct ShapesRequest {
    /// Folder of the seen shapes: .npy (points, 3), .ply or .obj
    #[arg(value_name = "GT")]
    pub gt: PathBuf,
    /// Folder of decoded shapes with the same stems. Several folders are several systems, called as
    /// their folders
    #[arg(value_name = "RECON", required = true)]
    pub recon: Vec<PathBuf>,
    /// Which Chamfer distance: squared distances of both directions added, or the mean of both
    /// directions' distances
    #[arg(long, value_parser = choice::<ChamferForm>(), default_value = word_of(&ChamferForm::default()), help_heading = "Shapes")]
    pub chamfer: ChamferForm,
    /// The size and place at which shapes are compared
    #[arg(long, value_parser = choice::<PointScale>(), default_value = word_of(&PointScale::default()), help_heading = "Shapes")]
    pub scale: PointScale,
    /// Points drawn from each shape: from the surface of its faces, or from its points if it has none
    /// [default: its points]
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_DRAWN_POINTS>, usize>, help_heading = "Shapes")]
    pub points: Option<usize>,
    #[command(flatten)]
    #[serde(flatten)]
    pub pairs: PairsRequest,
    /// Seed of these draws, and the intervals.
    #[arg(skip)]
    pub bootstrap: BootstrapOptions,
}

/// Computes the Chamfer distance and the earth mover's distance of decoded shapes.
///
/// # Errors
/// A folder has no shapes; a file is not a shape; only one folder has a stem; two systems have one name.
pub fn shapes(request: &ShapesRequest) -> Result<BenchmarkRun, Error> {
    let all = shapes::list(&request.gt)?;
    let names = super::caption::system_names(&request.recon)?;
    let folders = request.recon.iter().map(|folder| shapes::list(folder)).collect::<Result<Vec<_>, _>>()?;
    let systems = names.iter().zip(&request.recon).zip(&folders).map(|((system, path), files)| SystemNames {
        system,
        names: stems_of(files),
        path,
        form: Form::usual("files of points and faces"),
    });
    let (systems, stems) = (systems.collect::<Vec<_>>(), stems_of(&all));
    let shared = request.pairs.pair_systems("shapes", (stems.as_slice(), request.gt.as_path()), &systems)?;
    let chosen = |files: &[(String, PathBuf)], places: &[usize]| -> Vec<(String, PathBuf)> {
        places.iter().map(|&place| files[place].clone()).collect()
    };
    let seen = chosen(&all, &shared.kept);
    let mut record = BenchmarkRecord::new(
        "shapes",
        request,
        (request.bootstrap.level, Some(request.bootstrap.seed.0)),
        &CONVENTIONS,
    );
    (record.counted, record.n_images, record.findings) = ("shapes", seen.len(), shared.findings);
    record.provenance.inputs.push(input("gt", &request.gt, &seen)?);
    let gt = clouds(&seen, 0, request)?;
    let mut scores = ScoreTable::new(stems_of(&seen));
    for (place, (name, folder)) in names.into_iter().zip(&request.recon).enumerate() {
        let decoded = chosen(&folders[place], &shared.of_systems[place]);
        record.provenance.inputs.push(input(&name, folder, &decoded)?);
        // These draws differ from those for the seen shapes, so that a shape is not compared with its own points.
        let recon = clouds(&decoded, seen.len() as u64, request)?;
        let of_pairs = |distance: &(dyn Fn(&[Point], &[Point]) -> Outcome + Sync)| -> Vec<Outcome> {
            let of_pair = |(gt, recon): (&Cloud, &Cloud)| match (gt, recon) {
                (Ok(gt), Ok(recon)) => distance(gt, recon),
                (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
            };
            parallel::map(gt.len().min(recon.len()), |place| of_pair((&gt[place], &recon[place])))
        };
        let columns = [
            of_pairs(&|gt, recon| chamfer_distance(gt, recon, request.chamfer)),
            of_pairs(&earth_movers_distance),
        ];
        let mut measures = Vec::new();
        for ((id, label), column) in METRICS.into_iter().zip(columns) {
            let found = estimate_within(&[&column], (0.0, f64::INFINITY), &request.bootstrap)?;
            let mut measure = Measure::new(id, label, &found);
            if let (None, Some(Err(reason))) = (measure.value, column.first()) {
                measure.undefined = Some(reason.to_string());
            }
            record.findings.extend(without_value(&name, (id, label), &column, &seen));
            measures.push(measure);
            scores.columns.push((format!("{name}/{id}"), column));
        }
        record.rows.push(BenchmarkRow {
            name,
            n: seen.len(),
            measures,
        });
    }
    Ok(BenchmarkRun { record, scores })
}

/// The points at which a shape is compared, or the reason why it has none.
type Cloud = Result<Vec<Point>, Undefined>;

/// The clouds of a folder's shapes.
fn clouds(files: &[(String, PathBuf)], first_draw: u64, request: &ShapesRequest) -> Result<Vec<Cloud>, Error> {
    let of_file = |(index, (_, path)): (usize, &(String, PathBuf))| {
        let shape = shapes::read(path)?;
        Ok(cloud(&shape, first_draw + index as u64, request))
    };
    parallel::try_map(files.len(), |index| of_file((index, &files[index])))
}

fn cloud(shape: &Shape, draw: u64, request: &ShapesRequest) -> Cloud {
    let seed: Seed = request.bootstrap.seed;
    let points = match request.points {
        Some(n) => sample_points(&shape.vertices, &shape.triangles, n, seed, draw).ok_or_else(|| {
            let n_points = option("points", "");
            Undefined::Because(format!("shapes with fewer points than {n_points}, or of triangles without area").into())
        })?,
        None => shape.vertices.clone(),
    };
    request.scale.apply(points)
}

fn input(role: &str, folder: &Path, files: &[(String, PathBuf)]) -> Result<InputRecord, Error> {
    let names: Vec<&str> = files.iter().filter_map(|(_, path)| path.file_name()?.to_str()).collect();
    Ok(InputRecord::of_files(role.to_owned(), folder, &names)?)
}

/// Says which shapes of a system have no distance.
fn without_value(
    system: &str,
    (id, label): (&'static str, &str),
    column: &[Outcome],
    seen: &[(String, PathBuf)],
) -> Option<Finding> {
    let missing = column.iter().zip(seen).filter(|(outcome, _)| outcome.is_err());
    let (outcomes, stems): (Vec<&Outcome>, Vec<&str>) =
        missing.map(|(outcome, (stem, _))| (outcome, stem.as_str())).unzip();
    let reason = outcomes.first()?.as_ref().err()?;
    let (n, shown) = (stems.len(), listed(stems.into_iter()));
    let words = format!("{system}: {label} of {n} shapes is undefined ({reason}): {shown}");
    Some(Finding::warning("shapes_without_distance", id, words))
}
