//! Scores of metrics against what Python's csv module and NumPy read.

use crate::goldens::ratings as golden;
use crate::prelude::*;
use neurogauge_formats::metric_table::{MetricTable, read};
use parquet::data_type::{
    ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

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
    scores.columns.push(("ssim".to_owned(), vec![undefined, Ok(0.5)]));
    scores.columns.push(("clip".to_owned(), vec![Ok(1.0), Ok(0.25)]));
    let expected = MetricTable {
        items: vec!["9".to_owned(), "10".to_owned()],
        metrics: vec![("ssim".to_owned(), vec![Some(0.5), None]), ("clip".to_owned(), vec![Some(0.25), Some(1.0)])],
        stand_ins: Vec::new(),
    };
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join("scores.parquet");
    scores_parquet::write(&path, &scores).unwrap();
    assert_eq!(read(&path).unwrap(), expected);
    assert_eq!(read(run.path()).unwrap(), expected);
}

/// The cells of a column of a Parquet file.
enum Cells {
    Whole(Vec<i32>),
    Long(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<&'static [u8]>),
    Bytes(Vec<&'static [u8]>),
}

/// A Parquet file of one row group, with these columns as in its schema's text.
fn write_parquet(path: &Path, columns: &[(&str, Cells)]) {
    let fields: String = columns.iter().map(|(field, _)| format!("REQUIRED {field};\n")).collect();
    let schema = parse_message_type(&format!("message frame {{\n{fields}}}")).unwrap();
    let file = std::fs::File::create(path).unwrap();
    let properties = Arc::new(WriterProperties::default());
    let mut file = SerializedFileWriter::new(file, Arc::new(schema), properties).unwrap();
    let mut rows = file.next_row_group().unwrap();
    for (_, cells) in columns {
        let mut column = rows.next_column().unwrap().unwrap();
        let bytes = |texts: &[&'static [u8]]| -> Vec<ByteArray> {
            texts.iter().map(|text| ByteArray::from(text.to_vec())).collect()
        };
        match cells {
            Cells::Whole(values) => column.typed::<Int32Type>().write_batch(values, None, None),
            Cells::Long(values) => column.typed::<Int64Type>().write_batch(values, None, None),
            Cells::Floats(values) => column.typed::<DoubleType>().write_batch(values, None, None),
            Cells::Texts(values) => {
                let values = bytes(values);
                column.typed::<ByteArrayType>().write_batch(&values, None, None)
            }
            Cells::Bytes(values) => {
                let values: Vec<FixedLenByteArray> = bytes(values).into_iter().map(Into::into).collect();
                column.typed::<FixedLenByteArrayType>().write_batch(&values, None, None)
            }
        }
        .unwrap();
        column.close().unwrap();
    }
    rows.close().unwrap();
    file.close().unwrap();
}

#[test]
fn columns_of_parquet_are_what_their_logical_types_say() {
    let (_folder, path) = place("frame.parquet");
    let columns = [
        ("BYTE_ARRAY item (UTF8)", Cells::Texts(vec![b"a", b"b"])),
        ("INT32 dec32 (DECIMAL(9,3))", Cells::Whole(vec![123, -4567])),
        ("INT64 dec64 (DECIMAL(18,2))", Cells::Long(vec![5, 250])),
        (
            "FIXED_LEN_BYTE_ARRAY (5) fixed (DECIMAL(10,3))",
            Cells::Bytes(vec![&[0, 0, 0, 1, 0], &[0xff, 0xff, 0xff, 0xff, 0xff]]),
        ),
        ("BYTE_ARRAY bytes (DECIMAL(20,1))", Cells::Texts(vec![&[0x7f], &[0xff, 0]])),
        ("FIXED_LEN_BYTE_ARRAY (2) half (FLOAT16)", Cells::Bytes(vec![&[0, 0x38], &[0, 0xbc]])),
        ("INT32 n (INTEGER(32,false))", Cells::Whole(vec![-1, 7])),
        ("INT64 at (TIMESTAMP(NANOS,true))", Cells::Long(vec![1, 2])),
        ("INT64 at_ms (TIMESTAMP_MILLIS)", Cells::Long(vec![1, 2])),
        ("INT64 clock (TIME(MICROS,true))", Cells::Long(vec![1, 2])),
        ("INT32 day (DATE)", Cells::Whole(vec![1, 2])),
        ("FIXED_LEN_BYTE_ARRAY (2) raw", Cells::Bytes(vec![&[0, 0], &[1, 1]])),
        ("DOUBLE ssim", Cells::Floats(vec![0.5, 0.25])),
    ];
    write_parquet(&path, &columns);
    let found = read(&path).unwrap();
    assert_eq!(found.items, ["a", "b"]);
    let expected = [
        ("dec32", [0.123, -4.567]),
        ("dec64", [0.05, 2.5]),
        ("fixed", [0.256, -0.001]),
        ("bytes", [12.7, -25.6]),
        ("half", [0.5, -1.0]),
        ("n", [4_294_967_295.0, 7.0]),
        ("ssim", [0.5, 0.25]),
    ];
    let expected = expected.map(|(name, scores)| (name.to_owned(), scores.map(Some).to_vec()));
    assert_eq!(found.metrics, expected);

    let wide = [
        ("BYTE_ARRAY item (UTF8)", Cells::Texts(vec![b"a"])),
        ("FIXED_LEN_BYTE_ARRAY (17) score (DECIMAL(39,3))", Cells::Bytes(vec![&[1; 17]])),
    ];
    write_parquet(&path, &wide);
    let expected = "frame.parquet: holds a decimal of more than 38 digits in the column \"score\"; expected decimals of up to 38 digits, or floats";
    refused(read(&path), expected);
}

/// A frame saved by pandas with `DataFrame(..., index=names)`; as text, it has the names in a first column without a
/// name.
#[test]
fn an_index_of_text_is_the_items_of_a_saved_data_frame() {
    let (_folder, path) = place("frame.parquet");
    let index = || ("BYTE_ARRAY __index_level_0__ (UTF8)", Cells::Texts(vec![b"a", b"b"]));
    let ssim = || ("DOUBLE ssim", Cells::Floats(vec![0.5, 0.25]));
    let caption = ("BYTE_ARRAY caption (UTF8)", Cells::Texts(vec![b"a dog", b"a dog"]));
    let item = ("INT64 item", Cells::Long(vec![7, 8]));
    let numbers = ("INT64 __index_level_0__", Cells::Long(vec![3, 4]));
    let name = ("BYTE_ARRAY item (UTF8)", Cells::Texts(vec![b"x", b"y"]));
    for (columns, items) in [
        (vec![ssim(), index()], ["a", "b"]),
        (vec![caption, ssim(), index()], ["a", "b"]),
        // A column with a usual name takes precedence.
        (vec![item, ssim(), index()], ["7", "8"]),
        (vec![name, ssim(), numbers], ["x", "y"]),
    ] {
        write_parquet(&path, &columns);
        let found = read(&path).unwrap();
        assert_eq!(found.items, items);
        let expected = [("ssim".to_owned(), vec![Some(0.5), Some(0.25)])];
        assert_eq!(found.metrics, expected, "{items:?}");
    }
}

#[test]
fn faulty_tables() {
    let (_folder, path) = place("a.csv");
    for (content, words) in [
        ("item,ssim\na,0.5\nb,high\n", "a.csv:3: column \"ssim\" holds \"high\""),
        ("item,psnr\na,inf\n", "a.csv:2: column \"psnr\" holds \"inf\""),
        ("item,ssim\na,0.5\nb,1\na,0.5\n", "a.csv:4: item \"a\" is in line 2 already"),
        ("item,ssim\n,0.5\n", "expected the id of an item"),
        ("item,caption\na,a dog\n", "no column holds numbers"),
        ("ssim,clip\n0.5,0.25\n", "first one holds numbers only"),
        ("a,0.5,0.25\nb,0.5,0.5\n", "the first line has numbers for names"),
        ("image,stem,ssim\na,b,1\n", "image, stem could all be the items; rename all but one"),
        ("item,ssim,ssim\na,1,2\n", "are both called \"ssim\""),
        ("pair,metric,value\na,ssim,1\na,clip,2\n", "item \"a\" is in line 2 already"),
    ] {
        std::fs::write(&path, content).unwrap();
        refused(read(&path), words);
    }
    // A column without values: a metric without scores.
    std::fs::write(&path, "item,ssim,clip\na,,1\n").unwrap();
    assert_eq!(read(&path).unwrap().metrics[0], ("ssim".to_owned(), vec![None]));
}

#[test]
fn row_numbers_that_pandas_wrote_are_no_metric() {
    let (_folder, path) = place("a.csv");
    for header in [",item,ssim", "Unnamed: 0,item,ssim", "Unnamed: 0.1,Unnamed: 0,item,ssim", ",Unnamed: 0,item,ssim"] {
        let numbers = "0,".repeat(header.split(',').count() - 2);
        std::fs::write(&path, format!("{header}\n{numbers}a,0.5\n")).unwrap();
        let found = read(&path).unwrap();
        assert_eq!(found.items, ["a"], "{header}");
        assert_eq!(found.metrics, [("ssim".to_owned(), vec![Some(0.5)])], "{header}");
    }
    // Without a column of items, the row numbers are the items, like the names of an index.
    for (item, header) in [("0", ","), ("0", "Unnamed: 0,"), ("a", "Unnamed: 0,")] {
        std::fs::write(&path, format!("{header}ssim\n{item},0.5\n")).unwrap();
        let found = read(&path).unwrap();
        assert_eq!((found.items, found.metrics.len()), (vec![item.to_owned()], 1));
    }
    // Another position or number makes it an ordinary name.
    for name in ["Unnamed: 1", "Unnamed: 00"] {
        std::fs::write(&path, format!("item,ssim,{name}\na,0.5,3\n")).unwrap();
        assert_eq!(read(&path).unwrap().metrics.len(), 2, "{name}");
    }
}

#[test]
fn faulty_archives() {
    for (name, expected) in [
        ("matrix", "the array \"clip\" has the shape [3, 2]; expected one axis"),
        ("single_value", "the array \"ssim\" has the shape []; expected one axis"),
        ("lengths", "the array \"clip\" has the shape [4], but \"ssim\" has [3]"),
        ("words", "element type <U1 of the array \"name\", shape [2]"),
        ("objects", "element type |O of the array \"ssim\", shape [2]"),
        ("infinite", "psnr[1] is inf"),
        ("empty", "no score in it"),
    ] {
        refused(read(&golden(&format!("faulty/{name}.npz"))), expected);
    }
    refused(read(&golden("nothing.npz")), "not found; expected");
    refused(read(&golden("double.npy")), "a file that ends in");
}

#[test]
fn damage_anywhere_in_an_archive_is_an_error_or_changes_nothing() {
    let (_folder, path) = place("a.npz");
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
                    assert!(known.is_none_or(|(_, known)| known == scores), "{name} {position}");
                }
            }
            std::fs::write(&path, &bytes[..position]).unwrap();
            assert!(read(&path).is_err(), "{name} cut at {position}");
        }
    }
}

#[test]
fn the_scores_of_a_run_are_those_that_it_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let (file, record) = (dir.path().join("scores.parquet"), dir.path().join("run.json"));
    let mut table = ScoreTable::new(vec!["1".to_owned(), "2".to_owned()]);
    let column = ("ssim".to_owned(), vec![Ok(0.25), Ok(0.5)]);
    table.columns.push(column);
    scores_parquet::write(&file, &table).unwrap();
    let with_hash = |sha256: &str| {
        let text = format!("{{\"outputs\": {{\"scores.parquet\": \"{sha256}\"}}}}");
        std::fs::write(&record, text).unwrap();
        [read(dir.path()), read(&file)]
    };
    let own = content_hash::of_file(&file).unwrap();
    for found in with_hash(&own) {
        assert_eq!(found.unwrap().items, ["1", "2"]);
    }
    for found in with_hash(&content_hash::of_bytes(b"")) {
        refused(found, "scores.parquet: its SHA-256 is ");
    }
    // A record of another program.
    std::fs::write(&record, "{\"epochs\": 3}").unwrap();
    assert!(read(&file).is_ok());
}
