//! `neurogauge gallery`.

use crate::args::*;
use crate::output::Done;
use neurogauge::Error;
use neurogauge::report::figures::FigureFormat;
use neurogauge_gallery::{GalleryRequest, Pick, gallery};

#[derive(Debug, Args)]
pub(crate) struct GalleryArgs {
    /// Stimuli: a folder, an .npy stack or a .pt tensor file [default: those of the first run among the systems]
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) gt: Option<PathBuf>,
    /// Systems: each a name with the folder of its reconstructions, or of a finished run
    #[arg(long, value_name = "NAME=PATH", value_parser = named_path, num_args = 1.., required = true, help_heading = "Inputs")]
    pub(crate) recon: Vec<(String, PathBuf)>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) reading: ReadingArgs,
    /// Pairs, in this order: best, median, worst, largest-gain:A-B (each with :N for N of them), or stems
    #[arg(long, value_name = "PICK,...", value_delimiter = ',', value_parser = Pick::of, help_heading = "Pairs", defaults_to = "best,median,worst")]
    pub(crate) pick: Vec<Pick>,
    /// Metric by whose scores pairs are picked [default: the first of --metric, else pixcorr]
    #[arg(long, value_name = "METRIC", help_heading = "Pairs")]
    pub(crate) by: Option<String>,
    /// System by whose scores pairs are picked [default: the mean over all systems]
    #[arg(long, value_name = "NAME", help_heading = "Pairs")]
    pub(crate) by_system: Option<String>,
    /// Metrics whose scores are shown below reconstructions: of the runs, or computed here if they compare pixels
    #[arg(long, value_name = "METRIC,...", value_delimiter = ',', help_heading = "Figures")]
    pub(crate) metric: Vec<String>,
    /// Captions below images: those of runs, and of captions.json beside images
    #[arg(long, help_heading = "Figures")]
    pub(crate) captions: bool,
    /// Captions below the images of a system, or of the stimuli (gt), from a file: JSON, {"stem": "text"}. May be
    /// repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = named_path, help_heading = "Figures")]
    pub(crate) caption_file: Vec<(String, PathBuf)>,
    /// The masks of each level of BASIC-L beside each image, a row for each image; systems are runs with masks
    #[arg(long, help_heading = "Figures", conflicts_with_all = ["stimuli_in_column", "metric", "captions", "caption_file"])]
    pub(crate) masks: bool,
    /// Stimuli in the first column instead of the first row
    #[arg(long, help_heading = "Figures")]
    pub(crate) stimuli_in_column: bool,
    #[command(flatten)]
    pub(crate) style: FigureStyleArgs,
    /// The figure: .pdf, .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    /// Replace a file of that name
    #[arg(long, help_heading = "Outputs")]
    pub(crate) overwrite: bool,
}

pub(crate) fn written(args: &GalleryArgs) -> Result<Done, Error> {
    // Refuses an unknown format before any image is read.
    FigureFormat::of_path(&args.out)?;
    let gallery = gallery(&GalleryRequest {
        gt: args.gt.clone(),
        systems: args.recon.clone(),
        pairing: (&args.pairing).try_into()?,
        reading: (&args.reading).into(),
        picks: match args.pick.as_slice() {
            [] => Pick::default_picks(),
            picks => picks.to_vec(),
        },
        by: args.by.clone(),
        by_system: args.by_system.clone(),
        metrics: args.metric.clone(),
        captions: args.captions,
        caption_files: args.caption_file.clone(),
        masks: args.masks,
        stimuli_in_column: args.stimuli_in_column,
    })?;
    gallery.write(&args.out, &args.style.style(), args.overwrite)?;
    let (warnings, taken): (Vec<_>, Vec<_>) = (gallery.findings.iter()).partition(|finding| finding.is_warning());
    let mut messages = gallery.notes.clone();
    messages.extend(taken.iter().map(ToString::to_string));
    messages.push(format!("{}: {}", args.out.display(), gallery.shown()));
    Ok(Done {
        warnings: warnings.iter().map(ToString::to_string).collect(),
        messages,
        ..Done::default()
    })
}
