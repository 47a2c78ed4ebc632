//! Stanford's `.ply`, as text and binary.

use super::{Shape, cut, invalid, malformed};
use crate::FormatError;
use crate::element::ByteOrder;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    Binary(ByteOrder),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Number::I8,
            "uchar" | "uint8" => Number::U8,
            "short" | "int16" => Number::I16,
            "ushort" | "uint16" => Number::U16,
            "int" | "int32" => Number::I32,
            "uint" | "uint32" => Number::U32,
            "float" | "float32" => Number::F32,
            "double" | "float64" => Number::F64,
            _ => return None,
        })
    }
}

struct Property {
    name: String,
    number: Number,
    /// The type of a list's length.
    length: Option<Number>,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Shape, FormatError> {
    let (encoding, elements, body) = header(bytes).map_err(|reason| malformed(path, reason))?;
    let mut values = Values { encoding, left: body };
    let mut shape = Shape::default();
    let mut corners = Vec::new();
    for element in &elements {
        let axes = ["x", "y", "z"]
            .map(|axis| element.properties.iter().position(|one| one.name == axis && one.length.is_none()));
        let is_vertex = element.name == "vertex";
        if is_vertex && axes.contains(&None) {
            let reason = "its element vertex lacks one of the properties x, y and z".to_owned();
            return Err(malformed(path, reason));
        }
        if element.properties.is_empty() && element.count > 0 {
            return Err(malformed(path, format!("its element {} has no properties", element.name)));
        }
        for index in 0..element.count {
            let place = || format!("{} {index}", element.name);
            let mut point = [0.0; 3];
            for (at, property) in element.properties.iter().enumerate() {
                let cut_short = || {
                    let reason = format!("no number for {}; the file ends early, or has other words", property.name);
                    invalid(path, place(), reason)
                };
                let Some(length) = property.length else {
                    let value = values.next(property.number).ok_or_else(cut_short)?;
                    if let Some(axis) = axes.iter().position(|axis| *axis == Some(at)) {
                        point[axis] = value;
                    }
                    continue;
                };
                let n = values.next(length).and_then(whole).ok_or_else(cut_short)?;
                let is_face = element.name == "face" && matches!(&*property.name, "vertex_indices" | "vertex_index");
                corners.clear();
                for _ in 0..n {
                    let value = values.next(property.number).ok_or_else(cut_short)?;
                    if is_face {
                        let corner = whole(value).ok_or_else(|| {
                            invalid(path, place(), format!("the corner {value}; expected a whole number from 0"))
                        })?;
                        corners.push(corner);
                    }
                }
                if is_face {
                    if n < 3 {
                        let reason = format!("{n} corners; expected 3 or more");
                        return Err(invalid(path, place(), reason));
                    }
                    cut(&corners, &mut shape.triangles);
                }
            }
            if is_vertex {
                shape.vertices.push(point);
            }
        }
    }
    let n = shape.vertices.len();
    if let Some(corner) = shape.triangles.iter().flatten().find(|&&corner| corner >= n) {
        return Err(malformed(path, format!("a face has the corner {corner}; the file has {n} points")));
    }
    Ok(shape)
}

fn whole(value: f64) -> Option<usize> {
    (value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX)).then_some(value as usize)
}

/// The encoding, the elements in their order, and the bytes after the header; or what is wrong with it.
fn header(bytes: &[u8]) -> Result<(Encoding, Vec<Element>, &[u8]), String> {
    let mut left = bytes;
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    for number in 1.. {
        let end = left.iter().position(|&byte| byte == b'\n').ok_or("its header has no line end_header")?;
        let line = String::from_utf8_lossy(&left[..end]);
        left = &left[end + 1..];
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let refused = || format!("line {number} of its header is {:?}", line.trim_end());
        match words[..] {
            ["ply"] if number == 1 => {}
            _ if number == 1 => return Err(format!("{}; expected \"ply\"", refused())),
            ["end_header"] => break,
            ["format", "ascii", _] => encoding = Some(Encoding::Text),
            ["format", "binary_little_endian", _] => {
                encoding = Some(Encoding::Binary(ByteOrder::Little));
            }
            ["format", "binary_big_endian", _] => encoding = Some(Encoding::Binary(ByteOrder::Big)),
            ["element", name, count] => elements.push(Element {
                name: name.to_owned(),
                count: count.parse().map_err(|_| refused())?,
                properties: Vec::new(),
            }),
            ["property", ref rest @ ..] => {
                let (number, length, name) = match *rest {
                    ["list", length, number, name] => (number, Some(length), name),
                    [number, name] => (number, None, name),
                    _ => return Err(refused()),
                };
                let length = length.map(|name| Number::named(name).ok_or_else(refused));
                let property = Property {
                    name: name.to_owned(),
                    number: Number::named(number).ok_or_else(refused)?,
                    length: length.transpose()?,
                };
                elements.last_mut().ok_or_else(refused)?.properties.push(property);
            }
            ["comment" | "obj_info", ..] | [] => {}
            _ => return Err(refused()),
        }
    }
    let encoding = encoding.ok_or("its header has no line format ascii, binary_little_endian or binary_big_endian")?;
    Ok((encoding, elements, left))
}

/// The numbers after the header, read one after another.
struct Values<'a> {
    encoding: Encoding,
    left: &'a [u8],
}

impl Values<'_> {
    fn next(&mut self, number: Number) -> Option<f64> {
        let order = match self.encoding {
            Encoding::Text => return self.next_word(),
            Encoding::Binary(order) => order,
        };
        Some(match number {
            Number::I8 => f64::from(i8::from_le_bytes(self.take(order)?)),
            Number::U8 => f64::from(u8::from_le_bytes(self.take(order)?)),
            Number::I16 => f64::from(i16::from_le_bytes(self.take(order)?)),
            Number::U16 => f64::from(u16::from_le_bytes(self.take(order)?)),
            Number::I32 => f64::from(i32::from_le_bytes(self.take(order)?)),
            Number::U32 => f64::from(u32::from_le_bytes(self.take(order)?)),
            Number::F32 => f64::from(f32::from_le_bytes(self.take(order)?)),
            Number::F64 => f64::from_le_bytes(self.take(order)?),
        })
    }

    fn next_word(&mut self) -> Option<f64> {
        let start = self.left.trim_ascii_start();
        let end = start.iter().position(u8::is_ascii_whitespace);
        let (word, rest) = start.split_at(end.unwrap_or(start.len()));
        self.left = rest;
        std::str::from_utf8(word).ok()?.parse().ok()
    }

    /// The next `N` bytes, lowest first.
    fn take<const N: usize>(&mut self, order: ByteOrder) -> Option<[u8; N]> {
        let (&bytes, rest) = self.left.split_first_chunk::<N>()?;
        self.left = rest;
        let mut bytes = bytes;
        if order == ByteOrder::Big {
            bytes.reverse();
        }
        Some(bytes)
    }
}
