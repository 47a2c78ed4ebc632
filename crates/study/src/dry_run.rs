//! What a study would need: weights, memory, and hours.

use crate::config::StudyConfig;
use crate::paper_item::with_number;
use crate::published::papers;
use itertools::Itertools;
use neurogauge::core::ObservationKind;
use neurogauge::models::ModelEntry;
use neurogauge::{Error, RunSettings, Silent, answer_of_section, load_run, plan_score};
use neurogauge_exhibits::Paper;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Seconds that a model takes for an image on two cores, by what it makes: GIT-large, MM-Grounding-DINO Swin-T (Swin-L
/// takes some three times as long), SAM 2.1 large, and EfficientNet, AlexNet, Inception, CLIP and SwAV together, from
/// the page of benchmarks.
const SECONDS: [(ObservationKind, f64); 4] = [
    (ObservationKind::Captions, 1.1),
    (ObservationKind::Detections, 5.1),
    (ObservationKind::Masks, 47.4),
    (ObservationKind::Features, 0.2),
];

/// What exhibits take besides metrics, in words.
const TAKES: [(&str, &str); 8] = [
    ("ratings", "human ratings of a system"),
    ("second ratings", "human ratings of a second system"),
    ("classes", "classes of the images in [[ratings]]"),
    ("choices", "two choices of a component in [[choices]]"),
    ("configurations", "[[basic.configurations]]"),
    ("data sets", "systems of two data sets (`dataset`)"),
    ("published", "the name of a system in the paper (`published`)"),
    ("audit", "[audit]"),
];

impl StudyConfig {
    /// What scoring the systems would observe, with which weights, in how many hours; what is not at hand; which exhibits
    /// the papers would have and which not; and the conventions. Nothing is observed, downloaded or written.
    ///
    /// # Errors
    /// Errors of the configuration, and those of scoring that come before the first item is observed.
    pub fn dry_run(&self, settings: &RunSettings) -> Result<String, Error> {
        self.check()?;
        let (mut metrics, mut conventions) = (BTreeSet::new(), BTreeMap::new());
        let unnamed = RunSettings {
            out: PathBuf::new(),
            ..settings.clone()
        };
        let (mut text, mut seconds, mut weights) = (String::new(), 0.0, Vec::<&ModelEntry>::new());
        for system in &self.systems {
            let rated = if self.ratings_of(&system.name).is_some() {
                ", rated"
            } else {
                ""
            };
            if let Some(run) = &system.run {
                text += &format!("{}: finished run {}{rated}\n", system.name, run.display());
                let record = load_run(run)?.record;
                metrics.extend(record.metrics.into_iter().map(|metric| metric.id));
                continue;
            }
            let plan = plan_score(&self.request_of(system), &unnamed, &Silent)?;
            text += &format!("{}: {} pairs{rated}\n", system.name, plan.record.n_pairs);
            let explained = plan.record.explain();
            text.extend(
                explained.lines().take_while(|line| !line.starts_with("compare")).map(|line| format!("  {line}\n")),
            );
            let own: Vec<&str> = plan.record.metrics.iter().map(|metric| metric.id.as_str()).collect();
            text += &format!("  compare by {}\n  memory: {}\n", own.join(", "), plan.memory.words());
            for id in plan.record.metrics.iter().flat_map(|metric| &metric.conventions) {
                conventions.insert(id.clone(), answer_of_section(id, &plan.record.request));
            }
            metrics.extend(own.into_iter().map(str::to_owned));
            // Models that would add a metric, and those that were asked for.
            for left in &plan.record.plan.left_out {
                weights.extend(left.model.as_deref().and_then(|model| neurogauge::models::find(model).ok()));
            }
            weights.extend(plan.missing_weights);
            for step in &plan.record.plan.steps {
                let kind = step.makes();
                let of_item = SECONDS.iter().find(|(own, _)| *own == kind).map_or(0.0, |(_, seconds)| *seconds);
                let items =
                    step.parts.iter().map(|part| part.n_items - part.n_cached.unwrap_or_default().min(part.n_items));
                // Matrices of one model are of the same images.
                seconds += of_item * items.max().unwrap_or_default() as f64;
            }
        }
        weights.sort_by_key(|entry| entry.id);
        weights.dedup_by_key(|entry| entry.id);
        let bytes: u64 = weights.iter().map(|entry| entry.size().bytes).sum();
        text += &format!("weights that would add something: {:.1} GB\n", bytes as f64 / 1e9);
        text.extend(
            weights
                .iter()
                .map(|entry| format!("  {} ({}): neurogauge models fetch {}\n", entry.id, entry.size(), entry.id)),
        );
        text += &format!("models: roughly {:.1} hours on two cores, each image once\n", seconds / 3600.0);
        for found in &self.left_out {
            text += &format!("not here: {}: {}\n", found.subject, found.message);
        }
        let lacks = |wanted: &String| {
            let is_there = wanted.split('|').any(|one| self.has(one).unwrap_or_else(|| metrics.contains(one)));
            let words = TAKES.iter().find(|(name, _)| name == wanted).map(|(_, words)| (*words).to_owned());
            (!is_there).then(|| words.unwrap_or_else(|| format!("the metric {}", wanted.replace('|', " or "))))
        };
        let papers = papers(self)?;
        let planned = papers.iter().flat_map(Paper::planned).map(|(paper, shows, takes)| {
            let needs: Vec<String> = takes.iter().filter_map(lacks).collect();
            (with_number(&shows, &paper), needs.join(", and "))
        });
        let planned: Vec<(String, String)> = planned.collect();
        for (item, needs) in &planned {
            text += &match needs.as_str() {
                "" => format!("would make {item}\n"),
                // Another exhibit of the same item takes less.
                _ if planned.contains(&(item.clone(), String::new())) => String::new(),
                needs => format!("would not make {item}: needs {needs}\n"),
            };
        }
        text.extend(conventions.iter().map(|(id, answer)| format!("convention {id}: {answer}\n")));
        Ok(text)
    }

    /// Does the configuration have what an exhibit takes? `None` for a metric.
    fn has(&self, wanted: &str) -> Option<bool> {
        Some(match wanted {
            "ratings" => !self.ratings.is_empty(),
            "second ratings" => self.ratings.len() > 1,
            "classes" => self.ratings.iter().any(|ratings| !ratings.classes.is_empty()),
            "choices" => self.choices.combinations().len() > 1,
            "configurations" => self.basic.is_some(),
            "data sets" => self.systems.iter().filter_map(|system| system.dataset.as_ref()).unique().count() > 1,
            "published" => self.systems.iter().any(|system| system.published.is_some()),
            "audit" => self.audit.is_some(),
            _ => return None,
        })
    }
}
