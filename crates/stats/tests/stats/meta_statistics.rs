//! Order statistics, agreement and intervals against `reference/meta_statistics.py`.

use crate::support::*;

/// The same as `scores` in the script.
fn scores(case: &Value, n: usize, share: f64) -> (Vec<f64>, Vec<f64>) {
    let seed = whole(&case["seed"]);
    let (quality, noise) = (Synthetic::new("quality", seed), Synthetic::new("noise", seed));
    let (x_levels, y_levels) = (number(&case["x_levels"]), number(&case["y_levels"]));
    (0..n as u64)
        .map(|i| {
            let (a, b) = (f64::from(quality.uniform(i)), f64::from(noise.uniform(i)));
            (on_grid(a, x_levels), on_grid(share * a + (1.0 - share) * b, y_levels))
        })
        .unzip()
}

fn counts(golden: &Value) -> KendallCounts {
    serde_json::from_value(golden.clone()).unwrap()
}

#[test]
fn orders_of_two_samples() {
    let goldens = read("meta_statistics.json");
    for case in list(&goldens["order"]) {
        let (x, y) = scores(case, count(&case["n"]), number(&case["share"]));
        let found = KendallCounts::of(&x, &y).unwrap().unwrap();
        assert_eq!(found, counts(&case["counts"]));
        let at = KendallCounts::with_epsilon(&x, &y, number(&case["epsilon"])).unwrap().unwrap();
        assert_eq!(at, counts(&case["counts_at_epsilon"]));

        close(found.tau_b().unwrap(), &case["tau_b"], 1e-15);
        close(kendall_tau_b(&x, &y).unwrap().unwrap(), &case["tau_b"], 1e-15);
        close(kendall_tau_c(&x, &y).unwrap().unwrap(), &case["tau_c"], 1e-15);
        close(found.tau_23().unwrap(), &case["tau_23"], 1e-15);
        close(spearman(&x, &y).unwrap().unwrap(), &case["spearman"], 1e-12);
        let checksum: f64 = average_ranks(&x).unwrap().iter().zip(1..).map(|(r, i)| r * f64::from(i)).sum();
        assert_eq!(checksum, number(&case["rank_checksum"]));
    }
}

#[test]
fn pairwise_accuracy_and_its_calibration() {
    let goldens = read("meta_statistics.json");
    for case in list(&goldens["order"]) {
        let (metric, human) = scores(case, count(&case["n"]), number(&case["share"]));
        let found = TieCalibration::new(&metric).unwrap().unwrap().best(&human).unwrap().unwrap();
        // Exact, since integers are divided once, and differences are computed like the reference's.
        assert_eq!(found.accuracy, number(&case["calibrated"]["accuracy"]));
        assert_eq!(found.epsilon, number(&case["calibrated"]["epsilon"]));
        assert_eq!(found.uncalibrated, counts(&case["counts"]));
        let at_zero = found.uncalibrated;
        assert_eq!(at_zero.accuracy(), Ok(number(&case["accuracy"])));
        let untied = number(&case["accuracy_over_untied"]);
        assert_eq!(at_zero.accuracy_over_untied(), Ok(untied));

        // Two independent ways of computing the best accuracy.
        let again = pairwise_accuracy(&metric, &human, found.epsilon).unwrap();
        assert_eq!(again, Ok(found.accuracy));
    }
}

#[test]
fn groups_share_a_threshold() {
    let goldens = read("meta_statistics.json");
    for case in list(&goldens["grouped"]) {
        let sizes: Vec<usize> = list(&case["sizes"]).iter().map(count).collect();
        let (metric, human) = scores(case, sizes.iter().sum(), 0.5);
        let of_group = sizes.iter().enumerate();
        let labels: Vec<String> = of_group.flat_map(|(group, &size)| vec![group.to_string(); size]).collect();
        check_means_over_groups((&metric, &human), &labels, case);
    }
}

/// The same as `survey` in the script.
fn survey(case: &Value) -> Ratings {
    let seed = whole(&case["seed"]);
    let (n_items, n_raters) = (whole(&case["n_items"]), whole(&case["n_raters"]));
    let [item, rating, rater, missing] = ["item", "rating", "rater", "missing"].map(|name| Synthetic::new(name, seed));
    let value = |i: u64, r: u64| {
        let at = i * n_raters + r;
        let mixed = 0.5 * f64::from(item.uniform(i))
            + 0.375 * f64::from(rating.uniform(at))
            + 0.125 * f64::from(rater.uniform(r));
        let given = f64::from(missing.uniform(at)) >= number(&case["missing"]);
        given.then(|| (mixed * 5.0).floor() + 1.0)
    };
    let values = (0..n_items).flat_map(|i| (0..n_raters).map(move |r| (i, r)));
    Ratings::new(n_raters as usize, values.map(|(i, r)| value(i, r)).collect()).unwrap()
}

#[test]
fn agreement_of_raters() {
    for case in list(&read("meta_statistics.json")["survey"]) {
        check_agreement(&survey(case), case);
    }
}

#[test]
fn bca_intervals() {
    for case in list(&read("meta_statistics.json")["bca"]) {
        let noise = Synthetic::new("skewed", whole(&case["seed"]));
        let data: Vec<f64> = (0..whole(&case["n"])).map(|i| f64::from(noise.uniform(i)).powi(3)).collect();
        let statistic = |values: &[f64]| {
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            if case["statistic"] == "mean" {
                return mean;
            }
            values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n
        };
        let jackknife: Vec<f64> = (0..data.len())
            .map(|left_out| statistic(&[&data[..left_out], &data[left_out + 1..]].concat()))
            .collect();
        let replicates: Vec<f64> = numbers(&case["replicates"]);
        let level = number(&case["level"]);
        let (low, high) = bca_interval(statistic(&data), &replicates, &jackknife, level).unwrap().unwrap();
        close(low, &case["interval"][0], 1e-12);
        close(high, &case["interval"][1], 1e-12);
    }
}

#[test]
fn williams_tests() {
    for case in list(&read("meta_statistics.json")["williams"]) {
        let r = |name: &str| number(&case[name]);
        let n = count(&case["n"]);
        let found = williams_test(r("r1"), r("r2"), r("r12"), n).unwrap().unwrap();
        close(found.t, &case["t"], 1e-12);
        close(found.p_value, &case["p"], 1e-12);
    }
}

#[test]
fn corrected_p_values() {
    for case in list(&read("meta_statistics.json")["corrections"]) {
        let noise = Synthetic::new("p", whole(&case["seed"]));
        let n = whole(&case["n"]);
        let mut p: Vec<f64> = (0..n).map(|i| f64::from(noise.uniform(i)).powi(4)).collect();
        p[n as usize / 2] = p[0];
        for (found, expected) in holm(&p).unwrap().iter().zip(list(&case["holm"])) {
            close(*found, expected, 1e-15);
        }
    }
}
