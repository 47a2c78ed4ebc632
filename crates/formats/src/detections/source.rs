//! Detections of many images, read on demand.

use super::{mmdet, read_boxes, read_mmdet};
use crate::item_source::picked;
use crate::stem_listing::stem_listing;
use crate::{FormatError, content_hash};
use neurogauge_core::{Detections, LabelList};
use std::path::{Path, PathBuf};

/// The detections of one side: a folder of mmdetection's JSON files or one file of BrainHub's
/// boxes. A folder is read file by file as [`load`](Self::load) asks for it, from any thread.
///
/// ```
/// use neurogauge_core::LabelList;
/// use neurogauge_formats::detections::DetectionSource;
/// # let dir = tempfile::tempdir()?;
/// for stem in ["10", "9"] {
///     let file = dir.path().join(format!("{stem}.json"));
///     std::fs::write(file, r#"{"labels": [], "scores": [], "bboxes": []}"#)?;
/// }
/// let source = DetectionSource::open(dir.path(), &LabelList::coco(), (425.0, 425.0))?;
/// assert_eq!(source.stems(), ["9", "10"]);
/// assert_eq!(source.load(0)?.items.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DetectionSource {
    path: PathBuf,
    labels: LabelList,
    stems: Vec<String>,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    Folder(Vec<PathBuf>),
    File(Vec<Detections>),
}

impl DetectionSource {
    /// Opens a folder of `<stem>.json` files (or with such files in its subfolder `preds/`), or one file of boxes, the
    /// only form to which `box_scale_px` applies (see [`read_boxes`]).
    ///
    /// # Errors
    /// A missing path, an empty folder, two files with one stem, a faulty box file. A faulty file of a folder is found
    /// when it is loaded.
    pub fn open(
        path: &Path,
        labels: &LabelList,
        box_scale_px: (f64, f64),
    ) -> Result<Self, FormatError> {
        if !path.exists() {
            return Err(FormatError::NotFound {
                path: path.to_owned(),
                expected: "a folder of detections (<stem>.json) or one file of boxes".to_owned(),
            });
        }
        let (stems, contents) = if path.is_dir() {
            let (stems, files) = folder_files(path)?.into_iter().unzip();
            (stems, Contents::Folder(files))
        } else {
            let (stems, detections) = read_boxes(path, labels, box_scale_px)?.into_iter().unzip();
            (stems, Contents::File(detections))
        };
        Ok(DetectionSource {
            path: path.to_owned(),
            labels: labels.clone(),
            stems,
            contents,
        })
    }

    /// A folder of `<stem>.json` files, of these stems; images that could not be observed have no file.
    pub fn of_stems(folder: &Path, labels: &LabelList, stems: &[String]) -> Self {
        let files = stems.iter().map(|stem| folder.join(format!("{stem}.json")));
        DetectionSource {
            path: folder.to_owned(),
            labels: labels.clone(),
            stems: stems.to_vec(),
            contents: Contents::Folder(files.collect()),
        }
    }

    /// Was the image of the stem at `index` observed?
    pub fn has(&self, index: usize) -> bool {
        match &self.contents {
            Contents::Folder(files) => files[index].exists(),
            Contents::File(_) => true,
        }
    }

    /// Keeps the detections of these items, each once, in this order and under these stems; the others are left out.
    pub fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.stems = stems;
        match &mut self.contents {
            Contents::Folder(files) => *files = picked(files, items),
            Contents::File(detections) => *detections = picked(detections, items),
        }
    }

    /// The stems, natural order.
    pub fn stems(&self) -> &[String] {
        &self.stems
    }

    /// The folder or file that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The label list that the detections' categories index.
    pub fn labels(&self) -> &LabelList {
        &self.labels
    }

    /// The detections of the stem at `index` (which must be below the number of stems).
    pub fn load(&self, index: usize) -> Result<Detections, FormatError> {
        match &self.contents {
            Contents::Folder(files) => read_mmdet(&files[index], &self.labels),
            Contents::File(detections) => Ok(detections[index].clone()),
        }
    }

    /// The inverted boxes among the detections that [`load`](Self::load) returned for the stem at `index`: file, position
    /// and numbers of each.
    pub fn inverted(&self, index: usize, found: &Detections) -> Vec<String> {
        let boxes = found.items.iter().enumerate();
        let inverted = boxes.filter(|(_, item)| item.bbox.is_inverted());
        let named = inverted.map(|(place, item)| {
            let place = match &self.contents {
                Contents::Folder(files) => format!("{}: bboxes[{place}]", files[index].display()),
                Contents::File(_) => format!(
                    "{}: stimulus {:?}, {:?}",
                    self.path.display(),
                    self.stems[index],
                    self.labels.names()[item.category]
                ),
            };
            format!("{place} is {:?}", mmdet::numbers(&item.bbox))
        });
        named.collect()
    }

    /// SHA-256 of the input of [`load`](Self::load): the file or, if one file has all stimuli, this one's detections in
    /// mmdetection's form.
    pub fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        match &self.contents {
            Contents::Folder(files) => content_hash::of_file(&files[index]),
            Contents::File(detections) => {
                let bytes = mmdet::to_bytes(&self.path, &detections[index])?;
                Ok(content_hash::of_bytes(&bytes))
            }
        }
    }
}

fn folder_files(path: &Path) -> Result<Vec<(String, PathBuf)>, FormatError> {
    // Files beside preds/ belong to no image, such as the record of how the others were made.
    let preds = path.join("preds");
    let folder = if preds.is_dir() {
        preds.as_path()
    } else {
        path
    };
    let files = stem_listing(folder, "json")?;
    if files.is_empty() {
        return Err(FormatError::EmptyFolder {
            path: path.to_owned(),
            expected: "detections (<stem>.json, there or in a subfolder preds/)",
        });
    }
    Ok(files)
}
