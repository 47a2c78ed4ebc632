//! `neurogauge report`.

use crate::args::*;
use crate::output::Done;
use neurogauge::{Error, Progress};
use neurogauge_report_page::{ImagePlacement, PageRequest, page, thumbnail_default};

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Finished run folders, one or more; none with results of other commands alone
    #[arg(value_name = "RUN", required_unless_present_any = ["meta", "align", "audit", "multiverse"], num_args = 1..)]
    pub(crate) runs: Vec<PathBuf>,
    /// Also show the results of `meta` in this folder, and the ratings of a run's pairs. May be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) meta: Vec<PathBuf>,
    /// Also show the results of `align` in this folder. May be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) align: Vec<PathBuf>,
    /// Also show what `audit` wrote into this folder, and what the cluster alone gives beside every accuracy of
    /// identification. May be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) audit: Vec<PathBuf>,
    /// Also show what `multiverse` wrote into this folder: every metric under every convention. May be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) multiverse: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) subjects: SubjectArgs,
    /// Heading of the page [default: the names of the runs]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The HTML file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// Replace a file of that name
    #[arg(long, help_heading = "Output")]
    pub(crate) overwrite: bool,
    /// Longer side of the thumbnails
    #[arg(long, value_name = "PX", help_heading = "Images", defaults_to = thumbnail_default())]
    pub(crate) thumbnail_size: Option<Count<MAX_PX>>,
    /// Put the images into a folder beside the page, which is then no longer one file
    #[arg(long, conflicts_with = "no_images", help_heading = "Images")]
    pub(crate) linked: bool,
    /// Show no images
    #[arg(long, conflicts_with_all = ["thumbnail_size", "blur"], help_heading = "Images")]
    pub(crate) no_images: bool,
    /// Blur all images beyond recognition, for data whose licence forbids passing them on
    #[arg(long, help_heading = "Images")]
    pub(crate) blur: bool,
}

impl ReportArgs {
    pub(crate) fn request(&self) -> PageRequest {
        PageRequest {
            runs: self.runs.clone(),
            meta: self.meta.clone(),
            align: self.align.clone(),
            audit: self.audit.clone(),
            multiverse: self.multiverse.clone(),
            subjects: (self.subjects.subjects.clone()).map(|p| (p, self.subjects.population())),
            title: self.title.clone(),
            out: self.out.clone(),
            images: match (self.linked, self.no_images) {
                (true, _) => ImagePlacement::Beside,
                (_, true) => ImagePlacement::Nowhere,
                _ => ImagePlacement::Within,
            },
            thumbnail_px: self.thumbnail_size.map(usize::from),
            blurred: self.blur,
            ..PageRequest::default()
        }
    }
}

pub(crate) fn written(args: &ReportArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let page = page(&args.request(), progress)?;
    page.write(&args.out, args.overwrite)?;
    Ok(Done {
        warnings: page.findings.iter().map(ToString::to_string).collect(),
        messages: vec![format!("{}: {}", args.out.display(), page.done)],
        ..Done::default()
    })
}
