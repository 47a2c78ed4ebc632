//! The shell installer of releases, with a release that contains a script instead of the program.

use super::support::{Folder, Ran, arg, folder, serve};
use crate::support::*;
use sha2::{Digest, Sha256};
use std::os::unix::fs::PermissionsExt;

const TARGETS: [(&str, &str); 4] = [
    ("Linux x86_64", "x86_64-unknown-linux-gnu"),
    ("Linux aarch64", "aarch64-unknown-linux-gnu"),
    ("Darwin arm64", "aarch64-apple-darwin"),
    ("Darwin x86_64", "x86_64-apple-darwin"),
];

fn script(path: &Path, lines: &str) {
    fs::write(path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A release folder below `root` with an archive for each system, and checksums.
fn release(root: &Path) -> PathBuf {
    let release = root.join("release");
    fs::create_dir(&release).unwrap();
    let mut sums = String::new();
    for (_, target) in TARGETS {
        let name = format!("neurogauge-{target}");
        fs::create_dir(root.join(&name)).unwrap();
        script(&root.join(&name).join("neurogauge"), &format!("echo neurogauge 9.9.9 for {target}"));
        let archive = release.join(format!("{name}.tar.gz"));
        let mut pack = Command::new("tar");
        pack.arg("-czf").arg(&archive).arg("-C").arg(root).arg(&name);
        assert!(pack.status().unwrap().success());
        let sum = Sha256::digest(fs::read(&archive).unwrap());
        let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{hex}  {name}.tar.gz\n");
    }
    fs::write(release.join("SHA256SUMS"), sums).unwrap();
    release
}

/// Runs the installer as on another machine.
fn install(dir: &Folder, machine: &str, line: &str) -> Ran {
    let bin = dir.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let (system, processor) = machine.split_once(' ').unwrap();
    let uname = format!("[ \"$1\" = -s ] && echo {system} || echo {processor}");
    script(&bin.join("uname"), &uname);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let installer = concat!(env!("CARGO_MANIFEST_DIR"), "/../../release/install.sh");
    let mut command = Command::new("sh");
    command.arg(installer).args(line.split_whitespace());
    Ran::of(command.env("PATH", path).env("HOME", dir.join("home")))
}

const LINUX: &str = "Linux x86_64";
const INSTALLED: &str = "home/.local/bin/neurogauge";

#[track_caller]
fn refused(dir: &Folder, machine: &str, line: &str) -> String {
    let ran = install(dir, machine, line);
    assert!(!dir.has(INSTALLED), "{ran}");
    format!("{ran}\n")
}

#[test]
fn each_machine_gets_its_program() {
    let dir = folder();
    let release = release(dir.path());
    for (machine, target) in TARGETS {
        let to = dir.join(target);
        let ran = install(&dir, machine, &format!("--from {} --to {}", arg(&release), arg(&to))).done();
        let installed = to.join("neurogauge");
        let expected = format!("neurogauge 9.9.9 for {target} is installed as {}", installed.display());
        assert!(ran.stdout.contains(&expected) && ran.stdout.contains("not in PATH"), "{ran}");
        assert!(Command::new(&installed).output().unwrap().status.success());
        assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
    }
}

#[test]
fn it_downloads_replaces_and_goes_where_users_programs_are() {
    let dir = folder();
    let address = serve(release(dir.path()));
    let installed = dir.join(INSTALLED);
    fs::create_dir_all(installed.parent().unwrap()).unwrap();
    script(&installed, "echo old");
    install(&dir, LINUX, &format!("--from {address}")).done();
    assert!(Command::new(&installed).output().unwrap().stdout.starts_with(b"neurogauge 9.9.9"));
    fs::remove_file(&installed).unwrap();
    assert_snapshot!(refused(&dir, LINUX, &format!("--from {address}/none")), @"
    exit 1, stderr:
    curl: (22) The requested URL returned error: 404
    install.sh: http://127.0.0.1:[PORT]/none/SHA256SUMS cannot be downloaded
    ");
}

#[test]
fn what_is_not_as_released_is_not_installed() {
    let dir = folder();
    let release = release(dir.path());
    let from = format!("--from {}", arg(&release));
    let machines = ["FreeBSD amd64", "Linux riscv64", "MINGW64_NT-10.0 x86_64"];
    let mut said = machines.map(|machine| refused(&dir, machine, &from)).concat();
    script(&dir.join("bin/ldd"), "echo musl libc >&2; exit 1");
    said += &refused(&dir, LINUX, &from);
    dir.remove("bin/ldd");
    said += &["", "--into here", "--to"].map(|line| refused(&dir, LINUX, line)).concat();
    assert_snapshot!(said, @"
    exit 1, stderr:
    install.sh: there is no program for FreeBSD on amd64; there are for Linux and macOS on x86_64 and aarch64.
      On Windows, take the archive or the Python package; elsewhere build it: cargo install neurogauge
    exit 1, stderr:
    install.sh: there is no program for Linux on riscv64; there are for Linux and macOS on x86_64 and aarch64.
      On Windows, take the archive or the Python package; elsewhere build it: cargo install neurogauge
    exit 1, stderr:
    install.sh: there is no program for MINGW64_NT-10.0 on x86_64; there are for Linux and macOS on x86_64 and aarch64.
      On Windows, take the archive or the Python package; elsewhere build it: cargo install neurogauge
    exit 1, stderr: install.sh: this Linux has musl; the program needs glibc 2.17 or later. Build it: cargo install neurogauge
    exit 1, stderr: install.sh: this copy belongs to no release; say with --from where the archives are
    exit 1, stderr: install.sh: unknown argument --into; expected --to FOLDER or --from ADDRESS
    exit 1, stderr: install.sh: --to takes a value
    ");

    let archive = release.join("neurogauge-x86_64-unknown-linux-gnu.tar.gz");
    let genuine = fs::read(&archive).unwrap();
    fs::copy(release.join("neurogauge-aarch64-unknown-linux-gnu.tar.gz"), &archive).unwrap();
    let mut said = refused(&dir, LINUX, &from);
    fs::remove_file(&archive).unwrap();
    said += &refused(&dir, LINUX, &from);
    fs::write(&archive, genuine).unwrap();
    fs::write(release.join("SHA256SUMS"), "").unwrap();
    said += &refused(&dir, LINUX, &from);
    assert_snapshot!(said, @"
    exit 1, stderr: install.sh: neurogauge-x86_64-unknown-linux-gnu.tar.gz has the SHA-256 [HASH]; expected [HASH]. Nothing was installed
    exit 1, stderr:
    cp: cannot stat '[DIR]/release/neurogauge-x86_64-unknown-linux-gnu.tar.gz': No such file or directory
    install.sh: [DIR]/release/neurogauge-x86_64-unknown-linux-gnu.tar.gz cannot be read
    exit 1, stderr: install.sh: [DIR]/release/SHA256SUMS does not name neurogauge-x86_64-unknown-linux-gnu.tar.gz; this release has no program for x86_64-unknown-linux-gnu
    ");
}
