//! The expected width of intervals.

use crate::support::*;

#[test]
fn more_pairs_narrow_the_interval() {
    let dir = folder();
    let power = "survey power --pairs 20,80 --raters 1,8 --correlation 0.8 --simulations 10 --out power";
    let ran = dir.succeed(power);
    // A regression snapshot of its numbers.
    assert_snapshot!(ran, @"
    exit 0, stdout:
    Width of the 95% interval on a metric's agreement with people, from end to end

    pairs  raters  people  correlation  Pairwise acc.  Kendall τ-b  Pearson  Spearman
       20       1       1         0.80          0.357        0.648    0.752     0.805
       20       8       8         0.80          0.305        0.597    0.568     0.728
       80       1       2         0.80          0.133        0.257    0.254     0.306
       80       8      16         0.80          0.103        0.202    0.187     0.214

    Medians over 10 simulated surveys. Intervals are those of `neurogauge meta`: Student's t, with the jackknife over pairs.
    Simulated: the quality of pairs is normal (0, 1); the metric has the given correlation with it; ratings are 3 + level + spread x quality + noise, rounded, within 1 to 5; raters differ in level (sd 0.4), spread (log-normal, 0.25) and noise (sd 0.59 to 1.10). People: how many it takes if each rates 50 pairs at most. One simulated rating agrees with another at ICC(2,1) 0.47: choose the noise so that this is as in a pilot.

    Agreement itself, the mean over simulated surveys

    pairs  raters  people  correlation  Pairwise acc.  Kendall τ-b  Pearson  Spearman
       20       1       1         0.80          0.578        0.408    0.545     0.515
       20       8       8         0.80          0.745        0.529    0.718     0.668
       80       1       2         0.80          0.594        0.469    0.612     0.596
       80       8      16         0.80          0.759        0.564    0.753     0.742
    stderr: power: 10 surveys simulated for each of 4 lines
    ");
    let found = dir.json("power/power.json");
    let lines = found["lines"].list();
    assert_eq!(lines.iter().map(|line| &line["people"]).collect::<Vec<_>>(), [1, 8, 2, 16]);
    let tau = |line: usize, field: &str| lines[line]["statistics"][2][field].number();
    assert!(tau(2, "width") < 0.7 * tau(0, "width"), "more pairs");
    assert!(tau(3, "value") > tau(2, "value"), "more raters agree better");
    assert!((0.3..0.8).contains(&found["rater_agreement"].number()));
    assert_eq!(dir.run(power).stdout, ran.stdout);
    // Resampling of raters is an option of `meta`, since it needs the ratings themselves.
    dir.succeed("survey power --pairs 10 --raters 3 --correlation 0.8 --simulations 3 --resamples 50 --preset seed");
    assert_snapshot!(dir.refusals("survey power", &["--pairs 3", "--correlation 2"], "out"), @"
    --pairs 3
      exit 2, stderr: error: 3 pairs have no interval; expected 4 or more
    --correlation 2
      exit 2, stderr: error: a correlation of 2; expected -1 to 1
    ");
}
