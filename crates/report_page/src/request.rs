//! The request of a page.

use neurogauge::SubjectPattern;
use neurogauge::stats::SubjectPopulation;
use std::path::PathBuf;

/// Which results a page shows, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageRequest {
    /// Folders of finished runs, one or more.
    pub runs: Vec<PathBuf>,
    pub meta: Vec<PathBuf>,
    pub align: Vec<PathBuf>,
    /// Folders with results of `audit` for the runs' stimuli.
    pub audit: Vec<PathBuf>,
    pub multiverse: Vec<PathBuf>,
    /// The names of the runs' systems; empty for the names of their folders.
    pub names: Vec<String>,
    /// The pattern of runs' names if several of them are subjects of one system, and the population of means over
    /// subjects.
    pub subjects: Option<(SubjectPattern, SubjectPopulation)>,
    /// Ids of the metrics that the page shows, if the runs have them; empty for all.
    pub metrics: Vec<String>,
    /// Sections of the result that the runs belong to; they follow the overview.
    pub sections: Vec<Section>,
    /// Files that the page offers in addition to the runs' summaries: names and contents.
    pub files: Vec<(String, String)>,
    /// The command that made the page, if it is not `neurogauge report`; empty if unknown.
    pub command: Option<String>,
    /// The heading; `None` for the names of the runs.
    pub title: Option<String>,
    /// The output file; linked images are named after it.
    pub out: PathBuf,
    pub images: ImagePlacement,
    /// Longer side of the thumbnails in px; `None` chooses the largest that keep the file small.
    pub thumbnail_px: Option<usize>,
    /// Are images blurred beyond recognition?
    pub blurred: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImagePlacement {
    #[default]
    Within,
    Beside,
    Nowhere,
}

/// A section of the page: another result with its own text and figures.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Section {
    /// Its anchor on the page, in lower-case letters.
    pub id: &'static str,
    pub heading: String,
    pub parts: Vec<SectionPart>,
}

/// Tables and sentences, and the figures below them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SectionPart {
    /// Headings, sentences and tables, as `neurogauge` writes Markdown.
    pub markdown: String,
    /// Figures with their descriptions.
    pub figures: Vec<(String, SectionFigure)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SectionFigure {
    Svg(String),
    Png(Vec<u8>),
}

impl PageRequest {
    /// The results of other commands, by the name of the command.
    pub(crate) fn results(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let all = [
            ("meta", &self.meta),
            ("align", &self.align),
            ("audit", &self.audit),
            ("multiverse", &self.multiverse),
        ];
        all.into_iter().flat_map(|(command, folders)| folders.iter().map(move |folder| (command, folder)))
    }

    /// The name of the folder beside the page.
    pub(crate) fn folder_beside(&self) -> String {
        format!("{}_files", self.out.file_stem().unwrap_or_default().to_string_lossy())
    }
}
