//! Reads the bytes of a pickle, never past their end.

use super::Fault;

pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, position: 0 }
    }

    /// Number of bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn broken(&self, reason: impl Into<String>) -> Fault {
        Fault::Broken {
            offset: self.position,
            reason: reason.into(),
        }
    }

    pub(super) fn take(&mut self, n: u64) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.position..];
        match usize::try_from(n).ok().and_then(|n| rest.get(..n)) {
            Some(taken) => {
                self.position += taken.len();
                Ok(taken)
            }
            None => Err(self.broken(format!("{n} bytes announced, {} left; the file was cut short", rest.len()))),
        }
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Fault> {
        Ok(self.array::<1>()?[0])
    }

    /// Reads a little-endian length of `width` bytes, then that many bytes.
    pub(super) fn block(&mut self, width: usize) -> Result<&'a [u8], Fault> {
        let mut length = [0; 8];
        length[..width].copy_from_slice(self.take(width as u64)?);
        self.take(u64::from_le_bytes(length))
    }

    pub(super) fn text(&mut self, width: usize) -> Result<String, Fault> {
        let block = self.block(width)?;
        match std::str::from_utf8(block) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(self.broken("a text that is not UTF-8")),
        }
    }

    /// Reads text up to a line feed.
    pub(super) fn line(&mut self) -> Result<String, Fault> {
        let rest = &self.bytes[self.position..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            return Err(self.broken("a name without an end; the file was cut short"));
        };
        let line = String::from_utf8_lossy(&rest[..length]).into_owned();
        self.position += length + 1;
        Ok(line)
    }

    /// Reads a little-endian two's complement integer of `width` bytes.
    pub(super) fn integer(&mut self, width: usize) -> Result<i64, Fault> {
        let block = self.block(width)?;
        let fill = if block.last().is_some_and(|&byte| byte >= 0x80) {
            0xff
        } else {
            0
        };
        let (low, high) = block.split_at(block.len().min(8));
        let mut bytes = [fill; 8];
        bytes[..low.len()].copy_from_slice(low);
        let value = i64::from_le_bytes(bytes);
        if high.iter().any(|&byte| byte != fill) || (value < 0) != (fill == 0xff) {
            return Err(self.broken("an integer beyond 64 bits"));
        }
        Ok(value)
    }
}
