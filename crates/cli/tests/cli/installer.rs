//! The shell installer of releases, on a release that holds a script in place of the program.

use super::support::folder;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// A release folder below `root` with an archive for each system, and their checksums.
fn release(root: &Path) -> PathBuf {
    let release = root.join("release");
    fs::create_dir(&release).unwrap();
    let mut sums = String::new();
    for (_, target) in TARGETS {
        let name = format!("neurogauge-{target}");
        fs::create_dir(root.join(&name)).unwrap();
        let program = root.join(&name).join("neurogauge");
        script(&program, &format!("echo neurogauge 9.9.9 for {target}"));
        let archive = release.join(format!("{name}.tar.gz"));
        let mut pack = Command::new("tar");
        pack.arg("-czf")
            .arg(&archive)
            .arg("-C")
            .arg(root)
            .arg(&name);
        assert!(pack.status().unwrap().success());
        let sum = Sha256::digest(fs::read(&archive).unwrap());
        let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{hex}  {name}.tar.gz\n");
    }
    fs::write(release.join("SHA256SUMS"), sums).unwrap();
    release
}

/// Runs the installer as if on another machine.
fn install(root: &Path, machine: &str, arguments: &[&str]) -> Output {
    let bin = root.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let (system, processor) = machine.split_once(' ').unwrap();
    let uname = format!("[ \"$1\" = -s ] && echo {system} || echo {processor}");
    script(&bin.join("uname"), &uname);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    Command::new("sh")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../release/install.sh"
        ))
        .args(arguments)
        .env("PATH", path)
        .env("HOME", root.join("home"))
        .output()
        .unwrap()
}

#[track_caller]
fn refused(ran: &Output, root: &Path, parts: &[&str]) {
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    for part in parts {
        assert!(said.contains(part), "{part:?} in\n{said}");
    }
    assert!(
        !root.join("home/.local/bin/neurogauge").exists(),
        "installed"
    );
}

#[test]
fn each_machine_gets_its_program() {
    let root = folder();
    let release = release(root.path());
    for (machine, target) in TARGETS {
        let to = root.path().join(target);
        let arguments = [
            "--from",
            release.to_str().unwrap(),
            "--to",
            to.to_str().unwrap(),
        ];
        let ran = install(root.path(), machine, &arguments);
        let said = String::from_utf8(ran.stdout).unwrap();
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        let installed = to.join("neurogauge");
        let expected = format!(
            "neurogauge 9.9.9 for {target} is installed as {}",
            installed.display()
        );
        assert!(
            said.contains(&expected) && said.contains("not in PATH"),
            "{said}"
        );
        assert!(Command::new(&installed).output().unwrap().status.success());
        assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
    }
}

/// Serves the files of a folder until the test ends.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let name = request.split(' ').nth(1).unwrap().trim_start_matches('/');
            let (status, body) = match fs::read(folder.join(name)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&body))
                .unwrap();
        }
    });
    address
}

#[test]
fn it_downloads_replaces_and_goes_where_users_programs_are() {
    let root = folder();
    let address = serve(release(root.path()));
    let home = root.path().join("home/.local/bin");
    fs::create_dir_all(&home).unwrap();
    script(&home.join("neurogauge"), "echo old");
    let ran = install(root.path(), "Linux x86_64", &["--from", &address]);
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let installed = Command::new(home.join("neurogauge")).output().unwrap();
    assert!(installed.stdout.starts_with(b"neurogauge 9.9.9"));
    fs::remove_file(home.join("neurogauge")).unwrap();
    let ran = install(
        root.path(),
        "Linux x86_64",
        &["--from", &format!("{address}/none")],
    );
    refused(&ran, root.path(), &["SHA256SUMS cannot be downloaded"]);
}

#[test]
fn what_is_not_as_released_is_not_installed() {
    let root = folder();
    let release = release(root.path());
    let from = ["--from", release.to_str().unwrap()];
    let archive = release.join("neurogauge-x86_64-unknown-linux-gnu.tar.gz");
    for machine in ["FreeBSD amd64", "Linux riscv64", "MINGW64_NT-10.0 x86_64"] {
        let ran = install(root.path(), machine, &from);
        refused(
            &ran,
            root.path(),
            &["there is no program for", "cargo install neurogauge"],
        );
    }
    script(&root.path().join("bin/ldd"), "echo musl libc >&2; exit 1");
    let ran = install(root.path(), "Linux x86_64", &from);
    refused(&ran, root.path(), &["musl", "glibc 2.17"]);
    fs::remove_file(root.path().join("bin/ldd")).unwrap();

    let ran = install(root.path(), "Linux x86_64", &[]);
    refused(&ran, root.path(), &["belongs to no release", "--from"]);
    let ran = install(root.path(), "Linux x86_64", &["--into", "here"]);
    refused(&ran, root.path(), &["unknown argument --into"]);
    let ran = install(root.path(), "Linux x86_64", &["--to"]);
    refused(&ran, root.path(), &["--to takes a value"]);

    let other = release.join("neurogauge-aarch64-unknown-linux-gnu.tar.gz");
    let genuine = fs::read(&archive).unwrap();
    fs::copy(&other, &archive).unwrap();
    let ran = install(root.path(), "Linux x86_64", &from);
    refused(
        &ran,
        root.path(),
        &["has the SHA-256", "expected", "Nothing was installed"],
    );
    fs::remove_file(&archive).unwrap();
    let ran = install(root.path(), "Linux x86_64", &from);
    refused(&ran, root.path(), &["cannot be read"]);
    fs::write(&archive, genuine).unwrap();
    fs::write(release.join("SHA256SUMS"), "").unwrap();
    let ran = install(root.path(), "Linux x86_64", &from);
    refused(
        &ran,
        root.path(),
        &["does not name neurogauge-x86_64-unknown-linux-gnu.tar.gz"],
    );
}
