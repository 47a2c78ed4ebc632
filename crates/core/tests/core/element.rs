//! Numbers in files are converted with one rounding.

use neurogauge_core::element::{ByteOrder, ElementType, Real};

fn decode(bytes: &[u8], element: ElementType, order: ByteOrder) -> Vec<f64> {
    let mut out = Vec::new();
    f64::decode_into(bytes, element, order, &mut out);
    out
}

#[test]
fn both_byte_orders() {
    assert_eq!(decode(&[1, 2], ElementType::U16, ByteOrder::Little), [513.0]);
    assert_eq!(decode(&[1, 2], ElementType::U16, ByteOrder::Big), [258.0]);
    assert_eq!(decode(&[0xff, 0xfe], ElementType::I16, ByteOrder::Big), [-2.0]);
    assert_eq!(decode(&[0x3f, 0x80], ElementType::Bf16, ByteOrder::Big), [1.0]);
    assert_eq!(decode(&[0x00, 0x3c], ElementType::F16, ByteOrder::Little), [1.0]);
}

#[test]
fn large_integers_round_once() {
    let mut out: Vec<f32> = Vec::new();
    // A value between two f32: going through f64 first would round it to the even neighbour below.
    let value = (1i64 << 62) + (1 << 38) + 1;
    f32::decode_into(&value.to_le_bytes(), ElementType::I64, ByteOrder::Little, &mut out);
    assert_eq!(out[0] as i64, (1i64 << 62) + (1 << 39));
}
