//! Joins ratings and scores of the same items, from tables and from the folders of runs.

use super::direction::{MetricRole, assumed, check_stated, role};
use super::stimuli::stimuli;
use super::strengths::{self, HumanChoices};
use super::{InMemoryTable, MetaRequest};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{Form, ItemJoin, PairsOf, listed};
use neurogauge::core::{Finding, NAMES_SHOWN, counted, first_names};
use neurogauge::formats::{Problem, metric_table, ratings};
use neurogauge::models::registry::did_you_mean;
use neurogauge::stats::Ratings;
use neurogauge::stats::meta::{Grouping, MetricColumn};
use neurogauge::{Error, load_run};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The code of the warning about a metric that uses a placeholder model.
pub(super) const STAND_IN: &str = "stand_in";

/// A survey with the scores of every metric, in the order of its items.
pub(super) struct Joined {
    pub(super) ratings: Ratings,
    /// Ids of the items: those in the first source that scores the item, otherwise those in the ratings.
    pub(super) items: Vec<String>,
    /// Their ids in the ratings.
    pub(super) rated_ids: Vec<String>,
    pub(super) groupings: Vec<Grouping>,
    /// The stimulus of each item; `None` if items are independent.
    pub(super) stimuli: Option<Grouping>,
    pub(super) raters: Vec<String>,
    /// People's choices, if they chose in place of rating.
    pub(super) choices: Option<HumanChoices>,
    pub(super) columns: Vec<MetricColumn>,
    pub(super) roles: Vec<MetricRole>,
    pub(super) findings: Vec<Finding>,
}

impl Joined {
    pub(super) fn of(request: &MetaRequest, human: Option<&InMemoryTable>, sources: &[Source]) -> Result<Self, Error> {
        let columns = request.columns();
        let mut table = match human {
            None => ratings::read(&request.human, &columns, request.ends()),
            Some(held) => ratings::of_text(&held.name, &held.text, &columns, request.ends()),
        }?;
        let (n_items, n_raters) = (counted(table.items.len(), "item"), counted(table.raters.len(), "rater"));
        let words = format!("{n_items} by {n_raters}, {}", table.form);
        let subject = human.map_or_else(|| request.human.display().to_string(), |held| held.name.clone());
        table.findings.push(Finding::read_as(subject, words));
        if let Some(path) = &request.items {
            table
                .findings
                .push(Finding::read_as(path.display().to_string(), "the items, in the order of what is about them"));
        }
        let choices = strengths::take(&mut table, request.options.bootstrap.level);
        let ratings = Ratings::new(table.raters.len(), table.values).map_err(|source| {
            let path = request.human.clone();
            Error::Survey { path, source }
        })?;
        let shown = shown_names(sources, request.first_keeps_names)?;
        let all = sources.iter().flat_map(|s| &s.metrics).map(|(name, _)| name).chain(shown.iter().flatten());
        check_stated(request, all.map(String::as_str))?;

        let shape = [table.items.len(), table.raters.len()];
        let swapped = swapped_axes(request, shape, sources);
        if let Some(reason) = &swapped {
            let path = request.human.display().to_string();
            table.findings.push(Finding::warning("swapped_axes", path, reason.clone()));
        }
        let groupings = request.group_columns.iter().zip(&table.groups);
        let groupings = groupings.map(|(name, labels)| Grouping::new(name.as_str(), labels));
        let labels = table.groups.get(request.group_columns.len());
        let stimuli = stimuli(request, &table.items, labels, &mut table.findings)?;
        let mut joined = Joined {
            ratings,
            items: Vec::new(),
            rated_ids: table.items,
            groupings: groupings.collect::<Result<_, _>>()?,
            stimuli,
            raters: table.raters,
            choices,
            columns: Vec::new(),
            roles: Vec::new(),
            findings: table.findings,
        };
        let n_items = joined.rated_ids.len();
        let mut ids: Vec<Option<&String>> = vec![None; n_items];
        for (source, shown) in sources.iter().zip(shown) {
            let of_source = (source.path.as_path(), source.form.as_str());
            let places = places(request, &joined.rated_ids, of_source, &source.items, &mut joined.findings);
            let places = places.map_err(|error| match (error, &swapped) {
                (Error::NothingJoins { .. }, Some(reason)) => {
                    let path = request.human.clone();
                    let reason = reason.clone();
                    Problem::new(reason).at(path).into()
                }
                (error, _) => error,
            })?;
            joined.warn_of_strangers(source, &places, request.pairs)?;
            for (item, place) in source.items.iter().zip(&places) {
                if let Some(place) = place {
                    ids[*place].get_or_insert(item);
                }
            }
            for ((name, scores), shown) in source.metrics.iter().zip(shown) {
                let mut column = vec![None; n_items];
                for (place, score) in places.iter().zip(scores) {
                    if let Some(place) = place {
                        column[*place] = *score;
                    }
                }
                let from = source.path.display().to_string();
                let role = role(request, name, &shown, from, &mut joined.findings);
                if source.stand_ins.contains(name) {
                    joined.findings.push(rests_on_stand_in(&shown));
                }
                joined.columns.push(MetricColumn {
                    name: shown,
                    direction: role.direction,
                    scores: column,
                });
                joined.roles.push(role);
            }
        }
        joined.findings.extend(assumed(&joined.roles));
        let ids = ids.into_iter().zip(&joined.rated_ids);
        joined.items = ids.map(|(id, rated)| id.unwrap_or(rated).clone()).collect();
        Ok(joined)
    }

    /// Warns about items that do not join; with `--pairs all`, they are an error.
    fn warn_of_strangers(
        &mut self,
        source: &Source,
        places: &[Option<usize>],
        pairs: Option<PairsOf>,
    ) -> Result<(), Error> {
        let rated = &self.rated_ids;
        let mut has_scores = vec![false; rated.len()];
        for &place in places.iter().flatten() {
            has_scores[place] = true;
        }
        let scored = source.items.iter().zip(places);
        let unrated: Vec<&String> = scored.filter(|(_, place)| place.is_none()).map(|(item, _)| item).collect();
        let unscored: Vec<&String> =
            rated.iter().zip(&has_scores).filter(|(_, has)| !**has).map(|(item, _)| item).collect();
        for (code, lacking, of, what) in [
            ("items_not_rated", unrated, source.items.len(), "items were not rated"),
            ("items_not_scored", unscored, rated.len(), "rated items are missing"),
        ] {
            if lacking.is_empty() {
                continue;
            }
            let (n, examples) = (lacking.len(), examples(&lacking));
            if pairs == Some(PairsOf::All) {
                let remedy = option("pairs", "shared");
                let found = format!("{n} of {of} {what} ({examples}); {remedy} leaves them out");
                return Err(Problem::new(found).at(&source.path).into());
            }
            let message = format!("{n} of {of} {what} and are left out ({examples})");
            self.findings.push(Finding::warning(code, source.path.display().to_string(), message));
        }
        Ok(())
    }
}

/// The reason to believe that the axes of an array of ratings are swapped: it has as many raters as a source has items,
/// and another number of items.
fn swapped_axes(request: &MetaRequest, [n_items, n_raters]: [usize; 2], sources: &[Source]) -> Option<String> {
    let ending = request.human.extension()?;
    let with = |n: usize| sources.iter().find(|source| source.items.len() == n);
    if !ending.eq_ignore_ascii_case("npy") || with(n_items).is_some() {
        return None;
    }
    let source = with(n_raters)?;
    Some(format!(
        "its shape ({n_items}, {n_raters}) is read as {n_items} items by {n_raters} raters, and {} has scores of {n_raters} items; if its rows \
         are raters, save the transpose of shape ({n_raters}, {n_items}) (ratings.T in NumPy)",
        source.path.display()
    ))
}

pub(super) fn rests_on_stand_in(metric: &str) -> Finding {
    let message = "rests on a placeholder: its numbers mean nothing";
    Finding::warning(STAND_IN, metric, message)
}

/// For each item of a file, the position of the matching rated item; fails if none matches.
pub(super) fn places(
    request: &MetaRequest,
    rated: &[String],
    (path, form): (&Path, &str),
    items: &[String],
    findings: &mut Vec<Finding>,
) -> Result<Vec<Option<usize>>, Error> {
    let met = request.join.meet(rated, items).map_err(|source| Error::AmbiguousItems {
        path: match source.side {
            "rated" => request.human.clone(),
            _ => path.to_owned(),
        },
        source,
    })?;
    if met.n() > 0 {
        let taken = met.taken_for(items, rated, Form::usual(form));
        let subject = path.display().to_string();
        findings.push(match met.join == request.join {
            true => Finding::read_as(subject, taken.to_string()),
            false => taken.finding(subject, "join"),
        });
        return Ok(met.partners);
    }
    let remedy = match ItemJoin::offer(rated, items) {
        Some((join, n_joined)) => {
            let join = join.to_string();
            format!("{} would join {n_joined} of the {} rated items", option("join", &join), rated.len())
        }
        None if request.join.is_exact() => String::new(),
        None => format!("no two of them are the same when joined by {}", request.join),
    };
    Err(Error::NothingJoins {
        path: path.to_owned(),
        human: request.human.clone(),
        found: quoted_examples(items),
        rated: quoted_examples(rated),
        remedy,
    })
}

fn quoted_examples(items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().take(NAMES_SHOWN + 1).map(|item| format!("{item:?}")).collect();
    examples(&quoted)
}

/// The first few items, with a mark if there are more.
pub(super) fn examples(items: &[impl AsRef<str>]) -> String {
    listed(items.iter().map(AsRef::as_ref))
}

/// The names in tables: the files' names, with the source if two metrics share a name. With `first_keeps`, the first
/// source's metrics keep their plain names.
fn shown_names(sources: &[Source], first_keeps: bool) -> Result<Vec<Vec<String>>, Error> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for (name, _) in sources.iter().flat_map(|source| &source.metrics) {
        *count.entry(name).or_default() += 1;
    }
    let shown: Vec<Vec<String>> = sources
        .iter()
        .enumerate()
        .map(|(place, source)| {
            let shown = source.metrics.iter().map(|(name, _)| name).map(|name| match count[name.as_str()] {
                1 => name.clone(),
                _ if first_keeps && place == 0 => name.clone(),
                _ => format!("{name} ({})", source.name),
            });
            shown.collect()
        })
        .collect();
    let mut all: Vec<&String> = shown.iter().flatten().collect();
    if all.is_empty() {
        return Err(Error::Usage("meta needs at least one metric".into()));
    }
    all.sort_unstable();
    match all.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(Error::Usage(format!("there are two metrics {:?}; rename one of the files or runs", two[0]))),
        None => Ok(shown),
    }
}

pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The file that was read; `None` for scores in memory.
    pub(super) file: Option<PathBuf>,
    /// What was read, in a few words.
    pub(super) form: String,
    /// Its name, which distinguishes its metrics from metrics with the same name in other sources.
    pub(super) name: String,
    pub(super) items: Vec<String>,
    pub(super) metrics: Vec<(String, Vec<Option<f64>>)>,
    /// Metrics that use a placeholder model.
    pub(super) stand_ins: Vec<String>,
}

/// `scores of ssim, psnr, lpips and 2 more`.
fn scores_of<T>(metrics: &[(String, T)]) -> String {
    let names: Vec<&String> = metrics.iter().map(|(name, _)| name).collect();
    format!("scores of {}", first_names(&names))
}

impl Source {
    /// `item_column` is the column of the ratings; a text table of scores may have it too.
    pub(super) fn open(path: &Path, item_column: Option<&str>) -> Result<Self, Error> {
        if path.is_dir() {
            return Self::of_run(path);
        }
        let table = metric_table::read_by(path, item_column)?;
        let name = path.file_stem().unwrap_or_default();
        Ok(Source {
            path: path.to_owned(),
            file: Some(path.to_owned()),
            name: name.to_string_lossy().into_owned(),
            form: scores_of(&table.metrics),
            items: table.items,
            metrics: table.metrics,
            stand_ins: table.stand_ins,
        })
    }

    /// Scores in memory, as a text table.
    pub(super) fn held(held: &InMemoryTable, item_column: Option<&str>) -> Result<Self, Error> {
        let table = metric_table::of_text(&held.name, &held.text, item_column)?;
        Ok(Source {
            path: PathBuf::from(&held.name),
            file: None,
            name: held.name.clone(),
            form: scores_of(&table.metrics),
            items: table.items,
            metrics: table.metrics,
            stand_ins: table.stand_ins,
        })
    }

    fn of_run(path: &Path) -> Result<Self, Error> {
        let run = load_run(path)?;
        let metrics = run.record.metrics.iter();
        Ok(Source {
            path: path.to_owned(),
            file: Some(path.join("scores.parquet")),
            name: run.folder.name(),
            form: "a run".to_owned(),
            items: run.scores.pairs,
            metrics: run
                .scores
                .columns
                .into_iter()
                .map(|(id, outcomes)| (id, outcomes.into_iter().map(Result::ok).collect()))
                .collect(),
            stand_ins: metrics.filter(|metric| metric.stand_in).map(|metric| metric.id.clone()).collect(),
        })
    }
}

/// Removes metrics that were not requested; an empty request keeps all. The parts of composites are kept.
pub(super) fn keep_only(request: &MetaRequest, sources: &mut [Source]) -> Result<(), Error> {
    if request.only.is_empty() {
        return Ok(());
    }
    let composites = &request.combinations.composites;
    let is_composite = |name: &&String| composites.iter().any(|found| found.name == **name);
    let parts = composites.iter().flat_map(|found| &found.parts);
    let asked = || request.only.iter().filter(|name| !is_composite(name));
    let names: Vec<&String> = asked().chain(parts).collect();
    let all: Vec<&str> = sources.iter().flat_map(|source| &source.metrics).map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = asked().find(|name| !all.contains(&name.as_str())) {
        return Err(Error::Usage(format!(
            "{unknown:?} is asked for, which is not a metric here{}; there are {}",
            did_you_mean(unknown, &all),
            first_names(&all)
        )));
    }
    for source in sources {
        source.metrics.retain(|(name, _)| names.contains(&name));
    }
    Ok(())
}
