//! Files of a few bytes or kilobytes that describe gigabytes: they are refused with the file, its part and the limit,
//! without allocating the memory. The process would be killed if it allocated what a file asks for.

use crate::prelude::*;
use crate::processor_time::grows_less;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use neurogauge_formats::image_limit::DEFAULT_MAX_PIXELS;
use neurogauge_formats::masks::read_label_map;

/// Writes a zip archive with these entries, each given in pieces.
fn write_zip(path: &Path, method: CompressionMethod, entries: &[(&str, &[&[u8]], usize)]) {
    let mut archive = ZipWriter::new(std::io::BufWriter::new(std::fs::File::create(path).unwrap()));
    let options = SimpleFileOptions::default().compression_method(method).large_file(true);
    for (name, pieces, repeats) in entries {
        archive.start_file(*name, options).unwrap();
        for (place, piece) in pieces.iter().enumerate() {
            // The last piece is repeated as often as requested.
            let repeats = if place + 1 == pieces.len() { *repeats } else { 1 };
            (0..repeats).for_each(|_| archive.write_all(piece).unwrap());
        }
    }
    archive.finish().unwrap();
}

fn npy_header(shape: &str) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    header.resize(117, b' ');
    header.push(b'\n');
    [b"\x93NUMPY\x01\x00\x76\x00", &header[..]].concat()
}

/// A PNG of this size with compressed `rows`; `color` 0 is grey.
fn write_png(path: &Path, (width, height): (u32, u32), depth: u8, rows: &[u8]) {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8], content: &[u8]| {
        png.extend((content.len() as u32).to_be_bytes());
        let named = [name, content].concat();
        png.extend(&named);
        let mut crc = flate2::Crc::new();
        crc.update(&named);
        png.extend(crc.sum().to_be_bytes());
    };
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&size[..], &[depth, 0, 0, 0, 0]].concat());
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::best());
    pixels.write_all(rows).unwrap();
    chunk(b"IDAT", &pixels.finish().unwrap());
    chunk(b"IEND", b"");
    std::fs::write(path, png).unwrap();
}

/// The message of a refusal, which must name the file and a number of bytes.
#[track_caller]
fn too_large<T: std::fmt::Debug>(result: Result<T, FormatError>, path: &Path) -> String {
    let words = result.unwrap_err().to_string();
    assert!(
        words.starts_with(&path.display().to_string()) && words.contains("and this file may take"),
        "{words}"
    );
    words
}

fn pickled(dir: &Path, name: &str, pickle: &[&[u8]], repeats: usize, torchscript: bool) -> PathBuf {
    let path = dir.join(name);
    let mut entries = vec![("archive/data.pkl", pickle, repeats)];
    if torchscript {
        entries.push(("archive/constants.pkl", &[b"\x80\x02)."], 1));
    }
    write_zip(&path, CompressionMethod::Stored, &entries);
    path
}

#[test]
fn a_torchscript_name_of_a_megabyte_that_is_referred_to_twenty_thousand_times() {
    let dir = tempfile::tempdir().unwrap();
    let name = vec![b'a'; 1_000_000];
    let references = b"h\x01".repeat(20_000);
    let pickle = [b"\x80\x02](c__torch__.", &name[..], b"\nM\nq\x01", &references, b"e."].concat();
    let path = pickled(dir.path(), "names.pt", &[&pickle], 1, true);
    let error = state_dict::open(&path).unwrap_err().to_string();
    assert!(error.contains("names.pt") && error.contains("shared"), "{error}");
    // The same with a separate call for each.
    let calls = b"h\x01)\x81".repeat(20_000);
    let pickle = [b"\x80\x02](c__torch__.", &name[..], b"\nM\nq\x01", &calls, b"e."].concat();
    let path = pickled(dir.path(), "calls.pt", &[&pickle], 1, true);
    assert!(state_dict::open(&path).is_err());
}

#[test]
fn sixty_million_nothings() {
    let dir = tempfile::tempdir().unwrap();
    let none = vec![b'N'; 1_000_000];
    let path = pickled(dir.path(), "none.pt", &[b"\x80\x02](", &none], 60, false);
    too_large(pt::open(&path), &path);
    too_large(state_dict::open(&path), &path);
}

#[test]
fn an_ordered_dict_made_again_and_again_of_the_same_pairs() {
    let dir = tempfile::tempdir().unwrap();
    let pairs = b"K\x01K\x01\x86".repeat(100_000);
    let head = [b"\x80\x02ccollections\nOrderedDict\nq\x00](", &pairs[..], b"e\x85q\x01"].concat();
    let calls = b"h\x00h\x01R0".repeat(10_000);
    let path = pickled(dir.path(), "dicts.pt", &[&head, &calls, b"N."], 1, false);
    too_large(pt::open(&path), &path);
}

#[test]
fn zeros_that_inflate_to_gigabytes() {
    let (_folder, path) = place("zeros.npz");
    let zeros = vec![0; 1 << 24];
    let head = npy_header("(268435456,)");
    write_zip(&path, CompressionMethod::Deflated, &[("a.npy", &[&head, &zeros], 128)]);
    assert!(std::fs::metadata(&path).unwrap().len() < 4 << 20);
    let words = too_large(array_file::open(&path), &path);
    assert!(words.contains("\"a\""), "{words}");
    too_large(metric_table::read(&path), &path);
}

#[test]
fn sixty_thousand_members_are_looked_up_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let pieces: [&[u8]; 1] = [&[npy_header("(1,)"), vec![0; 8]].concat()];
    let write = |n: usize| {
        let path = dir.path().join(format!("{n}_members.npz"));
        let names: Vec<String> = (0..n).map(|name| format!("m{name}.npy")).collect();
        let entries: Vec<_> = names.iter().map(|name| (name.as_str(), &pieces[..], 1)).collect();
        write_zip(&path, CompressionMethod::Stored, &entries);
        path
    };
    let read = |path: &Path, n: usize| {
        assert_eq!(metric_table::read(path).unwrap().metrics.len(), n);
    };
    let (few, many) = (write(6000), write(60_000));
    // Formerly quadratic in the number of lists.
    grows_less(50.0, || read(&few, 6000), || read(&many, 60_000));
}

#[test]
fn images_that_announce_more_pixels_than_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("map.png");
    write_png(&path, (1 << 20, 1 << 20), 8, &[0; 9]);
    let words = format!("1048576 x 1048576 px, and none of more than {DEFAULT_MAX_PIXELS} pixels is read");
    refused(read_label_map(&path, &BTreeMap::new()), &words);
    refused(image_file::read_rgb8(&path), &words);
    let path = dir.path().join("one_bit.png");
    write_png(&path, (22_000, 22_000), 1, &vec![0; 2751 * 22_000]);
    refused(image_file::read_rgb8(&path), "pixels is read; if it is meant");
}

#[test]
fn a_label_map_of_many_numbers_takes_one_walk() {
    let dir = tempfile::tempdir().unwrap();
    let (width, height) = (2000_usize, 2000_usize);
    // Each number is written for a square of `block` pixels a side.
    let write = |block: usize| {
        let path = dir.path().join(format!("blocks_of_{block}.png"));
        let mut rows = Vec::new();
        for y in 0..height {
            rows.push(0);
            let number = |x: usize| (y / block * (width / block) + x / block) as u16;
            rows.extend((0..width).flat_map(|x| number(x).to_be_bytes()));
        }
        write_png(&path, (width as u32, height as u32), 16, &rows);
        path
    };
    let names: BTreeMap<u16, String> = (0..=u16::MAX).map(|n| (n, n.to_string())).collect();
    let read = |path: &Path| read_label_map(path, &names).unwrap();
    let (few, many) = (write(80), write(8));
    let masks = read(&many);
    assert_eq!(masks.items.len(), 62_500);
    let last = &masks.items[62_499].mask;
    assert_eq!((last.area_px2(), masks.items[62_499].bbox.x0), (64, 1992.0));
    // A hundred times as many numbers for the same number of pixels.
    grows_less(50.0, || drop(read(&few)), || drop(read(&many)));
}

/// The picture of a truncated JPEG is missing, with or without an end marker after it.
#[test]
fn jpegs_whose_picture_is_missing() {
    let goldens = golden("formats_arrays");
    let dir = tempfile::tempdir().unwrap();
    for name in ["rgb_420.jpg", "rgb_444.jpg", "grey.jpg", "cmyk.jpg", "progressive.jpg"] {
        let whole = std::fs::read(goldens.join(name)).unwrap();
        let scan = whole.windows(2).rposition(|pair| pair == [0xff, 0xda]).unwrap();
        let path = dir.path().join(name);
        let mut n_refused = 0;
        for tenth in 1..10 {
            let kept = scan + 12 + (whole.len() - scan - 12) * tenth / 10;
            std::fs::write(&path, [&whole[..kept], b"\xff\xd9"].concat()).unwrap();
            n_refused += usize::from(image_file::read_rgb8(&path).is_err());
        }
        // For a progressive picture it is only known whether there are too few bytes for its blocks.
        assert!(n_refused == 9 || name == "progressive.jpg", "{name}: {n_refused} of 9");
    }
    let whole = std::fs::read(goldens.join("rgb_444.jpg")).unwrap();
    let size = whole.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap() + 5;
    let mut wide = whole;
    wide[size..size + 4].copy_from_slice(&[0x20, 0, 0x20, 0]);
    let path = dir.path().join("wide.jpg");
    std::fs::write(&path, wide).unwrap();
    let error = image_file::read_rgb8(&path).unwrap_err().to_string();
    assert!(error.contains("8192 x 8192 px") && error.contains("missing"), "{error}");
}

#[test]
fn a_file_that_is_something_else_is_named_by_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    for (content, expected) in [
        (&b""[..], "an empty file"),
        (b"GIF89a\x01\x00\x01\x00", "it ends too early"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"\x00\x00\x00\x18ftypheic", "HEIC"),
        (b"%PDF-1.7", "a PDF"),
        (b"a text, in fact", "text that begins with"),
    ] {
        let path = dir.path().join("1.png");
        std::fs::write(&path, content).unwrap();
        let error = image_file::read_rgb8(&path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("1.png"), "{error}");
    }
    for content in [&b"\xef\xbb\xbf{\"1\": \"a\"}"[..], b"\xff\xfe{\x00", b"{\x00\"\x00"] {
        let path = dir.path().join("captions.json");
        std::fs::write(&path, content).unwrap();
        let error = captions::read(&path).unwrap_err().to_string();
        assert!(error.contains("byte-order mark") && error.contains(":1:"), "{error}");
    }
}

#[test]
fn a_file_without_an_end() {
    if let Ok(metadata) = std::fs::metadata("/dev/zero") {
        assert!(!metadata.is_file());
        refused(npy::open("/dev/zero".as_ref()), "/dev/zero");
    }
}

/// A stream of zlib that inflates to 2 GiB of zeros: that of 16 MiB, repeated.
fn two_gigabytes_of_zeros() -> Vec<u8> {
    let mut packed = DeflateEncoder::new(vec![0x78, 0xda], Compression::best());
    let mut add = || {
        packed.write_all(&vec![0; 1 << 24]).unwrap();
        packed.flush().unwrap();
        packed.get_ref().clone()
    };
    let (first, both) = (add(), add());
    let mut stream = first.clone();
    (1..128).for_each(|_| stream.extend(&both[first.len()..]));
    // An empty last block, and Adler's sums: 1, and the number of bytes modulo 65521.
    stream.extend([3, 0]);
    stream.extend((((1_u32 << 31) % 65_521) << 16 | 1).to_be_bytes());
    stream
}

/// A list of these positions would take 137 GB.
#[test]
fn places_of_a_volume_that_a_header_announces() {
    let (_folder, path) = place("betas.mgh");
    let mut header = [0; 284];
    // Version, width, height, depth, frames, and bytes as the type of values.
    for (place, number) in [1, 1 << 15, 1 << 15, 16, 1, 0].into_iter().enumerate() {
        header[4 * place..4 * place + 4].copy_from_slice(&i32::to_be_bytes(number));
    }
    std::fs::write(&path, header).unwrap();
    let words = too_large(brain_image::read(&path, &Region::default()), &path);
    assert!(words.contains("[32768, 32768, 16] places"), "{words}");
}

#[test]
fn an_array_of_a_surface_that_inflates_to_gigabytes() {
    let (_folder, path) = place("labels.gii");
    let write = |encoding: &str, data: &str| {
        let shape = "DataType=\"NIFTI_TYPE_UINT8\" Dimensionality=\"1\" Dim0=\"2147483648\"";
        let text = format!("<GIFTI><DataArray {shape} Encoding=\"{encoding}\"><Data>{data}</Data></DataArray></GIFTI>");
        std::fs::write(&path, text).unwrap();
    };
    // Refused because of the shape, before the text is read.
    for (encoding, data) in [("ASCII", "1 2"), ("GZipBase64Binary", "not base64")] {
        write(encoding, data);
        let words = too_large(gifti::read(&path), &path);
        assert!(words.contains("an array of the shape [2147483648] takes 17 GB"), "{words}");
    }
    // The shape has three values, but the text inflates to 2 GiB.
    let packed = STANDARD.encode(two_gigabytes_of_zeros());
    let text = format!(
        "<GIFTI><DataArray DataType=\"NIFTI_TYPE_UINT8\" Dimensionality=\"1\" Dim0=\"3\" \
         Encoding=\"GZipBase64Binary\"><Data>{packed}</Data></DataArray></GIFTI>"
    );
    std::fs::write(&path, text).unwrap();
    assert!(gifti::read(&path).is_err());
}

/// Parts that the decoder does not need are not inflated.
#[test]
fn a_colour_profile_of_two_gigabytes() {
    let (_folder, path) = place("1.png");
    write_png(&path, (2, 2), 8, &[0, 1, 2, 0, 3, 4]);
    let plain = image_file::read_rgb8(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let profile = [b"icc\0\0", &two_gigabytes_of_zeros()[..]].concat();
    let mut chunk = (profile.len() as u32).to_be_bytes().to_vec();
    chunk.extend([b"iCCP", &profile[..]].concat());
    let mut crc = flate2::Crc::new();
    crc.update(&chunk[4..]);
    chunk.extend(crc.sum().to_be_bytes());
    // After the signature and the header.
    std::fs::write(&path, [&bytes[..33], &chunk, &bytes[33..]].concat()).unwrap();
    assert_eq!(image_file::read_rgb8(&path).unwrap(), plain);
    let names = BTreeMap::from([1, 2, 3, 4].map(|n| (n, n.to_string())));
    assert_eq!(read_label_map(&path, &names).unwrap().items.len(), 4);
}

#[test]
fn a_bmp_of_a_kilobyte_is_no_picture_of_a_hundred_million_pixels() {
    let (_folder, path) = place("1.bmp");
    let mut bytes = b"BM".to_vec();
    bytes.resize(14 + 40 + 1024, 0);
    for (place, number) in [(10, 1078_u32), (14, 40), (18, 9999), (22, 9999), (30, 1)] {
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
    }
    bytes[26..30].copy_from_slice(&[1, 0, 8, 0]);
    bytes.extend([4, 1, 0, 1]);
    std::fs::write(&path, bytes).unwrap();
    refused(image_file::read_rgb8(&path), "9999 x 9999 px, and 9998 lines of it are missing");
}
