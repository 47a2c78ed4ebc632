//! Ties, order and undefined values, computed by hand.

use super::rows::{N_PAIRS, N_POOL, Rows, STIMULUS, features, identified, pairs, reconstructions, small, values};
use crate::support::*;

#[test]
fn equal_reconstructions_tie_exactly_and_ties_count_as_asked() {
    // All reconstructions are the same image, so each stimulus is compared with equal ones.
    let gt = features("gt", 7);
    let recon = vec![features("pool", 1)[0].clone(); 7];
    let with = |ties| IdentificationOptions { ties, ..STIMULUS };
    let of = |ties| values(&identified(&gt, &recon, None, &with(ties)));
    assert_eq!(of(Ties::Lose), [0.0; 7]);
    assert_eq!(of(Ties::Half), [0.5; 7]);
    assert_eq!(of(Ties::Win), [1.0; 7]);
    // In the other direction there are no ties, and the mean is the mean of ranks 0 to 6.
    let found = values(&identified(&gt, &recon, None, &IdentificationOptions::default()));
    assert!((found.iter().sum::<f64>() / 7.0 - 0.5).abs() < 1e-12);
    // A stimulus that is shown twice ties with its copy.
    let twice = vec![gt[0].clone(), gt[0].clone()];
    let found = identified(&twice, &twice, None, &IdentificationOptions::default());
    assert_eq!(values(&found), [0.0, 0.0]);
}

#[test]
fn the_order_of_pairs_and_of_the_pool_does_not_matter() {
    let gt = features("gt", N_PAIRS);
    let recon = reconstructions(&gt, 0.0625);
    let pool = features("pool", N_POOL);
    let reversed = |rows: &Rows| rows.iter().rev().cloned().collect::<Rows>();
    for pool in [None, Some(&pool)] {
        let options = IdentificationOptions::default();
        let mut found = values(&identified(&gt, &recon, pool, &options));
        let turned = pool.map(&reversed);
        let again = identified(&reversed(&gt), &reversed(&recon), turned.as_ref(), &options);
        found.reverse();
        assert_eq!(found, values(&again));
    }
}

#[test]
fn what_has_no_correlation_is_undefined_and_not_in_the_pool() {
    let gt = small(&[[1.0, 2.0, 3.0], [2.0, 2.0, 2.0], [3.0, 1.0, 2.0], [1.0, 3.0, 2.0]]);
    let mut recon = gt.clone();
    recon[1] = vec![1.0, 2.0, 4.0];
    recon[2] = vec![f32::NAN, 0.0, 1.0];
    let found = identified(&gt, &recon, None, &IdentificationOptions::default());
    let expected = [Ok(1.0), Err(Undefined::Constant(Side::Gt)), Err(Undefined::NonFinite(Side::Recon)), Ok(1.0)];
    assert_eq!(found.outcomes, expected);
    assert_eq!(found.n_others, 2);
    let left_out: Vec<usize> = found.left_out.iter().map(|left| left.0).collect();
    assert_eq!(left_out, [1]);
    let found = identified(&gt, &recon, None, &STIMULUS);
    assert_eq!(found.outcomes[2], Err(Undefined::NonFinite(Side::Recon)));
    assert_eq!((found.n_others, found.left_out[0].0), (2, 2));

    let alone = identified(&gt[..1].to_vec(), &gt[..1].to_vec(), None, &STIMULUS);
    assert_eq!(alone.outcomes, [Err(Undefined::EmptyPool)]);
    let found = identified(&gt, &gt, Some(&small(&[[1.0; 3]])), &IdentificationOptions::default());
    assert_eq!(found.outcomes[0], Err(Undefined::EmptyPool));
    assert_eq!(identified(&vec![], &vec![], None, &STIMULUS).outcomes, []);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let gt = features("gt", 5);
    let refused = |options: IdentificationOptions, part: &str| {
        let error = identify(&pairs(&gt, &gt), None, &options).unwrap_err();
        assert!(matches!(error, MetricError::Usage(_)));
        assert!(error.to_string().contains(part), "{error}");
    };
    let ways = |n_way, top_k| IdentificationOptions {
        n_way,
        top_k,
        ..IdentificationOptions::default()
    };
    refused(ways(1, 1), "at least 2");
    refused(ways(3, 3), "fewer than there are ways");
    refused(ways(3, 0), "at least 1");
    refused(ways(6, 1), "6 with 4 others");
    let seed = Seed(1);
    let none = Draws::Seeded { trials: 0, seed };
    let options = IdentificationOptions {
        draws: none,
        ..ways(2, 1)
    };
    refused(options, "number of draws");
}
