//! `neurogauge models selftest`.

use crate::support::*;

#[test]
fn minilm_proves_itself_and_what_is_not_here_is_said() {
    let weights = weights();
    let selftest = format!("models selftest all-MiniLM-L6-v2 alexnet swav_resnet50 --weights {}", arg(&weights));
    let table = folder().succeed(&selftest).stdout;
    let lines = |word: &str| table.lines().filter(|line| line.contains(word)).count();
    assert_eq!(lines("proved (A)"), 2, "{table}");
    assert_eq!(lines("agrees (B)"), 1, "{table}");
    assert_eq!(lines("weights not here"), 1, "{table}");
    assert_eq!(lines("no published value known"), 1, "{table}");

    let json = folder().succeed(&format!("{selftest} --format json")).stdout;
    let findings: Vec<Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(findings.len(), 5);
    assert_eq!(findings[0]["verdict"]["is"], "proved");
    assert!(findings[0]["difference"].as_f64() <= findings[0]["allowed"].as_f64());
    assert_eq!(findings[3]["verdict"]["is"], "without_weights");
}

#[test]
fn weights_that_cannot_be_run_are_a_fault() {
    let dir = folder();
    dir.write("model.safetensors", "no weights");
    let ran = dir.run("models selftest all-MiniLM-L6-v2 --weights .").exits(1);
    assert!(ran.stdout.contains("could not be run"), "{ran}");
    assert_snapshot!(dir.run("models selftest alexnot"), @r#"exit 2, stderr: error: nothing is called "alexnot" (did you mean "alexnet"?); expected a model (`neurogauge list models` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run"#);
}
