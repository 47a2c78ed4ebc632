//! What a study would need: weights, memory, and hours.

use crate::config::StudyConfig;
use neurogauge::core::ObservationKind;
use neurogauge::models::ModelEntry;
use neurogauge::{Error, RunSettings, Silent, plan_score};
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

impl StudyConfig {
    /// What scoring the systems would observe, with which weights, in how many hours; and what is not at hand. Nothing
    /// is observed, downloaded or written.
    ///
    /// # Errors
    /// Errors of the configuration, and those of scoring that come before the first item is observed.
    pub fn dry_run(&self, settings: &RunSettings) -> Result<String, Error> {
        self.check()?;
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
                continue;
            }
            let plan = plan_score(&self.request_of(system), &unnamed, &Silent)?;
            text += &format!("{}: {} pairs{rated}\n", system.name, plan.record.n_pairs);
            let explained = plan.record.explain();
            text.extend(
                explained.lines().take_while(|line| !line.starts_with("compare")).map(|line| format!("  {line}\n")),
            );
            let metrics = plan.record.metrics.iter().map(|metric| metric.id.as_str());
            text += &format!(
                "  compare by {}\n  memory: {}\n",
                metrics.collect::<Vec<_>>().join(", "),
                plan.memory.words()
            );
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
        Ok(text)
    }
}
