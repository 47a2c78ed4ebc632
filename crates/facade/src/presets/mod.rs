//! Presets of `score`: the protocols that a run can follow, and the meaning of each for each metric.

mod released;

pub use released::{RELEASED, ReleasedCode};

use crate::selection::OF_SEED;
use crate::{Error, ScoreRequest};
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge_core::CategoryNames;
use neurogauge_core::image::Filter;
use neurogauge_core::option_words::option;
use neurogauge_metrics::decoding::basic_h::{BasicHOptions, BasicPreset};
use neurogauge_metrics::decoding::objects::{ObjectOptions, Preset};
use neurogauge_metrics::{Compute, GraphFunction, METRICS, Metric, PairFunction, PixelOptions, Proportions};
use neurogauge_models::preprocess::{Arithmetic, ResizeStep};
use neurogauge_models::{ImagePreset, Preprocessing};
use serde::{Deserialize, Serialize};

/// The list of the eight metrics of NSD's tables.
const FIELDS_METRICS: &str = "nsd8";

/// The protocol that a run follows; at most one of each kind (Object F1 and SEED, images, BASIC-H).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScorePreset {
    /// SEED as its authors released it: Object F1, and EffNet's images.
    #[serde(alias = "seed")]
    Official,
    /// Object F1 as described in the SEED paper.
    Paper,
    /// Object F1 as the integral of the SEED paper.
    Exact,
    Nsd8Mindeye2,
    Nsd8Native,
    Published,
    Basic,
    Capture,
    /// Images, pixels and identification as in MindEye1's released evaluation.
    Mindeye1,
    /// Images, pixels and identification as in MindEye2's.
    Mindeye2,
    /// Images, pixels and identification as in ATM's.
    Atm,
    /// Images, pixels and identification as in MindBridge's.
    Mindbridge,
    /// Images, pixels and identification as in NeuroPictor's.
    Neuropictor,
    /// Images, pixels and identification as in Brain-Diffuser's.
    BrainDiffuser,
    /// Images, pixels and identification as in MIRAGE's (NSD-Imagery).
    Mirage,
    /// Frames as in MinD-Video's.
    Mindvideo,
    Neurons,
    /// Frames as in CineBrain's, as far as its code shows them.
    Cinebrain,
}

/// The options that a preset sets.
enum Decides {
    Objects(Preset),
    Images(ImagePreset),
    BasicH(BasicPreset),
    Code(ScorePreset),
}

impl ScorePreset {
    /// The released code that this preset follows.
    pub fn code(self) -> Option<&'static ReleasedCode> {
        RELEASED.iter().find(|code| code.preset == Some(self))
    }

    fn decides(self) -> Decides {
        match self {
            ScorePreset::Official => Decides::Objects(Preset::Official),
            ScorePreset::Paper => Decides::Objects(Preset::Paper),
            ScorePreset::Exact => Decides::Objects(Preset::Exact),
            ScorePreset::Nsd8Mindeye2 => Decides::Images(ImagePreset::Nsd8Mindeye2),
            ScorePreset::Nsd8Native => Decides::Images(ImagePreset::Nsd8Native),
            ScorePreset::Published => Decides::Images(ImagePreset::Published),
            ScorePreset::Basic => Decides::BasicH(BasicPreset::Basic),
            ScorePreset::Capture => Decides::BasicH(BasicPreset::Capture),
            code => Decides::Code(code),
        }
    }
}

impl ScoreRequest {
    /// Sets the options of the presets; single options that are set later win. If `nsd8` is requested without a preset of
    /// images, pixels are compared as by MindEye2, like the models' images.
    ///
    /// # Errors
    /// [`Error::Usage`] for two presets of one kind.
    ///
    /// ```
    /// use neurogauge::{ScorePreset, ScoreRequest};
    /// let mut request = ScoreRequest::default();
    /// request.apply_presets(&[ScorePreset::Nsd8Mindeye2])?;
    /// assert_eq!(request.options.pixels.first_size_px, Some(256));
    /// assert!(request.apply_presets(&[ScorePreset::Paper, ScorePreset::Exact]).is_err());
    /// # Ok::<(), neurogauge::Error>(())
    /// ```
    pub fn apply_presets(&mut self, presets: &[ScorePreset]) -> Result<(), Error> {
        let (mut objects, mut images, mut basic_h, mut released) = (None, None, None, None);
        for preset in presets {
            let is_second = match preset.decides() {
                Decides::Objects(preset) => objects.replace(preset).is_some(),
                Decides::Images(preset) => images.replace(preset).is_some() || released.is_some(),
                Decides::Code(code) => released.replace(code).is_some() || images.is_some(),
                Decides::BasicH(preset) => basic_h.replace(preset).is_some(),
            };
            if is_second {
                return Err(Error::Usage(format!(
                    "{}: one of official, paper, exact (Object F1), one of nsd8-mindeye2, nsd8-native, published, {} (images) \
                     and one of basic, capture (BASIC-H), comma-separated, not two of a kind",
                    option("preset", ""),
                    released::of_images().join(", ")
                )));
            }
        }
        self.options.objects.preset = objects.unwrap_or(self.options.objects.preset);
        self.options.basic_h.preset = basic_h.unwrap_or(self.options.basic_h.preset);
        if images.is_some() || released.is_some() {
            // SEED's preset applies to every model of the run, unless SEED's preprocessing is requested too.
            let is_seeds = objects == Some(Preset::Official);
            self.perception.seed = is_seeds.then_some(ImagePreset::SEED);
        }
        let are_fields = self.metrics.iter().flatten().any(|id| id == FIELDS_METRICS);
        if are_fields && images.is_none() && released.is_none() {
            // The models' images are MindEye2's without a preset; so that its table is of one convention, pixels follow.
            self.options.pixels = released::through_256();
        }
        if let Some(code) = released {
            released::apply(self, code);
        }
        if let Some(preset) = images {
            self.perception.preset = preset;
            let pixels = &mut self.options.pixels;
            match preset {
                ImagePreset::Nsd8Mindeye2 => pixels.first_size_px = Some(256),
                ImagePreset::Nsd8Native => pixels.antialias = true,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The meaning of each preset for each metric, as Markdown: a table for each kind of preset, in which metrics with the
/// same meanings share a line. Metrics that no preset affects are left out.
pub fn presets_table() -> String {
    let tables = KINDS.iter().map(|(kind, columns, meaning)| {
        let mut rows: IndexMap<Vec<String>, Vec<&str>> = IndexMap::new();
        for metric in METRICS {
            if let Some(cells) = meanings(metric, columns, *meaning) {
                rows.entry(cells).or_default().push(metric.spec.id);
            }
        }
        let heads = columns.iter().map(|(head, _)| head).join(" | ");
        let mut table = format!("| {kind} | {heads} |\n|---|{}\n", "---|".repeat(columns.len()));
        // Metrics that no preset changes are left out, and a cell that repeats the one before it says so.
        for (cells, ids) in rows.into_iter().filter(|(cells, _)| !cells.iter().all_equal()) {
            let shown = |n: usize| {
                if n > 0 && cells[n] == cells[n - 1] {
                    "the same"
                } else {
                    cells[n].as_str()
                }
            };
            table += &format!("| {} | {} |\n", ids.join(", "), (0..cells.len()).map(shown).join(" | "));
        }
        table
    });
    tables.collect_vec().join("\n")
}

/// The meaning of each preset for a metric: its name, or `no preset`, and its effect. Empty for a metric that no preset
/// affects.
pub fn presets_of(metric: &Metric) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (_, columns, meaning) in KINDS {
        let heads = columns.iter().map(|(head, _)| head.replace('`', ""));
        if let Some(meanings) = meanings(metric, columns, *meaning) {
            found.extend(heads.zip(meanings));
        }
    }
    found
}

/// The meaning of each column for a metric; `None` if the presets do not affect it.
fn meanings(metric: &Metric, columns: PresetColumns<'_>, meaning: Meaning) -> Option<Vec<String>> {
    let of_column = |(_, presets): &(&str, &[ScorePreset])| {
        let mut request = ScoreRequest::default();
        request.apply_presets(presets).ok()?;
        meaning(metric, &request)
    };
    columns.iter().map(of_column).collect()
}

/// The kinds of presets: their subject, their columns, and their meaning.
const KINDS: &[(&str, PresetColumns<'_>, Meaning)] = {
    use ScorePreset::{Basic, Capture, Exact, Nsd8Mindeye2, Nsd8Native, Official, Paper, Published};
    &[
        (
            "Images",
            &[
                ("no preset", &[]),
                ("`nsd8-mindeye2`", &[Nsd8Mindeye2]),
                ("`nsd8-native`", &[Nsd8Native]),
                ("`published`", &[Published]),
            ],
            of_images,
        ),
        (
            "Object F1",
            &[("`official`, no preset", &[Official]), ("`paper`", &[Paper]), ("`exact`", &[Exact])],
            of_objects,
        ),
        ("BASIC-H", &[("`basic`, no preset", &[Basic]), ("`capture`", &[Capture])], of_basic_h),
    ]
};

/// The presets of a column, and its heading.
type PresetColumns<'a> = &'a [(&'a str, &'a [ScorePreset])];

/// The meaning of a request for a metric; `None` if it does not affect the metric.
type Meaning = fn(&Metric, &ScoreRequest) -> Option<String>;

fn of_images(metric: &Metric, request: &ScoreRequest) -> Option<String> {
    if let Compute::Pixels(_) | Compute::Perceptual { .. } = metric.compute {
        return Some(of_pixels(&request.options.pixels));
    }
    if OF_SEED.contains(&metric.spec.id) {
        return Some(format!("EffNet as `{}`", request.perception.of_seed()));
    }
    let features = metric.compute.features().first()?;
    let (layer, preset, _) = request.perception.prepared(features);
    let (model, _) = layer.split_once('.')?;
    let steps = preset.for_model(model).preprocessing(model, None);
    steps.ok().map(|steps| of_steps(&steps))
}

fn of_pixels(options: &PixelOptions) -> String {
    let Some(px) = options.size_px else {
        return "as they are".to_owned();
    };
    let sides = match options.proportions {
        Proportions::Kept => "shorter side",
        Proportions::Squashed => "both sides",
    };
    let first = options.first_size_px.map(|px| format!("{sides} to {px} px, then ")).unwrap_or_default();
    format!("{first}{sides} to {px} px; {}", of_filter(options.filter, options.antialias, options.arithmetic))
}

fn of_steps(steps: &Preprocessing) -> String {
    let sizes = steps.resize.iter().map(|step| match step {
        ResizeStep::ShorterSide(px) => format!("shorter side to {px} px"),
        ResizeStep::Squash(width, height) => format!("{width} x {height} px"),
    });
    let crop = steps.centre_crop_px.map(|px| format!(", centre {px} px"));
    format!(
        "{}{}; {}",
        sizes.collect::<Vec<String>>().join(", then "),
        crop.unwrap_or_default(),
        of_filter(steps.filter, steps.antialias, steps.arithmetic)
    )
}

fn of_filter(filter: Filter, antialias: bool, arithmetic: Arithmetic) -> String {
    let filter = word(filter);
    let antialias = if antialias { "antialias" } else { "no antialias" };
    let numbers = match arithmetic {
        Arithmetic::Float => "floats",
        Arithmetic::EightBit => "8 bits",
    };
    format!("{filter}, {antialias}, {numbers}")
}

fn of_objects(metric: &Metric, request: &ScoreRequest) -> Option<String> {
    let options = &request.options.objects;
    if OF_SEED.contains(&metric.spec.id) {
        let effnet = request.perception.of_seed();
        return Some(format!("Object F1 by the preset, EffNet's images as `{effnet}`"));
    }
    if metric.spec.conventions().all(|id| id != "object-presets") {
        return None;
    }
    Some(match metric.compute.function::<PairFunction<CategoryNames>>() {
        Some(_) => of_empty_sides(options.preset).to_owned(),
        None => of_thresholds(options),
    })
}

fn of_thresholds(options: &ObjectOptions) -> String {
    let area = match options.smallest_area_px2() {
        0.0 => "every box".to_owned(),
        area => format!("boxes of {area} px² or more"),
    };
    let reading = match options.stops_at_first_below() {
        true => "reads up to the first score below",
        false => "reads all scores",
    };
    format!("{}; {area}; {reading}; {}", options.preset.thresholds_in_words(), of_empty_sides(options.preset))
}

fn of_empty_sides(preset: Preset) -> &'static str {
    match preset {
        Preset::Official => "a side without categories scores 1",
        Preset::Paper | Preset::Exact => "a side without categories makes it undefined",
    }
}

fn of_basic_h(metric: &Metric, request: &ScoreRequest) -> Option<String> {
    let is_of_it = metric.compute.function::<GraphFunction>().is_some();
    let options: &BasicHOptions = &request.options.basic_h;
    let rules = options.rules().ok()?;
    match metric.spec.id {
        "basic_h" => Some(format!("weights {:?} of objects, attributes, relations", rules.weights)),
        _ if is_of_it => Some(format!(
            "containment {}, {} assignment, negative cosines {}, epsilon {}",
            word(rules.containment),
            word(rules.assignment),
            word(rules.negative_cosines),
            rules.epsilon
        )),
        _ => None,
    }
}

fn word(value: impl Serialize) -> String {
    serde_json::to_value(value).unwrap_or_default().as_str().unwrap_or_default().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_keeps_its_way_unless_a_preset_of_images_is_alone() {
        let seeds = |presets: &[ScorePreset]| {
            let mut request = ScoreRequest::default();
            request.apply_presets(presets).unwrap();
            request.perception.of_seed()
        };
        assert_eq!(seeds(&[]), ImagePreset::Nsd8Native);
        assert_eq!(seeds(&[ScorePreset::Paper]), ImagePreset::Nsd8Native);
        assert_eq!(seeds(&[ScorePreset::Nsd8Mindeye2]), ImagePreset::Nsd8Mindeye2);
        let both = [ScorePreset::Official, ScorePreset::Nsd8Mindeye2];
        assert_eq!(seeds(&both), ImagePreset::Nsd8Native);
    }
}
