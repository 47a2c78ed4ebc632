//! `neurogauge board fetch`: files of others by recipes, with synthetic files in their layouts.

use crate::support::*;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// A figure in Brain-Diffuser's layout: a column of stimuli, a gap, two columns of reconstructions, three rows, and
/// white between them. The colour identifies a cell.
fn figure(dir: &Folder) -> String {
    let (width, height) = (70, 60);
    let (lefts, tops) = ([3, 29, 50], [5, 24, 42]);
    let mut pixels = vec![255_u8; 3 * width * height];
    for (row, top) in tops.into_iter().enumerate() {
        for (column, left) in lefts.into_iter().enumerate() {
            for y in top..top + 15 {
                for x in left..left + 16 {
                    let place = 3 * (y * width + x);
                    pixels[place..place + 3].copy_from_slice(&[row as u8, column as u8, 7]);
                }
            }
        }
    }
    fs::create_dir_all(dir.join("there")).unwrap();
    let path = dir.join("there/figure.png");
    write_png(&path, &Image::new(width, height, pixels).unwrap()).unwrap();
    content_hash::of_file(&path).unwrap()
}

fn recipe(from: &str, hash: &str, width: usize) -> String {
    format!(
        "title = \"Made up\"\nlicence = \"none\"\ncaution = \"drawn\"\nfrom = \"{from}\"\n[[files]]\npath = \"figure.png\"\n{hash}\n\
         [files.grid]\nsize_px = [{width}, 60]\ncell_px = [16, 15]\nlefts_px = [3, 29, 50]\ntops_px = [5, 24, 42]\n\
         sides = [\"gt\", \"a\", \"b\"]\nn = 3\n"
    )
}

fn assert_is_cut(dir: &Folder, out: &str) {
    for (column, side) in ["gt", "a", "b"].into_iter().enumerate() {
        for row in 0..3 {
            let cell = read_rgb8(&dir.join(format!("{out}/figure/{side}/{row:03}.png"))).unwrap();
            assert_eq!((cell.width_px(), cell.height_px()), (16, 15));
            let mut pixels = cell.data().chunks(3);
            assert!(pixels.all(|pixel| pixel == [row as u8, column as u8, 7]));
        }
    }
}

#[test]
fn a_figure_is_fetched_checked_and_cut() {
    let dir = folder();
    let sha256 = figure(&dir);
    dir.write("recipe.toml", recipe("there", &format!("sha256 = \"{sha256}\""), 70));
    assert_snapshot!(dir.run("board fetch recipe.toml --out got"), @"
    exit 0, stdout: got/figure.png: fetched, hash as published, cut into 9 pictures
    stderr:
    Made up
    licence: none
    note: drawn
    ");
    assert_is_cut(&dir, "got");
    assert_snapshot!(dir.run("board fetch recipe.toml --out got"), @"
    exit 0, stdout: got/figure.png: here already, hash as published, cut into 9 pictures
    stderr:
    Made up
    licence: none
    note: drawn
    ");
    // A changed file is neither kept nor replaced silently.
    dir.write("got/figure.png", "no picture");
    assert_snapshot!(dir.run("board fetch recipe.toml --out got"), @"
    exit 1, stderr:
    Made up
    licence: none
    note: drawn
    error: got/figure.png: SHA-256 [HASH], expected [HASH]; move it away to fetch it again
    ");

    // The file can also come from a server.
    let from = format!("{}/", serve(dir.join("there")));
    dir.write("recipe.toml", recipe(&from, &format!("sha256 = \"{sha256}\""), 70));
    // Tests normally run offline.
    let run = |out: &str| {
        let mut command = dir.command(&format!("board fetch recipe.toml --out {out}"), no_cache());
        Ran::of(command.env_remove("HF_HUB_OFFLINE"))
    };
    assert_eq!(run("served").code, 0);
    assert_is_cut(&dir, "served");
    dir.write("recipe.toml", recipe(&from, &format!("git = \"{}\"", "0".repeat(40)), 70));
    assert_snapshot!(run("other"), @"
    exit 1, stderr:
    Made up
    licence: none
    note: drawn
    error: http://127.0.0.1:[PORT]/figure.png: git hash [HASH], expected [HASH]; the file is another one than the recipe names, and was not kept
    ");
    assert!(!dir.has("other/figure.png"));
}

/// As in figshare's records: a number as address, and an MD5.
#[test]
fn an_archive_with_a_number_for_an_address_is_fetched_whole() {
    let dir = folder();
    // The MD5 of the last test in RFC 1321.
    dir.write("there/49414516", "1234567890".repeat(8));
    let recipe = |md5: &str| {
        format!(
            "title = \"Made up\"\nlicence = \"none\"\nfrom = \"there\"\n[[files]]\npath = \"49414516\"\nto = \"results.zip\"\nmd5 = \"{md5}\"\n"
        )
    };
    dir.write("recipe.toml", recipe("57edf4a22be3c955ac49da2e2107b67a"));
    assert_snapshot!(dir.run("board fetch recipe.toml --out got"), @"
    exit 0, stdout: got/results.zip: fetched, hash as published
    stderr:
    Made up
    licence: none
    ");
    assert_eq!(dir.read("got/results.zip"), "1234567890".repeat(8));
    dir.write("recipe.toml", recipe(&"0".repeat(32)));
    assert_snapshot!(dir.run("board fetch recipe.toml --out other"), @"
    exit 1, stderr:
    Made up
    licence: none
    error: there/49414516: MD5 57edf4a22be3c955ac49da2e2107b67a, expected 00000000000000000000000000000000; the file is another one than the recipe names, and was not kept
    ");
    assert!(!dir.has("other/results.zip"));
}

#[test]
fn recipes_that_do_not_fit_are_refused() {
    let dir = folder();
    let sha256 = format!("sha256 = \"{}\"", figure(&dir));
    let sound = recipe("there", &sha256, 70);
    let texts = [
        recipe("there", &sha256, 71),
        sound.replace("29, 50]", "29, 55]"),
        sound.replace("n = 3", "n = 4"),
        recipe("there", "", 70),
        recipe("there", &format!("{sha256}\nmd5 = \"0\""), 70),
        format!("{sound}[[files]]\npath = \"figure.png\"\n{sha256}\n"),
        recipe("elsewhere", &sha256, 70).replace("figure.png", "none.png"),
        sound.replace("licence", "license"),
    ];
    let said = dir.said_of("recipe.toml", texts, "board fetch recipe.toml --out got", "got/figure");
    let said = said.replace("Made up\nlicence: none\nnote: drawn\n", "");
    assert_snapshot!(said + &dir.run("board fetch brain --out got").to_string(), @r#"
    exit 1, stderr:
    error: got/figure.png: 70 x 60 px; the grid of the recipe is of 71 x 60 px; nothing was cut, correct the grid in a recipe of your own
    exit 1, stderr:
    error: got/figure.png: cells of the grid are beyond the edges of the picture, or lie upon each other; nothing was cut, correct the grid in a recipe of your own
    exit 1, stderr:
    error: got/figure.png: 3 columns of 3 sides and 3 rows have no place for 4 stimuli; nothing was cut, correct the grid in a recipe of your own
    exit 2, stderr: error: recipe.toml: figure.png: expected one of sha256, md5 and git, so that it can be checked
    exit 2, stderr: error: recipe.toml: figure.png: expected one of sha256, md5 and git, so that it can be checked
    exit 2, stderr: error: recipe.toml: figure.png: two files have this name here; give another one as `to`
    exit 1, stderr:
    error: elsewhere/none.png: copying failed: No such file or directory
    exit 2, stderr: error: recipe.toml:2: unknown key `license` (did you mean "licence"?)
    exit 2, stderr: error: brain: no recipe is called so, and no file; expected brainhub, brain-diffuser, mindeye-982, spurious-reconstruction or a TOML file
    "#);
}

/// Somebody else's recipe decides about names and numbers; none of them leads out of the folder, and nothing is
/// replaced.
#[test]
fn recipes_stay_in_their_folder() {
    let dir = folder();
    let sha256 = format!("sha256 = \"{}\"", figure(&dir));
    dir.write("mine.png", "my own file");
    std::os::unix::fs::symlink(dir.join("mine.png"), dir.join("link")).unwrap();
    let sound = recipe("there", &sha256, 70);
    let absolute = dir.join("elsewhere").display().to_string();
    let to = |to: &str| sound.replace("[files.grid]", &format!("to = \"{to}\"\n[files.grid]"));
    let side = |side: &str| sound.replace("[\"gt\"", &format!("[\"{side}\""));
    let many = "lefts_px = { first = 0, step = 0, n = 1000000000000 }";
    let cases = [
        ("side above", side("../../ESCAPED")),
        ("absolute side", side(&absolute)),
        ("side with a control character", side("a\\u001bb")),
        ("two sides of one name", side("a")),
        ("name above", to("../x.png")),
        ("absolute name", to(&format!("{absolute}/x.png"))),
        ("folder above", to("...png")),
        ("too many columns", sound.replace("lefts_px = [3, 29, 50]", many)),
        ("too many stimuli", sound.replace("n = 3\n", "n = 9223372036854775807\n")),
        ("cells upon each other", sound.replace("[5, 24, 42]", "{ first = 0, step = 1, n = 45 }")),
    ];
    let last = |ran: &Ran| ran.stderr.lines().last().unwrap_or_default().to_owned();
    let mut said = String::new();
    for (what, text) in cases {
        dir.write("recipe.toml", text);
        let _ = fs::remove_dir_all(dir.join("out"));
        let ran = dir.run("board fetch recipe.toml --out out/got");
        said += &format!("{what}: {}\n", last(&ran));
        assert_ne!(ran.code, 0, "{what}: {ran}");
        assert!(!["out/gt", "out/x.png", "out/ESCAPED", "elsewhere"].iter().any(|name| dir.has(name)), "{what}");
    }
    // A planted link at the file's path, at the download's path, and on the way to a cell.
    dir.write("recipe.toml", &sound);
    for link in ["figure.png", "figure", "figure/gt", "figure/gt/000.png"] {
        let _ = fs::remove_dir_all(dir.join("out"));
        fs::create_dir_all(dir.join("out/got").join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(dir.join("mine.png"), dir.join("out/got").join(link)).unwrap();
        let ran = dir.run("board fetch recipe.toml --out out/got");
        said += &format!("link {link}: {}\n", last(&ran));
        assert_eq!(ran.code, 1, "{link}: {ran}");
    }
    let _ = fs::remove_dir_all(dir.join("out"));
    fs::create_dir_all(dir.join("out/got")).unwrap();
    std::os::unix::fs::symlink(dir.join("mine.png"), dir.join("out/got/figure.png.unchecked")).unwrap();
    dir.succeed("board fetch recipe.toml --out out/got");
    // An existing picture that is not a cell of the grid.
    dir.write("out/got/figure/gt/001.png", dir.bytes("there/figure.png"));
    said += &format!("another picture: {}\n", last(&dir.run("board fetch recipe.toml --out out/got")));
    assert_eq!(dir.read("mine.png"), "my own file");
    // Reading a pipe never ends.
    Command::new("mkfifo").arg(dir.join("there/pipe")).status().unwrap();
    dir.write("recipe.toml", sound.replace("figure.png", "pipe"));
    said += &format!("pipe: {}\n", last(&dir.run("board fetch recipe.toml --out pipes")));
    let said = said.replace(&dir.path().display().to_string(), "[DIR]");
    assert_snapshot!(said, @r#"
    side above: error: out/got/figure: the name "../../ESCAPED"; expected a name within the folder: no .., no absolute path, no control characters
    absolute side: error: out/got/figure: the name "[DIR]/elsewhere"; expected a name within the folder: no .., no absolute path, no control characters
    side with a control character: error: out/got/figure: the name "a\u{1b}b"; expected a name within the folder: no .., no absolute path, no control characters
    two sides of one name: error: out/got/figure.png: two sides have one name: a, a, b; nothing was cut, correct the grid in a recipe of your own
    name above: error: out/got: the name "../x.png"; expected a name within the folder: no .., no absolute path, no control characters
    absolute name: error: out/got: the name "[DIR]/elsewhere/x.png"; expected a name within the folder: no .., no absolute path, no control characters
    folder above: error: out/got: the name ".."; expected a name within the folder: no .., no absolute path, no control characters
    too many columns: error: out/got/figure.png: cells of the grid are beyond the edges of the picture, or lie upon each other; nothing was cut, correct the grid in a recipe of your own
    too many stimuli: error: out/got/figure.png: 3 columns of 3 sides and 3 rows have no place for 9223372036854775807 stimuli; nothing was cut, correct the grid in a recipe of your own
    cells upon each other: error: out/got/figure.png: cells of the grid are beyond the edges of the picture, or lie upon each other; nothing was cut, correct the grid in a recipe of your own
    link figure.png: error: out/got/figure.png: a symbolic link, which could lead out of the folder; remove it
    link figure: error: out/got/figure: a symbolic link, which could lead out of the folder; remove it
    link figure/gt: error: out/got/figure/gt: a symbolic link, which could lead out of the folder; remove it
    link figure/gt/000.png: error: out/got/figure/gt/000.png: a symbolic link, which could lead out of the folder; remove it
    another picture: error: out/got/figure/gt/001.png: holds another picture than this cell; move it away to cut the grid again
    pipe: error: there/pipe: copying failed: this is a pipe; expected a file: write what you have into one first
    "#);
}

/// A server that answers each connection with the next of these, then with the last.
fn answering(replies: &[(&'static str, &'static str, Vec<u8>)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, replies) = (format!("http://{}", listener.local_addr().unwrap()), replies.to_vec());
    std::thread::spawn(move || {
        for (place, stream) in listener.incoming().enumerate() {
            let (status, header, body) = &replies[place.min(replies.len() - 1)];
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status}\r\n{header}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).unwrap();
        }
    });
    address
}

#[test]
fn only_what_may_pass_is_tried_again() {
    let dir = folder();
    let sha256 = format!("sha256 = \"{}\"", figure(&dir));
    let closed = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let busy = ("503 Service Unavailable", "Retry-After: 0", Vec::new());
    let cases = [
        ("closed", closed),
        ("file", answering(&[("302 Found", "Location: file:///etc/passwd", Vec::new())])),
        ("gopher", answering(&[("302 Found", "Location: gopher://127.0.0.1/figure.png", Vec::new())])),
        ("gone", answering(&[("410 Gone", "X: y", Vec::new())])),
        ("busy", answering(&[busy.clone(), busy, ("200 OK", "X: y", dir.bytes("there/figure.png"))])),
    ];
    let mut said = String::new();
    for (what, from) in cases {
        dir.write("recipe.toml", recipe(&from, &sha256, 70).replace("caution = \"drawn\"\n", ""));
        let mut command = dir.command(&format!("board fetch recipe.toml --out {what}"), no_cache());
        // Tests say that the machine is offline.
        said += &format!("{what}: {}\n", Ran::of(command.env_remove("HF_HUB_OFFLINE")));
        assert_eq!(dir.has(format!("{what}/figure.png")), what == "busy");
    }
    assert_snapshot!(said, @r#"
    closed: exit 1, stderr:
    Made up
    licence: none
    error: downloading http://127.0.0.1:[PORT]/figure.png failed: io: Connection refused.
    Fetch it and save it as
      closed/figure.png
    file: exit 1, stderr:
    Made up
    licence: none
    error: downloading http://127.0.0.1:[PORT]/figure.png failed: the server redirects to "file:///etc/passwd", which is no http address.
    Fetch it and save it as
      file/figure.png
    gopher: exit 1, stderr:
    Made up
    licence: none
    error: downloading http://127.0.0.1:[PORT]/figure.png failed: the server redirects to "gopher://127.0.0.1/figure.png", which is no http address.
    Fetch it and save it as
      gopher/figure.png
    gone: exit 1, stderr:
    Made up
    licence: none
    error: downloading http://127.0.0.1:[PORT]/figure.png failed: the server answers 410 Gone.
    Fetch it and save it as
      gone/figure.png
    busy: exit 0, stdout: busy/figure.png: fetched, hash as published, cut into 9 pictures
    stderr:
    Made up
    licence: none
    note: figure.png: the server answers 503 Service Unavailable; trying again in 0 s
    note: figure.png: the server answers 503 Service Unavailable; trying again in 0 s
    "#);
}
