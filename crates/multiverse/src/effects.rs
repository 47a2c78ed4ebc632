//! How much of the spread of estimates each choice explains.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The choice, `system`, or `interactions` for what main effects do not explain.
    pub factor: String,
    /// Its share of the sum of squares, 0 to 1.
    pub share: f64,
    /// The option with the lowest mean, and that mean; none for interactions.
    pub lowest: Option<(String, f64)>,
    /// The option with the highest mean, and that mean.
    pub highest: Option<(String, f64)>,
}

/// A choice, and the option of it behind each value.
#[derive(Debug, Clone, PartialEq)]
pub struct FactorLevels {
    pub name: String,
    pub options: Vec<String>,
    /// The index of each value's option.
    pub levels: Vec<usize>,
}

/// Main effects in a balanced design: SS_factor / SS_total with SS_factor = Σ over options of n·(mean of the option −
/// mean)². The remainder is interactions.
///
/// - Shapes: each factor has a level for each of `values`; the design contains every combination of options equally
///   often.
/// - Undefined: `None` without values, or if all are equal.
/// - Reference: `anova_lm` of `statsmodels` 0.15 for an additive model, sums of squares to 1e-12.
pub fn main_effects(values: &[f64], factors: &[FactorLevels]) -> Option<Vec<Effect>> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let total: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if values.is_empty() || total <= n * (f64::EPSILON * mean).powi(2) {
        return None;
    }
    let mut effects: Vec<Effect> = factors
        .iter()
        .map(|factor| {
            let of_option = |option: usize| {
                let own = factor.levels.iter().zip(values).filter(|(level, _)| **level == option);
                let own: Vec<f64> = own.map(|(_, value)| *value).collect();
                (own.len() as f64, own.iter().sum::<f64>() / own.len() as f64)
            };
            let means: Vec<(f64, f64)> = (0..factor.options.len()).map(of_option).collect();
            let squares: f64 = means.iter().map(|(n, own)| n * (own - mean).powi(2)).sum();
            let named = |(place, (_, mean)): (usize, &(f64, f64))| (factor.options[place].clone(), *mean);
            let named = || means.iter().enumerate().map(named);
            Effect {
                factor: factor.name.clone(),
                share: squares / total,
                lowest: named().min_by(|a, b| a.1.total_cmp(&b.1)),
                highest: named().max_by(|a, b| a.1.total_cmp(&b.1)),
            }
        })
        .collect();
    effects.sort_by(|a, b| b.share.total_cmp(&a.share));
    let explained: f64 = effects.iter().map(|effect| effect.share).sum();
    effects.push(Effect {
        factor: "interactions".to_owned(),
        share: (1.0 - explained).max(0.0),
        lowest: None,
        highest: None,
    });
    Some(effects)
}

/// Does the design contain every combination of options exactly once?
pub(crate) fn is_factorial(factors: &[FactorLevels], n: usize) -> bool {
    let combinations: usize = factors.iter().map(|factor| factor.options.len()).product();
    let chosen = |place: usize| -> Vec<usize> { factors.iter().map(|factor| factor.levels[place]).collect() };
    let mut found: Vec<Vec<usize>> = (0..n).map(chosen).collect();
    found.sort();
    found.dedup();
    combinations == n && found.len() == n
}
