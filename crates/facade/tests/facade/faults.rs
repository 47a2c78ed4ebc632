//! Every kind of error is listed by name with whose fault it is.

use crate::architecture::circles::rust_files;
use neurogauge::alignment::AlignmentError;
use neurogauge::formats::Problem;
use neurogauge::metrics::MetricError;
use neurogauge::models::{KernelError, ModelError};
use neurogauge::stats::StatsError;
use neurogauge::{Error, Fault};
use std::fs;
use std::path::{Path, PathBuf};

/// The error enums, each in the `error.rs` of its crate.
const SORTED: [(&str, &str); 9] = [
    ("facade", "Error"),
    ("formats", "Problem"),
    ("kernels", "KernelError"),
    ("models", "ModelError"),
    ("metrics", "MetricError"),
    ("stats", "StatsError"),
    ("alignment", "AlignmentError"),
    ("report", "ReportError"),
    ("language", "LanguageError"),
];

/// Errors that only occur inside others, which record the fault.
const INSIDE: [&str; 3] = ["MaskError", "PairingError", "ResizeError"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The lines from the one that starts with `start` up to the one equal to `end`.
fn block<'a>(source: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    source.lines().skip_while(|line| !line.starts_with(start)).take_while(|line| *line != end).collect()
}

#[test]
fn every_variant_of_every_error_is_sorted_by_name() {
    for (folder, name) in SORTED {
        let source = fs::read_to_string(crates().join(folder).join("src/error.rs")).unwrap();
        let variants: Vec<&str> = block(&source, &format!("pub enum {name} {{"), "}")
            .into_iter()
            .filter_map(|line| line.strip_prefix("    "))
            .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
            .map(|line| line.split([' ', '(', ',']).next().unwrap())
            .collect();
        assert!(variants.len() > 1, "{name}: found only {variants:?}");
        let sorted = block(&source, "    pub fn fault(&self) -> Fault", "    }").join("\n");
        for variant in variants {
            let full = format!("{name}::{variant}");
            let is_named =
                sorted.match_indices(&full).any(|(at, _)| sorted[at + full.len()..].starts_with([' ', '(', '\n']));
            assert!(is_named, "{full} is nobody's fault");
        }
        assert!(!sorted.contains("_ =>"), "{name} has a catch-all arm");
    }
}

#[test]
fn every_error_enum_is_known_here() {
    let known = SORTED.iter().map(|(_, name)| *name).chain(INSIDE);
    let known: Vec<String> = known.map(|name| format!("pub enum {name} {{")).collect();
    for path in rust_files(&crates()).into_iter().filter(|path| path.iter().any(|part| part == "src")) {
        let source = fs::read_to_string(&path).unwrap();
        let enums = source.lines().filter(|line| line.starts_with("pub enum "));
        for line in enums.filter(|line| line.ends_with("Error {")) {
            assert!(known.iter().any(|known| known == line), "{line} in {path:?}");
        }
    }
}

fn option() -> StatsError {
    StatsError::Usage("level is 2; expected a share".to_owned())
}

#[test]
fn an_error_around_another_is_the_fault_of_that_one() {
    let engine = || {
        ModelError::Kernel(KernelError::Engine {
            architecture: "ResNet-50",
            operation: "a product",
            reason: "out of memory".to_owned(),
        })
    };
    let of_image = |source| Error::Image {
        stem: "00001".to_owned(),
        path: PathBuf::from("gt"),
        source,
    };
    let lost = || ModelError::WeightsNotFound {
        model: "clip".to_owned(),
        reason: "there is no network",
        instructions: String::new(),
    };
    let of_pair = |source| Error::Metric {
        pair: "00001".to_owned(),
        metric: "ssim",
        source,
    };
    let missing = || Problem::not_an_image_source().at(PathBuf::from("gt"));
    let cases = [
        (Error::Model(engine()), Fault::Ours),
        (of_image(engine()), Fault::Ours),
        (of_image(ModelError::item("no number")), Fault::Model),
        (Error::Model(ModelError::PillowAntialias), Fault::Usage),
        (Error::ParserWeights { source: lost() }, Fault::Model),
        (of_pair(MetricError::Data(String::new())), Fault::Data),
        (of_pair(MetricError::Stats(option())), Fault::Usage),
        (of_pair(MetricError::Stats(StatsError::empty_sample())), Fault::Data),
        (Error::Stats(StatsError::empty_sample()), Fault::Ours),
        (Error::from(option()), Fault::Usage),
        (Error::Alignment(AlignmentError::Statistics(option())), Fault::Usage),
        (Error::Alignment(AlignmentError::NoConvergence { n: 3 }), Fault::Ours),
        (Error::Format(missing()), Fault::Data),
        (
            Error::OfSystem {
                system: "mine".to_owned(),
                source: Box::new(Error::Usage("no".to_owned())),
            },
            Fault::Usage,
        ),
    ];
    for (error, expected) in cases {
        assert_eq!(error.fault(), expected, "{error}");
    }
}

#[test]
fn exit_codes_are_those_of_the_documentation() {
    assert_eq!(Fault::ALL.map(Fault::exit_code), [1, 1, 2, 3]);
}
