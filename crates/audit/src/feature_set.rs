//! Features of a set of images, in memory or in their file, and draws of their rows.

use neurogauge::core::{FeatureValue, Features, RowValues, Seed};
use neurogauge::formats::embeddings;
use neurogauge::formats::features::{self, StoredFeatures, ids_beside};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::input_record::InputRecord;
use neurogauge::stats::{RowSource, StatsError, draw_to_front};
use neurogauge::{Error, FeatureOpener};
use rand::Rng;
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Features of the training stimuli, of the test stimuli, or of what was decoded.
#[derive(Debug)]
pub(crate) struct FeatureSet {
    /// The file of the features, or the images that they were made from.
    pub(crate) path: PathBuf,
    file: PathBuf,
    /// The images that the features were made from.
    pub(crate) images: Option<ImageSource>,
    pub(crate) ids: Vec<String>,
    /// Do the rows have ids? Otherwise they are numbered.
    pub(crate) has_ids: bool,
    values: Values,
    pub(crate) inputs: Vec<InputRecord>,
}

#[derive(Debug)]
enum Values {
    /// An `.npy` file with ids: rows are read when they are needed.
    Stored(StoredFeatures),
    /// Any other file that contains an array.
    Single(Features),
    Double(Features<f64>),
}

impl FeatureSet {
    pub(crate) fn open(role: &str, path: &Path) -> Result<Self, Error> {
        let ids_file = ids_beside(path);
        let (ids, has_ids, inputs, values) =
            if path.extension().is_some_and(|ending| ending == "npy") && ids_file.exists() {
                let stored = features::open(path, &ids_file)?;
                let inputs = vec![
                    InputRecord::of_file(role.to_owned(), path)?,
                    InputRecord::of_file(format!("{role}/ids"), &ids_file)?,
                ];
                (stored.ids().to_vec(), true, inputs, Values::Stored(stored))
            } else if embeddings::is_double(path)? {
                let read = embeddings::read_exactly(path)?;
                let inputs = InputRecord::of_embeddings(role, &read)?;
                (read.rows.ids().to_vec(), read.ids.is_some(), inputs, Values::Double(read.rows))
            } else {
                let read = embeddings::read(path)?;
                let inputs = InputRecord::of_embeddings(role, &read)?;
                (read.rows.ids().to_vec(), read.ids.is_some(), inputs, Values::Single(read.rows))
            };
        Ok(FeatureSet {
            path: path.to_owned(),
            file: path.to_owned(),
            images: None,
            ids,
            has_ids,
            inputs,
            values,
        })
    }

    /// Features in a file, or those that a model makes from images, which are recorded as the input in place of the file.
    pub(crate) fn opened(opener: &mut FeatureOpener<'_>, role: &str, path: &Path) -> Result<Self, Error> {
        let (file, images) = opener.open(role, path)?;
        let set = FeatureSet::open(role, &file)?;
        Ok(match images {
            None => set,
            Some((images, record)) => FeatureSet {
                path: images.path().to_owned(),
                images: Some(images),
                inputs: vec![record],
                ..set
            },
        })
    }

    pub(crate) fn reopened(&self, role: &str) -> Result<Self, Error> {
        Ok(FeatureSet {
            path: self.path.clone(),
            ..FeatureSet::open(role, &self.file)?
        })
    }

    /// Mean and standard deviation (n − 1) of each feature.
    pub(crate) fn moments(&self) -> Result<(Vec<f64>, Vec<f64>), StatsError> {
        let n_features = self.n_features();
        let (mut mean, mut squares) = (vec![0.0; n_features], vec![0.0; n_features]);
        for row in 0..self.n_rows() {
            let n = (row + 1) as f64;
            let values = self.row(row)?;
            for ((mean, squares), value) in mean.iter_mut().zip(&mut squares).zip(values) {
                // By Welford's method.
                let before = value - *mean;
                *mean += before / n;
                *squares += before * (value - *mean);
            }
        }
        let degrees = (self.n_rows().max(2) - 1) as f64;
        let sd = squares.iter().map(|squares| (squares / degrees).sqrt());
        Ok((mean, sd.collect()))
    }

    /// A row in double precision.
    pub(crate) fn row(&self, row: usize) -> Result<Vec<f64>, StatsError> {
        Ok(self.values(row, 0..self.n_features())?.to_double())
    }
}

impl RowSource for FeatureSet {
    fn n_rows(&self) -> usize {
        self.ids.len()
    }

    fn n_features(&self) -> usize {
        match &self.values {
            Values::Stored(stored) => stored.n_features(),
            Values::Single(rows) => rows.n_features(),
            Values::Double(rows) => rows.n_features(),
        }
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        match &self.values {
            Values::Stored(stored) => stored.values(row, features).map_err(|error| StatsError::Data(error.to_string())),
            Values::Single(rows) => Ok(f32::of_row(Cow::Borrowed(&rows.row(row)[features]))),
            Values::Double(rows) => Ok(f64::of_row(Cow::Borrowed(&rows.row(row)[features]))),
        }
    }
}

/// Some rows of a set, in a given order.
pub(crate) struct Picked<'a> {
    pub(crate) of: &'a FeatureSet,
    pub(crate) rows: Vec<usize>,
}

impl Picked<'_> {
    /// All values in double precision, row after row.
    pub(crate) fn in_double(&self) -> Result<Vec<f64>, StatsError> {
        let mut values = Vec::with_capacity(self.rows.len() * self.n_features());
        for &row in &self.rows {
            values.extend(self.of.row(row)?);
        }
        Ok(values)
    }
}

impl RowSource for Picked<'_> {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn n_features(&self) -> usize {
        self.of.n_features()
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        self.of.values(self.rows[row], features)
    }
}

/// Rows of several sets of equal width, one after another.
pub(crate) struct Stacked<'a>(pub(crate) Vec<Picked<'a>>);

impl RowSource for Stacked<'_> {
    fn n_rows(&self) -> usize {
        self.0.iter().map(Picked::n_rows).sum()
    }

    fn n_features(&self) -> usize {
        self.0.first().map_or(0, Picked::n_features)
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        let mut row = row;
        for set in &self.0 {
            match row.checked_sub(set.n_rows()) {
                Some(beyond) => row = beyond,
                None => return set.values(row, features),
            }
        }
        Ok(f32::of_row(Cow::Borrowed(&[])))
    }
}

/// The most training stimuli that k-means and spans use.
const MOST_ROWS: usize = 20_000;
/// The largest allowed smaller side of the matrix whose axes are computed.
pub(crate) const LARGEST_SIDE: usize = 4096;

/// The draws, each with separate random numbers; k-means++ uses the first streams, so these are at the end.
#[derive(Clone, Copy)]
pub(crate) enum Draw {
    Neighbours,
    KMeans,
    Span,
    SpanOfAsMany,
    Folds,
}

impl Draw {
    pub(crate) fn rng(self, seed: Seed) -> impl Rng {
        seed.stream(u64::MAX - self as u64)
    }

    /// A number of rows of a set, or all of them, in random order.
    pub(crate) fn rows(self, set: &FeatureSet, n: usize, seed: Seed) -> Picked<'_> {
        let mut rows: Vec<usize> = (0..set.n_rows()).collect();
        let rows = draw_to_front(&mut rows, n, &mut self.rng(seed)).to_vec();
        Picked { of: set, rows }
    }
}

/// The number of rows that can be used to compute axes if `n_others` rows of other sets are used too.
pub(crate) fn most_rows(n_features: usize, n_others: usize) -> usize {
    match n_features > LARGEST_SIDE {
        true => LARGEST_SIDE.saturating_sub(n_others),
        false => MOST_ROWS,
    }
}
