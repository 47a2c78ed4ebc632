//! `neurogauge caption`, `neurogauge ground` and `neurogauge shapes`.

use crate::args::*;
use neurogauge::Error;
use neurogauge::stats::BootstrapOptions;
use neurogauge_tasks::brainhub::{CaptionRequest, GroundRequest, ShapesRequest, caption, ground, shapes};

const MAX_DRAWN_POINTS: usize = 1_000_000;

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where run.json, scores.parquet and summary.{md,tex,csv} go")))]
pub(crate) struct CaptionArgs {
    #[command(flatten)]
    pub(crate) request: CaptionRequest,
    /// Reduce words to their stems for ROUGE-1, ROUGE-2 and ROUGE-L (F1)
    #[arg(long, value_enum, help_heading = "Metrics", defaults_to = on_off(SCORE.options.rouge_stemming))]
    pub(crate) rouge_stemming: Option<Switch>,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where run.json, scores.parquet and summary.{md,tex,csv} go")))]
pub(crate) struct GroundArgs {
    /// Where things are: JSON, {"stem": {"category": [[x0, y0, x1, y1], ...]}}, as shares of width and
    /// height. The first box of each category counts
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) reference: PathBuf,
    /// Where they were decoded to be: the same, or with one more list around (answers)
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) decoded: PathBuf,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    /// A box is right if its intersection over union is more than this
    #[arg(
        long,
        value_name = "IOU",
        default_value = "0.5",
        allow_negative_numbers = true,
        help_heading = "Grounding"
    )]
    pub(crate) threshold: Finite,
    /// Level of the intervals
    #[arg(
        long, value_name = "LEVEL", allow_negative_numbers = true,
        help_heading = "Intervals", defaults_to = SCORE.bootstrap.level
    )]
    pub(crate) level: Option<Level>,
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where run.json, scores.parquet and summary.{md,tex,csv} go")))]
pub(crate) struct ShapesArgs {
    /// Folder of the seen shapes: .npy (points, 3), .ply or .obj
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub(crate) gt: PathBuf,
    /// Folder of decoded shapes with the same stems. Several folders are several systems, called as
    /// their folders
    #[arg(long, value_name = "DIR", required = true, num_args = 1.., help_heading = "Inputs")]
    pub(crate) recon: Vec<PathBuf>,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    /// Points drawn from each shape: from the surface of its faces, or from its points if it has none
    /// [default: its points]
    #[arg(long, value_name = "N", help_heading = "Shapes")]
    pub(crate) points: Option<Count<MAX_DRAWN_POINTS>>,
    /// Which Chamfer distance: squared distances of both directions added, or the mean of both
    /// directions' distances
    #[arg(long, value_parser = choice::<ChamferForm>(), default_value = word_of(&ChamferForm::default()), help_heading = "Shapes")]
    pub(crate) chamfer: ChamferForm,
    /// The size and place at which shapes are compared
    #[arg(long, value_parser = choice::<PointScale>(), default_value = word_of(&PointScale::default()), help_heading = "Shapes")]
    pub(crate) scale: PointScale,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

pub(crate) fn run_caption(args: &CaptionArgs) -> Result<(), Error> {
    let run = caption(&CaptionRequest {
        rouge_stemming: args.rouge_stemming.is_some_and(bool::from),
        bootstrap: args.bootstrap.options(),
        ..args.request.clone()
    })?;
    args.place.written(&run, None)?.print()
}

pub(crate) fn run_ground(args: &GroundArgs) -> Result<(), Error> {
    let run = ground(&GroundRequest {
        reference: args.reference.clone(),
        decoded: args.decoded.clone(),
        threshold: args.threshold.into(),
        level: args.level.map_or(BootstrapOptions::default().level, Into::into),
    })?;
    args.place.written(&run, None)?.print()
}

pub(crate) fn run_shapes(args: &ShapesArgs) -> Result<(), Error> {
    let run = shapes(&ShapesRequest {
        gt: args.gt.clone(),
        recon: args.recon.clone(),
        chamfer: args.chamfer,
        scale: args.scale,
        points: args.points.map(Into::into),
        bootstrap: args.bootstrap.options(),
    })?;
    args.place.written(&run, None)?.print()
}
