//! Files that claim gigabytes, given to the command line in a process with little memory: refused quickly, by name.

use crate::support::*;

/// Runs a command with at most 3 GB of address space.
#[cfg(target_os = "linux")]
fn run(dir: &Folder, line: &str) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 3000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_neurogauge")]);
    command.args(line.split(' ')).args(["--quiet", "--threads", "1"]);
    Ran::of(command.current_dir(dir.path()))
}

#[cfg(target_os = "linux")]
#[test]
fn what_describes_gigabytes_is_refused_by_name() {
    let dir = folder();
    write_f64(&dir.join("stimuli.npy"), &[2], &[1.0, 2.0]).unwrap();
    write_f64(&dir.join("features.npy"), &[2, 2], &[1.0, 2.0, 3.0, 5.0]).unwrap();
    dir.write("ids.json", "[\"1\", \"2\"]");
    let config = |trials: &str, names: &str| {
        format!(
            "[[targets]]\n{names}trials = \"{trials}\"\nstimuli = \"stimuli.npy\"\n[[sources]]\nname = \"m\"\nfeatures = \"features.npy\"\n"
        )
    };
    let mut header = [0; 284];
    for (place, number) in [1, 1 << 15, 1 << 15, 16, 1, 0].into_iter().enumerate() {
        header[4 * place..4 * place + 4].copy_from_slice(&i32::to_be_bytes(number));
    }
    dir.write("betas.mgh", header);
    dir.write("volume.toml", config("betas.mgh", "subject = \"a\"\nroi = \"V1\"\n"));
    let list = |n: usize| format!("{:?}", (0..n).map(|name| name.to_string()).collect::<Vec<_>>());
    let names = format!("subject = {}\nhemisphere = {}\nroi = {}\n", list(3000), list(30), list(100));
    dir.write("many.toml", config("{subject}.npy", &names));
    dir.write("wide.csv", format!("item{}\n1,2\n", ",a".repeat(10_000_000)));
    dir.write("metrics.csv", "item,ssim\n1,0.5\n2,0.25\n");
    let refused = [
        "align --config volume.toml --out align",
        "align --config many.toml --out align",
        "meta --human wide.csv --metrics metrics.csv --out meta",
        "meta --human metrics.csv --metrics wide.csv --out meta",
    ]
    .map(|line| run(&dir, line).to_string());
    assert_snapshot!(refused.join("\n"), @"
    exit 1, stderr: error: betas.mgh: an image of [32768, 32768, 16] places takes 137 GB of memory or more, and this file may take 3.1 GB (by its size and the machine's memory)
    exit 1, stderr: error: many.toml: number 1 of [[targets]], 3000 subjects x 30 hemispheres x 100 regions, takes 4.0 GB of memory or more, and this file may take 268 MB (by its size and the machine's memory)
    exit 1, stderr: error: wide.csv: a table of 2 lines and 10000003 cells, up to 20000005 bytes in a line, takes 3.0 GB of memory or more, and this file may take 1.5 GB (by its size and the machine's memory)
    exit 1, stderr: error: wide.csv: a table of 2 lines and 10000003 cells, up to 20000005 bytes in a line, takes 3.0 GB of memory or more, and this file may take 1.5 GB (by its size and the machine's memory)
    ");
}
