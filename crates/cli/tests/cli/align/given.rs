//! Inputs that can be given: columns, stimuli, a plan, folds, partitions, orders, layers.

use crate::support::alignments::{Arrays, align, refused, signal, units};
use crate::support::*;

#[test]
fn columns_outside_the_region_and_stimuli_outside_the_list_are_left_out() {
    let dir = Arrays::written();
    write_f64(&dir.join("voxels.npy"), &[5], &[1.0, 3.0, 5.0, 7.0, 9.0]).unwrap();
    write_f64(&dir.join("kept.npy"), &[28], &(12..40).map(f64::from).collect::<Vec<_>>()).unwrap();
    dir.replace("align.toml", "hemisphere", "voxels = \"voxels.npy\"\nhemisphere");
    dir.prepend("align.toml", "stimuli = \"kept.npy\"\n");
    align(&dir, "run", "");
    let record = dir.json("run/align.json");
    assert_eq!(record["units"][0][1], 5);
    assert_eq!(record["stimuli"].list().len(), 28);
}

/// The inner fold of each position, in rows of equal length.
fn labels(pools: &[&Value]) -> (usize, Vec<f64>) {
    let width = pools.iter().map(|pool| pool["stimuli"].list().len()).max().unwrap();
    let mut rows = vec![-1.0; pools.len() * width];
    for (row, pool) in rows.chunks_mut(width).zip(pools) {
        for (label, fold) in pool["inner"].list().iter().enumerate() {
            for position in fold.list() {
                row[position.natural() as usize] = label as f64;
            }
        }
    }
    (width, rows)
}

/// A run is repeated by its whole plan in a file, or by its folds, partitions and orders as arrays.
#[test]
fn the_plan_of_a_run_repeats_it() {
    let mut arrays = Arrays::new();
    arrays.settings += "controls = []\n";
    arrays.align("first", "");
    arrays.settings += "seed = 5\n";
    arrays.write();
    let dir = &arrays.dir;
    dir.prepend("align.toml", "plan = \"first/plan.json\"\n");
    align(dir, "second", "");
    let first = units(dir, "first");
    assert!(first == units(dir, "second"));
    assert!(dir.bytes("first/plan.json") == dir.bytes("second/plan.json"));

    let plan = dir.json("first/plan.json");
    let folds = plan["folds"]["folds"].list();
    let mut outer = vec![0.0; plan["folds"]["n_stimuli"].natural() as usize];
    for (label, fold) in folds.iter().enumerate() {
        for stimulus in fold["test"]["stimuli"].list() {
            outer[stimulus.natural() as usize] = label as f64;
        }
    }
    let write = |name: &str, shape: &[usize], values: &[f64]| {
        write_f64(&dir.join(name), &shape.iter().map(|&n| n as u64).collect::<Vec<_>>(), values).unwrap();
    };
    write("outer.npy", &[outer.len()], &outer);
    for (name, pool) in [("inner.npy", "training"), ("reference.npy", "test")] {
        let (width, rows) = labels(&folds.iter().map(|fold| &fold[pool]).collect::<Vec<_>>());
        write(name, &[folds.len(), width], &rows);
    }
    let orders: Vec<Vec<Vec<f64>>> = serde_json::from_value(plan["null_orders"].clone()).unwrap();
    let width = orders.iter().map(|fold| fold[0].len()).max().unwrap();
    let filled = |order: &Vec<f64>| [order.clone(), vec![-1.0; width - order.len()]].concat();
    let values: Vec<f64> = orders.iter().flatten().flat_map(filled).collect();
    write("orders.npy", &[orders.len(), orders[0].len(), width], &values);
    let mut given = "[given]\nouter_folds = \"outer.npy\"\ninner_folds = \"inner.npy\"\n\
                     reference_inner_folds = \"reference.npy\"\nnull_orders = \"orders.npy\"\n\
                     [given.trial_splits]\n"
        .to_owned();
    for (index, (unit, texts)) in plan["partitions"].fields().iter().enumerate() {
        let texts: Vec<String> = serde_json::from_value(texts.clone()).unwrap();
        let digits = texts.concat().bytes().map(|b| f64::from(b - b'0')).collect::<Vec<_>>();
        write(&format!("splits{index}.npy"), &[texts.len(), texts[0].len()], &digits);
        given += &format!("{unit:?} = \"splits{index}.npy\"\n");
    }
    arrays.write();
    dir.write("align.toml", format!("{}\n{given}", dir.read("align.toml")));
    align(dir, "second", "");
    assert!(first == units(dir, "second"));

    outer[3] = 0.5;
    write("outer.npy", &[outer.len()], &outer);
    assert_snapshot!(refused(dir), @"exit 1, stderr: error: outer.npy: row 0, entry 3: is 0.5; expected a whole number, 0 or more, or -1 at the end of a row");
}

#[test]
fn layers_divided_elsewhere_are_not_taken_from_an_earlier_run() {
    let mut arrays = Arrays::new();
    arrays.align("run", "");
    let before = arrays.dir.json("run/align.json")["fingerprint"].clone();
    // The same eight columns, as three and five or all in one.
    let both = (0..36).flat_map(|stimulus| {
        let of = move |name: &'static str, n: usize| (0..n).map(move |f| signal(name, f, stimulus) as f32);
        of("early", 3).chain(of("late", 5))
    });
    write_f32(&arrays.dir.join("whole.npy"), &[36, 8], &both.collect::<Vec<_>>()).unwrap();
    arrays.sources = "[[sources]]\nname = \"model\"\nfeatures = [\"whole.npy\"]\n".to_owned();
    arrays.align("run", "");
    assert_ne!(before, arrays.dir.json("run/align.json")["fingerprint"]);
}
