//! `neurogauge gallery`.

use crate::args::GalleryArgs;
use crate::output::Done;
use neurogauge::Error;
use neurogauge::report::figures::FigureFormat;
use neurogauge_gallery::{GalleryRequest, Pick, gallery};

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
