//! Numbers that may only shrink: `bench/guards.csv` has their sizes, and `bench/lines.py --check` checks that none has
//! grown since a branch began.

use super::check_written;
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
    // If a number has grown, undo that.
    println!("circles: {circles:#?}\nfiles that name a kind, where the kind should say it: {kinds:#?}");
    check_written(&root.join("bench/guards.csv"), &written);
}
