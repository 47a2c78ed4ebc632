//! Score tables against pyarrow, and hostile files.

use crate::prelude::*;

fn table() -> ScoreTable {
    let mut table = ScoreTable::new(["2", "10", "é"].map(str::to_owned).to_vec());
    let outcomes = vec![Ok(0.25), Err(Undefined::Constant(Side::Gt)), Ok(-1e-300)];
    table.columns.push(("pixcorr".to_owned(), outcomes));
    let outcomes = vec![Ok(0.5); 3];
    table.columns.push(("ssim".to_owned(), outcomes));
    table
}

fn recorded(mut table: ScoreTable) -> ScoreTable {
    for outcome in table.columns.iter_mut().flat_map(|(_, outcomes)| outcomes) {
        if let Err(reason) = outcome {
            *reason = Undefined::Recorded(reason.to_string());
        }
    }
    table
}

fn written(table: &ScoreTable) -> Vec<u8> {
    let (_folder, path) = place("scores.parquet");
    scores_parquet::write(&path, table).unwrap();
    std::fs::read(path).unwrap()
}

fn read(bytes: &[u8]) -> Result<ScoreTable, FormatError> {
    let (_folder, path) = file("scores.parquet", bytes);
    scores_parquet::read(&path)
}

#[test]
fn what_is_written_is_read_back_and_written_again_alike() {
    let bytes = written(&table());
    let again = read(&bytes).unwrap();
    assert_eq!(again, recorded(table()));
    assert_eq!(written(&again), bytes);
    let none = ScoreTable::new(Vec::new());
    assert_eq!(read(&written(&none)).unwrap(), none);
}

/// A round trip of more rows than one page or one read, with random values.
#[test]
fn large_tables_survive() {
    let noise = Synthetic::new("scores", 0);
    let mut table = ScoreTable::new((0..5000).map(|pair| pair.to_string()).collect());
    for metric in 0..7_u64 {
        let outcome = |pair: u64| -> Outcome {
            let index = metric * 5000 + pair;
            match noise.byte(index) {
                0..=9 => Err(Undefined::Recorded("empty \u{1f9e0}".to_owned())),
                _ => Ok(f64::from(noise.uniform(index)).powi(9)),
            }
        };
        table.columns.push((format!("m{metric}"), (0..5000).map(outcome).collect()));
    }
    assert_eq!(read(&written(&table)).unwrap(), table);
}

#[test]
fn pyarrows_files_are_read_in_any_order_of_rows_and_columns() {
    assert_eq!(scores_parquet::read(&golden("formats_observations/pyarrow.parquet")).unwrap(), recorded(table()));
    let shuffled = scores_parquet::read(&golden("formats_observations/pyarrow_shuffled.parquet")).unwrap();
    for (metric, outcomes) in recorded(table()).columns {
        let found = shuffled.column(&metric).unwrap();
        for (pair, outcome) in table().pairs.iter().zip(outcomes) {
            let index = shuffled.pairs.iter().position(|other| other == pair).unwrap();
            assert_eq!(found[index], outcome);
        }
    }
}

#[test]
fn pyarrow_reads_ours() {
    let bytes = std::fs::read(golden("formats_observations/ours.parquet")).unwrap();
    assert!(
        written(&table()) == bytes,
        "the bytes have changed: run this file's ignored test and the reference script again"
    );
    let found = std::fs::read(golden("formats_observations/ours_as_pyarrow_reads_it.json")).unwrap();
    let found: Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(found["created_by"], "neurogauge");
    assert_eq!(found["compression"], "SNAPPY");
    let mut rows = found["rows"].as_array().unwrap().iter();
    for (metric, outcomes) in table().columns {
        for (pair, outcome) in table().pairs.iter().zip(outcomes) {
            let expected = serde_json::json!({
                "pair": pair,
                "metric": metric,
                "value": outcome.as_ref().ok(),
                "undefined": outcome.as_ref().err().map(ToString::to_string),
            });
            assert_eq!(*rows.next().unwrap(), expected);
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
#[ignore = "writes the golden that the reference script reads with pyarrow"]
fn write_golden() {
    scores_parquet::write(&golden("formats_observations/ours.parquet"), &table()).unwrap();
}

#[test]
fn faulty_tables_are_not_written() {
    let path = Path::new("/nowhere/scores.parquet");
    let error = |change: &dyn Fn(&mut ScoreTable)| {
        let mut table = table();
        change(&mut table);
        scores_parquet::write(path, &table).unwrap_err().to_string()
    };
    for (found, words) in [
        (error(&|t| t.columns[1].1[0] = Ok(f64::NAN)), r#"metric "ssim" of pair "2" is NaN"#),
        (error(&|t| t.columns[1].1.truncate(1)), "1 outcomes for 3 pairs"),
        (error(&|t| t.columns[1].0 = "pixcorr".into()), r#"metric "pixcorr": occurs twice"#),
        (error(&|t| t.pairs[1] = "2".into()), r#"pair "2": occurs twice"#),
    ] {
        assert!(found.contains(words), "{found}");
    }
}

#[test]
fn files_of_another_shape_are_refused() {
    let error = scores_parquet::read(&golden("formats_observations/pyarrow_lacking.parquet")).unwrap_err();
    assert!(error.to_string().contains(r#"no column "undefined""#), "{error}");
    refused(scores_parquet::read(&golden("formats_observations/pyarrow_single.parquet")), "element type");
    refused(scores_parquet::read(Path::new("/nowhere/scores.parquet")), "not found; expected");
    refused(read(b"PAR1PAR1"), "scores.parquet: ");
    refused(read(b""), "scores.parquet: ");
}

/// The header of the first page follows the file's first word: its type, and its uncompressed size in bytes.
#[test]
fn a_page_that_announces_more_than_its_bytes_can_hold_is_refused() {
    let mut bytes = written(&table());
    assert_eq!((bytes[4], bytes[6], bytes[7] < 0x80), (0x15, 0x15, true));
    bytes.splice(7..8, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
    refused(read(&bytes), "the page at byte 4: it announces 2147483647 bytes in");
}

/// In the footer, a column's compression (1 is Snappy, written as 2) follows its name, and then its number of values.
#[test]
fn other_compressions_are_refused_with_what_to_do() {
    for (code, name) in [(2, "GZIP"), (4, "BROTLI"), (6, "ZSTD"), (7, "LZ4_RAW")] {
        let mut bytes = written(&table());
        let snappy = b"pair\x15\x02\x16";
        let at = bytes.windows(7).position(|found| found == snappy).unwrap();
        bytes[at + 5] = 2 * code;
        let error = read(&bytes).unwrap_err().to_string();
        let expected = format!(
            "scores.parquet: the column \"pair\" is compressed with {name}; expected Snappy or no compression: write the file with \
             compression=\"snappy\" (in pandas, pyarrow and Polars)"
        );
        assert!(error.ends_with(&expected), "{error}");
    }
}

#[test]
fn files_that_are_cut_short_are_errors() {
    let bytes = written(&table());
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "cut to {length}");
    }
}
