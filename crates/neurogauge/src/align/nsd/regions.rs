//! Regions of interest: labels of vertices or voxels.

use super::super::config::NsdFiles;
use crate::Error;
use neurogauge_alignment::Unit;
use neurogauge_formats::{FormatError, volume};
use std::ops::Range;
use std::path::PathBuf;

/// The vertices or voxels of one hemisphere that belong to a region.
pub(super) struct Regions {
    pub(super) subject: usize,
    pub(super) hemisphere: String,
    /// The file of labels.
    pub(super) path: PathBuf,
    /// Voxels along X, Y and Z; a surface has (vertices, 1, 1).
    pub(super) size: [usize; 3],
    /// Region after region; X runs fastest.
    pub(super) places: Vec<usize>,
    /// Name of each region and where its places are.
    regions: Vec<(String, Range<usize>)>,
}

impl Regions {
    pub(super) fn read(
        files: &NsdFiles,
        subject: usize,
        hemisphere: &str,
    ) -> Result<Regions, Error> {
        let name = files.roi_labels().replace("{hemisphere}", hemisphere);
        let name = name.replace("{subject}", &subject_name(subject));
        let labels = volume::read(&files.folder.join(name))?;
        let mut regions = Regions {
            subject,
            hemisphere: hemisphere.to_owned(),
            path: labels.path,
            size: labels.size,
            places: Vec::new(),
            regions: Vec::new(),
        };
        for (roi, &code) in &files.rois {
            let first = regions.places.len();
            let labelled = labels.values.iter().enumerate();
            let is_in = labelled.filter(|&(_, &label)| label == f64::from(code));
            regions.places.extend(is_in.map(|(place, _)| place));
            let places = first..regions.places.len();
            if places.is_empty() {
                let unit = regions.unit(roi);
                let error = FormatError::Invalid {
                    path: regions.path,
                    place: format!("region {roi}"),
                    reason: format!(
                        "{unit}: no {} has its code, {code}; correct `rois` or `roi_labels`",
                        files.space.place()
                    ),
                };
                return Err(error.into());
            }
            regions.regions.push((roi.clone(), places));
        }
        Ok(regions)
    }

    /// Each region's unit and where in `places` it is.
    pub(super) fn units(&self) -> impl Iterator<Item = (Unit, Range<usize>)> + '_ {
        let regions = self.regions.iter();
        regions.map(|(roi, places)| (self.unit(roi), places.clone()))
    }

    fn unit(&self, roi: &str) -> Unit {
        Unit::new(&subject_name(self.subject), &self.hemisphere, roi)
    }
}

/// As in the names of folders.
pub(super) fn subject_name(subject: usize) -> String {
    format!("subj{subject:02}")
}
