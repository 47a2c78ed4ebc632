//! Sizes of files and amounts of memory, in words.

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
