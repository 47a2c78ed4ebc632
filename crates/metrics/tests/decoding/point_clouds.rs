//! Chamfer distance and earth mover's distance against SciPy and POT, and draws from surfaces.

use crate::support::*;
use neurogauge_metrics::decoding::point_clouds::*;

fn cloud(name: &str, n: usize, squeeze: f64) -> Vec<Point> {
    let values = Synthetic::new(name, 0);
    let at = |index: usize| f64::from(values.uniform(index as u64)) - 0.5;
    (0..n).map(|row: usize| [at(3 * row), squeeze * at(3 * row + 1), 2.0 * at(3 * row + 2)]).collect()
}

#[test]
fn both_equal_scipy_and_pot() {
    for case in list(&golden::<Value>("point_clouds")["cases"]) {
        let n = |key: &str| count(&case[key]);
        let gt = cloud(&format!("gt {}", n("n")), n("n"), 1.0);
        let recon = cloud(&format!("recon {}", n("m")), n("m"), 0.5);
        for (key, form) in [("squared", ChamferForm::Squared), ("euclidean", ChamferForm::Euclidean)] {
            let found = chamfer_distance(&gt, &recon, form).unwrap();
            let expected = number(&case[key]);
            near(found, expected, 1e-12 * expected);
            near(chamfer_distance(&recon, &gt, form).unwrap(), found, 1e-15 * expected);
        }
        let found = earth_movers_distance(&gt, &recon);
        match case["emd"].as_f64() {
            Some(expected) => assert!((found.unwrap() - expected).abs() <= 1e-9 * expected),
            None => assert!(found.unwrap_err().to_string().contains("unequally many points")),
        }
    }
}

#[test]
fn what_has_no_distance() {
    let one = [[0.0; 3]];
    let none: [Point; 0] = [];
    let nan = [[f64::NAN, 0.0, 0.0]];
    assert_eq!(chamfer_distance(&none, &one, ChamferForm::Squared), Err(Undefined::Empty(Side::Gt)));
    assert_eq!(earth_movers_distance(&one, &nan), Err(Undefined::NonFinite(Side::Recon)));
    let many = vec![[0.0; 3]; MAX_ASSIGNED + 1];
    assert!(earth_movers_distance(&many, &many).unwrap_err().to_string().contains("more than 4096"));
    assert_eq!(in_unit_sphere(&[[2.0; 3], [2.0; 3]]), None);
}

/// A square and, in another plane, one with a fourth of its area: draws are uniform over five parts of equal size.
#[test]
fn draws_are_uniform_over_the_surface() {
    let square = |at: f64, side: f64| [[at, 0.0, 0.0], [at + side, 0.0, 0.0], [at + side, side, 0.0], [at, side, 0.0]];
    let vertices = [square(0.0, 2.0), square(5.0, 1.0)].concat();
    let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let n = 100_000;
    let points = sample_points(&vertices, &triangles, n, Seed(3), 0).unwrap();
    let share = |inside: fn(&Point) -> bool| points.iter().filter(|point| inside(point)).count() as f64 / n as f64;
    let quarters: [fn(&Point) -> bool; 5] = [
        |p| p[0] < 1.0 && p[1] < 1.0,
        |p| p[0] < 1.0 && p[1] >= 1.0,
        |p| (1.0..3.0).contains(&p[0]) && p[1] < 1.0,
        |p| (1.0..3.0).contains(&p[0]) && p[1] >= 1.0,
        |p| p[0] >= 5.0,
    ];
    // The tolerance is four standard errors.
    for quarter in quarters {
        assert!((share(quarter) - 0.2).abs() < 4.0 * (0.16 / n as f64).sqrt());
    }
    assert_eq!(sample_points(&vertices, &triangles, 5, Seed(3), 0).unwrap(), points[..5]);
    assert_ne!(sample_points(&vertices, &triangles, 5, Seed(3), 1).unwrap(), points[..5]);
    let flat = sample_points(&vertices, &[[0, 1, 1]], 5, Seed(3), 0);
    assert_eq!(flat, None);
    let mut drawn = sample_points(&vertices, &[], 8, Seed(3), 0).unwrap();
    drawn.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mut all = vertices.clone();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(drawn, all);
    assert_eq!(sample_points(&vertices, &[], 9, Seed(3), 0), None);
}
