//! The fields of `run.json`, against those that are committed: whoever reads records must not lose one.

use crate::support::{folder, image_folders};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Each field with its type. Entries of a list are alike, and so are those of a map whose keys are files.
fn fields(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    let kind = match value {
        Value::Object(entries) => {
            for (key, entry) in entries {
                let key = if path == "outputs" { "*" } else { key };
                let dot = if path.is_empty() { "" } else { "." };
                fields(entry, &format!("{path}{dot}{key}"), found);
            }
            return;
        }
        Value::Array(entries) if !entries.is_empty() => {
            for entry in entries {
                fields(entry, &format!("{path}[]"), found);
            }
            return;
        }
        Value::Array(_) => "empty",
        Value::String(_) => "text",
        Value::Number(_) => "number",
        Value::Bool(_) => "truth",
        Value::Null => "null",
    };
    found.insert(format!("{path}: {kind}"));
}

#[test]
fn the_written_fields_of_a_record_are_those_of_a_run() {
    let dir = folder();
    image_folders(dir.path(), &["a", "b", "c"]);
    dir.succeed(
        "score --gt gt --recon recon --out run --metrics cap_sim,object_f1,effnet,clip,ssim --box-threshold 0 \
         --text-threshold 0 --captioner placeholder-captioner --detector placeholder-detector \
         --text-encoder placeholder --image-models placeholder",
    );
    let record: Value =
        serde_json::from_slice(&std::fs::read(dir.join("run/run.json")).unwrap()).unwrap();
    let mut found = BTreeSet::new();
    fields(&record, "", &mut found);
    let head = format!("schema {}", record["schema"]);

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/plan/record_fields.txt");
    let known = std::fs::read_to_string(&path).unwrap();
    let mut lines = known.lines().map(str::to_owned);
    let same_schema = lines.next() == Some(head.clone());
    let known: BTreeSet<String> = lines.collect();
    let lost: Vec<&String> = known.difference(&found).collect();
    assert!(
        lost.is_empty() || !same_schema,
        "run.json has lost fields, or they have another type: raise SCHEMA of the record, and let older ones be read. {lost:#?}"
    );
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        let lines: Vec<String> = [head].into_iter().chain(found).collect();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        return;
    }
    let new: Vec<&String> = found.difference(&known).collect();
    assert!(
        same_schema && new.is_empty(),
        "run.json has fields that {} has not; `make written` adds them. {new:#?}",
        path.display()
    );
}
