//! Drawn parameters and work on several threads: the same input gives the same values.

use neurogauge_core::parallel::{map_each, map_with, try_map, try_map_each};
use neurogauge_core::synthetic::parameter;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn the_first_error_is_returned() {
    let odd = |place: usize| if place % 2 == 1 { Err(place) } else { Ok(place) };
    for n_threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        assert_eq!(pool.install(|| try_map(1000, odd)), Err(1));
    }
    assert_eq!(try_map(1, odd), Ok(vec![0]));
    assert_eq!(try_map_each(&[4, 6], |item| odd(*item)), Ok(vec![4, 6]));
}

#[test]
fn memory_is_used_again() {
    let n_made = AtomicUsize::new(0);
    let start = || n_made.fetch_add(1, Ordering::Relaxed);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let found = pool.install(|| map_with(500, start, |_, place| place + 1));
    assert_eq!(found, (1..=500).collect::<Vec<_>>());
    assert!(n_made.into_inner() <= 2);
    assert_eq!(map_each(&[3, 1], |item| item * 2), [6, 2]);
}

/// These values come from the twin, reference/synthetic.py.
#[test]
fn equals_the_twin() {
    let known: [(&str, &[usize], &[f32]); 5] = [
        ("features.0.weight", &[64, 3, 11, 11], &[0.091_475_83, 0.006_798_639, 0.035_842_966, -0.104_770_01]),
        ("bn1.running_var", &[4], &[1.142_307_5, 1.286_753_4, 1.470_778_8, 0.943_851_23]),
        ("x.bias", &[3], &[-0.083_857_87, -0.093_503_46, 0.010_260_904]),
        ("logit_scale", &[], &[0.025_418_079]),
        ("token_embedding.weight", &[2, 2], &[-0.040_906_13, -0.180_645_47, 0.195_887_21, 0.456_68]),
    ];
    for (name, shape, values) in known {
        assert_eq!(parameter(name, shape, 0)[..values.len()], *values, "{name}");
    }
}
