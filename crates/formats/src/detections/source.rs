//! Detections of many images, read on demand.

use super::names::LabelNames;
use super::seen::Seen;
use super::units::{check_pixels, scaled};
use super::{mmdet, read_boxes};
use crate::item_source::{ItemSource, picked};
use crate::stem_listing::stem_listing;
use crate::{FormatError, Problem, content_hash, json, recipe};
use neurogauge_core::{Detections, LabelList};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The detections of one side: a folder of mmdetection's JSON files, or one file of BrainHub's boxes.
/// [`load`](Self::load) reads one file of a folder, from any thread.
#[derive(Debug)]
pub struct DetectionSource {
    path: PathBuf,
    labels: LabelList,
    /// The names of numbers, from the recipe in the folder.
    names_beside: Option<Vec<String>>,
    /// Factors for boxes in a folder that are shares of the image, px.
    shares_of_px: Option<(f64, f64)>,
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
    /// The path is missing; the folder is empty; two files have one stem; a box file is faulty. A faulty file in a
    /// folder is found when it is loaded.
    pub fn open(path: &Path, labels: &LabelList, box_scale_px: (f64, f64)) -> Result<Self, FormatError> {
        if !path.exists() {
            return Err(Problem::not_found("a folder of detections (<stem>.json) or one file of boxes").at(path));
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
            names_beside: names_beside(path)?,
            shares_of_px: None,
            stems,
            contents,
        })
    }

    /// Interprets labels as positions in another list. A file of boxes has names, which were looked up when it was
    /// opened.
    pub fn set_labels(&mut self, labels: LabelList) {
        self.labels = labels;
    }

    /// Interprets the boxes of a folder as shares of the image; this size is used if the files do not have one.
    pub fn set_shares(&mut self, of_px: (f64, f64)) {
        self.shares_of_px = Some(of_px);
    }

    /// Facts about the labels and boxes of all files.
    pub fn seen(&self) -> Result<Seen, FormatError> {
        match &self.contents {
            Contents::Folder(files) => {
                let of_files = files.par_iter().filter(|file| file.exists()).map(|path| {
                    let bytes = json::read_bytes(path, "detections in mmdetection's JSON form")?;
                    Ok(Seen::of_file(path, &mmdet::parse(path, &bytes)?, self.names_beside.as_deref()))
                });
                let of_files: Vec<Seen> = of_files.collect::<Result<_, FormatError>>()?;
                Ok(of_files.into_iter().fold(Seen::default(), Seen::and))
            }
            Contents::File(_) => Ok(Seen::default()),
        }
    }

    /// Refuses boxes that should be in pixels if all coordinates are between 0 and 1; they may be shares `of`
    /// something.
    ///
    /// # Errors
    /// The range of the coordinates, and the option that decides.
    pub fn check_pixels(&self, seen: &Seen, of: &str) -> Result<(), FormatError> {
        check_pixels(&self.path, seen, of)
    }

    /// A folder with `<stem>.json` files for these stems. Images that could not be observed have no file.
    pub fn of_stems(folder: &Path, labels: &LabelList, stems: &[String]) -> Self {
        let files = stems.iter().map(|stem| folder.join(format!("{stem}.json")));
        DetectionSource {
            path: folder.to_owned(),
            labels: labels.clone(),
            names_beside: None,
            shares_of_px: None,
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

    /// Keeps only the detections of these items, each once, in this order and under these stems.
    pub fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.stems = stems;
        match &mut self.contents {
            Contents::Folder(files) => *files = picked(files, items),
            Contents::File(detections) => *detections = picked(detections, items),
        }
    }

    /// The stems, in natural order.
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
            Contents::Folder(files) => {
                let path = &files[index];
                let bytes = json::read_bytes(path, "detections in mmdetection's JSON form")?;
                let file = mmdet::parse(path, &bytes)?;
                let names = LabelNames::of(&file, self.names_beside.as_deref());
                let category = |index| names.category(path, index, &self.labels);
                let found = mmdet::from_file(path, &file, &category)?;
                match self.shares_of_px {
                    Some(size) => scaled(path, found, size),
                    None => Ok(found),
                }
            }
            Contents::File(detections) => Ok(detections[index].clone()),
        }
    }

    /// The inverted boxes among the detections that [`load`](Self::load) returned for the stem at `index`: file,
    /// position and numbers of each.
    pub fn inverted(&self, index: usize, found: &Detections) -> Vec<String> {
        let named = found.items.iter().enumerate().filter(|(_, item)| item.bbox.is_inverted()).map(|(place, item)| {
            let place = match &self.contents {
                Contents::Folder(files) => format!("{}: bboxes[{place}]", files[index].display()),
                Contents::File(_) => format!(
                    "{}: stimulus {:?}, {:?}",
                    self.path.display(),
                    self.stems[index],
                    self.labels.names()[item.category]
                ),
            };
            format!("{place} is {:?}", item.bbox.edges())
        });
        named.collect()
    }

    /// SHA-256 of the input of [`load`](Self::load): of the file or, if one file has all stimuli, of this stimulus'
    /// detections in mmdetection's form.
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

impl ItemSource for DetectionSource {
    fn stems(&self) -> &[String] {
        self.stems()
    }
    fn path(&self) -> &Path {
        self.path()
    }
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.content_hash(index)
    }
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.select(items, stems);
    }
}

/// The category names in the recipe, for detections made by a detector of this program.
fn names_beside(path: &Path) -> Result<Option<Vec<String>>, FormatError> {
    let recipe = recipe::read_beside::<Detections>(path)?;
    let names = recipe.and_then(|mut recipe| serde_json::from_value(recipe["categories"].take()).ok());
    Ok(names.filter(|names: &Vec<String>| !names.is_empty()))
}

fn folder_files(path: &Path) -> Result<Vec<(String, PathBuf)>, FormatError> {
    // Other files in this folder belong to no image, such as the record of how the detections were made.
    let preds = path.join("preds");
    let folder = if preds.is_dir() { preds.as_path() } else { path };
    let files = stem_listing(folder, &["json"])?;
    if files.is_empty() {
        return Err(Problem::EmptyFolder("detections (<stem>.json, there or in a subfolder preds/)").at(path));
    }
    Ok(files)
}
