//! Arrays of text, such as the names of images in an `.npz`.

use super::header::parse_header;

/// The texts of a list (`<U12`, `>U12` or `|S12`); `None` for other arrays, and for damaged ones.
pub(crate) fn texts(bytes: &[u8]) -> Option<Vec<String>> {
    let header = parse_header(bytes).ok()?;
    let &[n] = header.shape.as_slice() else {
        return None;
    };
    let (kind, length) = header.dtype.split_at_checked(2)?;
    let length: usize = length.parse().ok()?;
    let character = |four: &[u8; 4]| match kind.starts_with('>') {
        true => u32::from_be_bytes(*four),
        false => u32::from_le_bytes(*four),
    };
    let text = |bytes: &[u8]| -> Option<String> {
        let (fours, _) = bytes.as_chunks::<4>();
        let characters = fours.iter().map(character).filter(|&code| code != 0).map(char::from_u32);
        match kind.ends_with('U') {
            true => characters.collect(),
            false => Some(String::from_utf8(bytes.to_vec()).ok()?.trim_end_matches('\0').to_owned()),
        }
    };
    let size = match kind {
        "<U" | ">U" => length.checked_mul(4)?,
        "|S" => length,
        _ => return None,
    };
    let start = usize::try_from(header.data_offset).ok()?;
    let end = usize::try_from(n).ok()?.checked_mul(size)?.checked_add(start)?;
    bytes.get(start..end)?.chunks_exact(size.max(1)).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list as NumPy writes it.
    fn list(dtype: &str, n: usize, content: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({n},), }}\n");
        let length = (text.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\0", &length[..], text.as_bytes(), content].concat()
    }

    #[test]
    fn texts_of_each_kind_and_nothing_else() {
        let wide = |big: bool| -> Vec<u8> {
            let code = |c: char| {
                if big {
                    (c as u32).to_be_bytes()
                } else {
                    (c as u32).to_le_bytes()
                }
            };
            ['a', '\u{e9}', 'b', '\0'].into_iter().flat_map(code).collect()
        };
        let both = Some(vec!["a\u{e9}".to_owned(), "b".to_owned()]);
        assert_eq!(texts(&list("<U2", 2, &wide(false))), both);
        assert_eq!(texts(&list(">U2", 2, &wide(true))), both);
        assert_eq!(texts(&list("|S2", 2, b"a1b\0")), Some(vec!["a1".to_owned(), "b".to_owned()]));
        assert_eq!(texts(&list("<U2", 3, &wide(false))), None);
        assert_eq!(texts(&list("<f4", 1, &[0; 4])), None);
        assert_eq!(texts(b"rubbish"), None);
    }
}
