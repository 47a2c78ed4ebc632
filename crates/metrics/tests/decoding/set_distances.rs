//! Distances of sets against torch-fidelity, clean-fid and NumPy (`reference/set_distances.py`), and by hand.

use crate::support::*;
use neurogauge_metrics::decoding::set_distances::*;

/// The features of the golden: uniform noise, and 0.6 of it with other noise.
fn features(n: usize, d: usize) -> [Vec<f64>; 2] {
    let values = |side: &str| uniform(&format!("{side} {n}"), n * d).into_iter().map(f64::from);
    [
        values("gt").collect(),
        values("gt").zip(values("noise")).map(|(gt, noise)| 0.6 * gt + 0.5 * noise + 0.1).collect(),
    ]
}

fn products([gt, recon]: &[Vec<f64>; 2], d: usize) -> SetProducts {
    SetProducts::of(gt, recon, d).unwrap()
}

#[test]
fn all_equal_torch_fidelity_clean_fid_and_the_equations_of_cmmd() {
    for case in list(&golden::<Value>("set_distances")["cases"]) {
        let (n, d) = (count(&case["n"]), count(&case["d"]));
        let products = products(&features(n, d), d);
        let expected = |key: &str| number(&case[key]);
        let kid = kernel_inception_distance(&products, Seed(1)).unwrap();
        for key in ["kid", "kid_clean"] {
            near(kid.published, expected(key), 1e-10 * expected(key));
        }
        near(kid.unbiased, expected("kid_unbiased"), 1e-10 * expected("kid_unbiased"));
        near(kid.pseudo_values.iter().sum::<f64>() / n as f64, kid.unbiased, 1e-12);
        near(clip_mmd(&products, Seed(1)).unwrap().published, expected("cmmd"), 1e-9);
        let fid = frechet_distance(&products, Seed(1)).unwrap().unwrap();
        // With fewer rows than features, the reference takes square roots of eigenvalues that are 0 but for rounding.
        near(fid.of_all, expected("fid"), 1e-7 * expected("fid"));
        if let Some(clean) = case["fid_clean"].as_f64() {
            near(fid.of_all, clean, 1e-10 * clean);
        }
        for (found, key) in [(fid.extrapolated, "extrapolated"), (fid.if_alike, "if_alike")] {
            near(found, number(&case[key]["mean"]), 5.0 * number(&case[key]["sd"]));
        }
        // The reference has shares in single precision.
        for (found, key) in precision_and_recall(&products).into_iter().zip(["precision", "recall"]) {
            near(found.unwrap(), expected(key), 1e-7);
        }
    }
}

#[test]
fn equal_sets_have_no_distance() {
    let [gt, _] = features(30, 5);
    let products = products(&[gt.clone(), gt], 5);
    let kid = kernel_inception_distance(&products, Seed(1)).unwrap();
    assert_eq!((kid.unbiased, kid.p_value), (0.0, 1.0));
    near(clip_mmd(&products, Seed(1)).unwrap().published, 0.0, 1e-10);
    near(frechet_distance(&products, Seed(1)).unwrap().unwrap().of_all, 0.0, 1e-12);
    assert_eq!(precision_and_recall(&products), [Ok(1.0), Ok(1.0)]);
}

#[test]
fn the_bias_of_fid_is_said_and_mostly_gone_after_extrapolation() {
    // Two samples of one distribution, whose true distance is 0: 64 values each, from 640 pairs.
    let d = 64;
    let noise = |side: &str| uniform(side, 640 * d).into_iter().map(f64::from).collect::<Vec<f64>>();
    let found = frechet_distance(&products(&[noise("one"), noise("other")], d), Seed(1)).unwrap().unwrap();
    assert!(found.of_all > 0.2, "{found:?}");
    assert!(found.extrapolated.abs() < 0.15 * found.of_all, "{found:?}");
    near(found.if_alike, found.of_all, 0.05 * found.of_all);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let products = products(&features(40, 16), 16);
    let of = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| (kernel_inception_distance(&products, Seed(3)), frechet_distance(&products, Seed(3))))
    };
    assert_eq!(of(1), of(3));
    assert_ne!(of(1).1, frechet_distance(&products, Seed(4)));
}

#[test]
fn what_has_no_distance_and_what_is_refused() {
    let refused = |gt: &[f64], recon: &[f64]| SetProducts::of(gt, recon, 1).unwrap_err().to_string();
    assert!(refused(&[1.0; 3], &[1.0; 3]).contains("4 to 4096 pairs, and these are 3"));
    assert!(refused(&[1.0; 5], &[1.0; 4]).contains("both must have as many"));
    assert!(refused(&vec![1.0; 4097], &vec![1.0; 4097]).contains("4097"));
    assert!(SetProducts::of(&[], &[], 0).is_err());
    let bad = SetProducts::of(&[0.0, 1.0, 2.0, 3.0], &[0.0, f64::NAN, 1.0, 2.0], 1).unwrap();
    let reason = Undefined::NonFinite(Side::Recon);
    assert_eq!(kernel_inception_distance(&bad, Seed(1)), Err(reason.clone()));
    assert_eq!(frechet_distance(&bad, Seed(1)), Ok(Err(reason.clone())));
    assert_eq!(precision_and_recall(&bad), [Err(reason.clone()), Err(reason)]);
    let zero = SetProducts::of(&[0.0, 1.0, 2.0, 3.0], &[1.0; 4], 1).unwrap();
    assert_eq!(clip_mmd(&zero, Seed(1)), Err(Undefined::Empty(Side::Gt)));
}
