//! `.npy` files: every element type, damage, captions.

use crate::arrays_golden::{expected, path};
use crate::prelude::*;

#[test]
fn every_array_reads_as_numpy_wrote_it() {
    for (name, array) in expected("arrays") {
        let shape: Vec<u64> = serde_json::from_value(array["shape"].clone()).unwrap();
        let values: Vec<f64> = serde_json::from_value(array["values"].clone()).unwrap();
        assert_eq!(npy::read_f64(&path(&name)).unwrap(), (shape.clone(), values.clone()), "{name}");
        let single: Vec<f32> = values.iter().map(|&v| v as f32).collect();
        assert_eq!(npy::read_f32(&path(&name)).unwrap(), (shape.clone(), single), "{name}");
        let header = npy::read_header(&path(&name)).unwrap();
        assert_eq!(header.shape, shape, "{name}");
        assert_eq!(header.fortran_order, array["fortran"].as_bool().unwrap(), "{name}");
    }
}

#[test]
fn any_run_of_a_fortran_array_is_the_run_of_the_whole() {
    for name in ["fortran_f4.npy", "array_f4_be.npy"] {
        let array = npy::open(&path(name)).unwrap();
        let whole = array.read_f64_at(0, array.len()).unwrap();
        for first in 0..=whole.len() {
            for n in 0..=whole.len() - first {
                let run = array.read_f64_at(first as u64, n as u64).unwrap();
                assert_eq!(run, whole[first..first + n], "{name} {first} {n}");
            }
        }
        refused(array.read_f32_at(20, 5), "needs 20 bytes, but 16 are there");
        assert!(array.read_f32_at(u64::MAX, 2).is_err());
    }
}

#[test]
fn headers_name_their_type() {
    let dtype = |name: &str| npy::read_header(&path(name)).unwrap().dtype;
    assert_eq!(dtype("array_f2_be.npy"), ">f2");
    assert_eq!(dtype("array_b1_le.npy"), "|b1");
    assert_eq!(dtype("captions_numpy2.npy"), "|O");
    assert_eq!(dtype("refused_record.npy"), "[('x', '<f4'), ('y', '<i2')]");
    assert_eq!(npy::read_header(&path("version2.npy")).unwrap().data_offset, 128);
}

#[test]
fn other_element_types_are_refused_by_name() {
    for (name, dtype) in [
        ("refused_complex.npy", "<c8"),
        ("refused_text.npy", "<U4"),
        ("refused_record.npy", "[('x', '<f4'), ('y', '<i2')]"),
        ("captions_numpy2.npy", "|O"),
    ] {
        refused(npy::read_f64(&path(name)), &format!("element type {dtype}; expected"));
    }
}

fn file(folder: &Path, bytes: &[u8]) -> PathBuf {
    let path = folder.join("array.npy");
    std::fs::write(&path, bytes).unwrap();
    path
}

fn with_header(text: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn an_array_that_ends_early_says_by_how_much() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(path("array_f4_le.npy")).unwrap();
    let cut = file(folder.path(), &whole[..whole.len() - 1]);
    refused(npy::read_f64(&cut), "needs 96 bytes, but 95 are there");
    for length in 0..128 {
        let cut = file(folder.path(), &whole[..length]);
        assert!(npy::read_header(&cut).is_err(), "{length}");
    }
}

#[test]
fn sizes_beyond_the_file_allocate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for shape in [
        "(1000000000000,)",
        "(18446744073709551615, 2)",
        "(4294967296, 4294967296)",
        "(4294967296, 4294967296, 4294967296, 3)",
        "(9223372036854775807, 1)",
    ] {
        for order in ["True", "False"] {
            let text = format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': {shape}}}");
            let path = file(folder.path(), &with_header(&text, &[0; 64]));
            refused(npy::read_f64(&path), ", but 64 are there");
        }
    }
    let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 18446744073709551615)}";
    let empty = npy::read_f64(&file(folder.path(), &with_header(text, &[]))).unwrap();
    assert_eq!(empty, (vec![0, u64::MAX], vec![]));
}

#[test]
fn what_is_not_a_npy_file_is_malformed() {
    let folder = tempfile::tempdir().unwrap();
    let nested = format!("{{'descr': {}", "[".repeat(60_000));
    for bytes in [
        b"".to_vec(),
        b"\x93NUMPY".to_vec(),
        b"PK\x03\x04 a zip archive".to_vec(),
        b"\x93NUMPY\x09\x00\x06\x00{}    ".to_vec(),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec(),
        with_header("{'descr': '<f4'}", &[]),
        with_header(&nested, &[]),
        with_header("{'descr': '\u{e9}', 'fortran_order': False, 'shape': (+,)}", &[]),
    ] {
        refused(npy::read_f64(&file(folder.path(), &bytes)), ".npy");
    }
    refused(npy::read_f64(Path::new("no/such.npy")), "no/such.npy: opening failed");
}

#[test]
fn written_arrays_are_those_of_numpy_but_for_blanks_in_the_header() {
    let (_folder, ours) = place("ours.npy");
    let same_as = |name: &str| {
        assert_eq!(npy::read_header(&ours).unwrap(), npy::read_header(&path(name)).unwrap());
        let data = |path: &Path| std::fs::read(path).unwrap()[128..].to_vec();
        assert_eq!(data(&ours), data(&path(name)));
    };
    let (shape, values) = npy::read_f32(&path("array_f4_le.npy")).unwrap();
    npy::write_f32(&ours, &shape, &values).unwrap();
    same_as("array_f4_le.npy");
    let (shape, values) = npy::read_f64(&path("scalar_f8.npy")).unwrap();
    npy::write_f64(&ours, &shape, &values).unwrap();
    same_as("scalar_f8.npy");
}

#[test]
fn values_that_do_not_fill_the_shape_are_not_written() {
    let (_folder, path) = place("new/array.npy");
    for shape in [vec![2, 2], vec![], vec![u64::MAX, u64::MAX], vec![0]] {
        refused(npy::write_f32(&path, &shape, &[1.0, 2.0, 3.0]), "3 values for an array of shape");
    }
    assert!(!path.exists());
}

#[test]
fn captions_of_every_numpy_and_protocol() {
    for (name, entries) in expected("dicts") {
        let entries: Vec<(String, String)> = serde_json::from_value(entries).unwrap();
        assert_eq!(npy::read_pickled_dict(&path(&name)).unwrap(), entries, "{name}");
    }
}

#[test]
fn other_pickled_arrays_are_refused_in_words() {
    for (name, words) in [
        ("refused_dict_of_lists.npy", "holds a dict with a list of 2 under \"0\"; expected"),
        ("refused_object_list.npy", "holds an array of shape [2] and type |O; expected"),
        ("array_f4_le.npy", "holds an array of shape [2, 3, 4] and type <f4; expected"),
        ("refused_hostile.npy", "the pickle asks for \"builtins.exec\""),
    ] {
        refused(npy::read_pickled_dict(&path(name)), words);
    }
}

#[test]
fn a_repeated_caption_key_is_refused_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let twice = [("a".to_owned(), "x".to_owned()), ("a".to_owned(), "y".to_owned())];
    let target = folder.path().join("captions.npy");
    refused(npy::write_pickled_dict(&target, &twice), "share the stem");
    // Two keys of one letter, then made equal by a change of the file.
    let entries = [("a".to_owned(), "x".to_owned()), ("b".to_owned(), "y".to_owned())];
    npy::write_pickled_dict(&target, &entries).unwrap();
    let mut bytes = std::fs::read(&target).unwrap();
    let key = bytes.windows(3).position(|w| w == [0x8c, 1, b'b']).unwrap();
    let last = bytes[key + 3..].windows(3).position(|w| w == [0x8c, 1, b'b']);
    let key = last.map_or(key, |offset| key + 3 + offset);
    bytes[key + 2] = b'a';
    std::fs::write(&target, bytes).unwrap();
    refused(npy::read_pickled_dict(&target), "share the stem");
}
