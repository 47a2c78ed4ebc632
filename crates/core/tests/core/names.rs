//! What the names of items say about a design, and names of raters that are addresses.

use neurogauge_core::alike_names::alike_names;
use neurogauge_core::pseudonyms::Pseudonyms;
use neurogauge_core::shared_stems::shared_stems;

/// The result for five names in each of `n_clusters` groups. The pattern has # for the cluster and % for the
/// number.
fn found(pattern: &str, n_clusters: usize) -> Option<(String, bool)> {
    let name = |k: usize| pattern.replace('#', &(k / 5).to_string()).replace('%', &format!("{k:04}"));
    let names: Vec<String> = (0..5 * n_clusters).map(name).collect();
    let found = alike_names(&names)?;
    Some((found.clusters[5].clone(), found.are_films))
}

#[test]
fn clips_of_films_are_told_from_usual_layouts() {
    for (pattern, cluster) in [
        ("movie#_clip%", "movie1"),
        ("scene#_%", "scene1"),
        ("Film-#/shot-%", "Film-1"),
        ("mine_video#.frame%", "mine_video1"),
    ] {
        assert_eq!(found(pattern, 4), Some((cluster.to_owned(), true)), "{pattern}");
        assert_eq!(found(pattern, 2), None, "{pattern}");
    }
    for pattern in ["%", "stim_%", "coco2017_%", "subj01_%", "clip%", "video_clip_%", "COCO_train2014_%", "n#%_xy"] {
        assert_eq!(found(pattern, 8), None, "{pattern}");
    }
    assert_eq!(found("dog#_%", 6), Some(("dog1".to_owned(), false)));
    assert_eq!(found("dog#_%s", 6), Some(("dog1".to_owned(), false)));
    assert_eq!(found("subj0#_%", 4), None, "four subjects");
    let all_differ: Vec<String> = (0..40).map(|k| format!("shared{k:04}_nsd{:05}", 73 * k)).collect();
    assert_eq!(alike_names(&all_differ), None);
    assert_eq!(alike_names(&[]), None);
    // Letters of several bytes do not panic.
    assert_eq!(alike_names(&["é1".to_owned(), "ß2".to_owned()]), None);
}

fn survey(id: impl Fn(&str, usize) -> String, systems: &[&str], n_stimuli: usize) -> Vec<String> {
    let of_system = |system: &&str| (0..n_stimuli).map(|stimulus| id(system, stimulus)).collect::<Vec<_>>();
    systems.iter().flat_map(of_system).collect()
}

/// The number of stimuli is found whatever the order of parts and the separator.
#[test]
fn systems_that_share_stems_are_found_in_every_form_of_ids() {
    let systems = ["mindeye", "brain-diffuser", "ours v2", "a", "b_1", "c", "d"];
    let plain = ["sysA", "sysB", "sysC", "sysD", "sysE", "sysF", "sysG"];
    type Id = fn(&str, usize) -> String;
    let forms: [Id; 12] = [
        |system, n| format!("{system}/{n:04}"),
        |system, n| format!("{system}_{n:04}"),
        |system, n| format!("{system}-{n:04}.png"),
        |system, n| format!("{system}.{n}"),
        |system, n| format!("{system} {n}"),
        |system, n| format!("{system}|{n}"),
        |system, n| format!("{n:04}_{system}"),
        |system, n| format!("{n}/{system}"),
        |system, n| format!("{n}:{system}"),
        |system, n| format!("runs/{system}/img_{n:03}"),
        |system, n| format!("subj01_{system}_{n:04}"),
        |system, n| format!("{system}_n0144{}_{}", n / 3, 7 * n + 1),
    ];
    for systems in [&plain[..], &systems] {
        for (form, id) in forms.iter().enumerate() {
            let names = survey(id, systems, 60);
            let found = shared_stems(&names).unwrap_or_else(|| panic!("{form}"));
            assert!(found.is_clear && found.n_stimuli == 60, "{form}: {found:?}");
            assert_eq!(found.stimuli[..60], found.stimuli[60..120], "{form}");
            // One item in six is missing, a different one for each system.
            let is_there = |(n, _): &(usize, &String)| (n + n / 60) % 6 > 0;
            let some: Vec<&String> = names.iter().enumerate().filter(is_there).map(|(_, name)| name).collect();
            let found = shared_stems(&some).unwrap();
            assert!(found.is_clear && found.n_stimuli == 60, "{form}: {found:?}");
        }
    }
}

#[test]
fn items_of_a_stimulus_are_together_whichever_subject_saw_it() {
    let id = |system: &str, n: usize| format!("subj0{}_{system}_{:04}", 1 + n / 20, n % 20);
    let found = shared_stems(&survey(id, &["a", "b", "c"], 80)).unwrap();
    assert_eq!((found.n_stimuli, found.n_groups, found.is_clear), (20, 12, true));
}

#[test]
fn names_that_share_nothing_are_of_no_design() {
    type Id = fn(&str, usize) -> String;
    let forms: [Id; 5] = [
        |_, n| n.to_string(),
        |_, n| format!("COCO_train2014_{n:012}"),
        |_, n| format!("shared{n:04}_nsd{:05}", 13 * n + 5),
        // Kinds of stimuli, numbered consecutively.
        |_, n| format!("{}_{n:03}", ["animal", "face", "food"][n % 3]),
        |_, n| format!("{}{n}", ["a/", "b/"][n % 2]),
    ];
    for (form, id) in forms.iter().enumerate() {
        assert_eq!(shared_stems(&survey(id, &["x"], 90)), None, "{form}");
    }
    assert_eq!(shared_stems(&[""; 0]), None);
    assert_eq!(shared_stems(&["", "a_b", "_"]), None);
}

#[test]
fn what_could_be_either_is_not_clear() {
    let clear = |names: &[String]| shared_stems(names).map(|found| found.is_clear);
    // Ten words by seven words; thirty systems on twelve numbered stimuli.
    let words = ["dog", "cat", "cow", "owl", "bee", "elk", "ant", "fox", "hen", "yak"];
    let id = |system: &str, n: usize| format!("{system}_{}", words[n]);
    assert_eq!(clear(&survey(id, &["a", "b", "c", "d", "e", "f", "g"], 10)), Some(false));
    let many: Vec<String> = (0..30).map(|n| format!("s{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(clear(&survey(|system, n| format!("{system}_{n}"), &many, 12)), Some(false));
    // A folder is a system, however few stimuli are shared.
    let few = ["a/0", "a/1", "a/2", "a/3", "b/3", "b/4", "b/5", "b/6"].map(str::to_owned);
    assert_eq!(clear(&few), Some(true));
    let few = few.map(|name| name.replace('/', "_"));
    assert_eq!(clear(&few), Some(false));
}

fn has_address(name: &str) -> bool {
    Pseudonyms::of([name], "r").finding("").is_some()
}

#[test]
fn addresses_are_told_from_other_names() {
    for name in ["ann@example.org", "Ann Lee <a.lee+x@mail.example.co.uk>", "(ann@example.org)"] {
        assert!(has_address(name), "{name}");
    }
    for name in ["Ann", "@ann", "ann@", "ann@lab", "a@b@c.org", "ann@.org", "60f1c0ffee@", "at 5 @ 3.5 m", ""] {
        assert!(!has_address(name), "{name}");
    }
}

#[test]
fn texts_have_the_longest_address() {
    let pseudonyms = Pseudonyms::of(["n@x.org", "ann@x.org"], "r");
    assert_eq!(pseudonyms.in_text("ann@x.org, n@x.org"), "r-02, r-01");
}
