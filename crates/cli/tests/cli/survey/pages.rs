//! The pages written for raters.

use super::questionnaires::*;
use crate::support::{arg, folder, refused, succeed};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn one_seed_gives_the_same_bytes_and_no_page_says_what_it_shows() {
    let dir = folder();
    let [a, b, c] = [("a", "7"), ("b", "7"), ("c", "8")]
        .map(|(out, seed)| make(dir.path(), out, &["--seed", seed]));
    let bytes = |out: &Path| {
        let files = fs::read_dir(out.join("pages"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        files
            .map(|path| {
                (
                    path.file_name().unwrap().to_owned(),
                    fs::read(&path).unwrap(),
                )
            })
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(bytes(&a), bytes(&b));
    assert_eq!(
        fs::read(a.join("survey.json")).unwrap(),
        fs::read(b.join("survey.json")).unwrap()
    );
    assert_ne!(bytes(&a), bytes(&c));
    let page = String::from_utf8(fs::read(a.join("pages/p1.html")).unwrap()).unwrap();
    for word in ["identical", "mismatched", "\"kind\"", "one", "two"] {
        let data = page
            .split("id=\"data\">")
            .nth(1)
            .unwrap()
            .split("</script>")
            .next()
            .unwrap();
        assert!(
            !data.replace("one or", "").contains(&format!("\"{word}\"")),
            "{word}"
        );
    }
    assert!(
        page.contains("default-src 'none'; script-src 'sha256-"),
        "{}",
        &page[..600]
    );
}

#[test]
fn an_earlier_survey_is_not_replaced_by_accident_and_leaves_no_pages() {
    let dir = folder();
    let out = make(dir.path(), "survey", &[]);
    let one = format!("one={}", arg(&dir.path().join("one")));
    let gt = dir.path().join("gt");
    let again = [
        "survey",
        "make",
        "--gt",
        arg(&gt),
        "--recon",
        &one,
        "--out",
        arg(&out),
    ];
    refused(
        &again,
        1,
        &["holds a finished run of other inputs or options"],
    );
    succeed(&[&again[..], &["--overwrite", "--raters", "1"]].concat());
    assert_eq!(fs::read_dir(out.join("pages")).unwrap().count(), 1);
}
