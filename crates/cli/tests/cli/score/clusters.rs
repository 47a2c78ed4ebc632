//! Similar stimuli, and the results of unrelated pairs: `--set cluster`, `--null`.

use crate::support::*;

/// Names of five films with four clips each, by number.
fn clip(place: usize) -> String {
    format!("movie{}_clip{:02}", place / 4, place % 4)
}

/// Writes features of `n` stimuli with these names, similar within each four, and of their reconstructions.
fn features(dir: &Folder, n: usize, name: impl Fn(usize) -> String) {
    let noise = Synthetic::new("clusters", 3);
    let of = |at: usize| noise.uniform(at as u64) - 0.5;
    let names: Vec<String> = (0..n).map(name).collect();
    let rows = |own: f32| {
        let row = |place: usize| {
            let feature = |f: usize| of(100 * (place / 4) + f) + own * of(9000 + 40 * place + f);
            let shared = if own > 0.3 { 0.8 } else { 0.0 };
            [0, 1, 2].map(|f| feature(f) + shared * of(20_000 + 40 * (place / 4) + f))
        };
        names.iter().enumerate().map(|(place, name)| (name.as_str(), row(place))).collect::<Vec<_>>()
    };
    write_features(&dir.join("gt"), "clip", &rows(0.2));
    write_features(&dir.join("recon"), "clip", &rows(0.6));
}

const SCORE: &str = "score --observations . --metrics clip,clip_correlation";

#[test]
fn clusters_change_intervals_and_not_the_task() {
    let dir = folder();
    features(&dir, 20, |place| format!("{place:03}"));
    let rows = (0..20).map(|place| format!("{place:03},{}\n", ["a", "b", "c", "d", "e"][place / 4]));
    dir.write("films.csv", format!("item,cluster\n{}", rows.collect::<String>()));
    dir.write("options.toml", "[set]\ncluster = 'films.csv'\n");
    dir.succeed(&format!("{SCORE} --out plain"));
    let ran = dir.succeed(&format!("{SCORE} --set cluster=films.csv --out films"));
    for metric in ["clip", "clip_correlation"] {
        close(&dir.values("films", metric), &dir.values("plain", metric));
        assert_eq!(dir.summary("films")[metric]["value"], dir.summary("plain")[metric]["value"]);
        assert_eq!(dir.summary("films")[metric]["pool_size"], dir.summary("plain")[metric]["pool_size"]);
    }
    ran.shows(&[
        "95% intervals for new clusters of stimuli (studentised bootstrap over 5 clusters of stimuli, each with all its pairs",
        "95% intervals for new clusters of stimuli and of distractors (jackknife over 5 clusters of stimuli as targets and distractors",
        "Only 5 clusters of stimuli: no test of two systems can reach p < 0.062",
    ]);
    // Five means of four: Student's t with four degrees of freedom.
    let values = dir.values("films", "clip_correlation");
    let means: Vec<f64> = values.chunks(4).map(|four| four.iter().sum::<f64>() / 4.0).collect();
    let mean = means.iter().sum::<f64>() / 5.0;
    let variance = means.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / 4.0;
    let reach = 2.776_445_105_197_799 * (variance / 5.0).sqrt();
    let low = dir.summary("films")["clip_correlation"]["interval"][0].number();
    assert!((low - (mean - reach).max(-1.0)).abs() < 1e-9, "{low} {mean} {reach}");
    let recorded = dir.record("films");
    assert_eq!(recorded["clusters"]["stems"]["b"], serde_json::json!(["004", "005", "006", "007"]));
    assert_eq!(recorded["inputs"].list().last().unwrap()["role"], "clusters");
    // From a file of options, and then repeated.
    dir.succeed(&format!("{SCORE} --config options.toml --out by-config"));
    assert_eq!(dir.summary("by-config"), dir.summary("films"));
    dir.succeed("score --from-run films/run.json --out again");
    assert_eq!(dir.summary("again"), dir.summary("films"));

    // A comparison uses the clusters of its runs.
    dir.succeed("compare films again").shows(&["over 5 clusters of stimuli"]);
    let differ = "clusters of stimuli differ: films was scored with 5 (file), and plain with none";
    dir.succeed("compare films plain").shows(&["over 5 clusters of stimuli", differ]);
    dir.write("films.csv", "item,cluster\n000,a\n");
    dir.run("score --from-run films/run.json --out later").says(&["films.csv"]);
    for (cluster, wrong) in [
        ("films.csv", "films.csv: item \"001\": no row; expected a cluster for every item"),
        ("s{cluster}_*", "the pair \"000\" is not called as --set 'cluster=s{cluster}_*' says"),
        ("{cluster}", ""),
        ("0{cluster}{cluster}", "expected what items are called, with {cluster} in it once"),
        ("none.csv", "none.csv"),
    ] {
        dir.run(&format!("{SCORE} --set cluster={cluster} --out other")).says(&[wrong]);
    }
    dir.write(
        "one.csv",
        (0..20).fold("item,cluster\n".to_owned(), |rows, place| rows + &format!("{place:03},a\n")),
    );
    dir.run(&format!("{SCORE} --set cluster=one.csv --out other"))
        .says(&["all pairs are of one cluster"]);
}

#[test]
fn clips_of_films_are_no_independent_stimuli() {
    let dir = folder();
    features(&dir, 20, clip);
    let ran = dir.succeed(&format!("{SCORE} --out run"));
    ran.shows(&[
        "stimuli are taken as pieces of 5 films or scenes, which are not independent",
        "20 names begin with movie0, movie1, movie2 and 2 more",
        "--set cluster=none takes all as independent",
        "over 5 clusters of stimuli",
    ]);
    assert_eq!(dir.record("run")["clusters"]["from"], "names");
    let by_pattern = dir.succeed(&format!("{SCORE} --set cluster={{cluster}}_clip* --out by-pattern"));
    assert!(!by_pattern.stdout.contains("pieces of 5 films"), "{}", by_pattern.stdout);
    assert_eq!(dir.summary("by-pattern"), dir.summary("run"));
    let none = dir.succeed(&format!("{SCORE} --set cluster=none --out none"));
    assert!(!none.stdout.contains("cluster"), "{}", none.stdout);

    // Other groups of names are reported, and change nothing.
    let dir = folder();
    features(&dir, 20, |place| format!("{}_{:02}", ["dog", "cat", "owl", "cow", "bee"][place / 4], place % 4));
    let ran = dir.succeed(&format!("{SCORE} --out run"));
    ran.shows(&["several stimuli share the first part of their names", "over pairs"]);

    // Without such names, the data show groups.
    let dir = folder();
    features(&dir, 80, |place| format!("{place:03}"));
    let ran = dir.succeed(&format!("{SCORE} --out run"));
    ran.shows(&["features of stimuli that follow each other are alike, so intervals are too narrow"]);
    let none = dir.succeed(&format!("{SCORE} --set cluster=none --out none"));
    assert!(!none.stdout.contains("alike"), "{}", none.stdout);
}

#[test]
fn unrelated_pairs_give_the_level_of_chance() {
    let dir = folder();
    for place in 0..12 {
        let name = clip(place);
        for (side, grain) in [("gt", 0.0), ("recon", 60.0)] {
            dir.picture(format!("{side}/{name}.png"), &name, 16, grain);
        }
    }
    let score = "score gt recon --metrics pixcorr,ssim --set pixel_size=16";
    dir.succeed(&format!("{score} --out plain"));
    let ran = dir.succeed(&format!("{score} --set null=shuffled=3 --out run"));
    ran.shows(&[
        "chance of metrics without a known level: mean over 3 random pairings of stimuli with reconstructions of others: PixCorr",
    ]);
    let (plain, run) = (dir.join("plain"), dir.join("run"));
    close(&values(&run, "pixcorr"), &values(&plain, "pixcorr"));
    let levels = &record(&run)["null_levels"];
    for metric in ["pixcorr", "ssim"] {
        let level = levels[metric]["mean"].number();
        assert_eq!(summary(&run)[metric]["chance"], level);
        assert!(level < summary(&run)[metric]["value"].number());
    }
    assert_eq!(summary(&plain)["pixcorr"].get("chance"), None);
    // Repeated, with the same bits.
    dir.succeed("score --from-run run/run.json --out again");
    assert_eq!(dir.record("again")["null_levels"], *levels);
    dir.run(&format!("{score} --set null=5 --out other")).says(&["expected shuffled, or shuffled=N"]);
}
