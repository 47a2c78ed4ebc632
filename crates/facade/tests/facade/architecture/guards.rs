//! What may only shrink: `bench/guards.csv` says how large it is, and `bench/lines.py --check` that no number has grown
//! since a branch began.

use super::circles::largest_circles;
use super::kinds::elsewhere;
use std::path::Path;

#[test]
fn the_written_guards_are_those_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let circles = largest_circles(&root.join("crates"));
    let kinds = elsewhere(&root.join("crates"));
    let mut written = "guard,n\n".to_owned();
    for (name, circle) in &circles {
        written += &format!("modules of crates/{name} in a circle,{}\n", circle.len());
    }
    written += &format!("files that name a kind of observation elsewhere,{}\n", kinds.len());
    let path = root.join("bench/guards.csv");
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == written,
        "bench/guards.csv is not what the code has; where a number has grown, undo that, and where it has shrunk, run `make written`:\n\
         {written}\ncircles: {circles:#?}\nfiles that name a kind, where the kind should say it: {kinds:#?}"
    );
}
