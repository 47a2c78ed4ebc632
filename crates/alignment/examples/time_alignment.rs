//! Milliseconds of one target unit of NSD size on one thread: 600 voxels, 309 training and 103 test
//! images, a source of 600 and one of 3840 features, a reference of 20 partitions, and a null of 20
//! draws. One line of JSON for each task, with what was found; `bench/recovery.py` makes the same
//! inputs and compares.
//!
//!     RAYON_NUM_THREADS=1 cargo run --release -p neurogauge-alignment --example time_alignment -- \
//!         [--repeats N] [--partitions N] [fit-600] [fit-3840] [reference] [null] [null-select]

#![allow(clippy::print_stdout)]

use neurogauge_alignment::{
    AlignmentError, FoldPlan, Matrix, Partitions, PreparedSource, PreparedTarget, READOUT_ALPHAS, ReferenceOptions,
    SubspaceOptions, TargetReference, Trials, Unit, cross_validate, fit, null_profile_reselected, null_profiles,
    read_out,
};
use neurogauge_core::synthetic::Synthetic;
use serde_json::json;
use std::time::Instant;

const N_STIMULI: usize = 515;
const N_VOXELS: usize = 600;
const N_LATENTS: usize = 6;
const REPEATS: usize = 3;
const N_DRAWS: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mut repeats, mut n_partitions) = (5, 20);
    while let [option, number, ..] = arguments.as_slice()
        && option.starts_with("--")
    {
        match option.as_str() {
            "--repeats" => repeats = number.parse()?,
            "--partitions" => n_partitions = number.parse()?,
            _ => return Err(format!("unknown option {option}").into()),
        }
        arguments.drain(..2);
    }
    let tasks = ["fit-600", "fit-3840", "reference", "null", "null-select"].map(str::to_owned);
    if arguments.is_empty() {
        arguments.extend(tasks.clone());
    }
    let bench = Bench::new(repeats, n_partitions)?;
    for task in &arguments {
        let mut found = match task.as_str() {
            "fit-600" => bench.source_fit(600)?,
            "fit-3840" => bench.source_fit(3840)?,
            "reference" => bench.reference()?,
            "null" => bench.null()?,
            "null-select" => bench.null_select()?,
            _ => return Err(format!("unknown task {task:?}; expected some of {tasks:?}").into()),
        };
        found["task"] = json!(task);
        println!("{found}");
    }
    Ok(())
}

struct Bench {
    repeats: usize,
    n_partitions: u64,
    plan: FoldPlan,
    trials: Trials,
    means: Matrix,
    options: SubspaceOptions,
}

impl Bench {
    fn new(repeats: usize, n_partitions: u64) -> Result<Self, AlignmentError> {
        let every_fifth = |n: usize| -> Vec<Vec<usize>> {
            let fold = |fold| (fold..n).step_by(5).collect();
            (0..5).map(fold).collect()
        };
        let chunks = every_fifth(N_STIMULI);
        let inner: Vec<_> = chunks.iter().map(|c| every_fifth(c.len())).collect();
        let inner_training: Vec<_> = chunks.iter().map(|c| every_fifth(3 * c.len())).collect();
        let unit = Unit::new("subj01", "lh", "V1v");
        let stimuli: Vec<usize> = (0..N_STIMULI * REPEATS).map(|t| t / REPEATS).collect();
        let responses = mixed("target", N_VOXELS, REPEATS, 1.0);
        let trials = Trials::new(&unit, responses, &stimuli, N_STIMULI)?;
        Ok(Bench {
            repeats,
            n_partitions,
            plan: FoldPlan::new(N_STIMULI, &chunks, &inner_training, &inner)?,
            means: trials.means(),
            trials,
            options: SubspaceOptions::default(),
        })
    }

    fn target(&self) -> Result<PreparedTarget, AlignmentError> {
        PreparedTarget::new(self.trials.unit(), &self.means, &self.plan, 0)
    }

    fn source_fit(&self, n_features: usize) -> Result<serde_json::Value, AlignmentError> {
        let (target, prepare_target) = self.time(|| self.target())?;
        let features = source(n_features);
        let prepare = || PreparedSource::new("source", &features, &self.plan, 0);
        let (source, prepare_source) = self.time(prepare)?;
        let select = || cross_validate(&source, &target, &self.options)?.select();
        let (selection, selecting) = self.time(select)?;
        let (subspace, fitting) = self.time(|| fit(&source, &target, &selection))?;
        let read = || read_out(&source, &target, &subspace, &READOUT_ALPHAS);
        let (readout, reading) = self.time(read)?;
        Ok(json!({
            "prepare_target": prepare_target, "prepare_source": prepare_source,
            "select": selecting, "fit": fitting, "read_out": reading,
            "selection": selection, "strengths": subspace.strengths,
            "readout_alpha": readout.alpha, "accuracy": readout.accuracy,
        }))
    }

    fn partitions(&self) -> Result<Partitions, AlignmentError> {
        let labels = (0..self.n_partitions).map(|partition| {
            let [lone, side] = ["lone", "side"].map(|name| Synthetic::new(name, partition));
            let label = |trial: usize| {
                let stimulus = (trial / REPEATS) as u64;
                let side = side.bits(stimulus) % 2;
                let is_lone = lone.bits(stimulus) % REPEATS as u64 == (trial % REPEATS) as u64;
                (if is_lone { side } else { 1 - side }) as u8
            };
            (0..N_STIMULI * REPEATS).map(label).collect()
        });
        Partitions::new(labels.collect(), &self.trials)
    }

    fn test_reference(&self) -> Result<TargetReference, AlignmentError> {
        let test = &self.plan.folds[0].test;
        TargetReference::new(&self.trials, test, &self.partitions()?, &ReferenceOptions::default())
    }

    fn reference(&self) -> Result<serde_json::Value, AlignmentError> {
        let (reference, time) = self.time(|| self.test_reference())?;
        let selections: Vec<_> = reference.selections.iter().flatten().map(|s| (s.rank, s.alpha)).collect();
        Ok(json!({
            "reference": time, "selections": selections,
            "weights": reference.weights, "effective_rank": reference.effective_rank(),
        }))
    }

    fn null(&self) -> Result<serde_json::Value, AlignmentError> {
        let (target, reference) = (self.target()?, self.test_reference()?);
        let source = PreparedSource::new("source", &source(600), &self.plan, 0)?;
        let selection = cross_validate(&source, &target, &self.options)?.select()?;
        let orders = self.orders();
        let draw = || null_profiles(&source, &target, &selection, &reference, &orders, 20);
        let (profiles, time) = self.time(draw)?;
        let full: Vec<f64> = profiles.iter().flatten().map(|p| p.full).collect();
        Ok(json!({"null": time, "full": full}))
    }

    /// The same with rank and regularisation selected in each draw; the targets of the draws, which all sources
    /// share, are timed apart.
    fn null_select(&self) -> Result<serde_json::Value, AlignmentError> {
        let reference = self.test_reference()?;
        let source = PreparedSource::new("source", &source(600), &self.plan, 0)?;
        let orders = self.orders();
        let prepare = || {
            let unit = self.trials.unit();
            let paired = orders.iter().map(|order| PreparedTarget::paired(unit, &self.means, &self.plan, 0, order));
            paired.collect::<Result<Vec<_>, AlignmentError>>()
        };
        let (paired, preparing) = self.time(prepare)?;
        let draw = || {
            let drawn = paired.iter().map(|own| null_profile_reselected(&source, own, &self.options, &reference, 20));
            drawn.collect::<Result<Vec<_>, AlignmentError>>()
        };
        let (profiles, time) = self.time(draw)?;
        let full: Vec<f64> = profiles.iter().flatten().map(|p| p.full).collect();
        Ok(json!({"null-select": time, "prepare_targets": preparing, "full": full}))
    }

    fn orders(&self) -> Vec<Vec<usize>> {
        let order = |draw| {
            let keys = Synthetic::new("order", draw);
            let mut order: Vec<usize> = (0..self.plan.folds[0].training.len()).collect();
            order.sort_by_key(|&place| keys.bits(place as u64));
            order
        };
        (0..N_DRAWS).map(order).collect()
    }

    /// Milliseconds of the calls after a first one: the median on the clock and on the processor,
    /// and the least on the processor, which other work on the machine disturbs least.
    fn time<T>(
        &self,
        mut call: impl FnMut() -> Result<T, AlignmentError>,
    ) -> Result<(T, serde_json::Value), AlignmentError> {
        let mut result = call()?;
        let (mut wall, mut processor) = (Vec::new(), Vec::new());
        for _ in 0..self.repeats.max(1) {
            let (start, busy) = (Instant::now(), processor_ms());
            result = call()?;
            let elapsed = start.elapsed().as_secs_f64() * 1e3;
            processor.push(processor_ms().zip(busy).map_or(elapsed, |(end, busy)| end - busy));
            wall.push(elapsed);
        }
        wall.sort_by(f64::total_cmp);
        processor.sort_by(f64::total_cmp);
        let middle = wall.len() / 2;
        let times = json!({
            "wall": wall[middle], "processor": processor[middle], "least": processor[0],
        });
        Ok((result, times))
    }
}

/// What all threads of this process have had of the processor; none where Linux does not say.
fn processor_ms() -> Option<f64> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let mut total = 0.0;
    for thread in threads {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        total += text.split(' ').next()?.parse::<f64>().ok()? / 1e6;
    }
    Some(total)
}

fn source(n_features: usize) -> Matrix {
    mixed(&format!("source {n_features}"), n_features, 1, 0.5)
}

fn noise(name: &str, n_rows: usize, n_columns: usize) -> Matrix {
    let values = Synthetic::new(name, 0);
    Matrix::from_fn(n_rows, n_columns, |row, column| f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5)
}

/// Latent dimensions of falling strength, mixed into columns, plus noise.
fn mixed(name: &str, n_columns: usize, repeats: usize, noise_level: f64) -> Matrix {
    let latents = noise("latents", N_STIMULI, N_LATENTS);
    let weights = noise(&format!("{name} weights"), N_LATENTS, n_columns);
    let error = noise(&format!("{name} noise"), N_STIMULI * repeats, n_columns);
    Matrix::from_fn(N_STIMULI * repeats, n_columns, |row, column| {
        let signal: f64 = (0..N_LATENTS)
            .map(|d| latents.get(row / repeats, d) * weights.get(d, column) / (1.0 + d as f64))
            .sum();
        signal + noise_level * error.get(row, column)
    })
}
