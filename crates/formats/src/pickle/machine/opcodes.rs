//! The effect of each opcode of a pickle.

use super::Machine;
use crate::pickle::Fault;
use crate::pickle::allow_list::AllowedNames;
use crate::pickle::arena::Node;

impl Machine<'_> {
    pub(super) fn header(&mut self) -> Result<(), Fault> {
        if self.cursor.u8()? != 0x80 {
            return Err(self.cursor.broken("not a pickle of protocol 2 to 5"));
        }
        match self.cursor.u8()? {
            2..=5 => Ok(()),
            other => Err(self.cursor.broken(format!("protocol {other}; expected 2 to 5"))),
        }
    }

    /// Executes one opcode; returns `false` at the end. Names are those of Python's `pickletools`.
    pub(super) fn step(&mut self) -> Result<bool, Fault> {
        match self.cursor.u8()? {
            b'.' => return Ok(false),
            // FRAME: a hint for readers that buffer.
            0x95 => drop(self.cursor.take(8)?),
            // The stack: MARK, POP, POP_MARK, DUP.
            b'(' => self.marks.push(self.stack.len()),
            b'0' => drop(self.pop()?),
            b'1' => drop(self.pop_to_mark()?),
            b'2' => {
                let top = self.top()?;
                self.stack_again(top)?;
            }
            // NONE, NEWTRUE, NEWFALSE.
            b'N' => self.push(Node::None)?,
            0x88 => self.push(Node::Bool(true))?,
            0x89 => self.push(Node::Bool(false))?,
            // BININT1, BININT2, BININT, LONG1, LONG4, BINFLOAT.
            b'K' => {
                let value = self.cursor.u8()?;
                self.push(Node::Int(value.into()))?;
            }
            b'M' => {
                let value = u16::from_le_bytes(self.cursor.array()?);
                self.push(Node::Int(value.into()))?;
            }
            b'J' => {
                let value = i32::from_le_bytes(self.cursor.array()?);
                self.push(Node::Int(value.into()))?;
            }
            0x8a => self.integer(1)?,
            0x8b => self.integer(4)?,
            b'G' => {
                let value = f64::from_be_bytes(self.cursor.array()?);
                self.push(Node::Float(value))?;
            }
            // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8.
            0x8c => self.text(1)?,
            b'X' => self.text(4)?,
            0x8d => self.text(8)?,
            // SHORT_BINSTRING, BINSTRING: Python 2's str.
            b'U' => self.old_text(1)?,
            b'T' => self.old_text(4)?,
            // SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8.
            b'C' => self.bytes(1)?,
            b'B' => self.bytes(4)?,
            0x8e | 0x96 => self.bytes(8)?,
            // EMPTY_LIST, LIST, APPEND, APPENDS.
            b']' => self.push(Node::List(Vec::new()))?,
            b'l' => {
                let items = self.pop_to_mark()?;
                self.push(Node::List(items))?;
            }
            b'a' => {
                let item = self.pop()?;
                self.append(&[item])?;
            }
            b'e' => {
                let items = self.pop_to_mark()?;
                self.append(&items)?;
            }
            // EMPTY_TUPLE, TUPLE, TUPLE1 to TUPLE3.
            b')' => self.push(Node::Tuple(Vec::new()))?,
            b't' => {
                let items = self.pop_to_mark()?;
                self.push(Node::Tuple(items))?;
            }
            opcode @ 0x85..=0x87 => self.short_tuple(usize::from(opcode - 0x84))?,
            // EMPTY_DICT, DICT, SETITEM, SETITEMS.
            b'}' => self.push(Node::Dict(Vec::new()))?,
            b'd' => {
                let items = self.pop_to_mark()?;
                self.push(Node::Dict(Vec::new()))?;
                self.set_items(&items)?;
            }
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set_items(&[key, value])?;
            }
            b'u' => {
                let items = self.pop_to_mark()?;
                self.set_items(&items)?;
            }
            // BINPUT, LONG_BINPUT, MEMOIZE, BINGET, LONG_BINGET.
            b'q' => {
                let key = self.cursor.u8()?;
                self.memoise(key.into())?;
            }
            b'r' => {
                let key = u32::from_le_bytes(self.cursor.array()?);
                self.memoise(key)?;
            }
            0x94 => self.memoise(self.memo.len() as u32)?,
            b'h' => {
                let key = self.cursor.u8()?;
                self.recall(key.into())?;
            }
            b'j' => {
                let key = u32::from_le_bytes(self.cursor.array()?);
                self.recall(key)?;
            }
            // GLOBAL, STACK_GLOBAL, REDUCE, NEWOBJ, BUILD, BINPERSID.
            b'c' => {
                let module = self.cursor.line()?;
                let name = self.cursor.line()?;
                self.global(module, name)?;
            }
            0x93 => self.stack_global()?,
            b'R' => self.reduce()?,
            0x81 if self.names == AllowedNames::TorchScript => self.reduce()?,
            b'b' => self.build()?,
            b'Q' => {
                let id = self.pop()?;
                self.push(Node::Persistent(id))?;
            }
            other => {
                let reason = format!("opcode {other:#04x} is not one that data needs");
                return Err(self.cursor.broken(reason));
            }
        }
        Ok(true)
    }
}
