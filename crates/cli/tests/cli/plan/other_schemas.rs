//! Records with another version's layout.

use crate::support::*;

#[test]
fn a_record_of_another_schema_is_refused_with_what_to_do() {
    let dir = images(&["a", "b", "c"]);
    dir.succeed("score gt recon --metrics pixcorr --out run");
    dir.write("ratings.csv", "item,rater,value\na,x,1\nb,x,2\nc,x,3\na,y,1\nb,y,3\nc,y,2\n");
    dir.succeed("score gt recon --metrics pixcorr --out other");
    let mut record = dir.json("run/run.json");
    record["schema"] = 3.into();
    // For a record with another layout, only its number matters.
    record.as_object_mut().unwrap().remove("plan");
    dir.write("run/run.json", record.to_string());
    assert_snapshot!(dir.run("score --from-run run/run.json --out again"), @"exit 1, stderr: error: run/run.json: schema: found 3, written by another version of neurogauge; expected 5; score again");
    assert_snapshot!(dir.run("compare run other"), @"exit 1, stderr: error: run/run.json: schema: found 3, written by another version of neurogauge; expected 5; score again");
    assert_snapshot!(dir.run("meta --human ratings.csv --metrics run --out meta"), @"exit 1, stderr: error: run/run.json: schema: found 3, written by another version of neurogauge; expected 5; score again");
    assert_snapshot!(dir.run("report run --out page.html"), @"exit 1, stderr: error: run/run.json: schema: found 3, written by another version of neurogauge; expected 5; score again");
    assert!(!dir.has("again"));
    // The message says to score into the folder again.
    dir.succeed("score gt recon --metrics pixcorr --out run");
    dir.succeed("score --from-run run/run.json --out again");

    dir.succeed("cluster plan score gt recon --metrics pixcorr --out planned");
    let mut plan = dir.json("planned/plan.json");
    plan["schema"] = 0.into();
    dir.write("planned/plan.json", plan.to_string());
    assert_snapshot!(dir.run("cluster work planned --shard 1/1"), @"exit 1, stderr: error: planned/plan.json: schema: found 0, written by another version of neurogauge; expected 1; plan again");
}
