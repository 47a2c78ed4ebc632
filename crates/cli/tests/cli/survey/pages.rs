//! The pages written for raters.

use super::questionnaires::*;
use crate::support::*;

#[test]
fn one_seed_gives_the_same_bytes_and_no_page_says_what_it_shows() {
    let dir = stimuli_and_systems();
    for (out, seed) in [("a", 7), ("b", 7), ("c", 8)] {
        make(&dir, out, &format!("--seed {seed}"));
    }
    let bytes = |out: &str| {
        let files = fs::read_dir(dir.join(out).join("pages")).unwrap().map(|entry| entry.unwrap().path());
        let content = |path: PathBuf| (path.file_name().unwrap().to_owned(), fs::read(&path).unwrap());
        files.map(content).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(bytes("a"), bytes("b"));
    assert_eq!(dir.read("a/survey.json"), dir.read("b/survey.json"));
    assert_ne!(bytes("a"), bytes("c"));
    let page = dir.read("a/pages/p1.html");
    let data = between(&page, "id=\"data\">", "</script>").replace("one or", "");
    for word in ["identical", "mismatched", "\"kind\"", "one", "two"] {
        assert!(!data.contains(&format!("\"{word}\"")), "{word}");
    }
    assert!(page.contains("default-src 'none'; script-src 'sha256-"), "{}", &page[..600]);

    // An earlier survey is not replaced by accident, and leaves no pages.
    make(&dir, "survey", "");
    let again = "survey make --gt gt --recon one=one --out survey";
    assert_snapshot!(dir.run(again).differs("survey"), @r#"
    SHA-256 of input.recon/images/two: [HASH] then, none now
    options.plan.pairs_per_page: 12 then, 50 now
    options.plan.raters: 3 then, 5 now
    options.recon: {"name":"(an input)","path":"(an input)"}, {"name":"(an inpu... then, {"name":"(an input)","path":"(an input)"} now
    "#);
    dir.succeed(&format!("{again} --overwrite --raters 1"));
    assert_eq!(fs::read_dir(dir.join("survey/pages")).unwrap().count(), 1);
}

/// As SEED shows 250 of each of four subjects: here the first six stimuli of one system and the other six of the next.
#[test]
fn each_system_may_have_its_own_stretch_of_the_stimuli() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "--consecutive 6");
    let mut shown = BTreeSet::new();
    for trial in record["pages"].list().iter().flat_map(|page| page["trials"].list()) {
        if trial["kind"] == "rated" {
            shown.insert((trial["stimulus"].text().parse::<u64>().unwrap(), trial["system"].text().to_owned()));
        }
    }
    let systems: Vec<&str> = shown.iter().map(|(_, system)| system.as_str()).collect();
    assert_eq!(systems, [["one"; 6], ["two"; 6]].concat());
    let ran = dir.run("survey make --gt gt --recon one=one two=two --consecutive 7 --out other");
    contains(&ran.stderr, &["--consecutive 7: two has 5 of its 7 stimuli, from number 8 of 12 on"]);
}
