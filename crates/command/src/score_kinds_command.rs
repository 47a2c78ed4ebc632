//! `neurogauge score captions` and its neighbours: what is scored that is not an image and has rules of its own.

use crate::args::*;
use crate::output;
use crate::progress_bars::Bars;
use crate::score_command::ScoreArgs;
use neurogauge::core::Outcome;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge::metrics::masks::coco::SUMMARY_NAMES;
use neurogauge::{Error, coco_summary};
use neurogauge_tasks::PairsRequest;
use neurogauge_tasks::brainhub::{
    CaptionRequest, GroundRequest, SetsRequest, ShapesRequest, caption, ground, sets, shapes,
};
use neurogauge_tasks::retrieval::{RetrievalRequest, retrieval};
use serde_json::{Map, json};
use std::fmt::Write;

/// Images are scored unless the first word names another kind.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct ScoreCommand {
    #[command(subcommand)]
    pub(crate) kind: Option<ScoreKind>,
    #[command(flatten)]
    pub(crate) images: ScoreArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScoreKind {
    /// Score captions decoded from brains, as BrainHub does
    ///
    /// Gives BLEU, ROUGE-L, CIDEr, and CLIP-S of embeddings
    Captions(CaptionArgs),
    /// Score boxes decoded from brains, as BrainHub does
    ///
    /// Gives accuracy and intersection over union
    Boxes(BenchmarkArgs<GroundRequest>),
    /// Score masks and boxes as COCO does
    ///
    /// Gives average precision and recall as COCO's own evaluation computes them
    Masks(CocoArgs),
    /// Score shapes decoded from brains
    ///
    /// Gives Chamfer distance and earth mover's distance of point clouds and meshes
    Shapes(ShapesArgs),
    /// Compare the set of reconstructions with the set of stimuli
    ///
    /// Gives KID, FID, precision, recall and CMMD of features, with what this number of pairs can show
    Sets(SetsArgs),
    /// Find images by embeddings decoded from brains
    ///
    /// Looks for images by brain embeddings, and for brain embeddings by images, among candidates
    Embeddings(RetrieveArgs),
}

/// A request of a benchmark, and the options that each has.
#[derive(Debug, Args)]
#[command(mut_args(out_is("Where run.json, scores.parquet and summary.{md,tex,csv} go, if anywhere")))]
pub(crate) struct BenchmarkArgs<R: Args> {
    #[command(flatten)]
    pub(crate) request: R,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: MaybeOutArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("set", only(&["rouge_stemming", "interval"])))]
pub(crate) struct CaptionArgs {
    #[command(flatten)]
    pub(crate) benchmark: BenchmarkArgs<CaptionRequest>,
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) set: SetArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("set", only(&["interval"])))]
pub(crate) struct ShapesArgs {
    #[command(flatten)]
    pub(crate) benchmark: BenchmarkArgs<ShapesRequest>,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) set: SetArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("set", only(&["values", "alpha", "antialias", "interval"])))]
pub(crate) struct SetsArgs {
    #[command(flatten)]
    pub(crate) benchmark: BenchmarkArgs<SetsRequest>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) set: SetArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CocoArgs {
    /// The truth: COCO's JSON of instances
    #[arg(value_name = "GT")]
    pub(crate) instances: PathBuf,
    /// Detections: COCO's JSON of results, with masks, boxes or both
    #[arg(value_name = "RECON")]
    pub(crate) results: PathBuf,
    /// Which images are scored: with `all`, results of an image that GT lacks are an error; `shared` leaves them out
    #[arg(long, value_parser = choice::<PairsOf>(), value_name = "WHICH", default_value = word_of(&PairsOf::default()), help_heading = "Inputs")]
    pub(crate) pairs: PairsOf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where retrieval.json, retrieval.md and retrieval.csv go, if anywhere")))]
#[command(mut_arg("set", only(&["top_k", "identification_ties", "identification_copies", "interval"])))]
pub(crate) struct RetrieveArgs {
    /// Embeddings of the images: .npy or .pt (items first; other dimensions are flattened), FILE.pt#NAME for one tensor
    /// of several
    #[arg(value_name = "GT")]
    pub(crate) image: PathBuf,
    /// Embeddings decoded from the brain, likewise. Rows pair up by the ids.json beside each file, or by position if
    /// neither has one
    #[arg(value_name = "RECON")]
    pub(crate) brain: PathBuf,
    #[command(flatten)]
    pub(crate) pairs: PairsRequest,
    /// Image of each row of RECON, if its rows are trials: ids of GT, or row numbers if it has none; as a table with the
    /// columns trial and image (.csv, .tsv), or a list by row (.txt, .csv:COLUMN, .npy)
    #[arg(long, value_name = "FILE")]
    pub(crate) trials: Option<PathBuf>,
    /// Also retrieve by means of so many random trials of each image
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "trials", value_parser = number::<Count<MAX_CANDIDATES>, usize>)]
    pub(crate) averaged: Vec<usize>,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: MaybeOutArgs,
    #[command(flatten, next_help_heading = "Retrieval")]
    pub(crate) set: SetArgs,
    /// Items of a draw, the right one included
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_CANDIDATES>, usize>, default_value_t = RetrievalOptions::default().candidates, help_heading = "Retrieval")]
    pub(crate) candidates: usize,
    /// How often candidates are drawn
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_RESAMPLES>, usize>, default_value_t = RetrievalOptions::default().repeats, help_heading = "Retrieval")]
    pub(crate) repeats: usize,
    /// How embeddings are compared
    #[arg(long, value_parser = choice::<Similarity>(), default_value = word_of(&RetrievalOptions::default().similarity), help_heading = "Retrieval")]
    pub(crate) metric: Similarity,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

pub(crate) fn run(kind: &ScoreKind) -> Result<(), Error> {
    match kind {
        ScoreKind::Captions(args) => score_captions(args),
        ScoreKind::Boxes(args) => args.place.written(&ground(&args.request)?, None)?.print(),
        ScoreKind::Masks(args) => score_masks(args),
        ScoreKind::Shapes(args) => score_shapes(args),
        ScoreKind::Sets(args) => score_sets(args),
        ScoreKind::Embeddings(args) => score_embeddings(args),
    }
}

fn score_captions(args: &CaptionArgs) -> Result<(), Error> {
    let CaptionArgs { benchmark, .. } = args;
    let decided = args.set.request_with(&args.bootstrap)?;
    let run = caption(&CaptionRequest {
        rouge_stemming: decided.options.rouge_stemming,
        bootstrap: decided.bootstrap,
        ..benchmark.request.clone()
    })?;
    benchmark.place.written(&run, None)?.print()
}

fn score_shapes(args: &ShapesArgs) -> Result<(), Error> {
    let benchmark = &args.benchmark;
    let run = shapes(&ShapesRequest {
        bootstrap: args.set.request_with(&args.bootstrap)?.bootstrap,
        ..benchmark.request.clone()
    })?;
    benchmark.place.written(&run, None)?.print()
}

fn score_sets(args: &SetsArgs) -> Result<(), Error> {
    let benchmark = &args.benchmark;
    let decided = args.set.request_with(&args.bootstrap)?;
    let request = SetsRequest {
        reading: decided.reading,
        antialias: decided.perception.antialias,
        models: args.models.choices(),
        bootstrap: decided.bootstrap,
        ..benchmark.request.clone()
    };
    let settings = args.models.weights.settings(benchmark.place.out.clone().unwrap_or_default());
    let run = sets(&request, &settings, &Bars::default())?;
    benchmark.place.written(&run, None)?.print()
}

fn score_masks(args: &CocoArgs) -> Result<(), Error> {
    let (summary, findings) = coco_summary(&args.instances, &args.results, args.pairs)?;
    for found in &findings {
        match found.is_warning() {
            true => output::warning(found),
            false => output::note(&found.to_string()),
        }
    }
    let columns = [("", "masks", summary.masks.values), ("box_", "boxes", summary.boxes.values)];
    let mut undefined: Vec<(String, String)> = Vec::new();
    let mut values = Map::new();
    for (prefix, _, column) in &columns {
        for (name, value) in SUMMARY_NAMES.iter().zip(column) {
            let name = format!("{prefix}{name}");
            undefined.extend(value.as_ref().err().map(|reason| (name.clone(), reason.to_string())));
            values.insert(name, json!(value.as_ref().ok()));
        }
    }
    if args.format == TableOrJson::Json {
        values.insert(
            "undefined".to_owned(),
            undefined.into_iter().map(|(name, reason)| (name, json!(reason))).collect(),
        );
        values.insert("findings".to_owned(), json!(findings));
        return output::json(&values);
    }
    let mut text = String::new();
    let [(_, masks, _), (_, boxes, _)] = &columns;
    let _ = writeln!(text, "{:<10} {masks:>9} {boxes:>9}", "");
    let shown = |value: &Outcome| value.as_ref().map_or("undefined".to_owned(), |value| format!("{value:.3}"));
    for (place, name) in SUMMARY_NAMES.iter().enumerate() {
        let [masks, boxes] = columns.each_ref().map(|(_, _, column)| shown(&column[place]));
        let _ = writeln!(text, "{name:<10} {masks:>9} {boxes:>9}");
    }
    for same in undefined.chunk_by(|a, b| a.1 == b.1) {
        let names: Vec<&str> = same.iter().map(|(name, _)| name.as_str()).collect();
        let are_all_of = |prefix: &str| {
            names.len() == SUMMARY_NAMES.len() && names[0].strip_prefix(prefix) == SUMMARY_NAMES.first().copied()
        };
        let kind = columns.iter().find(|(prefix, ..)| are_all_of(prefix));
        let names = kind.map_or_else(|| names.join(", "), |(_, kind, _)| (*kind).to_owned());
        let _ = writeln!(text, "undefined {names}: {}", same[0].1);
    }
    output::data(&text)
}

fn score_embeddings(args: &RetrieveArgs) -> Result<(), Error> {
    let decided = args.set.request_with(&args.bootstrap)?;
    let (identification, bootstrap) = (decided.options.identification, decided.bootstrap);
    let run = retrieval(&RetrievalRequest {
        brain: args.brain.clone(),
        image: args.image.clone(),
        pairs: args.pairs.clone(),
        trials: args.trials.clone(),
        averaged: args.averaged.clone(),
        options: RetrievalOptions {
            candidates: args.candidates,
            top_k: identification.top_k,
            repeats: args.repeats,
            seed: bootstrap.seed,
            similarity: args.metric,
            ties: identification.ties,
            copies: decided.options.identification_copies,
        },
        bootstrap,
    })?;
    args.place.written(&run, None)?.print()
}
