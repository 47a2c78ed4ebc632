//! CLIP-S and RefCLIP-S of decoded captions, from given embeddings.

use super::CaptionRequest;
use crate::pairs::PairsRequest;
use neurogauge::Error;
use neurogauge::InputRecord;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::Form;
use neurogauge::core::{Finding, Outcome};
use neurogauge::formats::Problem;
use neurogauge::formats::embeddings::{self, Embeddings};
use neurogauge::metrics::MetricError;
use neurogauge::metrics::decoding::captioning::{clip_score, ref_clip_score};
use std::path::Path;

/// Embeddings of the images, of their reference captions, and of each system's captions.
pub(super) struct ClipEmbeddings {
    images: Rows,
    captions: Vec<Rows>,
    references: Option<References>,
}

pub(super) struct ClipScores {
    pub(super) clip_s: Vec<Outcome>,
    /// `None` if reference captions have no embeddings.
    pub(super) ref_clip_s: Option<Vec<Outcome>>,
}

impl ClipEmbeddings {
    /// Reads the requested files; `n_references` is the number of captions of each image.
    pub(super) fn read(
        request: &CaptionRequest,
        stems: &[String],
        n_references: &[usize],
    ) -> Result<Option<Self>, Error> {
        let (images, references) = (&request.image_embeddings, &request.reference_embeddings);
        let of_captions = &request.caption_embeddings;
        let Some(images) = images else {
            if references.is_some() || !of_captions.is_empty() {
                return Err(Error::Usage(format!(
                    "CLIP-S compares captions with their images: add {}",
                    option("image-embeddings", "FILE")
                )));
            }
            return Ok(None);
        };
        if of_captions.len() != request.decoded.len() {
            return Err(Error::Usage(format!(
                "{}: {} files for {} of RECON; CLIP-S needs one for each, in the same order",
                option("caption-embeddings", ""),
                of_captions.len(),
                request.decoded.len()
            )));
        }
        let images = Rows::of(embeddings::read(images)?, stems, request)?;
        let n_features = images.read.rows.n_features();
        let captions = of_captions.iter().map(|path| {
            let rows = Rows::of(embeddings::read(path)?, stems, request)?;
            rows.check_width(n_features)?;
            Ok(rows)
        });
        let captions = captions.collect::<Result<Vec<Rows>, Error>>()?;
        let references = references
            .as_deref()
            .map(|path| References::read(path, request, stems, n_references, n_features))
            .transpose()?;
        Ok(Some(ClipEmbeddings {
            images,
            captions,
            references,
        }))
    }

    /// The scores of the system at position `system`.
    pub(super) fn scores(&self, system: usize) -> Result<ClipScores, MetricError> {
        let captions = &self.captions[system];
        let images = 0..captions.place.len();
        let clip_s = images.clone().map(|image| clip_score(self.images.row(image), captions.row(image)));
        let of_references = |references: &References| {
            images
                .clone()
                .map(|image| {
                    let of_image = references.of(image);
                    ref_clip_score(self.images.row(image), captions.row(image), &of_image)
                })
                .collect::<Result<Vec<Outcome>, MetricError>>()
        };
        Ok(ClipScores {
            clip_s: clip_s.collect::<Result<_, _>>()?,
            ref_clip_s: self.references.as_ref().map(of_references).transpose()?,
        })
    }

    /// What was found while rows were paired with the images.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let rows = [&self.images].into_iter().chain(&self.captions).map(|rows| &rows.findings);
        rows.chain(self.references.iter().map(|references| &references.findings)).flatten()
    }

    /// The inputs for the record; `systems` are the systems' names.
    pub(super) fn records(&self, systems: &[String]) -> Result<Vec<InputRecord>, Error> {
        let captions = systems.iter().zip(&self.captions);
        let captions = captions.map(|(name, rows)| (format!("captions/{name}"), &rows.read));
        let references = self.references.iter();
        let references = references.map(|references| ("references".to_owned(), &references.read));
        let images = ("images".to_owned(), &self.images.read);
        let mut records = Vec::new();
        for (of, read) in [images].into_iter().chain(captions).chain(references) {
            records.extend(InputRecord::of_embeddings(&format!("embeddings/{of}"), read)?);
        }
        Ok(records)
    }
}

/// One embedding for each image, and the index of its row.
struct Rows {
    read: Embeddings,
    place: Vec<usize>,
    /// How its ids met the images, if they are not equal.
    findings: Vec<Finding>,
}

impl Rows {
    /// Finds rows by an `ids.json` in the file's folder, or takes them in the order of the stems.
    fn of(read: Embeddings, stems: &[String], request: &CaptionRequest) -> Result<Self, Error> {
        let n_rows = read.rows.ids().len();
        if read.ids.is_none() {
            if n_rows != stems.len() {
                return Err(shape(
                    &read,
                    format!(
                        "{} rows, one for each image of {} in the natural order of its stems, or an ids.json beside \
                         the file that says which is which",
                        stems.len(),
                        request.reference.display()
                    ),
                ));
            }
            let place = (0..n_rows).collect();
            let findings = vec![Finding::read_as("embeddings", format!("{n_rows} {}", Form::of_rows(false).words))];
            return Ok(Rows { read, place, findings });
        }
        let (of_stems, of_rows) = ((stems, request.reference.as_path()), (read.rows.ids(), read.file.as_path()));
        // With `shared`, the file may have rows of images that are left out, but each image needs a row.
        let form = Form::of_rows(true);
        let (mut paired, mut findings) = request.pairs.pair(("embeddings", form.clone()), of_stems, of_rows)?;
        if !paired.without_partner.gt.is_empty() {
            (paired, findings) = PairsRequest::default().pair(("embeddings", form), of_stems, of_rows)?;
        }
        let mut place = vec![0; stems.len()];
        for pair in paired.pairs {
            place[pair.gt] = pair.recon;
        }
        Ok(Rows { read, place, findings })
    }

    fn row(&self, image: usize) -> &[f32] {
        self.read.rows.row(self.place[image])
    }

    fn check_width(&self, n_features: usize) -> Result<(), Error> {
        if self.read.rows.n_features() == n_features {
            return Ok(());
        }
        Err(shape(&self.read, format!("{n_features} values per row, as the images' embeddings have")))
    }
}

/// Embeddings of the reference captions: for each image an equally large block, or all captions one after another.
struct References {
    read: Embeddings,
    /// For each caption of each image, its row and its values in that row.
    places: Vec<Vec<(usize, std::ops::Range<usize>)>>,
    findings: Vec<Finding>,
}

impl References {
    fn read(
        path: &Path,
        request: &CaptionRequest,
        stems: &[String],
        n_references: &[usize],
        n_features: usize,
    ) -> Result<Self, Error> {
        let read = embeddings::read(path)?;
        let (n_rows, width) = (read.rows.ids().len(), read.rows.n_features());
        let n_captions: usize = n_references.iter().sum();
        if read.ids.is_none() && n_rows == n_captions && width == n_features {
            let mut next = 0..n_rows;
            let places = n_references.iter().map(|&n| next.by_ref().take(n).map(|row| (row, 0..n_features)).collect());
            let places = places.collect();
            let findings = Vec::new();
            return Ok(References { read, places, findings });
        }
        let of_each = width / n_features;
        if width != of_each * n_features || n_references.iter().any(|&n| n != of_each) {
            return Err(shape(
                &read,
                format!(
                    "the {n_captions} reference captions one after the other, in the natural order of the stems ({n_captions}, \
                     {n_features}), or, where each image has equally many, ({}, captions, {n_features})",
                    stems.len()
                ),
            ));
        }
        let Rows { read, place, findings } = Rows::of(read, stems, request)?;
        let of_image =
            |row: usize| (0..of_each).map(|caption| (row, caption * n_features..(caption + 1) * n_features)).collect();
        let places = place.into_iter().map(of_image).collect();
        Ok(References { read, places, findings })
    }

    fn of(&self, image: usize) -> Vec<&[f32]> {
        self.places[image].iter().map(|(row, values)| &self.read.rows.row(*row)[values.clone()]).collect()
    }
}

fn shape(read: &Embeddings, expected: String) -> Error {
    let rows = &read.rows;
    Problem::shape(vec![rows.ids().len() as u64, rows.n_features() as u64], expected)
        .at(&read.file)
        .into()
}
