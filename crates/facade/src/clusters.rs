//! Groups of alike stimuli, which intervals and tests treat as one (convention `alike-stimuli`).

use crate::Error;
use neurogauge_core::alike_names::alike_names;
use neurogauge_core::name_pattern::ClusterPattern;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Form, Met, PairsOf};
use neurogauge_core::{Finding, first_names};
use neurogauge_formats::{AtPath, Problem, class_labels};
use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where clusters of alike stimuli come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, SerializeDisplay, DeserializeFromStr)]
pub enum ClusterChoice {
    /// From names such as `movie1_clip03`; stimuli with other names are independent.
    #[default]
    Auto,
    None,
    /// From the names of the pairs, by a pattern.
    Pattern(ClusterPattern),
    /// From a table with the columns item and cluster.
    File(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterRecord {
    /// The source of the clusters: `names`, a pattern, or `file`.
    pub from: String,
    /// The pairs (or the items, if pairs are their parts) of each cluster.
    pub stems: BTreeMap<String, Vec<String>>,
}

impl ClusterChoice {
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        match self {
            ClusterChoice::File(path) => Some(path),
            _ => None,
        }
    }

    /// The clusters of these pairs or items, and findings about them; none if a separate pattern names `stimuli`.
    pub(crate) fn of(
        &self,
        stems: &[String],
        names_say: bool,
    ) -> Result<(Option<ClusterRecord>, Option<Finding>), Error> {
        let mut taken = None;
        let found = match self {
            ClusterChoice::None => return Ok((None, None)),
            ClusterChoice::Auto => match alike_names(stems).filter(|_| names_say) {
                None => return Ok((None, None)),
                Some(names) => {
                    let found = ClusterRecord::of("names", stems, names.clusters);
                    let finding = found.finding(stems, names.are_films);
                    return Ok((Some(found).filter(|_| names.are_films), Some(finding)));
                }
            },
            ClusterChoice::Pattern(pattern) => {
                let named = |stem: &String| match pattern.of(stem) {
                    Some(cluster) => Ok(cluster.to_owned()),
                    None => Err(Error::Usage(format!(
                        "the pair {stem:?} is not called as {} says; expected a pattern that all pairs follow, with {{cluster}} where \
                         the cluster is named and * where anything may be",
                        option("cluster", &self.to_string())
                    ))),
                };
                let clusters = stems.iter().map(named).collect::<Result<_, _>>()?;
                ClusterRecord::of(&pattern.to_string(), stems, clusters)
            }
            ClusterChoice::File(path) => {
                let (items, known): (Vec<String>, Vec<String>) = class_labels::read_single(path)?.into_iter().unzip();
                let met = Met::of(stems, &items, PairsOf::Shared);
                let form = Form::usual("columns item, cluster");
                taken = Some(met.taken_for(stems, &items, form).finding(path.display().to_string(), ""));
                let named = |(stem, place): (&String, &Option<usize>)| {
                    let missing =
                        || Problem::invalid(format!("item {stem:?}"), "no row; expected a cluster for every item");
                    place.map(|place| known[place].clone()).ok_or_else(missing)
                };
                let clusters =
                    stems.iter().zip(&met.partners).map(named).collect::<Result<Vec<String>, Problem>>().at(path)?;
                ClusterRecord::of("file", stems, clusters)
            }
        };
        match found.stems.len() {
            1 => Err(Error::Usage(format!(
                "{}: all pairs are of one cluster, which does not show how clusters differ; expected two or more",
                option("cluster", &self.to_string())
            ))),
            _ => Ok((Some(found), taken)),
        }
    }
}

impl ClusterRecord {
    fn of(from: &str, stems: &[String], clusters: Vec<String>) -> Self {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (stem, cluster) in stems.iter().zip(clusters) {
            found.entry(cluster).or_default().push(stem.clone());
        }
        ClusterRecord {
            from: from.to_owned(),
            stems: found,
        }
    }

    /// The cluster of each of these pairs or items, as a number.
    pub(crate) fn of_stems(&self, stems: &[String]) -> Vec<usize> {
        let clusters = self.stems.values().enumerate();
        let of_cluster = clusters.flat_map(|(place, own)| own.iter().map(move |stem| (stem, place)));
        let known: HashMap<&String, usize> = of_cluster.collect();
        let n_clusters = self.stems.len();
        let of_stem = |(place, stem)| known.get(stem).copied().unwrap_or(n_clusters + place);
        stems.iter().enumerate().map(of_stem).collect()
    }

    /// The finding that names show which stimuli are alike, and whether clusters were made of them.
    fn finding(&self, stems: &[String], is_taken: bool) -> Finding {
        let names: Vec<&str> = self.stems.keys().map(String::as_str).collect();
        let example = names.first().copied().unwrap_or_default();
        let evidence = format!("{} names begin with {}", stems.len(), first_names(&names));
        let (message, advice) = match is_taken {
            true => (
                format!(
                    "stimuli are taken as pieces of {} films or scenes, which are not independent: intervals and tests are over these",
                    names.len()
                ),
                format!("{} takes all as independent", option("cluster", "none")),
            ),
            false => (
                format!(
                    "several stimuli share the first part of their names, and all are taken as independent: if those of a part are alike \
                     (clips of a scene, pictures of a concept), intervals are too narrow; {} groups",
                    names.len()
                ),
                format!(
                    "{} takes those with one first part together (such as {example}), {} says that they are independent",
                    option("cluster", "PATTERN"),
                    option("cluster", "none")
                ),
            ),
        };
        Finding::warning("alike_stimuli", "names", message).on_evidence(evidence).advise(advice)
    }
}

impl FromStr for ClusterChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "auto" => ClusterChoice::Auto,
            "none" => ClusterChoice::None,
            _ if text.contains('{') => ClusterChoice::Pattern(text.parse()?),
            _ => ClusterChoice::File(text.into()),
        })
    }
}

impl fmt::Display for ClusterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterChoice::Auto => f.write_str("auto"),
            ClusterChoice::None => f.write_str("none"),
            ClusterChoice::Pattern(pattern) => pattern.fmt(f),
            ClusterChoice::File(path) => path.display().fmt(f),
        }
    }
}
