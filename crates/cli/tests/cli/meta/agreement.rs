//! `neurogauge meta`: small surveys with known results, a real one, and inputs that do not fit.

use crate::support::*;

const RATINGS: &str = "item,rater,value\na,x,1\na,y,1\nb,x,2\nb,y,4\nc,x,3\nc,y,3\nd,x,5\nd,y,5\n";
const SCORES: &str = "item,effnet,mine\na,0.9,0.1\nb,0.55,0.3\nc,0.5,0.2\nd,0.1,0.4\n";

const META: &str = "meta --human r.csv --metrics m.csv --no-figures --out out";

fn survey(scores: &str) -> Folder {
    let dir = folder();
    dir.write("r.csv", RATINGS);
    dir.write("m.csv", scores);
    dir
}

#[test]
fn a_terminal_shows_the_answer_and_one_table() {
    let dir = survey(SCORES);
    let shown = dir.succeed(META).stdout;
    assert!(shown.starts_with("It is not shown that any metric agrees with people: "), "{shown}");
    assert!(shown.contains("\n(ceiling) ") && !shown.contains("Differences between metrics"), "{shown}");
    assert_eq!(shown.lines().last(), Some("9 more tables in out/meta.md (-v prints more)"));
    // One is above them.
    assert_eq!(dir.read("out/meta.md").matches("\n### ").count(), 1 + 9);
    // What stderr says is not below the table, unless stderr is quiet.
    let direction = "mine: not a known metric, and no direction was stated";
    assert!(!shown.contains(direction), "{shown}");
    assert!(dir.succeed(&format!("{META} -q --overwrite")).stdout.contains(direction));
}

#[test]
fn a_small_survey_gives_the_figures_of_paper_and_pencil() {
    let dir = survey(SCORES);
    let run = |out: &str, threads: u32| {
        dir.run(&format!(
            "meta -v --human r.csv --metrics m.csv --scale 1,5 --no-figures --out {out} --threads {threads}"
        ))
    };
    // A regression snapshot of the numbers that are not checked below.
    assert_snapshot!(run("one", 1), @"
    exit 0, stdout:
    It is not shown that any metric agrees with people: the highest Kendall τ-b is 0.913 [0.410, 1.000], of effnet, and one random order in 20 reaches 0.913. A perfect metric would have about 0.907, because the human scores are noisy themselves.

    Agreement of metrics with people

    Metric       Pairwise acc.  Acc. at ε = 0  Kendall τ-b  Pearson  Spearman       ε  n
    effnet ↓             1.000          0.833        0.913    0.997     0.949  0.0500  4
    mine ↑               1.000          0.833        0.913    0.949     0.949  0.1000  4
    (ceiling)            0.964          0.831        0.907    0.966     0.944       -  -
    (one rater)          0.833          0.833        0.667    0.829     0.800       -  -
    (chance)             0.472          0.428        0.025    0.030     0.031       -  -

    Human score of an item: the mean of its ratings.
    Pairwise acc.: share of pairs of items that metric and people order alike or both tie, where the metric ties scores that differ by at most ε, chosen to suit it best. (ceiling): what a metric would reach that gives the true quality, since the human scores are noisy themselves. (one rater): each rater in turn as the metric, against the mean of all others; the mean over raters, whose equal ratings are ties; no ceiling. (chance): with the human scores in a random order; the mean over metrics.
    Intervals: new items of this kind, these raters.

    Agreement of 2 raters on 4 items (0 ratings missing)

                                 value [95% interval]       F  df1  df2       p
    ICC(1,1)                     0.829 [0.033, 0.988]  10.667    3    4  0.0223
    ICC(2,1)                     0.829 [0.031, 0.988]  10.667    3    3  0.0415
    ICC(3,1)                    0.829 [-0.183, 0.988]  10.667    3    3  0.0415
    ICC(1,k)                     0.906 [0.064, 0.994]  10.667    3    4  0.0223
    ICC(2,k)                     0.906 [0.061, 0.994]  10.667    3    3  0.0415
    ICC(3,k)                    0.906 [-0.447, 0.994]  10.667    3    3  0.0415
    Krippendorff's α, ordinal                   0.806       -    -    -       -
    Krippendorff's α, interval                  0.806       -    -    -       -

    Chance: 0.

    Further statistics, value [95% interval]

    Metric       Acc. over untied            Kendall τ-c                   τ-23
    effnet ↓                1.000  0.938 [-0.096, 1.000]  0.667 [-1.000, 1.000]
    mine ↑                  1.000  0.938 [-0.096, 1.000]  0.667 [-1.000, 1.000]
    (ceiling)               0.997                  0.932                  0.662
    (one rater)             0.833                  0.667                  0.667
    (chance)                0.513                  0.025                 -0.144

    Acc. over untied: of the pairs of items that people do not tie, the share that the metric orders as they do. τ-23 is twice the accuracy at ε = 0, minus one. Differences and means over groups stand in meta.csv and meta.json.
    no interval: nothing varies (effnet Acc. over untied, mine Acc. over untied).

    Intervals and chance levels

    Metric    Statistic       value [95% interval]  chance  its 95th percentile
    effnet ↓  Pairwise acc.                  1.000   0.475                1.000
              Acc. at ε = 0   0.833 [0.000, 1.000]   0.430                0.833
              Kendall τ-b     0.913 [0.410, 1.000]   0.029                0.913
              Pearson                        0.997   0.033                0.997
              Spearman                       0.949   0.035                0.949
    mine ↑    Pairwise acc.                  1.000   0.470                1.000
              Acc. at ε = 0   0.833 [0.000, 1.000]   0.426                0.833
              Kendall τ-b     0.913 [0.410, 1.000]   0.020                0.913
              Pearson        0.949 [-0.791, 1.000]   0.027                0.949
              Spearman                       0.949   0.027                0.949

    Intervals: Student's t, with the jackknife over items. Chance: 200 permutations of the human scores.
    no interval: nothing varies (effnet Pairwise acc., mine Pairwise acc.).
    no interval: without one of the items the correlation is perfect or undefined (effnet Pearson, effnet Spearman, mine Spearman).

    Differences between metrics

    Metrics        Statistic       difference [95% interval]       p  p, Holm  n
    effnet - mine  Pairwise acc.                       0.000  1.0000   1.0000  4
                   Acc. at ε = 0                       0.000  1.0000   1.0000  4
                   Kendall τ-b                         0.000  1.0000   1.0000  4
                   Pearson                             0.048       -        -  4
                   Spearman                            0.000       -        -  4
                   Williams, t(1)                      2.960  0.2074   0.2074  4

    Differences: Student's t, with the jackknife over items, paired; chance: 0. p two-sided, and after Holm's correction (pairs of metrics: 1).
    Williams: test of the two Pearson correlations, over items.
    no interval: nothing varies (effnet - mine Pairwise acc., effnet - mine Acc. at ε = 0, effnet - mine Kendall τ-b).
    no interval: without one of the items the correlation is perfect or undefined (effnet - mine Pearson, effnet - mine Spearman).

    Averages of two metrics: Kendall τ-b with people

       Metric      1      2
    1  effnet  0.913  0.913
    2  mine    0.913  0.913

    Each cell: the average of two metrics (raw scores); on the diagonal one alone. Each over the items that have both. The other statistics are in meta.json and meta.csv. Chance: 0 for correlations; pairwise accuracy as (chance) in the first table.
    Averages of raw scores follow the metric of the widest spread; --scaling zscore or rank counts metrics alike.
    Best: effnet alone; no average of two is better.

    Best averages of k metrics (raw scores)

    k    Best subset    of  Kendall τ-b  Kendall τ-b, held out
    1    effnet          2        0.913                      -
    2    effnet + mine   1        0.913                      -
    any  effnet          3        0.913                      -

    Over 4 items. Chance: 0 for correlations; pairwise accuracy as (chance) in the first table.
    The best of many is good partly by chance, so the figure on the items it was chosen on is too high. Held out: chosen again on the other folds and measured within each of 5 folds; the mean.
    No held-out figure: fewer than two items in a fold.

    Weights that follow people (raw scores)

    Metric  weight  lowest in folds  highest in folds
    effnet   0.650                -                 -
    mine     0.350                -                 -

    Not negative, adding up to 1; least squares of the human score. Lowest and highest: fitted without each fold in turn.

    Average of all metrics, with fitted and with equal weights

    Weights                                      Pairwise acc.  Kendall τ-b  Pearson  Spearman
    fitted weights, on what they were fitted to          1.000        0.913    0.999     0.949
    fitted weights, held out                                 -            -        -         -
    equal weights                                        1.000        0.913    0.998     0.949
    equal weights, held out                                  -            -        -         -

    Over 4 items. Chance: 0 for correlations; pairwise accuracy as (chance) in the first table.
    Held out: each of 5 folds is scored by weights and scales from the others, and measured for itself; the mean over folds. Compare the two held-out lines with each other.
    No held-out figure: fewer than two items in a fold.
    stderr:
    warning: mine: not a known metric, and no direction was stated: higher is taken to be better (state it with --lower-is-better or --higher-is-better)
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    one: 2 metrics held against 2 raters
    ");
    let found = dir.json("one/meta.json");
    let effnet = &found["result"]["metrics"][0]["statistics"];
    // Mean ratings are 1, 3, 3, 5: the metric gets the only tie right at its threshold.
    assert_eq!(effnet[0]["value"], 1.0);
    assert_eq!(effnet[1]["value"], 5.0 / 6.0);
    assert_eq!(found["metrics"][0]["direction_from"], "registry");
    assert_eq!(found["metrics"][1]["direction_from"], "assumed");
    assert_eq!(found["inputs"][1]["sha256"].text().len(), 64);

    run("eight", 8);
    for name in ["meta.json", "meta.md", "meta.csv"] {
        let read = |out: &str| dir.read(format!("{out}/{name}"));
        assert_eq!(read("one"), read("eight"));
    }
}

#[test]
fn a_run_of_score_is_a_source_of_metrics_and_strangers_are_listed() {
    let dir = images(&["1", "2", "3", "4"]);
    dir.succeed("score gt recon --out run");
    dir.write("r.csv", "item,x,y\n1,5,4\n2,4,4\n3,2,3\nz,1,1\n");
    let ran = dir.succeed("meta --human r.csv --metrics run --out out --format csv");
    let mut lines = ran.stdout.lines();
    assert!(lines.any(|line| line.starts_with("metric,ssim,,kendall_tau_b,")));
    let found = dir.json("out/meta.json");
    let codes = codes(&found["findings"]);
    assert_eq!(codes, ["raters_taken", "stimuli_unknown", "items_not_rated", "items_not_scored"]);
    assert_eq!(found["result"]["metrics"][0]["n_items"], 3);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let dir = survey(SCORES);
    dir.write("o.csv", "item,m\nq,1\nr,2\n");
    let table = r#"
    --scale 1,4
      exit 1, stderr: error: r.csv: line 8, column "value": the rating 5 is outside the scale 1 to 4; if it stands for a missing one, --missing 5 leaves it out
    --scale 4,1
      exit 2, stderr: error: invalid value '4,1' for '--scale <LO,HI|WORD,...>': expected two numbers, the lower first, such as 1,5, or the answers in words, such as Never,Sometimes,Always
    --lower-is-better typo
      exit 2, stderr: error: a direction is stated for "typo", which is not a metric here; there are effnet, mine
    --bootstrap both --interval bca
      exit 2, stderr: error: interval is bca, with raters and items resampled; expected percentile; BCa needs one kind of unit to leave out, raters or items
    --lower-is-better mine --higher-is-better mine
      exit 2, stderr: error: "mine" is stated as lower is better and as higher is better
    "#;
    dir.refuses(META, "out", table);
    assert_snapshot!(dir.run("meta --human r.csv --metrics o.csv --out out"), @r#"exit 1, stderr: error: o.csv: no item of it was rated: it has "q", "r", r.csv has "a", "b", "c", ...; ids must be the same in both"#);
}

#[test]
fn figures_without_a_value_say_why() {
    let dir = survey("item,flat\na,1\nb,1\nc,1\nd,1\n");
    let ran = dir.succeed(&format!("{META} -v"));
    assert_snapshot!(lines_with(&ran.to_string(), &["flat", "No metric", "(chance)  "]), @"
    No metric has a Kendall τ-b with people; the notes below the table say why.
    flat ↑                   -              -            -        -         -  -  4
    (chance)                 -              -            -        -         -  -  -
    flat: constant metric
    flat ↑                      -            -      -
    (chance)                    -            -      -
    flat ↑  Pairwise acc.                     -       -                    -
    warning: flat: not a known metric, and no direction was stated: higher is taken to be better (state it with --lower-is-better or --higher-is-better)
    ");
    let flat = &dir.json("out/meta.json")["result"]["metrics"][0]["statistics"][3];
    assert_eq!(flat["value"], Value::Null);
    assert_eq!(flat["undefined"], "constant metric");
}

#[test]
fn real_raters_prefer_the_metric_that_follows_them() {
    let Some(survey) = shared_data("human-ratings/tifa160_likert.csv") else {
        return;
    };
    let dir = folder();
    let text = fs::read_to_string(survey).unwrap();
    // One rater's answers for each item and system, mixed with little and with much unrelated noise.
    let mut ratings = String::from("item,rater,value\n");
    let mut scores = String::from("item,near,far\n");
    let mut seen = std::collections::HashSet::new();
    for (line, row) in text.lines().skip(1).enumerate() {
        let fields: Vec<&str> = row.split(',').collect();
        let item = format!("{}/{}", fields[2], fields[1]);
        ratings.push_str(&format!("{item},{},{}\n", fields[4], fields[6]));
        if seen.insert(item.clone()) {
            let answer: f64 = fields[6].parse().unwrap();
            let noise = (line as f64 * 12.9898).sin();
            let (near, far) = (answer + 0.5 * noise, answer + 6.0 * noise);
            scores += &format!("{item},{near},{far}\n");
        }
    }
    dir.write("r.csv", ratings);
    dir.write("m.csv", scores);
    dir.succeed(&format!("{META} --higher-is-better near,far --resamples 200 --stimulus-pattern {{stimulus}}/*"));
    let found = dir.json("out/meta.json");
    assert_eq!(codes(&found["findings"]), [""; 0]);
    assert_eq!([&found["result"]["n_stimuli"], &found["result"]["n_items"]], [160, 800]);
    let difference = &found["result"]["differences"][0];
    for statistic in difference["statistics"].list() {
        assert!(statistic["interval"][0].as_f64() > Some(0.0), "{statistic}");
    }
}

#[test]
fn a_finished_evaluation_is_replaced_only_if_asked() {
    let dir = survey(SCORES);
    dir.succeed(META);
    let result = || dir.json("out/meta.json")["result"].clone();
    let first = result();
    // With other paths, the same ratings give the same results.
    dir.copy("r.csv", "moved.csv");
    dir.succeed("meta --human moved.csv --metrics m.csv --no-figures --out out");
    let other = format!("{META} --resamples 50");
    assert_snapshot!(dir.run(&other).differs("out"), @"options.options.bootstrap.resamples: 1000 then, 50 now");
    dir.write("m.csv", SCORES.replace("0.55", "0.65"));
    assert_snapshot!(dir.run(META).differs("out"), @"SHA-256 of input.metrics: [HASH] then, [HASH] now");
    assert_eq!(result(), first);
    dir.succeed(&format!("{other} --overwrite"));
    assert_ne!(result(), first);
}
