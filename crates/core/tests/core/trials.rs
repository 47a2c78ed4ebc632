//! Lists that say which image each trial shows.

use neurogauge_core::Finding;
use neurogauge_core::pair::{ImagesOfTrials, Pair, Pairing, Trials};

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn named(images: &[(&str, &str)]) -> Trials {
    let images = images.iter().map(|(trial, image)| ((*trial).to_owned(), (*image).to_owned()));
    of(ImagesOfTrials::Named(images.collect()))
}

fn of(images: ImagesOfTrials) -> Trials {
    let file = "trials.csv".into();
    Trials { images, file }
}

fn rows(images: &[&str]) -> Trials {
    of(ImagesOfTrials::Rows(strings(images)))
}

#[test]
fn trials_are_samples_of_their_images() {
    let gt = strings(&["cat", "dog"]);
    let pairs = |trials: Trials, recon: &[&str]| {
        let paired = Pairing::default().of_trials(trials).pair(&gt, &strings(recon)).unwrap();
        let pair = |pair: &Pair| format!("{} {} {}", pair.stem, pair.gt, pair.recon);
        paired.pairs.iter().map(pair).collect::<Vec<_>>()
    };
    let by_name = named(&[("t1.png", "dog"), ("t2.png", "cat"), ("t3.png", "dog")]);
    assert_eq!(pairs(by_name, &["t1", "t2", "t3"]), ["cat/t2 0 1", "dog/t1 1 0", "dog/t3 1 2"]);
    let by_row = rows(&["dog", "dog", "cat"]);
    assert_eq!(pairs(by_row, &["0", "1", "2"]), ["cat/2 0 2", "dog/0 1 0", "dog/1 1 1"]);
    let in_folders = named(&[("s1/1", "cat"), ("s2/1", "dog")]);
    assert_eq!(pairs(in_folders, &["s1/1", "s2/1"]), ["cat/s1_1 0 0", "dog/s2_1 1 1"]);
}

#[test]
fn what_does_not_fit_is_named() {
    let error = |trials: Trials, recon: &[&str]| {
        let found = Pairing::default().of_trials(trials).pair(&strings(&["cat"]), &strings(recon));
        found.unwrap_err().to_string()
    };
    let found = error(rows(&["cat"]), &["0", "1"]);
    assert!(found.starts_with("trials.csv: 1 image for 2 trials"), "{found}");
    let found = error(rows(&["cat"]), &["t1"]);
    assert!(found.contains("the trials have names: t1") && found.contains("trial,image"), "{found}");
    let found = error(named(&[("t1", "cat")]), &["t1", "u2"]);
    assert!(found.contains("trials.csv: 1 of the trials has no line: u2; it has t1"), "{found}");
    let found = error(named(&[("t1", "cat"), ("t2", "cow")]), &["t1", "t2"]);
    assert!(found.contains("cow"), "{found}");
}

#[test]
fn lines_of_absent_trials_are_named() {
    let trials = named(&[("t1", "cat"), ("t2", "dog"), ("t3", "dog"), ("t4", "dog"), ("t5", "dog")]);
    let (images, findings) = trials.images_of(&strings(&["t1.png"])).unwrap();
    assert_eq!(images, ["cat"]);
    let words: Vec<String> = findings.iter().map(Finding::to_string).collect();
    assert_eq!(
        words,
        [
            r#"trials.csv: 1 of 5 by name without folder and ending ("t1.png" is "t1")"#,
            "trials.csv: 4 lines of trials that are absent, which are left out: t2, t3, t4, ..."
        ]
    );
    assert!(findings[1].is_warning());
}
