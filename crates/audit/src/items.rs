//! The test stimuli that take part, and the facts about each.

use crate::AuditRequest;
use crate::feature_set::{Draw, FeatureSet, Picked, Stacked};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{Form, Pairing, PairingError, PairsOf, listed};
use neurogauge::core::{Finding, Outcome, Progress, Sides, Undefined};
use neurogauge::formats::Problem;
use neurogauge::stats::similarity::{ComparedRows, SimilarityMatrix, similarities_between};
use neurogauge::stats::{RowSource, Similarity};
use neurogauge::{Error, FeatureOpener, pair_names};
use std::collections::HashSet;
use std::path::Path;

/// Everything that an audit measures before it answers its questions.
pub(crate) struct Items {
    /// The training stimuli, or the test stimuli if there are no features of training stimuli.
    pub(crate) train: FeatureSet,
    pub(crate) has_training: bool,
    pub(crate) similarity: Similarity,
    pub(crate) test: FeatureSet,
    pub(crate) decoded: Option<FeatureSet>,
    /// Pictures made from the decoded captions alone.
    pub(crate) caption_pictures: Option<FeatureSet>,
    pub(crate) stems: Vec<String>,
    pub(crate) test_rows: Vec<usize>,
    /// The rows of what was decoded; empty if nothing was.
    pub(crate) decoded_rows: Vec<usize>,
    /// Each test stimulus compared with the training stimuli.
    pub(crate) of_test: Vec<AgainstTraining>,
    /// Each decoded row compared with the training stimuli.
    pub(crate) of_decoded: Vec<AgainstTraining>,
    /// Similarities of decoded rows to test stimuli.
    pub(crate) similarities: Option<SimilarityMatrix>,
    /// A sample of training stimuli compared with the others.
    pub(crate) of_training: Vec<AgainstTraining>,
    pub(crate) findings: Vec<Finding>,
}

impl Items {
    pub(crate) fn open(
        request: &AuditRequest,
        opener: &mut FeatureOpener<'_>,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let mut open = |role: &str, path: &Path| FeatureSet::opened(opener, role, path);
        let test = open("test", &request.test)?;
        let train = match &request.train {
            Some(path) => open("train", path)?,
            None => test.reopened("test")?,
        };
        let decoded = request.decoded.as_deref();
        let decoded = decoded.map(|path| open("decoded", path)).transpose()?;
        let pictures = request.caption_pictures.as_deref();
        let pictures = pictures.map(|path| open("caption_pictures", path)).transpose()?;
        for other in [Some(&test), decoded.as_ref(), pictures.as_ref()].into_iter().flatten() {
            check_width(&train, other)?;
        }
        let mut findings = Vec::new();
        let (stems, test_rows, decoded_rows) = match &decoded {
            Some(decoded) => paired(&test, decoded, request.pairs, &mut findings)?,
            None => (test.ids.clone(), (0..test.n_rows()).collect(), Vec::new()),
        };
        if request.train.is_some() {
            findings.extend(shared_ids(&train, &test));
        }
        let mut items = Items {
            has_training: request.train.is_some(),
            similarity: request.similarity,
            findings,
            train,
            test,
            decoded,
            caption_pictures: pictures,
            stems,
            test_rows,
            decoded_rows,
            of_test: Vec::new(),
            of_decoded: Vec::new(),
            similarities: None,
            of_training: Vec::new(),
        };
        items.compare(request, progress)?;
        Ok(items)
    }

    fn compare(&mut self, request: &AuditRequest, progress: &dyn Progress) -> Result<(), Error> {
        let similarity = request.similarity;
        let n = self.stems.len();
        let picked = self.test_picked();
        let test = ComparedRows::new(&picked, similarity)?;
        let decoded = self.decoded_picked();
        let decoded = decoded.as_ref().map(|picked| ComparedRows::new(picked, similarity)).transpose()?;
        let similarities = match &decoded {
            Some(decoded) => Some(similarities_between((decoded, 0..n), (&test, 0..n))?),
            None => None,
        };
        let mut of_test = vec![AgainstTraining::UNKNOWN; n];
        let (mut of_training, mut of_decoded) = (Vec::new(), of_test.clone());
        if self.has_training {
            // All rows that are compared with the training stimuli are stacked, so that the latter are read only once.
            let sample = Draw::Neighbours.rows(&self.train, n, request.bootstrap.seed);
            let n_sampled = sample.rows.len();
            let mut excluded = vec![None; n];
            excluded.extend(sample.rows.iter().copied().map(Some));
            let mut own = vec![f64::NAN; n + n_sampled];
            let mut stacked = vec![self.test_picked(), sample];
            if let (Some(decoded), Some(values)) = (self.decoded_picked(), &similarities) {
                own.extend((0..n).map(|item| values.get(item, item)));
                excluded.resize(own.len(), None);
                stacked.push(decoded);
            }
            let stacked = Stacked(stacked);
            let rows = ComparedRows::new(&stacked, similarity)?;
            let training = ComparedRows::new(&self.train, similarity)?;
            let stage = ("comparing with the training stimuli", progress);
            of_test = against_training(&rows, &own, &excluded, &training, stage)?;
            of_decoded = of_test.split_off(n + n_sampled);
            of_training = of_test.split_off(n);
        }
        let warning = similarities.as_ref().and_then(|values| self.left_out(values));
        (self.of_test, self.of_training, self.of_decoded) = (of_test, of_training, of_decoded);
        self.similarities = similarities;
        self.findings.extend(warning);
        Ok(())
    }

    /// A warning about items with features that cannot be compared.
    fn left_out(&self, values: &SimilarityMatrix) -> Option<Finding> {
        let left_out = (0..self.stems.len()).filter(|&item| values.get(item, item).is_nan());
        let left_out: Vec<&str> = left_out.map(|item| self.stems[item].as_str()).collect();
        (!left_out.is_empty()).then(|| {
            let message = format!(
                "{} items have features that are all equal, decoded or of the stimulus, and are left out: {}",
                left_out.len(),
                listed(left_out.iter().copied())
            );
            Finding::warning("left_out_of_audit", "audit", message)
        })
    }

    pub(crate) fn test_picked(&self) -> Picked<'_> {
        Picked {
            of: &self.test,
            rows: self.test_rows.clone(),
        }
    }

    pub(crate) fn decoded_picked(&self) -> Option<Picked<'_>> {
        let of = self.decoded.as_ref()?;
        Some(Picked {
            of,
            rows: self.decoded_rows.clone(),
        })
    }

    /// Fails if a file cannot distinguish two stimuli: rows without ids are numbered, and a training stimulus has the
    /// number of a test stimulus.
    pub(crate) fn refuse_shared_numbers(&self, path: &Path) -> Result<(), Error> {
        if !self.has_training || (self.train.has_ids && self.test.has_ids) {
            return Ok(());
        }
        let known: HashSet<&String> = self.train.ids.iter().collect();
        match self.stems.iter().find(|stem| known.contains(stem)) {
            None => Ok(()),
            Some(shared) => Err(Error::Usage(format!(
                "{}: {shared:?} is a training and a test stimulus, because features without ids.json are numbered from 0; expected ids.json                  beside {} and {}",
                path.display(),
                self.train.path.display(),
                self.test.path.display()
            ))),
        }
    }

    /// The smallest and the largest possible similarity.
    pub(crate) fn range(&self) -> (f64, f64) {
        match self.similarity {
            Similarity::Correlation | Similarity::Cosine => (-1.0, 1.0),
            Similarity::Euclidean => (f64::NEG_INFINITY, 0.0),
        }
    }

    /// Similarity of each decoded row to its own stimulus; NaN if it is unknown.
    pub(crate) fn own_similarities(&self) -> Option<Vec<f64>> {
        let values = self.similarities.as_ref()?;
        Some((0..self.stems.len()).map(|item| values.get(item, item)).collect())
    }
}

/// Fails unless rows have as many features as those of the training stimuli.
pub(crate) fn check_width(train: &FeatureSet, other: &FeatureSet) -> Result<(), Error> {
    if train.n_features() == other.n_features() {
        return Ok(());
    }
    let [path, expected] = [&other.path, &train.path].map(|path| path.display());
    Err(Error::Usage(format!(
        "{path}: {} features in a row; expected {}, as in {expected}: make both with the same model and layer",
        other.n_features(),
        train.n_features()
    )))
}

/// Names, rows of the test stimuli, and rows decoded from the brain while they were seen.
type Paired = (Vec<String>, Vec<usize>, Vec<usize>);

/// Pairs rows by ids, or by position.
fn paired(
    test: &FeatureSet,
    decoded: &FeatureSet,
    pairs: PairsOf,
    findings: &mut Vec<Finding>,
) -> Result<Paired, Error> {
    if test.has_ids != decoded.has_ids || (!test.has_ids && test.ids.len() != decoded.ids.len()) {
        let described = |set: &FeatureSet| {
            let ids = if set.has_ids { "an ids.json" } else { "no ids.json" };
            format!("{} ({} rows, {ids} beside it)", set.path.display(), set.ids.len())
        };
        return Err(Error::Usage(format!(
            "{} and {}: rows pair up by ids.json, or by position if neither has one and both have as many rows",
            described(test),
            described(decoded)
        )));
    }
    let (of_test, of_decoded) =
        ((test.ids.as_slice(), test.path.as_path()), (decoded.ids.as_slice(), decoded.path.as_path()));
    let pairing = Pairing {
        pairs,
        ..Pairing::default()
    };
    let (paired, found) =
        pair_names(&pairing, ("features", Form::of_rows(test.has_ids)), of_test, of_decoded, &Sides::default())
            .map_err(with_one_option)?;
    findings.extend(found);
    let pairs = paired.pairs;
    let rows = |row: fn(&neurogauge::core::Pair) -> usize| pairs.iter().map(row).collect();
    let (gt, recon) = (rows(|pair| pair.gt), rows(|pair| pair.recon));
    Ok((pairs.into_iter().map(|pair| pair.stem).collect(), gt, recon))
}

/// An audit has no option for names but `--pairs`.
fn with_one_option(error: Error) -> Error {
    match error {
        Error::Pairing {
            what,
            gt,
            recon,
            source,
            ..
        } => Error::Pairing {
            what,
            gt,
            recon,
            remedy: match &*source {
                PairingError::MissingPartner { n_paired, .. } if *n_paired > 0 => {
                    format!("{} compares the {n_paired} on both sides", option("pairs", "shared"))
                }
                _ => String::new(),
            },
            source,
        },
        error => error,
    }
}

/// A warning about test stimuli with the id of a training stimulus.
fn shared_ids(train: &FeatureSet, test: &FeatureSet) -> Vec<Finding> {
    if !train.has_ids || !test.has_ids {
        return Vec::new();
    }
    let known: HashSet<&String> = train.ids.iter().collect();
    let shared: Vec<&str> = test.ids.iter().filter(|id| known.contains(id)).map(String::as_str).collect();
    if shared.is_empty() {
        return Vec::new();
    }
    let message = format!(
        "{} test stimuli have the id of a training stimulus ({}): was the decoder trained on them?",
        shared.len(),
        listed(shared.iter().copied())
    );
    vec![Finding::warning("test_in_training", "audit", message)]
}

/// The error about a file in which an entry names an unknown item.
pub(crate) fn unknown_item(path: &Path, item: &str, expected: &str) -> Error {
    Error::Format(Problem::invalid(format!("item {item:?}"), format!("expected {expected}")).at(path))
}

/// Training stimuli whose similarities are in memory at a time.
const BLOCK: usize = 4096;

/// A row compared with all training stimuli.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AgainstTraining {
    /// The most similar training stimulus and its similarity; the first of equal ones. `None` for a row without
    /// similarities.
    pub(crate) nearest: Option<(usize, f64)>,
    /// Number of training stimuli that are more similar than the row's own stimulus.
    pub(crate) n_nearer: usize,
    /// Number of training stimuli that are exactly as similar.
    pub(crate) n_tied: usize,
}

impl AgainstTraining {
    pub(crate) const UNKNOWN: AgainstTraining = AgainstTraining {
        nearest: None,
        n_nearer: 0,
        n_tied: 0,
    };
}

/// The similarity of each row to its nearest training stimulus.
pub(crate) fn to_nearest(found: &[AgainstTraining]) -> Vec<Outcome> {
    found
        .iter()
        .map(|one| one.nearest.map_or(Err(Undefined::NoPairs), |(_, similarity)| Ok(similarity)))
        .collect()
}

/// Compares every row with every training stimulus.
///
/// `own` is the similarity of each row to its own stimulus (NaN if unknown); `excluded` is the training stimulus that a
/// row is not compared with, because it is the same stimulus.
pub(crate) fn against_training(
    rows: &ComparedRows<'_>,
    own: &[f64],
    excluded: &[Option<usize>],
    training: &ComparedRows<'_>,
    (stage, progress): (&str, &dyn Progress),
) -> Result<Vec<AgainstTraining>, Error> {
    let mut found = vec![AgainstTraining::UNKNOWN; rows.n_rows()];
    progress.start(stage, training.n_rows() as u64, 0);
    for start in (0..training.n_rows()).step_by(BLOCK) {
        let block = start..training.n_rows().min(start + BLOCK);
        let n = block.len();
        let values = similarities_between((rows, 0..rows.n_rows()), (training, block))?;
        for (row, found) in found.iter_mut().enumerate() {
            for place in 0..n {
                let similarity = values.get(row, place);
                if similarity.is_nan() || excluded[row] == Some(start + place) {
                    continue;
                }
                if found.nearest.is_none_or(|(_, best)| similarity > best) {
                    found.nearest = Some((start + place, similarity));
                }
                found.n_nearer += usize::from(similarity > own[row]);
                found.n_tied += usize::from(similarity == own[row]);
            }
        }
        progress.advance(n as u64);
    }
    progress.finish();
    Ok(found)
}
