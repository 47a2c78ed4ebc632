//! `neurogauge meta` on tables with more columns than raters, with codes for missing ratings, and with uninformative
//! metrics.

use crate::support::*;

const PLAIN: &str = "item,r1,r2,r3\na,1,2,1\nb,3,2,3\nc,2,2,3\nd,4,5,5\ne,5,4,5\nf,1,1,3\n";
const META: &str = "meta --metrics m.csv --permutations 20 --no-figures --combinations off --human";

fn survey(ratings: &str) -> Folder {
    let dir = folder();
    dir.write("r.csv", ratings);
    dir.write("m.csv", "item,ssim\na,0.1\nb,0.3\nc,0.2\nd,0.4\ne,0.9\nf,0.25\n");
    dir
}

/// The full result.
fn result(ratings: &str, more: &str) -> Value {
    let dir = survey(ratings);
    dir.succeed(&format!("{META} r.csv --out out {more}"));
    dir.json("out/meta.json")["result"].clone()
}

#[test]
fn numbers_are_those_of_the_raters_alone() {
    let plain = result(PLAIN, "");
    let with = "item,class_id,r1,r2,r3,n,MOS,SD\na,7,1,2,1,3,1.33,0.58\nb,3,3,2,3,3,2.67,0.58\nc,41,2,2,3,3,2.33,0.58\n\
                d,12,4,5,5,3,4.67,0.58\ne,8,5,4,5,3,4.67,0.58\nf,30,1,1,3,3,1.67,1.15\n";
    assert_eq!(result(with, ""), plain);
    let said = survey(with).succeed(&format!("{META} r.csv --out out"));
    let words = "r.csv: 3 columns are taken as raters; left out: class_id (a label), n (a count), MOS (a mean) and 1 more; \
                 --rater-columns NAME,NAME decides";
    assert!(said.stderr.contains(words) && !said.stdout.contains(words), "once: {said}");
    assert_eq!(result(&with.replace(",r1,r2,r3,", ",c1,c2,c3,"), "--rater-columns MOS")["n_raters"], 1);
}

#[test]
fn missing_codes_are_no_ratings() {
    let empty = result(&PLAIN.replace("c,2,2,3", "c,2,,3"), "");
    for code in ["99", "-1", "9"] {
        let coded = PLAIN.replace("c,2,2,3", &format!("c,2,{code},3"));
        let error = survey(&coded).run(&format!("{META} r.csv --out out")).stderr;
        let words = format!(
            "error: r.csv: item \"c\", rater \"r2\": 1 rating of {code}, and all others go from 1 to 5, so it looks like a code for a \
             missing rating: --missing {code}, or --missing none if it is a rating"
        );
        assert!(error.contains(&words), "{error}");
        assert_eq!(result(&coded, &format!("--missing {code}")), empty);
        assert_eq!(result(&coded, &format!("--missing 77,{code}")), empty);
        assert_ne!(result(&coded, "--missing none"), empty);
    }
}

#[test]
fn a_table_of_means_has_no_agreement_of_raters() {
    for name in ["MOS", "mean", "score", "avg_rating"] {
        let dir =
            survey(&format!("item,{name},SD\na,1.33,0.5\nb,2.67,0.5\nc,2.33,0.4\nd,4.67,0.5\ne,4.5,0.5\nf,1.67,1.2\n"));
        let said = dir.succeed(&format!("{META} r.csv --out out -v"));
        assert!(said.stderr.contains("1 metric held against mean ratings"), "{}", said.stderr);
        let words = format!("{name} is taken as the mean rating of each item, so how well raters agree is unknown");
        assert!(said.stderr.contains(&words), "{}", said.stderr);
        assert!(said.stdout.contains("only their mean is known"), "{}", said.stdout);
    }
}

#[test]
fn a_metric_without_information_leaves_the_tables_of_the_others_as_they_are() {
    let dir = survey(PLAIN);
    let combinations = |metrics: &str, out: &str| {
        dir.write("m.csv", metrics);
        let more = "--higher-is-better mine --permutations 20 --no-figures";
        let said = dir.succeed(&format!("meta --human r.csv --metrics m.csv --out {out} {more}"));
        (dir.json(format!("{out}/meta.json"))["combinations"].clone(), said.stderr)
    };
    let (alone, _) = combinations("item,ssim,mine\na,0.1,2\nb,0.3,1\nc,0.2,4\nd,0.4,3\ne,0.9,5\nf,0.25,2\n", "two");
    let with = "item,ssim,snm,mine,vqa\na,0.1,0,2,\nb,0.3,0,1,0.5\nc,0.2,0,4,0.1\nd,0.4,0,3,0.9\ne,0.9,0,5,0.8\nf,0.25,,2,0.3\n";
    let (found, said) = combinations(with, "four");
    assert_eq!(found, alone);
    assert!(said.contains("snm: is left out of combinations of metrics: its scores are all equal"), "{said}");
    assert!(
        said.contains(
            "vqa: is left out of combinations of metrics: it has no score for 1 of the 6 items of the others"
        ),
        "{said}"
    );
}

#[test]
fn addresses_of_raters_are_in_no_result() {
    let named = PLAIN.replace("r1,r2,r3", "zoe@x.org,ann@x.org,ben@x.org");
    let dir = survey(&named);
    let said = dir.succeed(&format!("{META} r.csv --out out"));
    assert!(
        said.stderr
            .contains("3 raters by e-mail address get pseudonyms (rater-01, ...); --keep-emails keeps addresses"),
        "{said}"
    );
    for name in dir.names("out") {
        assert!(!dir.read(format!("out/{name}")).contains("x.org"), "{name}");
    }
    assert_eq!(dir.json("out/meta.json")["raters"], json!(["rater-01", "rater-02", "rater-03"]));
    dir.succeed(&format!("{META} r.csv --out kept --keep-emails"));
    assert_eq!(dir.json("kept/meta.json")["raters"], json!(["ann@x.org", "ben@x.org", "zoe@x.org"]));
    // The same ratings in other columns are the same numbers.
    assert_eq!(result(&named, ""), result(PLAIN, ""));
}
