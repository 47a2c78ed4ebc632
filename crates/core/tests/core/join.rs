//! Names of two sides meet without a question, or not at all.

use neurogauge_core::TakenFor;
use neurogauge_core::pair::{Form, ItemJoin, Met, Pairing, PairsOf};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn numbered(form: impl Fn(usize) -> String, n: usize) -> Vec<String> {
    (0..n).map(form).collect()
}

#[track_caller]
fn meet(gt: &[&str], recon: &[&str], join: ItemJoin, partners: &[usize]) {
    let met = Met::of(&names(gt), &names(recon), PairsOf::All);
    let expected: Vec<Option<usize>> = partners.iter().copied().map(Some).collect();
    assert_eq!((met.join, met.partners), (join, expected), "{gt:?} {recon:?}");
}

#[track_caller]
fn apart(gt: &[&str], recon: &[&str]) {
    for pairs in [PairsOf::All, PairsOf::Shared] {
        let met = Met::of(&names(gt), &names(recon), pairs);
        assert_eq!(met.n(), 0, "{gt:?} {recon:?}: {met:?}");
    }
}

#[test]
fn names_are_equal_without_folder_address_and_ending() {
    use ItemJoin::Stem;
    meet(&["scene_1", "scene_2"], &["scene_2.png", "scene_1.JPG"], Stem, &[1, 0]);
    meet(&["gt/a.png", "gt/b.png"], &["out\\b", "out\\a"], Stem, &[1, 0]);
    meet(&["a", "b"], &["https://x.org/s1/a.png?size=2#x", "https://x.org/s1/b.png"], Stem, &[0, 1]);
    // Folders that differ are part of the name.
    meet(&["gt/cat/1", "gt/dog/1"], &["recon/dog/1.png", "recon/cat/1.png"], Stem, &[1, 0]);
    // What follows a dot need not be an ending.
    meet(&["a.v1.png", "a.v2.png"], &["a.v2", "a.v1"], Stem, &[1, 0]);
}

#[test]
fn names_that_only_seem_equal_are_not_joined() {
    // The folders say otherwise.
    apart(&["cat/1", "dog/2"], &["dog/1", "cat/2"]);
    // Two names would be one.
    apart(&["a.png", "a.jpg"], &["a"]);
    apart(&["s1/a", "s2/a"], &["a", "b"]);
    // Accents of another form of Unicode are proposed, not taken.
    apart(&["caf\u{e9}"], &["cafe\u{301}"]);
    apart(&["Cat", "Dog"], &["cat", "dog"]);
}

#[test]
fn numbers_meet_one_to_one() {
    use ItemJoin::Number;
    meet(&["7", "12"], &["0012", "0007"], Number, &[1, 0]);
    meet(&["Picture 7: how alike?", "Picture 12: how alike?"], &["img_7.png", "img_12.png"], Number, &[0, 1]);
    meet(&["cat_1", "dog_2"], &["recon_2", "recon_1"], Number, &[1, 0]);
    meet(&["cat_1", "dog_2"], &["cat_001", "dog_002"], Number, &[0, 1]);
    // The same letters in two forms of Unicode.
    meet(&["caf\u{e9}_1", "th\u{e9}_2"], &["the\u{301}_02", "cafe\u{301}_01"], Number, &[1, 0]);
    // Larger than any integer type.
    meet(&["9999999999999999999999", "1"], &["r9999999999999999999999", "r01"], Number, &[0, 1]);
}

#[test]
fn numbers_that_leave_a_question_do_not_join() {
    // Two numbers in a name, the subject's and the picture's.
    apart(&["1", "2"], &["s1_r1", "s1_r2"]);
    apart(&["sub-01_7", "sub-01_8"], &["7", "8"]);
    // Samples of one stimulus, and samples of each.
    apart(&["x"], &["x_1", "x_2"]);
    apart(&["1", "2"], &["1_1", "1_2", "2_1", "2_2"]);
    // Numbers that repeat.
    apart(&["a1", "b1"], &["1", "01"]);
    apart(&["1", "2"], &["1_a", "1_b"]);
    // Not all meet: a survey may have numbered its pictures otherwise.
    apart(&["img_5", "img_6", "img_7"], &["Picture 5", "Picture 6"]);
    apart(&["a1", "a2"], &["b2", "b3"]);
    // The words contradict the numbers.
    apart(&["cat_1", "dog_2"], &["dog_1", "cat_2"]);
    apart(&["cat/pic1", "dog/pic2"], &["dog/1", "cat/2"]);
    // A folder's number may be the one that is meant.
    apart(&["00001_cat/cat_02s", "00002_dog/dog_01s"], &["1", "2"]);
    apart(&["00001_cat/2", "00002_dog/1"], &["1", "2"]);
    // A name without a number.
    apart(&["1", "mean"], &["01", "all"]);
}

/// `np.stack` over `sorted(os.listdir())` has row 2 for `img_10`.
#[test]
fn rows_of_a_stack_join_only_names_whose_order_is_plain() {
    let rows = numbered(|n| n.to_string(), 12);
    let as_text = numbered(|n| format!("img_{n}"), 12);
    let padded = numbered(|n| format!("img_{n:03}"), 12);
    for pairs in [PairsOf::All, PairsOf::Shared] {
        for [gt, recon] in [[&as_text, &rows], [&rows, &as_text]] {
            assert_eq!(Met::of(gt, recon, pairs).n(), 0);
        }
        assert_eq!(Met::of(&padded, &rows, pairs).join, ItemJoin::Number);
        assert_eq!(Met::of(&as_text, &padded, pairs).join, ItemJoin::Number);
    }
    let error = Pairing::default().pair(&as_text, &rows).unwrap_err();
    let remedy = error.remedy();
    assert!(
        remedy.starts_with("match {number} pairs 12") && remedy.contains("stack-order text pairs them so"),
        "{remedy}"
    );
}

#[test]
fn equal_names_come_first() {
    let met = |pairs| Met::of(&names(&["5", "6", "7"]), &names(&["005", "6", "007"]), pairs);
    assert_eq!((met(PairsOf::Shared).join, met(PairsOf::Shared).n()), (ItemJoin::Exact, 1));
    assert_eq!((met(PairsOf::All).join, met(PairsOf::All).n()), (ItemJoin::Number, 3));
    // With shared, half of the smaller side is enough for names without their ending.
    let (gt, recon) = (names(&["a", "b", "c"]), names(&["a.png", "x.png"]));
    assert_eq!(Met::of(&gt, &recon, PairsOf::Shared).partners, [Some(0), None, None]);
    assert!(Pairing::default().pair(&gt, &recon).is_err());
    assert_eq!(Met::of(&[], &[], PairsOf::All).join, ItemJoin::Exact);
}

#[test]
fn a_guess_is_said_with_an_example() {
    let (gt, recon) = (names(&["0", "1"]), names(&["r000", "r001"]));
    let said = |recon: &[String], form: &str| {
        let taken = Pairing::default().pair(&gt, recon).unwrap().taken;
        let form = Form::of(form, "files");
        let found = TakenFor { form, ..taken }.finding("images", "match");
        (found.to_string(), found.is_shown())
    };
    let guessed = r#"images: 2 of 2 by number ("0" is "r000"); match PATTERN pairs them otherwise"#;
    assert_eq!(said(&recon, ""), (guessed.to_owned(), true));
    // Where nothing was guessed, the record alone says it.
    assert_eq!(said(&gt, ""), ("images: 2 of 2 by name, files".to_owned(), false));
    let of_table = "images: 2 of 2 by name, CSV columns image, text";
    assert_eq!(said(&gt, "CSV columns image, text"), (of_table.to_owned(), true));
}

#[track_caller]
fn offered(rated: &[&str], scored: &[&str]) -> Option<(String, usize)> {
    let (join, n_joined) = ItemJoin::offer(&names(rated), &names(scored))?;
    Some((join.to_string(), n_joined))
}

#[test]
fn stems_have_no_folder_address_or_extension() {
    for (item, expected) in [
        ("https://x.org/gt/0.png?size=2#a", "0"),
        ("C:\\gt\\cat.JPEG", "cat"),
        ("gt/img.v2.png", "img.v2"),
        ("0.5", "0.5"),
        ("a", "a"),
        (".png", ".png"),
        ("what?", "what?"),
    ] {
        // A pattern with a slash takes the rated item as it is, and the stem of the scored one.
        let join: ItemJoin = "x/{stem}".parse().unwrap();
        let places = join.places(&names(&[&format!("x/{expected}")]), &names(&[item]));
        assert_eq!(places.unwrap(), [Some(0)], "{item}");
    }
}

#[test]
fn the_join_that_matches_most_is_offered() {
    let is = |rated: &[&str], scored: &[&str], join: &str, n| {
        assert_eq!(offered(rated, scored), Some((join.to_owned(), n)));
    };
    is(&["https://x/gt/0.png", "https://x/gt/1.png"], &["0", "1"], "stem", 2);
    is(&["img_0007.png", "img_0010.png"], &["7", "10"], "number", 2);
    is(&["m2_a", "m2_b"], &["a", "b"], "m2_{stem}", 2);
    is(&["x/7/recon.png", "x/8/recon.png"], &["7", "8"], "x/{stem}/recon.png", 2);
    is(&["s01_r_7", "s01_r_8"], &["007", "008"], "s01_r_{number}", 2);
}

#[test]
fn what_would_match_few_or_two_alike_is_not_offered() {
    assert_eq!(offered(&["cat", "dog"], &["x", "y"]), None);
    // By stem, both would be item 0; a pattern decides which one is meant.
    let alike = offered(&["gt/0.png", "recon/0.png"], &["0", "1"]);
    assert_eq!(alike, Some(("gt/{stem}.png".to_owned(), 1)));
    assert_eq!(offered(&[], &["0"]), None);
}

#[test]
fn items_that_cannot_be_distinguished_are_both_named() {
    let (twice, once) = (names(&["gt/0.png", "recon/0.png"]), names(&["0"]));
    let error = ItemJoin::Stem.places(&twice, &once).unwrap_err();
    let words = error.to_string();
    assert!(
        words.starts_with(
            r#"the rated items "gt/0.png" and "recon/0.png" are the same item when items are joined by stem"#
        ),
        "{words}"
    );
    let error = ItemJoin::Number.places(&once, &names(&["0", "000"]));
    assert!(error.unwrap_err().to_string().starts_with(r#"the scored items "0" and "000""#));
}

#[test]
fn a_join_is_written_as_it_is_read() {
    for text in ["exact", "stem", "number", "m_{stem}", "x/{number}/r.png"] {
        assert_eq!(text.parse::<ItemJoin>().unwrap().to_string(), text);
    }
    let error = "stems".parse::<ItemJoin>().unwrap_err().to_string();
    assert!(error.contains("expected exact, stem, number"), "{error}");
}
