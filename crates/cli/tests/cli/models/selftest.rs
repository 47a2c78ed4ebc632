//! `neurogauge models selftest`.

use crate::support::{arg, neurogauge, refused, succeed, weights};

#[test]
fn minilm_proves_itself_and_what_is_not_here_is_said() {
    let weights = weights();
    let with = ["--weights", arg(&weights)];
    let args = [
        "models",
        "selftest",
        "all-MiniLM-L6-v2",
        "alexnet",
        "swav_resnet50",
    ];
    let table = succeed(&[&args[..], &with].concat()).stdout;
    let lines = |word: &str| table.lines().filter(|line| line.contains(word)).count();
    assert_eq!(lines("proved (A)"), 2, "{table}");
    assert_eq!(lines("agrees (B)"), 1, "{table}");
    assert_eq!(lines("weights not here"), 1, "{table}");
    assert_eq!(lines("no published value known"), 1, "{table}");

    let json = succeed(&[&args[..], &with, &["--format", "json"]].concat()).stdout;
    let findings: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(findings.len(), 5);
    assert_eq!(findings[0]["verdict"]["is"], "proved");
    assert!(findings[0]["difference"].as_f64() <= findings[0]["allowed"].as_f64());
    assert_eq!(findings[3]["verdict"]["is"], "without_weights");
}

#[test]
fn weights_that_cannot_be_run_are_a_fault() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.safetensors"), "no weights").unwrap();
    let ran = neurogauge(&[
        "models",
        "selftest",
        "all-MiniLM-L6-v2",
        "--weights",
        arg(dir.path()),
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("could not be run"), "{}", ran.stdout);
    refused(
        &["models", "selftest", "alexnot"],
        2,
        &["did you mean \"alexnet\"?"],
    );
}
