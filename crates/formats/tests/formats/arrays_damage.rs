//! Round trips of anything, and damage of any kind: an error at worst.

use crate::arrays_golden;

use arrays_golden::path;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{image_file, npy, pt};
use proptest::prelude::*;

/// Reads the file in every way there is; only a panic, a hang or an exhausted memory is a fault.
fn read_in_every_way(path: &std::path::Path) {
    let _ = npy::read_f64(path);
    let _ = npy::read_pickled_dict(path);
    let _ = image_file::read_rgb8(path);
    if let Ok(tensors) = pt::open(path) {
        for tensor in tensors {
            let _ = tensor.array.read_f64_at(0, tensor.array.len());
        }
    }
    if let Ok(source) = ImageSource::open(path) {
        let _ = source.load(0);
        let _ = source.content_hash(source.len() - 1);
    }
}

fn damaged(name: &str, flips: &[(prop::sample::Index, u8)], cut: Option<prop::sample::Index>) {
    let mut bytes = std::fs::read(path(name)).unwrap();
    for (position, bits) in flips {
        let position = position.index(bytes.len());
        bytes[position] ^= bits;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join(name);
    std::fs::write(&target, bytes).unwrap();
    read_in_every_way(&target);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(2),
        ..ProptestConfig::default()
    })]

    #[test]
    fn f32_arrays_come_back(
        values in prop::collection::vec(any::<u32>().prop_map(f32::from_bits), 12),
        shape in prop::sample::select(vec![vec![12u64], vec![3, 4], vec![2, 1, 6], vec![1, 12, 1]]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("array.npy");
        npy::write_f32(&target, &shape, &values).unwrap();
        let (found_shape, found) = npy::read_f32(&target).unwrap();
        prop_assert_eq!(found_shape, shape);
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&found), bits(&values));
    }

    #[test]
    fn f64_arrays_come_back(values in prop::collection::vec(any::<f64>(), 0..20)) {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("array.npy");
        npy::write_f64(&target, &[values.len() as u64], &values).unwrap();
        let (shape, found) = npy::read_f64(&target).unwrap();
        prop_assert_eq!(shape, [values.len() as u64]);
        prop_assert_eq!(found, values);
    }

    #[test]
    fn captions_come_back(entries in prop::collection::btree_map(".{0,9}", ".{0,300}", 0..9)) {
        let entries: Vec<(String, String)> = entries.into_iter().collect();
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("captions.npy");
        npy::write_pickled_dict(&target, &entries).unwrap();
        prop_assert_eq!(npy::read_pickled_dict(&target).unwrap(), entries);
    }

    #[test]
    fn damage_is_an_error_at_worst(
        name in prop::sample::select(vec![
            "array_f4_le.npy", "fortran_f8_be.npy", "stack_f4_chw.npy", "stack_u8_hwc.npy",
            "captions_numpy2.npy", "captions_protocol2.npy", "captions_numpy_text.npy",
            "images.pt", "dict.pt", "state_dict.pt", "strided_views.pt", "protocol5.pt",
            "rgba16.png", "rgb_420.jpg", "cmyk.jpg", "lossy.webp", "palette.bmp", "rgb_lzw.tiff",
        ]),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 0..6),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        damaged(name, &flips, cut);
    }
}

/// Every byte of the headers and pickles, where a flip can do most.
#[test]
fn each_byte_of_a_small_file_may_be_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["array_f4_le.npy", "captions_protocol3.npy", "tensor_float32.pt"] {
        let whole = std::fs::read(path(name)).unwrap();
        let target = folder.path().join(name);
        for position in 0..whole.len() {
            for bit in [0, 7] {
                let mut bytes = whole.clone();
                bytes[position] ^= 1 << bit;
                std::fs::write(&target, &bytes).unwrap();
                read_in_every_way(&target);
            }
        }
    }
}
