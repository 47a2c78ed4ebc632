//! `.pt` files: element types, layouts, refusals.

use crate::arrays_golden::{expected, path};
use crate::prelude::*;

#[test]
fn every_tensor_reads_as_torch_wrote_it() {
    for (name, tensors) in expected("tensors") {
        let found = pt::open(&path(&name)).unwrap();
        let tensors = tensors.as_array().unwrap();
        assert_eq!(found.len(), tensors.len(), "{name}");
        for (found, expected) in found.iter().zip(tensors) {
            assert_eq!(found.name.as_deref(), expected["name"].as_str(), "{name}");
            let array = &found.array;
            assert_eq!(serde_json::json!(array.shape()), expected["shape"], "{name}");
            assert_eq!(array.element_type().to_string(), expected["dtype"], "{name}");
            let values: Vec<f64> = serde_json::from_value(expected["values"].clone()).unwrap();
            assert_eq!(array.read_f64_at(0, array.len()).unwrap(), values, "{name}");
        }
    }
}

#[test]
fn a_part_is_read_without_the_rest() {
    let whole = pt::open(&path("images.pt")).unwrap().remove(0).array;
    let all = whole.read_f32_at(0, 180).unwrap();
    assert_eq!(whole.read_f32_at(60, 60).unwrap(), all[60..120]);
    // `rest` is `all[1:]` in the same storage.
    let shared = pt::open(&path("shared_storage.pt")).unwrap();
    assert_eq!(shared[1].array.read_f32_at(0, 60).unwrap(), all[60..120]);
    refused(whole.read_f32_at(120, 61), "the file was cut short or its header is wrong");
}

#[test]
fn strides_are_followed_unless_they_repeat_numbers() {
    for view in pt::open(&path("strided_views.pt")).unwrap() {
        for (position, value) in view.array.read_f64_at(0, view.array.len()).unwrap().iter().enumerate() {
            let run = view.array.read_f64_at(position as u64, 1).unwrap();
            assert_eq!(run, [*value]);
        }
    }
    refused(
        pt::open(&path("refused_expanded.pt")),
        "a tensor of shape [3, 5] and strides [0, 1] repeats its numbers",
    );
}

#[test]
fn each_fault_has_its_error() {
    for (name, words) in [
        ("refused_list.pt", "holds a list of 1; expected a tensor"),
        ("refused_text.pt", "holds a text; expected"),
        ("refused_nested.pt", "holds a dict with a dict of 1 under \"state\"; expected"),
        ("refused_mixed.pt", "holds a dict with an integer under \"epoch\"; expected"),
        ("refused_integer_key.pt", "holds a dict with an integer as key; expected"),
        ("refused_empty_dict.pt", "holds a dict of 0; expected"),
        ("refused_numpy_text.pt", "holds a NumPy array or scalar; expected"),
        ("refused_legacy.pt", "torch's old format"),
        ("refused_compressed.pt", "the entry \"images/data.pkl\" is compressed"),
        ("refused_hostile.pt", "the pickle asks for \"__builtin__.exec\""),
        ("refused_complex.pt", "the pickle asks for \"torch.ComplexFloatStorage\""),
        ("refused_short_storage.pt", "needs 720 bytes, but 716 are there"),
        ("refused_no_storage.pt", "the storage data/0 is missing"),
        ("refused_no_pickle.pt", "a zip archive without a data.pkl"),
        ("rgb.png", "not a .pt file"),
    ] {
        refused(pt::open(&path(name)), words);
    }
}

#[test]
fn only_the_named_value_of_a_dict_must_be_a_tensor() {
    let of = |file: &str, key: &str| array_file::open(format!("{}#{key}", path(file).display()).as_ref());
    let images = of("refused_mixed.pt", "images").unwrap();
    assert_eq!(images.shape(), [4, 5]);
    assert_eq!(images.read_f64().unwrap().len(), 20);
    refused(of("refused_mixed.pt", "epoch"), "holds a dict with an integer under \"epoch\"; expected");
    refused(of("refused_mixed.pt", "pictures"), "no tensor \"pictures\"; the file has images");
    // When images are requested, the tensor is found, but its shape does not fit.
    let source = format!("{}#images", path("refused_mixed.pt").display());
    refused(ImageSource::open(source.as_ref()), "an array of shape");
    refused(pt::open(&path("refused_mixed.pt")), "refused_mixed.pt#name");
}

/// What torch saves for `torch.view_as_complex(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).conj().imag`: the storage has
/// the original signs, and a bit means that they must be inverted.
#[test]
fn a_tensor_with_its_negative_bit_set_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let saved = |bit: u8| {
        let target = folder.path().join("neg.pt");
        let mut archive = ZipWriter::new(std::fs::File::create(&target).unwrap());
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let pickle = [
            b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\nq\x00((X\x07\x00\x00\x00storageq\x01",
            &b"ctorch\nFloatStorage\nq\x02X\x01\x00\x00\x000q\x03X\x03\x00\x00\x00cpuq\x04K\x04tq\x05Q"[..],
            b"K\x01K\x02\x85q\x06K\x02\x85q\x07\x89ccollections\nOrderedDict\nq\x08)Rq\t",
            b"}q\nX\x03\x00\x00\x00negq\x0b",
            &[bit],
            b"stq\x0cRq\r.",
        ]
        .concat();
        archive.start_file("neg/data.pkl", stored).unwrap();
        archive.write_all(&pickle).unwrap();
        archive.start_file("neg/data/0", stored).unwrap();
        for value in [1.0_f32, 2.0, 3.0, 4.0] {
            archive.write_all(&value.to_le_bytes()).unwrap();
        }
        archive.finish().unwrap();
        pt::open(&target)
    };
    let (set, not_set) = (0x88, 0x89);
    assert_eq!(saved(not_set).unwrap().remove(0).array.read_f32_at(0, 2).unwrap(), [2.0, 4.0]);
    for words in ["neg.pt: holds a tensor with its negative bit set", "save x.resolve_neg()"] {
        refused(saved(set), words);
    }
}

#[test]
fn a_file_cut_short_is_an_error() {
    let (_folder, cut) = place("cut.pt");
    let whole = std::fs::read(path("images.pt")).unwrap();
    for length in (0..whole.len()).step_by(3) {
        std::fs::write(&cut, &whole[..length]).unwrap();
        assert!(pt::open(&cut).is_err(), "{length}");
    }
}
