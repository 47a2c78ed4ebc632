//! Settings and plans that do not fit the controls.

use crate::support::alignments::{ALIGN, Arrays};
use crate::support::*;

#[test]
fn settings_that_make_no_sense() {
    let mut arrays = Arrays::new();
    let few = arrays.settings.clone();
    let said = [
        "controls = [\"target-pc\"]\n",
        "controls = [\"target-pca\", \"target-pca\"]\n",
        "fixed_ranks = [0, 2]\n",
        "fixed_ranks = [3, 2]\n",
        "random_draws = 0\n",
        "controls = [\"response-permutation\"]\nresponse_draws = 0\n",
        "reference_rank = 0\n",
        // The arrays have sessions, but no runs.
        "balance = \"sessions-and-runs\"\n",
    ]
    .map(|settings| {
        arrays.settings = format!("{few}{settings}");
        arrays.refused()
    });
    assert_snapshot!(said.concat(), @"
    exit 2, stderr: error: align.toml:24: unknown value `target-pc`; expected one of `target-pca`, `random-directions`, `fixed-rank`, `direction-prediction`, `response-permutation`, `auxiliary-readouts`, `balanced-partitions`, `attribution`, `block-ablation`
    exit 2, stderr: error: controls names target-pca twice; name it once
    exit 2, stderr: error: fixed_ranks is [0, 2]; expected one rank or more, each at least 1, in ascending order; or leave `fixed-rank` out of `controls`
    exit 2, stderr: error: fixed_ranks is [3, 2]; expected one rank or more, each at least 1, in ascending order; or leave `fixed-rank` out of `controls`
    exit 2, stderr: error: random_draws is 0; expected from 1 to 100000; or leave `random-directions` out of `controls`
    exit 2, stderr: error: response_draws is 0; expected from 1 to 100000; or leave `response-permutation` out of `controls`
    exit 2, stderr: error: reference_rank is 0; expected from 1 to 100000
    exit 2, stderr: error: a lh V1: partitions cannot be balanced over runs: all its trials are of one as far as is known; name `runs` of its trials in [[targets]], or leave out what asks for balance (`balance`, or the control `balanced-partitions`)
    ");
    arrays.settings = few;
    arrays.write();
    let table = "
    --controls all,target-pca
      exit 2, stderr: error: --controls has `all` beside other names; give it alone, or leave it out
    --controls everything
      exit 2, stderr:
      error: invalid value 'everything' for '--controls <LIST>'
        [possible values: all, none, target-pca, random-directions, fixed-rank, direction-prediction, response-permutation, auxiliary-readouts, balanced-partitions, attribution, block-ablation]
    ";
    arrays.dir.refuses(ALIGN, "run/align.json", table);
}

#[test]
fn plans_that_do_not_fit_their_controls() {
    let dir = Arrays::written();
    dir.succeed("align --config align.toml --out first --controls all");
    dir.prepend("align.toml", "plan = \"plan.json\"\n");
    let whole = dir.json("first/plan.json");
    let changes: [&dyn Fn(&mut Value); 4] = [
        &|controls| {
            controls["response_orders"][1][0][0] = controls["response_orders"][1][0][1].clone();
        },
        &|controls| cut(&mut controls["random_directions"][2][0][0], 5),
        &|controls| {
            controls["balanced_partitions"].as_object_mut().unwrap().remove("b lh V1").unwrap();
        },
        &|controls| cut(&mut controls["response_orders"], 1),
    ];
    let said = changes.map(|change| {
        let mut plan = whole.clone();
        change(&mut plan["controls"]);
        dir.write("plan.json", plan.to_string());
        let ran = dir.run(&format!("{ALIGN} --controls all"));
        format!("{ran}\n")
    });
    assert_snapshot!(said.concat(), @"
    exit 1, stderr: error: plan.json: controls.response_orders, fold 1: expected orders with each of the 12 training stimuli's positions once
    exit 1, stderr: error: plan.json: controls.random_directions, fold 2: expected draws of 12 directions with 12 numbers, for a lh V1
    exit 1, stderr: error: plan.json: controls.balanced_partitions of b lh V1: the plan has no partitions of b lh V1
    exit 1, stderr: error: plan.json: controls.response_orders: has 1 folds; expected 3
    ");

    // Draws that a plan lacks are made with the run's seed.
    let mut plan = whole.clone();
    plan.as_object_mut().unwrap().remove("controls");
    dir.write("plan.json", plan.to_string());
    dir.succeed(&format!("{ALIGN} --controls all"));
    assert_eq!(dir.json("run/plan.json"), whole);
}

fn cut(list: &mut Value, n: usize) {
    list.as_array_mut().unwrap().truncate(n);
}
