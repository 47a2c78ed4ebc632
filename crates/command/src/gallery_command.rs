//! `neurogauge gallery`.

use crate::args::*;
use crate::output::Done;
use neurogauge::Error;
use neurogauge::report::figures::FigureFormat;
use neurogauge_gallery::{GalleryRequest, gallery};

#[derive(Debug, Args)]
#[command(mut_arg("set", only(PAIRING)))]
pub(crate) struct GalleryArgs {
    #[command(flatten)]
    pub(crate) request: GalleryRequest,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) set: SetArgs,
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
    // Refuses an unknown format before reading any image.
    FigureFormat::of_path(&args.out)?;
    let read = args.set.request(&args.pairing)?;
    let gallery = gallery(&GalleryRequest {
        pairing: read.pairing,
        reading: read.reading,
        ..args.request.clone()
    })?;
    let written = gallery.write(&args.out, &args.style.style(), args.overwrite)?;
    let written: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    let shown = gallery.findings.iter().filter(|finding| finding.is_shown());
    let (warnings, taken): (Vec<_>, Vec<_>) = shown.partition(|finding| finding.is_warning());
    let mut messages = gallery.notes.clone();
    messages.extend(taken.iter().map(ToString::to_string));
    messages.push(format!("{}: {}", written.join(", "), gallery.shown()));
    Ok(Done {
        warnings: warnings.iter().map(ToString::to_string).collect(),
        messages,
        ..Done::default()
    })
}
