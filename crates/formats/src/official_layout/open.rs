//! Reads the official layout.

use super::names::{CaptionedNames, by_name, by_stem};
use super::{CAP_SIM, EFFNET, GT_CAPTIONS, OBJECT_F1, OfficialLayout, PREDS, RECON_CAPTIONS, order};
use crate::captions::stem_of_image_name;
use crate::detections::DetectionSource;
use crate::item_source::ItemSource;
use crate::{FormatError, Problem, npy};
use neurogauge_core::pair::natural_order;
use neurogauge_core::{Finding, LabelList};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

impl OfficialLayout {
    /// Does this folder look like the official layout?
    pub fn detect(folder: &Path) -> bool {
        let files = [GT_CAPTIONS, RECON_CAPTIONS, OBJECT_F1, EFFNET, CAP_SIM];
        PREDS.iter().any(|preds| folder.join(preds).is_dir()) || files.iter().any(|file| folder.join(file).is_file())
    }

    /// Opens `evaluations/<model>/`. `labels` is the detector's list (`coco_gender` in SEED).
    ///
    /// If no caption file has the images' names, they are assumed to be the stems of the detections with the extension
    /// `.png`. Stems that are not integers cannot come from the official code (it stops on them); values for them are
    /// read in natural order, as [`export`](super::export()) writes them, and with a warning.
    ///
    /// # Errors
    /// All parts are missing; a part is faulty; the length of an array does not match the images; image names do not
    /// pair.
    pub fn open(folder: &Path, labels: &LabelList) -> Result<OfficialLayout, FormatError> {
        if !OfficialLayout::detect(folder) {
            return Err(Problem::not_found(format!("SEED's official layout ({}, ...)", PREDS[0])).at(folder));
        }
        let [gt_detections, recon_detections] = PREDS.map(|preds| {
            let path = folder.join(preds);
            // The box scale applies only to files of normalised boxes.
            path.is_dir().then(|| DetectionSource::open(&path, labels, (1.0, 1.0))).transpose()
        });
        let mut reader = Reader {
            folder,
            gt: CaptionedNames::read(folder, GT_CAPTIONS)?,
            recon: CaptionedNames::read(folder, RECON_CAPTIONS)?,
            gt_detections: gt_detections?,
            recon_detections: recon_detections?,
            findings: Vec::new(),
        };
        let object_f1 = reader.object_f1()?;
        let effnet_distance = reader.effnet_distance()?;
        let cap_sim = reader.cap_sim()?;
        Ok(OfficialLayout {
            gt_captions: reader.gt.map(|names| names.captions),
            recon_captions: reader.recon.map(|names| names.captions),
            gt_detections: reader.gt_detections,
            recon_detections: reader.recon_detections,
            object_f1,
            effnet_distance,
            cap_sim,
            findings: reader.findings,
        })
    }
}

struct Reader<'a> {
    folder: &'a Path,
    gt: Option<CaptionedNames>,
    recon: Option<CaptionedNames>,
    gt_detections: Option<DetectionSource>,
    recon_detections: Option<DetectionSource>,
    findings: Vec<Finding>,
}

type Values = Option<Vec<(String, f64)>>;

impl Reader<'_> {
    fn object_f1(&mut self) -> Result<Values, FormatError> {
        let Some((path, values)) = self.array(OBJECT_F1)? else {
            return Ok(None);
        };
        let stems = self.stems(&path)?;
        let order = order::by_integer(&stems).unwrap_or_else(|| {
            self.findings.push(Finding::warning(
                "official_order_unknown",
                path.display().to_string(),
                "the stems are not different integers, so the official code cannot have ordered \
                 these values; they were taken to be in natural order of the stems",
            ));
            natural_order(&stems)
        });
        by_stem(&path, &stems, &order, &values, "reconstructions").map(Some)
    }

    fn effnet_distance(&self) -> Result<Values, FormatError> {
        let Some((path, values)) = self.array(EFFNET)? else {
            return Ok(None);
        };
        let names = match (&self.gt, &self.recon) {
            (Some(gt), Some(recon)) => {
                // Value i compares the i-th names of both folders, regardless of what these names are.
                let (gt, recon) = (gt.sorted_stems(), recon.sorted_stems());
                if let Some(index) = (0..gt.len().max(recon.len())).find(|&index| gt.get(index) != recon.get(index)) {
                    return Err(Problem::invalid(
                        format!("value {index}"),
                        format!(
                            "compares stimulus {:?} with reconstruction {:?}; expected the same \
                             names on both sides",
                            gt.get(index).unwrap_or(&""),
                            recon.get(index).unwrap_or(&"")
                        ),
                    )
                    .at(path));
                }
                self.gt.as_ref().map(CaptionedNames::file_names)
            }
            (one, other) => one.as_ref().or(other.as_ref()).map(CaptionedNames::file_names),
        };
        let names = match names {
            Some(names) => names,
            None => self.assumed_names(&path)?,
        };
        by_name(&path, &names, &values, "images").map(Some)
    }

    fn cap_sim(&self) -> Result<Values, FormatError> {
        let Some((path, values)) = self.array(CAP_SIM)? else {
            return Ok(None);
        };
        let names = match (&self.gt, &self.recon) {
            (Some(gt), Some(recon)) => {
                let recon: HashSet<&str> = recon.entries.iter().map(|(name, _)| name.as_str()).collect();
                let mut common = gt.file_names();
                common.retain(|name| recon.contains(name.as_str()));
                common
            }
            (Some(one), None) | (None, Some(one)) => one.file_names(),
            (None, None) => self.assumed_names(&path)?,
        };
        by_name(&path, &names, &values, "image names that both caption files share").map(Some)
    }

    fn array(&self, file: &str) -> Result<Option<(PathBuf, Vec<f64>)>, FormatError> {
        let path = self.folder.join(file);
        if !path.is_file() {
            return Ok(None);
        }
        let (shape, values) = npy::read_f64(&path)?;
        if shape.len() != 1 {
            return Err(Problem::shape(shape, "one value per pair, (n_pairs,)").at(path));
        }
        Ok(Some((path, values)))
    }

    /// Stems of the detections (reconstructions first, as in the official code), otherwise of the captions.
    fn stems(&self, array: &Path) -> Result<Vec<String>, FormatError> {
        let detections = self.recon_detections.as_ref().or(self.gt_detections.as_ref());
        let captions = self.recon.as_ref().or(self.gt.as_ref());
        match (detections, captions) {
            (Some(detections), _) => Ok(detections.stems().to_vec()),
            (None, Some(captions)) => {
                Ok(captions.entries.iter().map(|(name, _)| stem_of_image_name(name)).map(str::to_owned).collect())
            }
            (None, None) => Err(Problem::new(format_args!(
                "its values have no names; expected {}, {} or {RECON_CAPTIONS} beside it",
                PREDS[0], PREDS[1]
            ))
            .at(array)),
        }
    }

    fn assumed_names(&self, array: &Path) -> Result<Vec<String>, FormatError> {
        Ok(self.stems(array)?.into_iter().map(|stem| format!("{stem}.png")).collect())
    }
}
