//! Numbers in files: element types, byte orders and their decoding.

use std::fmt;

/// The type of an element of a stored array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementType {
    Bool,
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F16,
    Bf16,
    F32,
    F64,
}

impl ElementType {
    /// Bytes per element.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether it has a fraction.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::F16 => "float16",
            Self::Bf16 => "bfloat16",
            Self::F32 => "float32",
            Self::F64 => "float64",
        })
    }
}

/// The byte order of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// `f32` or `f64`: the type that stored numbers are converted to, with at most one rounding.
pub trait Real: Copy {
    /// Appends the numbers in `bytes` (a whole number of elements) to `out`.
    fn decode_into(bytes: &[u8], element: ElementType, order: ByteOrder, out: &mut Vec<Self>);
}

/// Conversions from each kind of number.
trait Convert: Copy {
    fn from_f32(value: f32) -> Self;
    fn from_f64(value: f64) -> Self;
    fn from_i64(value: i64) -> Self;
    fn from_u64(value: u64) -> Self;
}

impl Convert for f32 {
    fn from_f32(value: f32) -> Self {
        value
    }
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    fn from_i64(value: i64) -> Self {
        value as f32
    }
    fn from_u64(value: u64) -> Self {
        value as f32
    }
}

impl Convert for f64 {
    fn from_f32(value: f32) -> Self {
        f64::from(value)
    }
    fn from_f64(value: f64) -> Self {
        value
    }
    fn from_i64(value: i64) -> Self {
        value as f64
    }
    fn from_u64(value: u64) -> Self {
        value as f64
    }
}

// Both are compiled here, where loops are optimised in tests too.
impl Real for f32 {
    fn decode_into(bytes: &[u8], element: ElementType, order: ByteOrder, out: &mut Vec<Self>) {
        decode_into(bytes, element, order, out);
    }
}

impl Real for f64 {
    fn decode_into(bytes: &[u8], element: ElementType, order: ByteOrder, out: &mut Vec<Self>) {
        decode_into(bytes, element, order, out);
    }
}

fn decode_into<T: Convert>(bytes: &[u8], element: ElementType, order: ByteOrder, out: &mut Vec<T>) {
    use ElementType as E;
    match element {
        E::Bool => each(bytes, order, out, |b: [u8; 1]| T::from_u64(u64::from(b[0] != 0))),
        E::U8 => each(bytes, order, out, |b: [u8; 1]| T::from_u64(u64::from(b[0]))),
        E::I8 => each(bytes, order, out, |b| T::from_i64(i8::from_le_bytes(b).into())),
        E::U16 => each(bytes, order, out, |b| T::from_u64(u16::from_le_bytes(b).into())),
        E::I16 => each(bytes, order, out, |b| T::from_i64(i16::from_le_bytes(b).into())),
        E::U32 => each(bytes, order, out, |b| T::from_u64(u32::from_le_bytes(b).into())),
        E::I32 => each(bytes, order, out, |b| T::from_i64(i32::from_le_bytes(b).into())),
        E::U64 => each(bytes, order, out, |b| T::from_u64(u64::from_le_bytes(b))),
        E::I64 => each(bytes, order, out, |b| T::from_i64(i64::from_le_bytes(b))),
        E::F16 => each(bytes, order, out, |b| T::from_f32(half::f16::from_le_bytes(b).to_f32())),
        E::Bf16 => each(bytes, order, out, |b| T::from_f32(half::bf16::from_le_bytes(b).to_f32())),
        E::F32 => each(bytes, order, out, |b| T::from_f32(f32::from_le_bytes(b))),
        E::F64 => each(bytes, order, out, |b| T::from_f64(f64::from_le_bytes(b))),
    }
}

fn each<const N: usize, T>(bytes: &[u8], order: ByteOrder, out: &mut Vec<T>, convert: impl Fn([u8; N]) -> T) {
    let (elements, _) = bytes.as_chunks::<N>();
    match order {
        ByteOrder::Little => out.extend(elements.iter().map(|&element| convert(element))),
        ByteOrder::Big => out.extend(elements.iter().map(|&element| {
            let mut element = element;
            element.reverse();
            convert(element)
        })),
    }
}
