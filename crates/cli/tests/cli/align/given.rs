//! What may be given: columns, stimuli, a plan, folds, partitions, orders, layers.

use crate::support::alignments::{Arrays, arguments, record, refused, units};
use crate::support::{self, folder, succeed};
use insta::assert_snapshot;
use neurogauge::formats::npy::write_f64;

#[test]
fn columns_outside_the_region_and_stimuli_outside_the_list_are_left_out() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    let voxels = [1.0, 3.0, 5.0, 7.0, 9.0];
    write_f64(&root.path().join("voxels.npy"), &[5], &voxels).unwrap();
    let stimuli: Vec<f64> = (12..40).map(f64::from).collect();
    write_f64(&root.path().join("kept.npy"), &[28], &stimuli).unwrap();
    let text = text.replace("hemisphere", "voxels = \"voxels.npy\"\nhemisphere");
    std::fs::write(&config, format!("stimuli = \"kept.npy\"\n{text}")).unwrap();
    let run = root.path().join("run");
    succeed(&arguments(&config, &run));
    let record = record(&run);
    assert_eq!(record["units"][0][1], 5);
    assert_eq!(record["stimuli"].as_array().unwrap().len(), 28);
}

#[test]
fn the_plan_of_a_run_repeats_it() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    succeed(&arguments(&arrays.write(), &first));
    arrays.settings += "seed = 5\n";
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("plan = \"first/plan.json\"\n{text}")).unwrap();
    succeed(&arguments(&config, &second));
    assert!(units(&first) == units(&second));
    let plans = [&first, &second].map(|run| std::fs::read(run.join("plan.json")).unwrap());
    assert!(plans[0] == plans[1]);
}

/// The inner fold of each position, in rows of one length.
fn labels(pools: &[&serde_json::Value]) -> (usize, Vec<f64>) {
    let sizes = pools.iter().map(|pool| pool["stimuli"].as_array().unwrap().len());
    let width = sizes.max().unwrap();
    let mut rows = vec![-1.0; pools.len() * width];
    for (row, pool) in rows.chunks_mut(width).zip(pools) {
        for (label, fold) in pool["inner"].as_array().unwrap().iter().enumerate() {
            for position in fold.as_array().unwrap() {
                row[position.as_u64().unwrap() as usize] = label as f64;
            }
        }
    }
    (width, rows)
}

#[test]
fn arrays_of_folds_partitions_and_orders_repeat_a_run() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.settings += "controls = []\n";
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    succeed(&arguments(&arrays.write(), &first));
    let plan: serde_json::Value = serde_json::from_slice(&std::fs::read(first.join("plan.json")).unwrap()).unwrap();

    let folds = plan["folds"]["folds"].as_array().unwrap();
    let mut outer = vec![0.0; plan["folds"]["n_stimuli"].as_u64().unwrap() as usize];
    for (label, fold) in folds.iter().enumerate() {
        for stimulus in fold["test"]["stimuli"].as_array().unwrap() {
            outer[stimulus.as_u64().unwrap() as usize] = label as f64;
        }
    }
    let path = |name: &str| root.path().join(name);
    write_f64(&path("outer.npy"), &[outer.len() as u64], &outer).unwrap();
    for (name, pool) in [("inner.npy", "training"), ("reference.npy", "test")] {
        let pools: Vec<&serde_json::Value> = folds.iter().map(|fold| &fold[pool]).collect();
        let (width, rows) = labels(&pools);
        write_f64(&path(name), &[folds.len() as u64, width as u64], &rows).unwrap();
    }
    let orders: Vec<Vec<Vec<f64>>> = serde_json::from_value(plan["null_orders"].clone()).unwrap();
    let width = orders.iter().map(|fold| fold[0].len()).max().unwrap();
    let filled = |order: &Vec<f64>| [order.clone(), vec![-1.0; width - order.len()]].concat();
    let values: Vec<f64> = orders.iter().flatten().flat_map(filled).collect();
    let shape = [orders.len(), orders[0].len(), width].map(|n| n as u64);
    write_f64(&path("orders.npy"), &shape, &values).unwrap();
    let mut given = "outer_folds = \"outer.npy\"\ninner_folds = \"inner.npy\"\n\
                     reference_inner_folds = \"reference.npy\"\nnull_orders = \"orders.npy\"\n\
                     [given.trial_splits]\n"
        .to_owned();
    for (index, (unit, texts)) in plan["partitions"].as_object().unwrap().iter().enumerate() {
        let texts: Vec<String> = serde_json::from_value(texts.clone()).unwrap();
        let digits = texts.concat().bytes().map(|b| f64::from(b - b'0')).collect::<Vec<_>>();
        let file = format!("splits{index}.npy");
        write_f64(&path(&file), &[texts.len() as u64, texts[0].len() as u64], &digits).unwrap();
        given += &format!("{unit:?} = {file:?}\n");
    }

    arrays.settings += "seed = 5\n";
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\n[given]\n{given}")).unwrap();
    succeed(&arguments(&config, &second));
    assert!(units(&first) == units(&second));

    outer[3] = 0.5;
    write_f64(&path("outer.npy"), &[outer.len() as u64], &outer).unwrap();
    assert_snapshot!(refused(&root), @"exit 1, stderr: error: outer.npy: row 0, entry 3: is 0.5; expected a whole number, 0 or more, or -1 at the end of a row");
}

#[test]
fn layers_divided_elsewhere_are_not_taken_from_an_earlier_run() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    let before = record(&run)["fingerprint"].clone();
    let ids: Vec<u64> = (10..46).collect();
    // The same eight columns: three and five, or all in one.
    let both: Vec<f32> = ids
        .iter()
        .flat_map(|&id| {
            let of = move |name: &'static str, n: usize| {
                (0..n).map(move |f| support::alignments::signal(name, f, id as usize - 10) as f32)
            };
            of("early", 3).chain(of("late", 5))
        })
        .collect();
    let path = root.path().join("whole.npy");
    neurogauge::formats::npy::write_f32(&path, &[36, 8], &both).unwrap();
    arrays.sources = "[[sources]]\nname = \"model\"\nfeatures = [\"whole.npy\"]\n".to_owned();
    succeed(&arguments(&arrays.write(), &run));
    assert_ne!(before, record(&run)["fingerprint"]);
}
