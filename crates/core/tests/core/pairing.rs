//! Stems pair in natural order, as rows of a stack, or not at all.

use neurogauge_core::pair::{Pair, Pairing, PairingError, PairsOf, StackOrder, natural_cmp};
use std::cmp::Ordering;

fn stems(names: &[&str]) -> Vec<String> {
    names.iter().map(|s| (*s).to_owned()).collect()
}

fn pair_by_stem(gt: &[String], recon: &[String]) -> Result<Vec<Pair>, PairingError> {
    Ok(Pairing::default().pair(gt, recon)?.pairs)
}

#[test]
fn pairs_in_natural_order_whatever_the_input_order() {
    let pairs = pair_by_stem(&stems(&["10", "2", "1"]), &stems(&["1", "10", "2"])).unwrap();
    let order: Vec<_> = pairs.iter().map(|p| (p.stem.as_str(), p.gt, p.recon)).collect();
    assert_eq!(order, [("1", 2, 0), ("2", 1, 2), ("10", 0, 1)]);
}

#[test]
fn a_lonely_stem_is_named_with_its_side() {
    let error = pair_by_stem(&stems(&["a", "b"]), &stems(&["a"])).unwrap_err();
    assert!(error.to_string().contains("gt stems has no partner"), "{error}");
    assert!(error.to_string().contains(": b;"), "{error}");
    let error = pair_by_stem(&stems(&["a"]), &stems(&["a", "c"])).unwrap_err();
    assert!(error.to_string().starts_with("1 of the recon stems"), "{error}");
}

#[test]
fn a_repeated_stem_is_refused() {
    let error = pair_by_stem(&stems(&["a", "a"]), &stems(&["a"])).unwrap_err();
    assert_eq!(
        error,
        PairingError::DuplicateStem {
            side: "gt",
            stem: "a".into()
        }
    );
}

#[track_caller]
fn error(pairs: PairsOf, gt: &[&str], recon: &[&str]) -> String {
    let pairing = Pairing {
        pairs,
        ..Pairing::default()
    };
    let error = pairing.pair(&stems(gt), &stems(recon)).unwrap_err();
    error.to_string()
}

#[test]
fn stems_that_nearly_pair_are_shown_of_both_sides() {
    let found = error(PairsOf::All, &["0", "1", "5"], &["000", "001"]);
    assert!(found.ends_with(r#"; the closest are gt "0" and recon "000""#), "{found}");
    let found = error(PairsOf::All, &["cat", "a"], &["x", "a"]);
    assert!(found.ends_with("; the recon stems without a partner are x"), "{found}");
    let found = error(PairsOf::Shared, &["cat"], &["x"]);
    assert!(found.contains("; no stem is on both sides; "), "{found}");
}

#[test]
fn shared_stems_are_paired_and_the_others_named() {
    let shared = Pairing {
        pairs: PairsOf::Shared,
        ..Pairing::default()
    };
    let found = shared.pair(&stems(&["10", "9", "b"]), &stems(&["a", "b", "9"]));
    let found = found.unwrap();
    assert_eq!(found.pairs.iter().map(|p| p.stem.as_str()).collect::<Vec<_>>(), ["9", "b"]);
    assert_eq!(found.without_partner.gt, ["10"]);
    assert_eq!(found.without_partner.recon, ["a"]);
}

#[test]
fn numbers_pair_only_where_they_are_asked_for_and_told_apart() {
    let pattern = Some("{number}".parse().unwrap());
    let pairing = Pairing {
        pattern,
        ..Pairing::default()
    };
    let found = pairing.pair(&stems(&["0", "1"]), &stems(&["001", "000"])).unwrap();
    assert_eq!(found.pairs.iter().map(|p| p.recon).collect::<Vec<_>>(), [1, 0]);
    let found = pairing.pair(&stems(&["1"]), &stems(&["1", "01"])).unwrap_err();
    assert!(found.to_string().contains(r#"recon stems "01" and "1" are the same number"#), "{found}");
    let found = pairing.pair(&stems(&["1", "01"]), &stems(&["1"])).unwrap_err();
    assert!(found.to_string().starts_with(r#"gt stems "01" and "1""#), "{found}");
    let found = pairing.pair(&stems(&["1"]), &stems(&["one"])).unwrap_err();
    assert!(found.to_string().contains("of the form {number}: they are one"), "{found}");
}

fn pair_in(order: StackOrder, gt: &[String], recon: &[String]) -> Result<Vec<Pair>, PairingError> {
    let pairing = Pairing {
        order: Some(order),
        ..Pairing::default()
    };
    Ok(pairing.pair(gt, recon)?.pairs)
}

#[test]
fn rows_pair_with_names_in_each_order_on_either_side() {
    let (names, rows) = (stems(&["a1", "a10", "a2"]), stems(&["0", "1", "2"]));
    for (order, expected) in [
        (StackOrder::Natural, [("a1", "0"), ("a2", "1"), ("a10", "2")]),
        (StackOrder::Text, [("a1", "0"), ("a2", "2"), ("a10", "1")]),
        (StackOrder::Reversed, [("a1", "2"), ("a2", "1"), ("a10", "0")]),
    ] {
        let pairs = pair_in(order, &names, &rows).unwrap();
        let named: Vec<_> = pairs.iter().map(|p| (&*names[p.gt], &*rows[p.recon])).collect();
        assert_eq!(named, expected, "{order:?}");
        let mut turned: Vec<_> = pair_in(order, &rows, &names).unwrap();
        assert!(turned.is_sorted_by_key(|pair| pair.gt));
        turned.sort_by_key(|pair| expected.iter().position(|e| e.0 == names[pair.recon]));
        let named: Vec<_> = turned.iter().map(|p| (&*names[p.recon], &*rows[p.gt])).collect();
        assert_eq!(named, expected, "{order:?}, the stimuli as a stack");
    }
    let short = pair_in(StackOrder::Text, &names, &rows[..2]);
    assert_eq!(short, Err(PairingError::StackLength { gt: 3, recon: 2 }));
    assert_eq!(pair_in(StackOrder::Text, &names, &names), Err(PairingError::NoStack));
}

#[test]
fn natural_order_is_total_on_numbers_beyond_u64_and_leading_zeros() {
    assert_eq!(natural_cmp("9", "99999999999999999999999999"), Ordering::Less);
    assert_eq!(natural_cmp("007", "7"), Ordering::Less);
    assert_eq!(natural_cmp("a7b", "a07b"), natural_cmp("a07b", "a7b").reverse());
    assert_eq!(natural_cmp("shared0001_nsd02951", "shared0001_nsd10000"), Ordering::Less);
    assert_eq!(natural_cmp("é", "e"), Ordering::Greater);
}
