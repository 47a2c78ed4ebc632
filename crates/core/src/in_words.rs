//! Numbers, sizes and lists as words for messages.

/// `1 pair`, `2 pairs`: a number and a noun whose plural ends in `s`.
///
/// ```
/// use neurogauge_core::counted;
/// assert_eq!(counted(1, "pair"), "1 pair");
/// assert_eq!(counted(0, "pair"), "0 pairs");
/// ```
pub fn counted(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}

const UNITS: [(f64, &str); 3] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];

/// A number of bytes with two significant digits or more, in units of 1000.
///
/// ```
/// use neurogauge_core::byte_size;
/// assert_eq!(byte_size(90_868_376), "91 MB");
/// assert_eq!(byte_size(1_769_000_000), "1.8 GB");
/// assert_eq!(byte_size(999), "999 bytes");
/// ```
pub fn byte_size(bytes: u64) -> String {
    let n = bytes as f64;
    match UNITS.iter().find(|(size, _)| n >= *size) {
        Some((size, unit)) if n < 9.95 * size => format!("{:.1} {unit}", n / size),
        Some((size, unit)) => format!("{:.0} {unit}", n / size),
        None => format!("{bytes} bytes"),
    }
}

/// A duration in readable units.
///
/// ```
/// use neurogauge_core::in_words::duration;
/// assert_eq!([0.4, 119.0, 150.0, 12_000.0].map(duration), ["0 s", "119 s", "3 min", "3 h 20 min"]);
/// ```
pub fn duration(seconds: f64) -> String {
    let (seconds, minutes) = (seconds.round(), (seconds / 60.0).round());
    if seconds < 120.0 {
        format!("{seconds} s")
    } else if minutes < 120.0 {
        format!("{minutes} min")
    } else {
        format!("{} h {} min", (minutes / 60.0).floor(), minutes % 60.0)
    }
}

/// How many names of a user's data a message has at most: of columns, stems, raters, keys, ....
pub const NAMES_SHOWN: usize = 3;

/// The first [`NAMES_SHOWN`] names, and how many more there are.
///
/// ```
/// use neurogauge_core::first_names;
/// assert_eq!(first_names(&["ssim", "psnr"]), "ssim, psnr");
/// assert_eq!(first_names(&["ssim", "psnr", "lpips", "clip", "dino"]), "ssim, psnr, lpips and 2 more");
/// ```
pub fn first_names(names: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = names.iter().take(NAMES_SHOWN).map(AsRef::as_ref).collect();
    match names.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
