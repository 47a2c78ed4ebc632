//! Means over subjects who lack cells, against statsmodels and scipy (`reference/subjects.py`), and failures of two
//! systems.

use crate::support::*;

fn table(case: &Value) -> Vec<Vec<Option<f64>>> {
    let of_subject = |cells: &Value| list(cells).iter().map(Value::as_f64).collect();
    list(&case["table"]).iter().map(of_subject).collect()
}

/// Compares systems with several subjects, given by cells.
fn compared(systems: &[Vec<Vec<Option<f64>>>], population: SubjectPopulation) -> SubjectComparison {
    let outcomes = |cells: &Vec<Option<f64>>| cells.iter().map(|cell| cell.ok_or(Undefined::NoPairs)).collect();
    let tables: Vec<Vec<Vec<Outcome>>> =
        (systems.iter()).map(|subjects| subjects.iter().map(outcomes).collect()).collect();
    compare_tables(&tables, population, &Default::default())
}

fn mean(found: &Comparison) -> (f64, f64) {
    let estimate = &found.systems[0].estimate;
    let mean = estimate.value.clone().unwrap();
    (mean, estimate.interval.unwrap().1 - mean)
}

#[test]
fn means_for_new_subjects_have_the_error_that_reml_finds() {
    // Without missing cells, the analysis of variance equals REML up to its convergence; with missing cells, both
    // estimate the same three components.
    for (case, tolerance) in list(&read("subjects.json")["new"]).iter().zip([1e-5, 0.02]) {
        let table = table(case);
        let (low, high) = crossed_mean(&table, 0.95).unwrap().interval.unwrap();
        near(f64::midpoint(low, high), number(&case["mean"]), 1e-12);
        // Half-widths at two levels determine the degrees of freedom, and these the standard error.
        let (within, _) = crossed_mean(&table, 0.5).unwrap().interval.unwrap();
        let (reach, short) = ((high - low) / 2.0, f64::midpoint(low, high) - within);
        let (mut least, mut most) = (1.0, 1e4);
        for _ in 0..100 {
            let df = f64::midpoint(least, most);
            match student_reach_of(df, 0.95) / student_reach_of(df, 0.5) > reach / short {
                true => least = df,
                false => most = df,
            }
        }
        let found = reach / student_reach_of(least, 0.95);
        let error = number(&case["standard_error"]);
        assert!((found / error - 1.0).abs() < tolerance, "{found} {error}");
        // The same as by compare_subjects, including the mean.
        let compared = compared(std::slice::from_ref(&table), SubjectPopulation::New);
        let (mean, of_all) = mean(&compared.comparison);
        near(mean, number(&case["mean"]), 1e-12);
        assert!((of_all / reach - 1.0).abs() < 1e-9);
        assert_eq!(compared.n_cells, table.iter().flatten().flatten().count());
    }
}

/// The interval by the two-way analysis of variance of a table without missing cells.
fn by_analysis_of_variance(table: &[Vec<f64>]) -> [f64; 2] {
    let (k, n) = (table.len() as f64, table[0].len() as f64);
    let rows: Vec<f64> = table.iter().map(|row| row.iter().sum::<f64>() / n).collect();
    let column = |i: usize| table.iter().map(|row| row[i]).sum::<f64>() / k;
    let columns: Vec<f64> = (0..table[0].len()).map(column).collect();
    let mean = rows.iter().sum::<f64>() / k;
    let squares = |values: &[f64]| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let rest = table.iter().zip(&rows).flat_map(|(row, own)| {
        row.iter().zip(&columns).map(move |(cell, column)| (cell - own - column + mean).powi(2))
    });
    let (a, b) = (n * squares(&rows) / (k - 1.0), k * squares(&columns) / (n - 1.0));
    let (c, free) = (rest.sum::<f64>(), (k - 1.0) * (n - 1.0));
    let c = c / free;
    let total = (a + b - c).max(a).max(b);
    let df = total.powi(2) / (a * a / (k - 1.0) + b * b / (n - 1.0) + c * c / free);
    let reach = student_reach_of(df, 0.95) * (total / (k * n)).sqrt();
    [mean - reach, mean + reach]
}

#[test]
fn without_gaps_it_is_the_analysis_of_variance() {
    let varied = |subject: usize, stimulus: usize, of_subject: f64, of_stimulus: f64| {
        let noise = ((subject * 37 + stimulus * 101 + subject * stimulus * 13) % 29) as f64 / 29.0;
        noise + of_subject * subject as f64 + of_stimulus * (stimulus * 7 % 11) as f64
    };
    for (of_subject, of_stimulus) in [(0.0, 0.0), (0.3, 0.0), (0.0, 0.2), (0.2, 0.1)] {
        let row = |s: usize| (0..23).map(|i| varied(s, i, of_subject, of_stimulus)).collect();
        let table: Vec<Vec<f64>> = (0..6).map(row).collect();
        let cells = table.iter().map(|row| row.iter().copied().map(Some).collect());
        let found = crossed_mean(&cells.collect::<Vec<_>>(), 0.95).unwrap();
        near_ends(found.interval, by_analysis_of_variance(&table), 1e-12);
    }
}

#[test]
fn means_over_these_subjects_have_errors_clustered_by_stimulus() {
    let golden = read("subjects.json");
    let case = &golden["these"];
    let (mean, reach) = mean(&compared(&[table(case)], SubjectPopulation::These).comparison);
    near(mean, number(&case["mean"]), 1e-12);
    assert!((reach - number(&case["reach"])).abs() < 1e-9, "{reach}");
}

#[test]
fn a_missing_value_leaves_out_one_cell_and_no_stimulus() {
    let cells = |grain: f64| -> Vec<Vec<Option<f64>>> {
        let cell = |subject: usize, stimulus: usize| {
            let value = ((subject * 7 + stimulus * 13) % 10) as f64 / 10.0 + grain * (stimulus % 2) as f64;
            (subject != stimulus % 4).then_some(value)
        };
        (0..4).map(|subject| (0..12).map(|stimulus| cell(subject, stimulus)).collect()).collect()
    };
    // The second system lacks one more cell, so the first system loses this cell, too.
    let (one, mut other) = (cells(0.0), cells(0.05));
    other[0][1] = None;
    let found = compared(&[one.clone(), other.clone()], SubjectPopulation::These);
    assert_eq!(found.comparison.n_shared, 12);
    assert_eq!(found.comparison.n_dropped, 0);
    assert_eq!(found.n_cells, 35);
    let of_subject = |table: &[Vec<Option<f64>>], subject: usize| {
        let both = table[subject].iter().zip(&other[subject]);
        let kept: Vec<f64> = both.filter_map(|(own, other)| own.filter(|_| other.is_some())).collect();
        kept.iter().sum::<f64>() / kept.len() as f64
    };
    let mean_of = |table: &[Vec<Option<f64>>]| (0..4).map(|s| of_subject(table, s)).sum::<f64>() / 4.0;
    let value = |system: usize| found.comparison.systems[system].estimate.value.clone().unwrap();
    assert!((value(0) - mean_of(&one)).abs() < 1e-12 && (value(1) - mean_of(&other)).abs() < 1e-12);
    // The printed values of the subjects give their printed mean.
    let subjects = found.subjects[0].iter().map(|estimate| estimate.value.clone().unwrap());
    assert!((subjects.sum::<f64>() / 4.0 - value(0)).abs() < 1e-12);
    let difference = found.comparison.differences[0].value.clone().unwrap();
    assert!((difference - (value(0) - value(1))).abs() < 1e-15);
}

#[test]
fn subjects_may_have_stimuli_of_their_own() {
    // Independent means: the variance of their mean is the mean of their variances, over K.
    let own = |subject: usize, stimulus: usize| (stimulus / 3 == subject).then(|| [0.1, 0.4, 0.6][stimulus % 3]);
    let table: Vec<Vec<Option<f64>>> =
        (0..2).map(|subject| (0..6).map(|stimulus| own(subject, stimulus)).collect()).collect();
    let found = compared(&[table], SubjectPopulation::These).comparison;
    let (mean, reach) = mean(&found);
    let variance = [0.1, 0.4, 0.6].iter().map(|value: &f64| (value - 1.1 / 3.0).powi(2)).sum::<f64>() / 2.0;
    assert!((mean - 1.1 / 3.0).abs() < 1e-12);
    assert!(reach >= student_reach(6, 0.95) * (variance / 3.0 / 2.0).sqrt() - 1e-12, "{reach}");
    assert_eq!((found.n_shared, found.n_stimuli), (6, 6));
}

#[test]
fn nothing_is_said_of_a_subject_with_one_stimulus() {
    let table = vec![vec![Some(0.1), Some(0.2), Some(0.4)], vec![Some(0.3), None, None]];
    assert_eq!(crossed_mean(&table, 0.95), None);
    let found = compared(&[table.clone(), table], SubjectPopulation::These).comparison;
    assert_eq!(found.systems[0].estimate.interval, None);
    assert_eq!((found.differences[0].p_value, found.systems[0].rank_interval), (None, None));
    let nothing = vec![vec![Some(0.1), Some(0.2)], vec![None, None]];
    let found = compared(&[nothing], SubjectPopulation::New).comparison;
    assert_eq!(found.systems[0].estimate.value, Err(Undefined::NoPairs));
}

#[test]
fn a_composite_is_the_mean_of_its_parts_as_they_are_compared() {
    let column = |values: [f64; 8]| {
        values
            .map(|value| {
                if value.is_nan() {
                    Err(Undefined::NoPairs)
                } else {
                    Ok(value)
                }
            })
            .to_vec()
    };
    let none = f64::NAN;
    let one = [column([0.1, 0.5, 0.3, 0.9, 0.4, 0.2, 0.6, 0.7]), column([0.2, none, 0.4, 0.8, 0.1, 0.5, 0.3, 0.6])];
    let other = [column([0.3, 0.4, none, 0.8, 0.6, 0.1, 0.9, 0.5]), column([0.2, 0.3, 0.1, 0.5, 0.4, none, 0.6, 0.9])];
    let compare = |parts: &[usize]| {
        let columns = |system: &[Vec<Outcome>; 2]| parts.iter().map(|&part| system[part].clone()).collect::<Vec<_>>();
        let systems = [columns(&one), columns(&other)];
        let systems = systems.each_ref().map(|columns| slices(columns));
        compare_systems(&systems, Direction::Higher, SIGN_FLIP, &Default::default()).unwrap()
    };
    let (first, second, whole) = (compare(&[0]), compare(&[1]), compare(&[0, 1]));
    for system in 0..2 {
        let value = |found: &Comparison| found.systems[system].estimate.value.clone().unwrap();
        assert!((value(&whole) - (value(&first) + value(&second)) / 2.0).abs() < 1e-15);
    }
    assert_eq!((first.n_shared, second.n_shared, whole.n_shared, whole.n_dropped), (7, 6, 8, 0));
    // Over all eight pairs, on which the interval is based.
    let (low, high) = whole.differences[0].interval.unwrap();
    let difference = whole.differences[0].value.clone().unwrap();
    assert!(low < difference && difference < high);
}

#[test]
fn mcnemar_s_test_equals_scipy() {
    for case in list(&read("subjects.json")["mcnemar"]) {
        let n = |place: usize| count(&case[place]);
        let expected = number(&case[2]);
        let found = mcnemar_test(n(0), n(1));
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        assert_eq!(found.to_bits(), mcnemar_test(n(1), n(0)).to_bits());
    }
    assert_eq!(mcnemar_test(0, 0), 1.0);
}
