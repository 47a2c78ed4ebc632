//! Masks of many images, read on demand.

use super::{CocoInstances, LABELS_FILE, coco_file, grounded_sam, label_map};
use super::{read_coco_instances, read_coco_results, read_label_names};
use crate::categorisation::CategorisationSource;
use crate::item_source::{ItemSource, picked};
use crate::stem_listing::stem_listing;
use crate::{FormatError, Problem, content_hash, json};
use neurogauge_core::pair::{Form, PairsOf};
use neurogauge_core::{Masks, Side, Sides, counted, natural_cmp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The masks of one side: a folder with Grounded SAM 2's JSON (`<stem>.json`) or with label maps
/// (`<stem>.png` and `labels.json`), or one file of COCO's instances.
#[derive(Debug)]
pub struct MaskSource {
    path: PathBuf,
    stems: Vec<String>,
    /// The stems used in the files.
    own_stems: Vec<String>,
    contents: Contents,
    form: String,
    categories: Option<CategorisationSource>,
    /// Does an image without categories count as having no masks?
    needs_categories: bool,
}

#[derive(Debug)]
enum Contents {
    Json(Vec<PathBuf>),
    LabelMaps(Vec<PathBuf>, BTreeMap<u16, String>),
    Coco(Vec<Masks>),
}

impl MaskSource {
    /// Opens a folder or a file.
    ///
    /// # Errors
    /// The path is missing; the folder is empty, has both kinds of files, or has label maps without `labels.json`; two
    /// images have one stem; a file of instances is faulty. A faulty file in a folder is found when it is loaded.
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        if !path.exists() {
            let expected = "a folder of masks (<stem>.json, or <stem>.png and labels.json) or COCO's JSON of instances";
            return Err(Problem::not_found(expected).at(path));
        }
        if path.is_dir() {
            let (stems, contents) = folder(path)?;
            return Ok(Self::of_contents(path, stems, contents));
        }
        Self::of_coco(path, read_coco_instances(path)?)
    }

    /// Opens both sides. COCO's results take images, their sizes and the names of categories from COCO's instances on
    /// the other side; with [`PairsOf::Shared`], images that the instances lack are left out.
    pub fn open_both(paths: &Sides<PathBuf>, pairs: PairsOf) -> Result<Sides<Self>, FormatError> {
        Sides::of(|side| {
            let (path, other) = match side {
                Side::Gt => (&paths.gt, &paths.recon),
                Side::Recon => (&paths.recon, &paths.gt),
            };
            if !path.is_file() || !are_results(path)? {
                return Self::open(path);
            }
            if !other.is_file() || are_results(other)? {
                let expected =
                    "COCO's instances on the other side, which have the sizes of images and the names of categories";
                return Err(Problem::content("COCO's results", expected).at(path));
            }
            let mut instances = read_coco_instances(other)?;
            let (results, left_out) = read_coco_results(path, &instances, pairs)?;
            instances.annotations = results;
            let mut source = Self::of_coco(path, instances)?;
            source.form = match left_out.len() {
                0 => "COCO's results".to_owned(),
                n => format!("COCO's results without those of {}", counted(n, "other image")),
            };
            Ok(source)
        })
    }

    fn of_coco(path: &Path, instances: CocoInstances) -> Result<Self, FormatError> {
        let mut images = instances.into_masks(path)?;
        images.sort_by(|a, b| natural_cmp(&a.0, &b.0));
        for two in images.windows(2) {
            if two[0].0 == two[1].0 {
                let reason = format!("the stem {:?} occurs twice; file names must differ", two[0].0);
                return Err(Problem::invalid("images", reason).at(path));
            }
        }
        let (stems, masks) = images.into_iter().unzip();
        Ok(MaskSource {
            form: "COCO's instances".to_owned(),
            ..Self::of_contents(path, stems, Contents::Coco(masks))
        })
    }

    fn of_contents(path: &Path, stems: Vec<String>, contents: Contents) -> Self {
        MaskSource {
            path: path.to_owned(),
            own_stems: stems.clone(),
            stems,
            contents,
            form: String::new(),
            categories: None,
            needs_categories: false,
        }
    }

    /// The masks of these stems in a folder of Grounded SAM 2's JSON; some files may not exist. Categories are found by
    /// `own_stems`, one for each stem.
    pub fn of_stems(folder: &Path, stems: &[String], own_stems: Vec<String>) -> Self {
        let files = stems.iter().map(|stem| folder.join(format!("{stem}.json"))).collect();
        MaskSource {
            own_stems,
            ..Self::of_contents(folder, stems.to_vec(), Contents::Json(files))
        }
    }

    /// Does the image of the stem at `index` have masks?
    pub fn has(&self, index: usize) -> bool {
        let stem = &self.own_stems[index];
        let categories = self.categories.as_ref().filter(|_| self.needs_categories);
        if categories.is_some_and(|categories| categories.find(stem).is_none()) {
            return false;
        }
        match &self.contents {
            Contents::Json(files) | Contents::LabelMaps(files, _) => files[index].exists(),
            Contents::Coco(_) => true,
        }
    }

    /// Adds a model's categories; an image without any counts as having no masks.
    #[must_use]
    pub fn with_observed_categories(self, categories: CategorisationSource) -> Self {
        MaskSource {
            categories: Some(categories),
            needs_categories: true,
            ..self
        }
    }

    /// Adds the categories of the images. Each image must have them.
    pub fn with_categories(self, categories: CategorisationSource) -> Result<Self, FormatError> {
        if let Some(stem) = self.own_stems.iter().find(|stem| categories.find(stem).is_none()) {
            return Err(Problem::not_found(format!(
                "categories for every stem of {}; {stem:?} has none",
                self.path.display()
            ))
            .at(categories.path()));
        }
        Ok(MaskSource {
            categories: Some(categories),
            ..self
        })
    }

    /// The categories, which divide names into objects, parts and background.
    pub fn categories(&self) -> Option<&CategorisationSource> {
        self.categories.as_ref()
    }

    /// The masks of the stem at `index` (which must be below the number of stems).
    pub fn load(&self, index: usize) -> Result<Masks, FormatError> {
        let masks = match &self.contents {
            Contents::Json(files) => grounded_sam::read_grounded_sam(&files[index])?,
            Contents::LabelMaps(files, names) => label_map::read_label_map(&files[index], names)?,
            Contents::Coco(masks) => masks[index].clone(),
        };
        let categories = self.categories.as_ref();
        Ok(Masks {
            categories: categories.and_then(|categories| categories.find(&self.own_stems[index])).cloned(),
            ..masks
        })
    }
}

impl ItemSource for MaskSource {
    fn stems(&self) -> &[String] {
        &self.stems
    }
    fn path(&self) -> &Path {
        &self.path
    }
    fn taken_for(&self) -> Form {
        match self.contents {
            Contents::Json(_) => Form::usual("Grounded SAM 2's JSON for each image"),
            Contents::LabelMaps(..) => Form::usual("label maps with labels.json"),
            Contents::Coco(_) => Form::of(&self.form, ""),
        }
    }
    /// SHA-256 of the masks that [`load`](Self::load) reads: of the file (for a label map, with the names of its
    /// numbers) or, if one file has all images, of this image's masks in Grounded SAM 2's form.
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        match &self.contents {
            Contents::Json(files) => content_hash::of_file(&files[index]),
            Contents::LabelMaps(files, names) => {
                let listing = format!("{} {names:?}", content_hash::of_file(&files[index])?);
                Ok(content_hash::of_bytes(listing.as_bytes()))
            }
            Contents::Coco(masks) => {
                let bytes = grounded_sam::to_bytes(&self.path, &masks[index], "")?;
                Ok(content_hash::of_bytes(&bytes))
            }
        }
    }
    /// Keeps only the masks of these items, each once, in this order and under these stems. Categories are still found
    /// by the original stems.
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.stems = stems;
        self.own_stems = picked(&self.own_stems, items);
        match &mut self.contents {
            Contents::Json(files) | Contents::LabelMaps(files, _) => {
                *files = picked(files, items);
            }
            Contents::Coco(masks) => *masks = picked(masks, items),
        }
    }
}

/// Is a file COCO's results, and not instances?
fn are_results(path: &Path) -> Result<bool, FormatError> {
    let bytes = json::read_bytes(path, coco_file::RESULTS)?;
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    Ok(text.trim_start().starts_with('[') || coco_file::is_coco(text) && !text.contains("\"images\""))
}

fn folder(path: &Path) -> Result<(Vec<String>, Contents), FormatError> {
    let mut json = stem_listing(path, &["json"])?;
    json.retain(|(_, file)| file.file_name().is_none_or(|name| name != LABELS_FILE));
    let png = stem_listing(path, &["png"])?;
    match (json.is_empty(), png.is_empty()) {
        (true, true) => Err(Problem::EmptyFolder("masks (<stem>.json, or <stem>.png and labels.json)").at(path)),
        (false, true) => {
            let (stems, files) = json.into_iter().unzip();
            Ok((stems, Contents::Json(files)))
        }
        (true, false) => {
            let names = read_label_names(&path.join(LABELS_FILE))?;
            let (stems, files) = png.into_iter().unzip();
            Ok((stems, Contents::LabelMaps(files, names)))
        }
        (false, false) => {
            let expected = "one kind of masks: <stem>.json, or <stem>.png and labels.json";
            Err(Problem::content(format!("{} JSON files and {} PNG files", json.len(), png.len()), expected).at(path))
        }
    }
}
