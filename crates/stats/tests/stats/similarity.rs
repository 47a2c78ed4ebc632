//! Similarities of rows: by hand, against `pearson`, and invariances.

use crate::support::*;
use neurogauge_stats::internals::{DEPTH, RowRange, products};
use neurogauge_stats::similarity::{ComparedRows, HeldRows, inner_products};

/// Rows with a mean far from zero, as after a ReLU.
fn rows(name: &str, n_rows: usize, n_features: usize) -> Vec<Vec<f32>> {
    let noise = Synthetic::new(name, 0);
    let value = |row: usize, feature: usize| noise.uniform((row * n_features + feature) as u64);
    (0..n_rows).map(|row| (0..n_features).map(|f| value(row, f) + 2.0).collect()).collect()
}

fn compare(x: &[Vec<f32>], y: &[Vec<f32>], similarity: Similarity) -> SimilarityMatrix {
    let x: Vec<&[f32]> = x.iter().map(Vec::as_slice).collect();
    let y: Vec<&[f32]> = y.iter().map(Vec::as_slice).collect();
    similarities(&x, &y, similarity).unwrap()
}

#[test]
fn correlations_are_those_of_pearson_around_every_tile_and_block() {
    for (n_x, n_y, n_features) in [(1, 1, 2), (6, 8, 256), (7, 9, 257), (50, 17, 513), (49, 3, 9)] {
        let (x, y) = (rows("x", n_x, n_features), rows("y", n_y, n_features));
        let r = compare(&x, &y, Similarity::Correlation);
        assert_eq!((r.n_x(), r.n_y()), (n_x, n_y));
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                let expected = pearson(x, y).unwrap().unwrap();
                assert!((r.get(i, j) - expected).abs() < 1e-14, "{i} {j}");
            }
        }
    }
}

#[test]
fn cosines_are_not_centred() {
    let r = compare(&[vec![3.0, 4.0], vec![1.0, 1.0]], &[vec![4.0, 3.0]], Similarity::Cosine);
    assert!((r.get(0, 0) - 24.0 / 25.0).abs() < 1e-15);
    assert!((r.get(1, 0) - 7.0 / 50.0_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn distances_are_negative_and_those_of_equal_rows_are_zero() {
    let r = compare(
        &[vec![3.0, 4.0], vec![5.0, 5.0], vec![0.0, 0.0]],
        &[vec![0.0, 0.0], vec![5.0, 5.0]],
        Similarity::Euclidean,
    );
    assert_eq!((r.get(0, 0), r.get(1, 1), r.get(2, 0)), (-5.0, 0.0, 0.0));
    assert!((r.get(0, 1) + 5.0_f64.sqrt()).abs() < 1e-15);
    let x = rows("x", 9, 700);
    let found = compare(&x, &x, Similarity::Euclidean);
    for (i, one) in x.iter().enumerate() {
        assert_eq!(found.get(i, i), 0.0);
        for (j, other) in x.iter().enumerate() {
            let expected = one.iter().zip(other).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt();
            assert!((found.get(i, j) + expected).abs() < 1e-6, "{i} {j}");
        }
    }
    let unknown = compare(&[vec![f32::NAN, 1.0]], &[vec![0.0, 0.0]], Similarity::Euclidean);
    assert_eq!(unknown.x_defect(0), Some(RowDefect::NonFinite));
}

#[test]
fn an_entry_depends_on_its_rows_alone_to_the_bit() {
    let (x, y) = (rows("x", 61, 700), rows("y", 45, 700));
    let whole = compare(&x, &y, Similarity::Correlation);
    let swapped = compare(&y, &x, Similarity::Correlation);
    for (i, j) in [(0, 0), (5, 44), (48, 7), (60, 40), (60, 44)] {
        let alone = compare(&x[i..=i], &y[j..=j], Similarity::Correlation);
        assert_eq!(whole.get(i, j), alone.get(0, 0));
        assert_eq!(whole.get(i, j), swapped.get(j, i));
    }
    assert_eq!(with_threads(1, || compare(&x, &y, Similarity::Correlation)), whole);
}

#[test]
fn small_deviations_from_a_large_mean_are_kept() {
    let x = [vec![1e6, 1e6 + 1.0, 1e6 + 2.0]];
    let r = compare(&x, &[vec![1.0, 3.0, 2.0]], Similarity::Correlation);
    assert!((r.get(0, 0) - 0.5).abs() < 1e-15);
}

#[test]
fn rows_without_a_direction_are_marked_and_touch_no_other() {
    let x = [vec![1.0, 2.0], vec![5.0, 5.0], vec![f32::NAN, 1.0], vec![0.0, 0.0]];
    let y = [vec![2.0, 1.0]];
    let r = compare(&x, &y, Similarity::Correlation);
    let defects: Vec<_> = (0..4).map(|i| r.x_defect(i)).collect();
    let constant = Some(RowDefect::Constant);
    assert_eq!(defects, [None, constant, Some(RowDefect::NonFinite), constant]);
    assert!((r.get(0, 0) + 1.0).abs() < 1e-15);
    assert!(r.get(1, 0).is_nan() && r.get(2, 0).is_nan());

    let r = compare(&y, &x, Similarity::Cosine);
    let defects: Vec<_> = (0..4).map(|i| r.y_defect(i)).collect();
    assert_eq!(defects, [None, None, Some(RowDefect::NonFinite), Some(RowDefect::Empty)]);
    assert_eq!(RowDefect::Empty.of(Side::Gt), Undefined::Empty(Side::Gt));
    assert_eq!(compare(&[vec![]], &[], Similarity::Cosine).x_defect(0), Some(RowDefect::Empty));
}

#[test]
fn rows_of_other_length_are_refused() {
    let error = similarities(&[&[1.0, 2.0]], &[&[1.0]], Similarity::Cosine).unwrap_err();
    assert!(error.to_string().contains("2 values are paired with 1"), "{error}");
}

#[test]
fn whole_numbers_have_exact_products_at_every_size_around_the_tiles() {
    let value = |row: usize, feature: usize| ((row * 7 + feature * 3) % 11) as f64 - 5.0;
    for (n_x, n_y, n_features) in [(1, 1, 1), (6, 8, 4), (7, 9, 255), (50, 3, 257), (49, 17, 513)] {
        let rows = |n: usize, first: usize| -> Vec<f64> {
            let places = (0..n * n_features).map(|i| (i / n_features + first, i % n_features));
            places.map(|(row, feature)| value(row, feature)).collect()
        };
        let (x, y) = (rows(n_x, 0), rows(n_y, 5));
        for (place, product) in inner_products(&x, &y, n_features).unwrap().iter().enumerate() {
            let (i, j) = (place / n_y, place % n_y);
            let expected: f64 = (0..n_features).map(|f| value(i, f) * value(j + 5, f)).sum();
            assert_eq!(*product, expected, "{n_x} x {n_y} x {n_features}: {i}, {j}");
        }
    }
}

#[test]
fn values_that_are_no_rows_are_refused() {
    assert!(inner_products(&[1.0, 2.0, 3.0], &[1.0, 2.0], 2).is_err());
    assert!(inner_products(&[1.0], &[], 0).is_err());
    assert!(inner_products(&[], &[], 0).unwrap().is_empty());
}

#[test]
fn the_width_of_blocks_decides_no_bit() {
    let noise = Synthetic::new("blocks", 0);
    let n_features = 5 * DEPTH + 3;
    let rows = |n_rows: usize, start: usize| -> Vec<Vec<f32>> {
        let value = |row: usize, f: usize| noise.uniform((start + row * n_features + f) as u64);
        (0..n_rows).map(|row| (0..n_features).map(|f| value(row, f)).collect()).collect()
    };
    let (x, y) = (rows(13, 0), rows(9, 1 << 20));
    let x: Vec<&[f32]> = x.iter().map(Vec::as_slice).collect();
    let y: Vec<&[f32]> = y.iter().map(Vec::as_slice).collect();
    let (x, y) = (HeldRows::new(&x).unwrap(), HeldRows::new(&y).unwrap());
    let x = ComparedRows::new(&x, Similarity::Correlation).unwrap();
    let y = ComparedRows::new(&y, Similarity::Correlation).unwrap();
    let (x, y) = (RowRange { of: &x, rows: 2..13 }, RowRange { of: &y, rows: 0..9 });
    let whole = products(&x, &y, n_features, usize::MAX).unwrap();
    assert!(whole.iter().all(|product| product.abs() > 0.0));
    for n_slabs in 0..6 {
        let bytes = n_slabs * DEPTH * 4 * 20;
        assert_eq!(products(&x, &y, n_features, bytes).unwrap(), whole);
    }
}
