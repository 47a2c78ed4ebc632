//! Scores of metrics against what Python's csv module and NumPy read.

use crate::goldens::ratings as golden;
use neurogauge_core::{ScoreTable, Side, Undefined};
use neurogauge_formats::metric_table::{MetricTable, read};
use neurogauge_formats::{FormatError, scores_parquet};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Expected {
    metrics: BTreeMap<String, ExpectedTable>,
}

#[derive(Deserialize)]
struct ExpectedTable {
    items: Vec<String>,
    metrics: Vec<(String, Vec<Option<f64>>)>,
}

#[test]
fn tables_and_archives_are_read() {
    let text = std::fs::read_to_string(golden("expected.json")).unwrap();
    let expected: Expected = serde_json::from_str(&text).unwrap();
    assert_eq!(expected.metrics.len(), 5);
    for (file, table) in expected.metrics {
        let found = read(&golden(&file)).unwrap();
        assert_eq!(found.items, table.items, "{file}");
        assert_eq!(found.metrics, table.metrics, "{file}");
    }
}

#[test]
fn a_run_is_read_in_natural_order() {
    let mut scores = ScoreTable::new(vec!["10".to_owned(), "9".to_owned()]);
    let undefined = Err(Undefined::Constant(Side::Gt));
    scores
        .columns
        .push(("ssim".to_owned(), vec![undefined, Ok(0.5)]));
    scores
        .columns
        .push(("clip".to_owned(), vec![Ok(1.0), Ok(0.25)]));
    let expected = MetricTable {
        items: vec!["9".to_owned(), "10".to_owned()],
        metrics: vec![
            ("ssim".to_owned(), vec![Some(0.5), None]),
            ("clip".to_owned(), vec![Some(0.25), Some(1.0)]),
        ],
    };
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join("scores.parquet");
    scores_parquet::write(&path, &scores).unwrap();
    assert_eq!(read(&path).unwrap(), expected);
    assert_eq!(read(run.path()).unwrap(), expected);
}

#[test]
fn faulty_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    for (content, words) in [
        (
            "item,ssim\na,0.5\nb,high\n",
            "a.csv:3: column \"ssim\" holds \"high\"",
        ),
        (
            "item,psnr\na,inf\n",
            "a.csv:2: column \"psnr\" holds \"inf\"",
        ),
        (
            "item,ssim\na,0.5\nb,1\na,0.5\n",
            "a.csv:4: item \"a\" is in line 2 already",
        ),
        ("item,ssim\n,0.5\n", "expected the id of an item"),
        ("item,caption\na,a dog\n", "no column holds numbers"),
        ("ssim,clip\n0.5,0.25\n", "first one holds numbers only"),
        (
            "a,0.5,0.25\nb,0.5,0.5\n",
            "the first line has numbers for names",
        ),
        (
            "image,stem,ssim\na,b,1\n",
            "image, stem could all be the items; rename all but one",
        ),
        ("item,ssim,ssim\na,1,2\n", "are both called \"ssim\""),
        (
            "pair,metric,value\na,ssim,1\na,clip,2\n",
            "item \"a\" is in line 2 already",
        ),
    ] {
        std::fs::write(&path, content).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(words), "{content:?}: {error}");
    }
    // Nothing at all in a column: a metric without any score.
    std::fs::write(&path, "item,ssim,clip\na,,1\n").unwrap();
    assert_eq!(
        read(&path).unwrap().metrics[0],
        ("ssim".to_owned(), vec![None])
    );
}

#[test]
fn faulty_archives() {
    let words = |name: &str| {
        read(&golden(&format!("faulty/{name}.npz")))
            .unwrap_err()
            .to_string()
    };
    for (name, expected) in [
        (
            "matrix",
            "the array \"clip\" has the shape [3, 2]; expected one axis",
        ),
        (
            "single_value",
            "the array \"ssim\" has the shape []; expected one axis",
        ),
        (
            "lengths",
            "the array \"clip\" has the shape [4], but \"ssim\" has [3]",
        ),
        ("words", "element type <U1 of the array \"name\", shape [2]"),
        (
            "objects",
            "element type |O of the array \"ssim\", shape [2]",
        ),
        ("infinite", "psnr[1] is inf"),
        ("empty", "no score in it"),
    ] {
        let found = words(name);
        assert!(found.contains(expected), "{name}: {found}");
    }
    assert!(matches!(
        read(&golden("nothing.npz")),
        Err(FormatError::NotFound { .. })
    ));
    assert!(matches!(
        read(&golden("double.npy")),
        Err(FormatError::Name { .. })
    ));
}

#[test]
fn damage_anywhere_in_an_archive_is_an_error_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    for name in ["stored.npz", "deflated.npz"] {
        let whole = read(&golden(name)).unwrap();
        let bytes = std::fs::read(golden(name)).unwrap();
        for position in (0..bytes.len()).step_by(37) {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0x41;
            std::fs::write(&path, &damaged).unwrap();
            if let Ok(table) = read(&path) {
                // The checksums do not cover names and their order.
                for (metric, scores) in &table.metrics {
                    let known = whole.metrics.iter().find(|(other, _)| other == metric);
                    assert!(
                        known.is_none_or(|(_, known)| known == scores),
                        "{name} {position}"
                    );
                }
            }
            std::fs::write(&path, &bytes[..position]).unwrap();
            assert!(read(&path).is_err(), "{name} cut at {position}");
        }
    }
}
