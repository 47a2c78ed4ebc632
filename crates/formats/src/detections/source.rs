//! Detections of many images, read on demand.

use super::found_objects::{FORM, FoundObjects};
use super::names::LabelNames;
use super::seen::Seen;
use super::units::{BoxUnits, check_pixels, likely, scaled};
use super::{coco, mmdet, read_boxes, yolo};
use crate::delimited_text::read_text;
use crate::item_source::{ItemSource, picked};
use crate::json::UniqueEntries;
use crate::masks::coco_file::is_coco;
use crate::stem_listing::{has_ending, stem_listing};
use crate::{FormatError, Problem, content_hash, json, recipe};
use neurogauge_core::pair::Form;
use neurogauge_core::parallel;
use neurogauge_core::{Detection, Detections, LabelList, Sides, natural_cmp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The form of one file for all images, for messages.
pub(super) const ONE_FILE: &str = "boxes of all images: COCO's instances or results, or by stem {\"0001\": {\"labels\": .., \"scores\": .., \
                        \"boxes\": ..}} or {\"0001\": {\"dog\": [[left, top, right, bottom]]}}";

/// The detections of one side: a folder with a file for each image (mmdetection's and others' JSON, or YOLO's text), or
/// one file for all (COCO's, dictionaries by stem, or BrainHub's). [`load`](Self::load) reads one file of a folder,
/// from any thread.
#[derive(Debug)]
pub struct DetectionSource {
    path: PathBuf,
    labels: LabelList,
    /// The names of numbers, from the recipe or `classes.txt` in the folder, or from COCO's categories.
    names_beside: Option<Vec<(i64, String)>>,
    /// Factors for boxes in a folder that are shares of the image, px.
    shares_of_px: Option<(f64, f64)>,
    /// The size of each image, px, by which shares are multiplied.
    sizes_px: Option<Vec<(f64, f64)>>,
    stems: Vec<String>,
    contents: Contents,
    form: &'static str,
    /// The ids and stems of the images of COCO's instances; empty for COCO's results.
    coco_images: Option<Vec<(i64, String)>>,
}

#[derive(Debug)]
enum Contents {
    Folder(Vec<PathBuf>),
    Objects(Vec<FoundObjects<'static>>),
    File(Vec<Detections>),
}

impl DetectionSource {
    /// Opens a folder of `<stem>.json` files (or with such files in its subfolder `preds/`) or of YOLO's `<stem>.txt`
    /// (or in `labels/`), or one file of boxes. Only BrainHub's boxes are multiplied by `box_scale_px` (see
    /// [`read_boxes`]).
    ///
    /// # Errors
    /// The path is missing; the folder is empty; two files have one stem; a box file is faulty. A faulty file in a
    /// folder is found when it is loaded.
    pub fn open(path: &Path, labels: &LabelList, box_scale_px: (f64, f64)) -> Result<Self, FormatError> {
        if !path.exists() {
            return Err(Problem::not_found("a folder of detections (<stem>.json) or one file of boxes").at(path));
        }
        let mut source = Self::of_stems(path, labels, &[]);
        if path.is_dir() {
            let (folder, files) = folder_files(path)?;
            source.names_beside = names_beside(path, &folder)?;
            let (stems, files): (_, Vec<PathBuf>) = files.into_iter().unzip();
            source.form = match files.first() {
                Some(first) if is_yolo(first) => "YOLO's text files",
                // What is wrong with a file is said when it is loaded.
                Some(first) => mmdet::form(&json::read_bytes(first, FORM).unwrap_or_default()),
                None => "",
            };
            (source.stems, source.contents) = (stems, Contents::Folder(files));
            return Ok(source);
        }
        source.names_beside = names_beside(path, path)?;
        let bytes = json::read_bytes(path, ONE_FILE)?;
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        if is_coco(text) || text.trim() == "[]" {
            source.take_coco(coco::read(path, &bytes)?);
        } else if text.contains("\"labels\"") && ["\"boxes\"", "\"bboxes\""].iter().any(|key| text.contains(key)) {
            let UniqueEntries(mut entries) = json::parse::<UniqueEntries<FoundObjects<'_>>>(path, &bytes, ONE_FILE)?;
            entries.sort_by(|a, b| natural_cmp(&a.0, &b.0));
            entries.iter().try_for_each(|(_, found)| mmdet::check_lengths(path, found))?;
            let entries = entries.into_iter().map(|(stem, found)| (stem, found.into_order_of_scores()));
            let (stems, found) = entries.unzip();
            source.form = "JSON of boxes by stem";
            (source.stems, source.contents) = (stems, Contents::Objects(found));
        } else {
            let (stems, found) = read_boxes(path, labels, box_scale_px)?.into_iter().unzip();
            (source.stems, source.contents) = (stems, Contents::File(found));
        }
        Ok(source)
    }

    /// Opens both sides. COCO's results have no names of categories and lack the images without objects; they take both
    /// from COCO's instances on the other side.
    pub fn open_both(
        paths: &Sides<PathBuf>,
        labels: &LabelList,
        box_scale_px: (f64, f64),
    ) -> Result<Sides<Self>, FormatError> {
        let mut sides = Sides::of(|side| Self::open(paths.side(side), labels, box_scale_px))?;
        sides.recon.complete(&sides.gt);
        sides.gt.complete(&sides.recon);
        Ok(sides)
    }

    fn take_coco(&mut self, found: coco::CocoBoxes) {
        let is_results = found.ids.is_empty();
        // The numbers of results are the ids of COCO's categories, not positions in the list of their names.
        let official = || (is_results && self.labels.id() == "coco").then(|| coco::official_ids(&self.labels));
        self.names_beside = found.names.or_else(official);
        self.form = if is_results {
            "COCO's results"
        } else {
            "COCO's instances"
        };
        let mut images: Vec<(i64, (String, FoundObjects<'static>))> = match is_results {
            true => found.images.into_iter().map(|image| (0, image)).collect(),
            false => found.ids.into_iter().zip(found.images).collect(),
        };
        images.sort_by(|(_, a), (_, b)| natural_cmp(&a.0, &b.0));
        self.stems = images.iter().map(|(_, (stem, _))| stem.clone()).collect();
        self.coco_images = Some(match is_results {
            true => Vec::new(),
            false => images.iter().map(|(id, (stem, _))| (*id, stem.clone())).collect(),
        });
        self.contents = Contents::Objects(images.into_iter().map(|(_, (_, found))| found).collect());
    }

    /// Gives COCO's results the images and the names of COCO's instances.
    fn complete(&mut self, instances: &Self) {
        let (Some([]), Some(images)) = (self.coco_images.as_deref(), &instances.coco_images) else {
            return;
        };
        let Contents::Objects(found) = &mut self.contents else {
            return;
        };
        let mut left: BTreeMap<String, FoundObjects<'static>> = self.stems.drain(..).zip(found.drain(..)).collect();
        for (id, stem) in images {
            self.stems.push(stem.clone());
            found.push(left.remove(&id.to_string()).unwrap_or_default());
        }
        for (stem, objects) in left {
            self.stems.push(stem);
            found.push(objects);
        }
        self.names_beside = instances.names_beside.clone();
    }

    /// Interprets labels as positions in another list. Names of BrainHub's boxes, which were looked up when the file was
    /// opened, are looked up again.
    pub fn set_labels(&mut self, labels: LabelList) {
        if let Contents::File(of_stems) = &mut self.contents {
            for item in of_stems.iter_mut().flat_map(|found| &mut found.items) {
                let name = self.labels.names().get(item.category);
                item.category = name.and_then(|name| labels.index_of(name)).unwrap_or(item.category);
            }
        }
        self.labels = labels;
    }

    /// Interprets the boxes as shares of the image; this size is used if the files do not have one.
    pub fn set_shares(&mut self, of_px: (f64, f64)) {
        self.shares_of_px = Some(of_px);
    }

    /// Interprets the boxes of both sides as shares; if one side alone is YOLO's, whose boxes are always shares, the
    /// other has pixels.
    pub fn set_shares_of_both(sides: &mut Sides<Self>, of_px: (f64, f64)) {
        let is_only_one = sides.gt.are_shares() != sides.recon.are_shares();
        for source in [&mut sides.gt, &mut sides.recon] {
            if !is_only_one || source.are_shares() {
                source.set_shares(of_px);
            }
        }
    }

    /// Are the boxes shares of images, as YOLO's are?
    pub fn are_shares(&self) -> bool {
        matches!(&self.contents, Contents::Folder(files) if !files.is_empty() && files.iter().all(|file| is_yolo(file)))
    }

    /// Interprets the boxes of a folder as shares of the images, which have these sizes, px.
    pub fn set_sizes(&mut self, sizes_px: Vec<(f64, f64)>) {
        self.sizes_px = Some(sizes_px);
    }

    /// Facts about the labels and boxes of all files.
    pub fn seen(&self) -> Result<Seen, FormatError> {
        let names = self.names_beside.as_deref();
        let of_files: Vec<Seen> = match &self.contents {
            Contents::Folder(files) => {
                let of_file = |path: &PathBuf| read_file(path, |found| Ok(Seen::of_file(path, found, names)));
                let files: Vec<&PathBuf> = files.iter().filter(|file| file.exists()).collect();
                parallel::try_map_each(&files, |path| of_file(path))?
            }
            Contents::Objects(found) => found.iter().map(|found| Seen::of_file(&self.path, found, names)).collect(),
            Contents::File(_) => vec![Seen::of_names(self.labels.names())],
        };
        Ok(of_files.into_iter().fold(Seen::default(), Seen::and))
    }

    /// The unit of the boxes: BrainHub's and YOLO's are always shares, others if they could not be pixels; `None` without
    /// a box.
    pub fn units(&self, seen: &Seen) -> Option<BoxUnits> {
        match self.are_shares() || matches!(self.contents, Contents::File(_)) {
            true => Some(BoxUnits::Shares),
            false => likely(seen),
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
            sizes_px: None,
            stems: stems.to_vec(),
            contents: Contents::Folder(files.collect()),
            form: "",
            coco_images: None,
        }
    }

    /// Was the image of the stem at `index` observed?
    pub fn has(&self, index: usize) -> bool {
        match &self.contents {
            Contents::Folder(files) => files[index].exists(),
            Contents::Objects(_) | Contents::File(_) => true,
        }
    }

    /// The label list that the detections' categories index.
    pub fn labels(&self) -> &LabelList {
        &self.labels
    }

    /// The detections of the stem at `index` (which must be below the number of stems).
    pub fn load(&self, index: usize) -> Result<Detections, FormatError> {
        let read = |path: &Path, found: &FoundObjects<'_>| {
            let names = LabelNames::of(found, self.names_beside.as_deref());
            mmdet::from_file(path, found, &|object| names.category(path, object, &self.labels))
        };
        let (path, found) = match &self.contents {
            Contents::Folder(files) => (&files[index], read_file(&files[index], |found| read(&files[index], found))?),
            Contents::Objects(found) => (&self.path, read(&self.path, &found[index])?),
            Contents::File(detections) => return Ok(detections[index].clone()),
        };
        match self.sizes_px.as_ref().map(|sizes| sizes[index]).or(self.shares_of_px) {
            Some(size) => scaled(path, found, size),
            None => Ok(found),
        }
    }

    /// Like [`load`](Self::load), for comparisons by overlap, which inverted boxes do not have.
    ///
    /// # Errors
    /// Those of [`load`](Self::load); the first inverted box.
    pub fn load_upright(&self, index: usize) -> Result<Detections, FormatError> {
        let found = self.load(index)?;
        match found.items.iter().enumerate().find(|(_, item)| item.bbox.is_inverted()) {
            None => Ok(found),
            Some(faulty) => {
                let (path, place) = self.place(index, faulty);
                Err(Problem::negative_box(place, faulty.1.bbox.edges()).at(path))
            }
        }
    }

    /// The inverted boxes among the detections that [`load`](Self::load) returned for the stem at `index`: file,
    /// position and numbers of each.
    pub fn inverted(&self, index: usize, found: &Detections) -> Vec<String> {
        let named = found.items.iter().enumerate().filter(|(_, item)| item.bbox.is_inverted()).map(|object| {
            let (path, place) = self.place(index, object);
            format!("{}: {place} is {:?}", path.display(), object.1.bbox.edges())
        });
        named.collect()
    }

    /// The file of an object of the stem at `index`, and the place there.
    fn place(&self, index: usize, (place, item): (usize, &Detection)) -> (&Path, String) {
        let stem = &self.stems[index];
        match &self.contents {
            Contents::Folder(files) => (&files[index], format!("bboxes[{place}]")),
            Contents::Objects(_) => (&self.path, format!("{stem:?}: bboxes[{place}]")),
            Contents::File(_) => (&self.path, format!("stimulus {stem:?}, {:?}", self.labels.names()[item.category])),
        }
    }
}

impl ItemSource for DetectionSource {
    fn stems(&self) -> &[String] {
        &self.stems
    }
    fn path(&self) -> &Path {
        &self.path
    }
    fn taken_for(&self) -> Form {
        match self.contents {
            Contents::File(_) => Form::usual("boxes by category, as shares of the image"),
            _ => Form::of(self.form, "mmdetection's JSON for each image"),
        }
    }
    /// SHA-256 of the input of [`load`](Self::load): of the file or, if one file has all stimuli, of this stimulus'
    /// detections in mmdetection's form.
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        match &self.contents {
            Contents::Folder(files) => content_hash::of_file(&files[index]),
            Contents::Objects(found) => {
                let listing = format!("{:?} {:?}", found[index], self.names_beside);
                Ok(content_hash::of_bytes(listing.as_bytes()))
            }
            Contents::File(detections) => {
                let bytes = mmdet::to_bytes(&self.path, &detections[index])?;
                Ok(content_hash::of_bytes(&bytes))
            }
        }
    }
    /// Keeps only the detections of these items, each once, in this order and under these stems.
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.stems = stems;
        self.sizes_px = self.sizes_px.as_ref().map(|sizes| picked(sizes, items));
        match &mut self.contents {
            Contents::Folder(files) => *files = picked(files, items),
            Contents::Objects(found) => *found = picked(found, items),
            Contents::File(detections) => *detections = picked(detections, items),
        }
    }
}

fn is_yolo(file: &Path) -> bool {
    has_ending(file, &["txt"])
}

/// Reads the file of one image and passes its objects on.
fn read_file<T>(path: &Path, then: impl FnOnce(&FoundObjects<'_>) -> Result<T, FormatError>) -> Result<T, FormatError> {
    match is_yolo(path) {
        true => then(&yolo::parse(path, &json::read_bytes(path, yolo::FORM)?)?),
        false => then(&mmdet::parse(path, &json::read_bytes(path, FORM)?)?),
    }
}

/// The file of YOLO's names, a line for each class.
const CLASSES: &str = "classes.txt";

/// The category names in the recipe, for detections made by a detector of this program, or in YOLO's list.
fn names_beside(path: &Path, folder: &Path) -> Result<Option<Vec<(i64, String)>>, FormatError> {
    let recipe = recipe::read_beside::<Detections>(path)?;
    let names: Option<Vec<String>> =
        recipe.and_then(|mut recipe| serde_json::from_value(recipe["categories"].take()).ok());
    let classes = folder.join(CLASSES);
    let names = match names {
        None if classes.is_file() => {
            let text = read_text(&classes, "a name in each line")?;
            Some(text.lines().map(|line| line.trim().to_owned()).filter(|name| !name.is_empty()).collect())
        }
        names => names,
    };
    Ok(names.filter(|names| !names.is_empty()).map(|names| (0..).zip(names).collect()))
}

/// The folder with the files of a side, and its files: JSON, or else YOLO's text.
fn folder_files(path: &Path) -> Result<(PathBuf, Vec<(String, PathBuf)>), FormatError> {
    // Other files in this folder belong to no image, such as the record of how the detections were made.
    let folders = ["preds", "labels"].map(|name| path.join(name));
    let folder = folders.into_iter().find(|folder| folder.is_dir()).unwrap_or_else(|| path.to_owned());
    let mut files = stem_listing(&folder, &["json"])?;
    if files.is_empty() {
        files = stem_listing(&folder, &["txt"])?;
        files.retain(|(_, file)| file.file_name().is_none_or(|name| name != CLASSES));
    }
    if files.is_empty() {
        let expected = "detections (<stem>.json, there or in a subfolder preds/, or YOLO's <stem>.txt)";
        return Err(Problem::EmptyFolder(expected).at(path));
    }
    Ok((folder, files))
}
