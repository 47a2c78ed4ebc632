//! Writes pickles.

use super::Value;

/// Writes a value as a pickle of protocol 4, which every Python since 3.4 reads.
pub fn dump(value: &Value) -> Vec<u8> {
    let mut out = vec![0x80, 4];
    write(value, &mut out);
    out.push(b'.');
    out
}

fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::None => out.push(b'N'),
        Value::Bool(true) => out.push(0x88),
        Value::Bool(false) => out.push(0x89),
        Value::Int(v) => match i32::try_from(*v) {
            Ok(v) => {
                out.push(b'J');
                out.extend(v.to_le_bytes());
            }
            Err(_) => {
                out.extend([0x8a, 8]);
                out.extend(v.to_le_bytes());
            }
        },
        Value::Float(v) => {
            out.push(b'G');
            out.extend(v.to_be_bytes());
        }
        Value::Str(v) => block([0x8c, b'X', 0x8d], v.as_bytes(), out),
        Value::Bytes(v) => block([b'C', b'B', 0x8e], v, out),
        Value::List(items) => {
            out.extend(b"](");
            items.iter().for_each(|item| write(item, out));
            out.push(b'e');
        }
        Value::Tuple(items) => tuple(items, out),
        Value::Dict(entries) => {
            out.extend(b"}(");
            for (key, value) in entries {
                write(key, out);
                write(value, out);
            }
            out.push(b'u');
        }
        Value::Global { module, name } => global(module, name, out),
        Value::Object {
            module,
            name,
            args,
            state,
        } => {
            global(module, name, out);
            tuple(args, out);
            out.push(b'R');
            if let Some(state) = state {
                write(state, out);
                out.push(b'b');
            }
        }
        Value::Persistent(id) => {
            write(id, out);
            out.push(b'Q');
        }
    }
}

fn tuple(items: &[Value], out: &mut Vec<u8>) {
    out.push(b'(');
    items.iter().for_each(|item| write(item, out));
    out.push(b't');
}

fn global(module: &str, name: &str, out: &mut Vec<u8>) {
    block([0x8c, b'X', 0x8d], module.as_bytes(), out);
    block([0x8c, b'X', 0x8d], name.as_bytes(), out);
    out.push(0x93);
}

/// Writes an opcode for lengths of 1, 4 or 8 bytes, the length, and the content.
fn block(opcodes: [u8; 3], content: &[u8], out: &mut Vec<u8>) {
    let length = (content.len() as u64).to_le_bytes();
    let (opcode, width) = match content.len() {
        0..=0xff => (opcodes[0], 1),
        0x100..=0xffff_ffff => (opcodes[1], 4),
        _ => (opcodes[2], 8),
    };
    out.push(opcode);
    out.extend(&length[..width]);
    out.extend(content);
}
