//! Checks that a JPEG file is complete.
//!
//! The decoder silently fills missing parts with grey. So the codes of a sequential picture are parsed without decoding
//! pixels. A progressive picture is only checked for its end marker and for the minimum number of bytes that its blocks
//! need.

/// A table of Huffman codes: for each length, the first code, the number of codes, and the position of their first
/// value.
#[derive(Clone, Default)]
struct Codes {
    of_length: [(u32, u32, usize); 16],
    values: Vec<u8>,
    /// Length and value of the code that begins with these eight bits; length 0 for longer codes.
    short: Vec<(u8, u8)>,
}

impl Codes {
    fn short_code(&self, bits: u32) -> (u8, u8) {
        for (length, (first, count, before)) in (1_u8..=8).zip(&self.of_length) {
            if let Some(place) = (bits >> (8 - length)).checked_sub(*first)
                && place < *count
                && let Some(value) = self.values.get(before + place as usize)
            {
                return (length, *value);
            }
        }
        (0, 0)
    }
}

struct Component {
    id: u8,
    across: u64,
    down: u64,
}

#[derive(Default)]
struct Picture {
    width_px: u64,
    height_px: u64,
    components: Vec<Component>,
    /// For each kind (DC, AC), four tables.
    codes: [[Option<Codes>; 4]; 2],
    /// Number of units between two restart markers; 0 if there are none.
    restart: u64,
    /// Is it sequential, so that its codes are parsed?
    is_sequential: bool,
}

/// Checks these bytes; the error says why they are not a complete picture.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    if !has_end(bytes) {
        return Err("a JPEG that ends before its picture does".to_owned());
    }
    let mut picture = Picture::default();
    let mut at = 2;
    // Segments that this check does not understand are left to the decoder.
    while let Some((marker, segment, after)) = next_segment(bytes, at) {
        at = after;
        match marker {
            0xc0..=0xc2 => {
                picture.is_sequential = marker != 0xc2;
                if picture.frame(segment).is_none() {
                    return Ok(());
                }
                picture.check_size(bytes.len())?;
            }
            0xc4 if picture.tables(segment).is_none() => return Ok(()),
            0xdd if segment.len() >= 2 => picture.restart = u64::from(two(segment)),
            0xda if picture.is_sequential => match picture.walk(segment, &bytes[at..]) {
                Some(Ok(n)) => at += n,
                Some(Err(reason)) => return Err(reason),
                None => return Ok(()),
            },
            0xda | 0xd9 => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}

/// Is there an end marker after the picture's segments? Thumbnails are within these segments, the compressed data has
/// no markers other than those for restarts, and bytes after the end, such as the video of a phone, do not count.
fn has_end(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some((marker, _, after)) = next_segment(bytes, at) {
        if marker == 0xd9 {
            return true;
        }
        at = after;
    }
    false
}

fn two(bytes: &[u8]) -> u16 {
    u16::from_be_bytes([bytes[0], bytes[1]])
}

/// The next marker with its content, and the position after it.
fn next_segment(bytes: &[u8], from: usize) -> Option<(u8, &[u8], usize)> {
    let mut at = from;
    while *bytes.get(at)? != 0xff || matches!(*bytes.get(at + 1)?, 0 | 0xff | 0xd0..=0xd7) {
        at += 1;
    }
    let marker = bytes[at + 1];
    if matches!(marker, 0xd8 | 0xd9 | 0x01) {
        return Some((marker, &[], at + 2));
    }
    let length = usize::from(two(bytes.get(at + 2..at + 4)?));
    let end = at + 2 + length;
    Some((marker, bytes.get(at + 4..end)?, end))
}

impl Picture {
    fn frame(&mut self, segment: &[u8]) -> Option<()> {
        let head = segment.get(..6)?;
        if head[0] != 8 {
            return None;
        }
        (self.height_px, self.width_px) = (two(&head[1..]).into(), two(&head[3..]).into());
        let components = segment.get(6..6 + 3 * usize::from(head[5]))?;
        self.components = components
            .chunks_exact(3)
            .map(|component| Component {
                id: component[0],
                across: u64::from(component[1] >> 4),
                down: u64::from(component[1] & 15),
            })
            .collect();
        let sound = |component: &Component| (1..=4).contains(&component.across) && (1..=4).contains(&component.down);
        let is_sound = self.width_px > 0 && self.height_px > 0 && !self.components.is_empty();
        (is_sound && self.components.iter().all(sound)).then_some(())
    }

    /// Checks the number of bytes: each block of 8 x 8 px needs at least one bit.
    fn check_size(&self, n_bytes: usize) -> Result<(), String> {
        let n_blocks = self.width_px.div_ceil(8) * self.height_px.div_ceil(8);
        if n_blocks / 8 > n_bytes as u64 {
            return Err(format!(
                "a JPEG of {} x {} px in {n_bytes} bytes, so most of its picture is missing",
                self.width_px, self.height_px
            ));
        }
        Ok(())
    }

    fn tables(&mut self, mut segment: &[u8]) -> Option<()> {
        while let Some((&place, rest)) = segment.split_first() {
            let counts = rest.get(..16)?;
            let n_values: usize = counts.iter().map(|&n| usize::from(n)).sum();
            let values = rest.get(16..16 + n_values)?;
            let mut codes = Codes {
                values: values.to_vec(),
                ..Codes::default()
            };
            let (mut code, mut before) = (0_u32, 0);
            for (length, &count) in codes.of_length.iter_mut().zip(counts) {
                *length = (code, u32::from(count), before);
                before += usize::from(count);
                code = (code + u32::from(count)) << 1;
            }
            codes.short = (0..256).map(|bits| codes.short_code(bits)).collect();
            let table = self.codes.get_mut(usize::from(place >> 4))?;
            *table.get_mut(usize::from(place & 15))? = Some(codes);
            segment = &rest[16 + n_values..];
        }
        Some(())
    }

    /// Parses a scan, and returns its number of bytes, or why it is incomplete; `None` for a scan that this check does
    /// not understand.
    fn walk(&self, header: &[u8], data: &[u8]) -> Option<Result<usize, String>> {
        let chosen = header.get(1..1 + 2 * usize::from(*header.first()?))?.chunks_exact(2);
        let chosen: Vec<(&Component, &Codes, &Codes)> = chosen
            .map(|pair| {
                let component = self.components.iter().find(|known| known.id == pair[0])?;
                let table = |kind: usize, place: u8| self.codes[kind].get(usize::from(place))?.as_ref();
                Some((component, table(0, pair[1] >> 4)?, table(1, pair[1] & 15)?))
            })
            .collect::<Option<_>>()?;
        let across = self.components.iter().map(|c| c.across).max()?;
        let down = self.components.iter().map(|c| c.down).max()?;
        let (columns, rows) = match chosen.as_slice() {
            // A scan of one component has only the blocks within the picture.
            [(one, ..)] => {
                ((self.width_px * one.across).div_ceil(across * 8), (self.height_px * one.down).div_ceil(down * 8))
            }
            _ => (self.width_px.div_ceil(8 * across), self.height_px.div_ceil(8 * down)),
        };
        let mut bits = Bits::of(data);
        let n_units = columns * rows;
        for unit in 0..n_units {
            if self.restart > 0 && unit > 0 && unit % self.restart == 0 {
                bits.restart()?;
            }
            for (component, dc, ac) in &chosen {
                let n_blocks = if chosen.len() == 1 {
                    1
                } else {
                    component.across * component.down
                };
                for _ in 0..n_blocks {
                    if bits.block(dc, ac).is_none() {
                        let (column, row) = (unit % columns, unit / columns);
                        return Some(Err(format!(
                            "a JPEG whose picture is damaged or missing from block {column} of row {row} on (of {columns} x {rows})"
                        )));
                    }
                }
            }
        }
        Some(Ok(bits.at))
    }
}

/// The bits of a scan, up to the next marker.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    held: u64,
    n_held: u32,
}

impl<'a> Bits<'a> {
    fn of(data: &'a [u8]) -> Self {
        Bits {
            data,
            at: 0,
            held: 0,
            n_held: 0,
        }
    }

    /// Ensures that `n` bits (at most 32) are available; `None` at a marker or at the end.
    fn need(&mut self, n: u32) -> Option<()> {
        while self.n_held < n {
            let byte = *self.data.get(self.at)?;
            self.at += 1;
            if byte == 0xff {
                if self.data.get(self.at) != Some(&0) {
                    self.at -= 1;
                    return None;
                }
                self.at += 1;
            }
            self.held = self.held << 8 | u64::from(byte);
            self.n_held += 8;
        }
        Some(())
    }

    fn take(&mut self, n: u32) -> Option<u32> {
        self.need(n)?;
        self.n_held -= n;
        let taken = (self.held >> self.n_held) as u32;
        Some(taken & ((1_u64 << n) - 1) as u32)
    }

    fn value(&mut self, codes: &Codes) -> Option<u8> {
        if self.need(8).is_some() {
            let bits = (self.held >> (self.n_held - 8)) as usize & 255;
            let (length, value) = codes.short[bits];
            if length > 0 {
                self.n_held -= u32::from(length);
                return Some(value);
            }
        }
        let mut code = 0;
        for (first, count, before) in &codes.of_length {
            code = code << 1 | self.take(1)?;
            if let Some(place) = code.checked_sub(*first)
                && place < *count
            {
                return codes.values.get(before + place as usize).copied();
            }
        }
        None
    }

    /// Reads a block of 64 coefficients; `None` if it is incomplete.
    fn block(&mut self, dc: &Codes, ac: &Codes) -> Option<()> {
        let size = self.value(dc)?;
        self.take(u32::from(size).min(16))?;
        let mut place = 1;
        while place < 64 {
            let value = self.value(ac)?;
            let (zeros, size) = (u32::from(value >> 4), u32::from(value & 15));
            match (zeros, size) {
                (15, 0) => place += 16,
                (_, 0) => break,
                _ => {
                    self.take(size)?;
                    place += zeros + 1;
                }
            }
        }
        Some(())
    }

    /// Skips the expected restart marker.
    fn restart(&mut self) -> Option<()> {
        (self.held, self.n_held) = (0, 0);
        while *self.data.get(self.at)? != 0xff || !matches!(*self.data.get(self.at + 1)?, 0xd0..=0xd7) {
            // Any other marker ends the scan early.
            if self.data[self.at] == 0xff && !matches!(*self.data.get(self.at + 1)?, 0 | 0xff) {
                return None;
            }
            self.at += 1;
        }
        self.at += 2;
        Some(())
    }
}
