//! How much of identification the clusters explain.

use crate::ceiling::by_cluster_alone;
use crate::feature_set::{Draw, FeatureSet, LARGEST_SIDE, Picked, most_rows};
use crate::identification::Wins;
use crate::items::{Items, unknown_item};
use crate::kmeans::{k_means, nearest_centres, silhouette};
use crate::section::{Line, Section};
use crate::subspace::Span;
use crate::{AuditRequest, ClustersFrom};
use neurogauge::Error;
use neurogauge::core::Undefined;
use neurogauge::formats::class_labels;
use neurogauge::metrics::decoding::identification::{IdentificationOptions, Others, identify_by};
use neurogauge::stats::RowSource;
use neurogauge::stats::u_statistic::{IdentificationScores, estimate_of_stimuli};
use std::collections::{BTreeMap, BTreeSet};

const STARTS: usize = 10;
/// More clusters are tried too, by these factors: a decoder of categories is better than chance within clusters that
/// contain several of them. One start of k-means is enough for these.
const FINER: [usize; 3] = [2, 4, 8];
/// Sizes of identification that papers print.
const WAYS: [usize; 3] = [2, 10, 50];

pub(crate) struct Clusters {
    pub(crate) names: Vec<String>,
    /// The cluster of each test stimulus that takes part.
    pub(crate) test: Vec<usize>,
    /// The cluster of each training stimulus.
    pub(crate) train: Vec<usize>,
    /// Finer clusters by k-means: their number, and the cluster of each test stimulus.
    finer: Vec<(usize, Vec<usize>)>,
    silhouette: Option<f64>,
    how: String,
}

impl Clusters {
    pub(crate) fn find(request: &AuditRequest, items: &Items) -> Result<Self, Error> {
        match &request.clusters {
            ClustersFrom::File(path) => {
                items.refuse_shared_numbers(path)?;
                let labels = class_labels::read_single(path)?;
                let names: BTreeSet<&String> = labels.values().collect();
                let names: Vec<String> = names.into_iter().cloned().collect();
                let place: BTreeMap<&String, usize> = names.iter().zip(0..).collect();
                let of = |id: &String| match labels.get(id) {
                    Some(label) => Ok(place[label]),
                    None => Err(unknown_item(path, id, "a cluster for every training and test stimulus; it has none")),
                };
                let test: Result<Vec<usize>, Error> = items.stems.iter().map(of).collect();
                let train: Result<Vec<usize>, Error> = items.train.ids.iter().map(of).collect();
                Ok(Clusters {
                    test: test?,
                    train: train?,
                    names,
                    finer: Vec::new(),
                    silhouette: None,
                    how: path.display().to_string(),
                })
            }
            &ClustersFrom::KMeans(k) => of_features(request, items, k),
        }
    }

    /// Number of test stimuli in each cluster.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.names.len()];
        self.test.iter().for_each(|&cluster| sizes[cluster] += 1);
        sizes
    }
}

/// k-means in the space of the leading principal axes of training and test stimuli.
fn of_features(request: &AuditRequest, items: &Items, k: usize) -> Result<Clusters, Error> {
    let seed = request.bootstrap.seed;
    let n_features = items.train.n_features();
    let n_test = items.test_rows.len();
    let mut values = match items.has_training {
        true => {
            let most = most_rows(n_features, n_test).max(k);
            Draw::KMeans.rows(&items.train, most, seed).in_double()?
        }
        false => Vec::new(),
    };
    values.extend(items.test_picked().in_double()?);
    let mut span = Span::of(&values, n_features)?;
    let axes = request.axes.min(span.rank());
    if axes == 0 {
        return Err(Error::Usage("the features have no variance, so there are no clusters".to_owned()));
    }
    span.truncate(axes);
    let points = span.coordinates_of(&values)?;
    let n_points = points.len() / axes;
    let found = k_means(&points, axes, k, seed, STARTS).ok_or_else(|| {
        Error::Usage(format!("--clusters {k}: there are {n_points} stimuli; expected at most as many clusters"))
    })?;
    let of_test = |labels: &[usize]| labels[n_points - n_test..].to_vec();
    let test = of_test(&found.labels);
    let finer = FINER.map(|times| times * k).into_iter().filter(|more| more * 2 <= n_points);
    let finer = finer.filter_map(|more| {
        let found = k_means(&points, axes, more, seed, 1)?;
        Some((more, of_test(&found.labels)))
    });
    let finer = finer.collect();
    let train = labels_of(&items.train, &span, &found.centres)?;
    Ok(Clusters {
        silhouette: silhouette(&points[(n_points - n_test) * axes..], axes, &test),
        names: (0..k).map(|cluster| (cluster + 1).to_string()).collect(),
        how: format!("k-means, k = {k}, on {axes} principal axes, seed {}", seed.0),
        finer,
        test,
        train,
    })
}

/// The nearest centre of every row, computed for some rows at a time.
fn labels_of(set: &FeatureSet, span: &Span, centres: &[f64]) -> Result<Vec<usize>, Error> {
    let mut labels = Vec::with_capacity(set.n_rows());
    for start in (0..set.n_rows()).step_by(LARGEST_SIDE) {
        let rows = (start..set.n_rows().min(start + LARGEST_SIDE)).collect();
        let values = Picked { of: set, rows }.in_double()?;
        let points = span.coordinates_of(&values)?;
        labels.extend(nearest_centres(&points, span.rank(), centres).into_iter().map(|(label, _)| label));
    }
    Ok(labels)
}

pub(crate) fn section(request: &AuditRequest, items: &Items, clusters: &Clusters) -> Result<Section, Error> {
    let options = &request.bootstrap;
    let sizes = clusters.sizes();
    let n = items.stems.len();
    let n_held = sizes.iter().filter(|&&size| size > 0).count();
    let mut lines = vec![Line::exact("clusters that hold a test stimulus", Ok(n_held as f64), n)];
    if items.has_training {
        let in_training: BTreeSet<usize> = clusters.train.iter().copied().collect();
        let met = clusters.test.iter().filter(|&cluster| in_training.contains(cluster)).count();
        lines.push(Line::exact(
            "share of test stimuli whose cluster has training stimuli",
            Ok(met as f64 / n as f64),
            n,
        ));
    }
    if let Some(value) = clusters.silhouette {
        lines.push(Line::exact("silhouette of the test stimuli", Ok(value), n));
    }
    let ceiling = |ways: usize| by_cluster_alone(&sizes, ways, 1);
    let answer = match (items.decoded_picked(), &items.similarities) {
        (Some(decoded), Some(similarities)) => {
            let test = items.test_picked();
            for ways in WAYS.into_iter().filter(|&ways| ways <= n) {
                let identified = IdentificationOptions {
                    n_way: ways,
                    ..IdentificationOptions::default()
                };
                let found = identify_by(request.similarity, &test, &decoded, Others::of(None), &identified);
                let found = found.map_err(|source| Error::AllPairs {
                    figure: "identification",
                    source,
                })?;
                let stimuli: Vec<usize> = (0..n).collect();
                let found = estimate_of_stimuli(
                    IdentificationScores::of(&found.outcomes, &found.pseudo_values),
                    &stimuli,
                    (0.0, 1.0),
                    options,
                )?;
                let line = Line::new(format!("{ways}-way identification"), found);
                lines.push(match ceiling(ways) {
                    Some(value) => line.beside("by cluster alone", value),
                    None => line,
                });
            }
            let wins = Wins::of(similarities);
            let label = &clusters.test;
            let within = |label: &[usize]| wins.estimate(|i, j| label[i] == label[j], options);
            let (own, _) = within(label)?;
            let (between, _) = wins.estimate(|i, j| label[i] != label[j], options)?;
            lines.push(Line::new("two-way identification within a cluster", own).beside("chance", 0.5));
            let mut finer = Vec::new();
            for (k, label) in &clusters.finer {
                let (own, _) = within(label)?;
                finer.push((*k, own.interval));
                lines.push(Line::new(format!("the same within one of {k} clusters"), own).beside("chance", 0.5));
            }
            lines.push(Line::new("two-way identification between clusters", between).beside("chance", 0.5));
            verdict(&lines, ceiling(2), &request.clusters, &finer)
        }
        _ => {
            for ways in WAYS.into_iter().filter(|&ways| ways <= n) {
                let value = ceiling(ways).ok_or(Undefined::TooFewItems);
                lines.push(Line::exact(format!("{ways}-way identification by cluster alone"), value, n));
            }
            "A decoder that knows the cluster of a stimulus and nothing else has these accuracies on average."
                .to_owned()
        }
    };
    Ok(Section {
        id: "clusters",
        question: "How much of identification is the cluster?",
        lines,
        answer: format!("{answer} Clusters: {}.", clusters.how).trim_start().to_owned(),
        population: "new stimuli as targets and as distractors; the clusters stay the same",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515; the ceiling is in closed form",
    })
}

/// What the data show that the decoder knows. `finer` has the additional numbers of clusters, and the interval of
/// accuracy within them.
fn verdict(lines: &[Line], ceiling: Option<f64>, from: &ClustersFrom, finer: &[(usize, Option<(f64, f64)>)]) -> String {
    let find = |what: &str| lines.iter().find(|line| line.what.starts_with(what));
    let Some(within) = find("two-way identification within") else {
        return String::new();
    };
    let is_above = |interval: Option<(f64, f64)>| interval.is_some_and(|(low, _)| low > 0.5);
    let left = match within.estimate.interval {
        Some((low, _)) if low > 0.5 => &match (from, finer.iter().find(|(_, own)| !is_above(*own))) {
            (ClustersFrom::File(_), _) => {
                "Within clusters the decoder is better than chance: it knows more of a stimulus than its cluster."
                    .to_owned()
            }
            (ClustersFrom::KMeans(k), Some((more, _))) => format!(
                "Within {k} clusters the decoder is better than chance, but within {more} this is not shown: what it knows may be a finer \
                 category."
            ),
            (ClustersFrom::KMeans(k), None) => match finer.last() {
                Some((most, _)) => format!(
                    "Within clusters the decoder is better than chance, with {k} of them and with more, up to {most}: it knows more of a \
                     stimulus than its cluster."
                ),
                None => format!(
                    "Within {k} clusters the decoder is better than chance; there are too few stimuli to try more clusters, so what it knows \
                     may be a finer category."
                ),
            },
        },
        Some((_, high)) if high < 0.5 => {
            "Within clusters the decoder is worse than chance, which asks for a look at the pairing of the files."
        }
        Some(_) => {
            "Within clusters the decoder cannot be distinguished from chance: these data do not show that it knows more of a stimulus \
             than its cluster."
        }
        None => "There are too few stimuli in a cluster to say what the decoder knows within it.",
    };
    let limit = "Other clusters give other numbers, and stimuli of a cluster can still differ in kind.";
    match (find("2-way").and_then(Line::value), ceiling) {
        (Some(all), Some(ceiling)) => {
            format!(
                "Knowing the cluster alone gives {ceiling:.3} in two-way identification; the decoder has {all:.3}. {left} {limit}"
            )
        }
        _ => format!("{left} {limit}"),
    }
}
