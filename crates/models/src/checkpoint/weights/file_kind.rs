//! Checks that the content of a downloaded file fits its name.

use neurogauge_formats::regular_file;
use serde::de::IgnoredAny;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// First characters of web pages and Git LFS pointers, in lowercase.
const PAGES: [(&[u8], &str); 4] = [
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "a message in XML"),
    (b"version https://git-lfs", "a pointer of Git LFS"),
];

/// `torch.save` writes a zip archive; early versions write a pickle, of protocol 2 by default.
const CHECKPOINT: &[&[u8]] = &[b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"];

/// First bytes of files, by extension.
const BEGINNINGS: [(&str, &[&[u8]]); 9] = [
    (".npy", &[b"\x93NUMPY"]),
    (".png", &[b"\x89PNG"]),
    (".jpg", &[b"\xff\xd8\xff"]),
    (".jpeg", &[b"\xff\xd8\xff"]),
    (".pth", CHECKPOINT),
    (".pt", CHECKPOINT),
    (".pth.tar", CHECKPOINT),
    (".ckpt", CHECKPOINT),
    (".bin", CHECKPOINT),
];

/// The longest header that the format allows, bytes.
const LONGEST_HEADER: u64 = 100_000_000;

/// Does the file match its name? The inner error describes its actual kind.
pub(super) fn check_kind(path: &Path, name: &str) -> io::Result<Result<(), String>> {
    let start = start(path)?;
    let not = |what: &str| Ok(Err(format!("the server sends {what} instead of {name}")));
    if let Some(page) = page(&start) {
        return not(page);
    }
    if name.ends_with(".json") {
        let file = BufReader::new(regular_file::open(path)?);
        return match serde_json::from_reader::<_, IgnoredAny>(file) {
            Ok(_) => Ok(Ok(())),
            Err(error) => not(&format!("something other than JSON ({error})")),
        };
    }
    if name.ends_with(".safetensors") {
        let length = regular_file::open(path)?.metadata()?.len();
        let header = start.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let fits = (2..=LONGEST_HEADER).contains(&header) && header + 8 <= length;
        return match fits && start.get(8) == Some(&b'{') {
            true => Ok(Ok(())),
            false => not("something other than a safetensors file"),
        };
    }
    let mut expected = BEGINNINGS.iter().filter(|(ending, _)| name.ends_with(ending));
    match expected.next() {
        Some((ending, beginnings)) if !beginnings.iter().any(|known| start.starts_with(known)) => {
            not(&format!("something other than a {ending} file"))
        }
        _ => Ok(Ok(())),
    }
}

/// Is the file a web page, or something else that servers send instead of a file?
pub(super) fn is_page(path: &Path) -> io::Result<bool> {
    Ok(page(&start(path)?).is_some())
}

fn page(start: &[u8]) -> Option<&'static str> {
    let start = start.trim_ascii_start().to_ascii_lowercase();
    let mut pages = PAGES.iter();
    pages.find(|(beginning, _)| start.starts_with(beginning)).map(|(_, what)| *what)
}

fn start(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    regular_file::open(path)?.take(512).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_what_it_is_called_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let header = br#"{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}"#;
        let mut weights = (header.len() as u64).to_le_bytes().to_vec();
        weights.extend_from_slice(header);
        for (name, content, expected) in [
            ("model.safetensors", &weights[..], None),
            ("model.safetensors", &weights[..20], Some("other than a safetensors")),
            ("model.safetensors", b"\n <!DOCTYPE html>", Some("a web page")),
            ("weights.pth", b"<html>", Some("a web page")),
            ("weights.pth", b"\x80\x02\x8a", None),
            ("weights.pth.tar", b"PK\x03\x04...", None),
            ("weights.pth.tar", b"try again later", Some("other than a .pth.tar")),
            ("weights.ckpt", b"{\"error\": 1}", Some("other than a .ckpt")),
            ("weights.bin", b"try again later", Some("other than a .bin")),
            ("weights.pth", b"version https://git-lfs.github.com/spec/v1", Some("Git LFS")),
            ("config.json", b"{\"a\": 1}", None),
            ("config.json", b"{\"a\": 1", Some("other than JSON")),
            ("input.npy", b"\x93NUMPY\x01", None),
            ("picture.png", b"\xff\xd8\xff", Some("other than a .png")),
        ] {
            std::fs::write(&path, content).unwrap();
            let found = check_kind(&path, name).unwrap();
            match expected {
                None => assert_eq!(found, Ok(()), "{name}"),
                Some(words) => assert!(found.unwrap_err().contains(words), "{name} {words}"),
            }
        }
    }
}
