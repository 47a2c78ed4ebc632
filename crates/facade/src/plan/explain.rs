//! A plan in words.

use crate::run_record::{RecordedStep, RunRecord};
use neurogauge_core::Role;
use std::fmt::Write;

impl RunRecord {
    /// Describes what the run observes, with which models and on how many items; what it compares; and what it leaves
    /// out, with the reasons.
    pub fn explain(&self) -> String {
        let mut text = String::new();
        let mut section = |title: &str, lines: Vec<String>| {
            let _ = writeln!(text, "{title}");
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
        };
        let plan = &self.plan;
        let steps: Vec<String> = plan.steps.iter().flat_map(lines).collect();
        match steps.is_empty() {
            true => section("observe: nothing; all that is compared is there", steps),
            false => section("observe", steps),
        }
        let metrics = self.metrics.iter().map(|metric| {
            let mark = if metric.stand_in {
                ", rests on a placeholder"
            } else {
                ""
            };
            format!("{}: {}{mark}", metric.id, metric.origin)
        });
        section(&format!("compare {} pairs", self.n_pairs), metrics.collect());
        let left_out = plan.left_out.iter().map(|left| format!("{}: {}", left.metric, left.reason));
        let left_out: Vec<String> = left_out.collect();
        if !left_out.is_empty() {
            section("leave out", left_out);
        }
        text
    }
}

/// One line for each source and matrix.
fn lines(step: &RecordedStep) -> impl Iterator<Item = String> {
    let prompt = step.recipe["prompt"]["id"].as_str();
    let asked = prompt.map_or_else(String::new, |prompt| format!(" (asked, prompt {prompt})"));
    step.parts.iter().map(move |part| {
        let (reads, writes) = (&part.output.reads, &part.output.writes);
        let name = part.output.features.as_ref().unwrap_or(&step.model.id);
        let role = |role: Option<&Role>| role.map_or_else(String::new, Role::to_string);
        let known = match (part.n_cached, reads.last()) {
            (Some(n_cached), _) => format!("{n_cached} known"),
            (None, parent) => {
                let noun = parent.map_or("", |parent| parent.kind.noun());
                format!("known once there are {noun}")
            }
        };
        let items = role(reads.first());
        format!("{writes} by {name}{asked}, of {items}: {} items, {known}", part.n_items)
    })
}
