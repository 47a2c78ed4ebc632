//! Round trips of any array.

use crate::prelude::*;

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
        let (_folder, target) = place("array.npy");
        npy::write_f32(&target, &shape, &values).unwrap();
        let (found_shape, found) = npy::read_f32(&target).unwrap();
        prop_assert_eq!(found_shape, shape);
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&found), bits(&values));
    }

    #[test]
    fn f64_arrays_come_back(values in prop::collection::vec(any::<f64>(), 0..20)) {
        let (_folder, target) = place("array.npy");
        npy::write_f64(&target, &[values.len() as u64], &values).unwrap();
        let (shape, found) = npy::read_f64(&target).unwrap();
        prop_assert_eq!(shape, [values.len() as u64]);
        prop_assert_eq!(found, values);
    }

    #[test]
    fn captions_come_back(entries in prop::collection::btree_map(".{0,9}", ".{0,300}", 0..9)) {
        let entries: Vec<(String, String)> = entries.into_iter().collect();
        let (_folder, target) = place("captions.npy");
        npy::write_pickled_dict(&target, &entries).unwrap();
        prop_assert_eq!(npy::read_pickled_dict(&target).unwrap(), entries);
    }
}
