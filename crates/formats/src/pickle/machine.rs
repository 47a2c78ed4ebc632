//! The stack machine that a pickle is a program for.

use super::allow_list::Names;
use super::arena::{Id, Node, expand};
use super::cursor::Cursor;
use super::{Fault, Value};
use std::collections::HashMap;

/// Runs a pickle up to its end and returns what it built, and how many bytes it has.
pub(super) fn run(bytes: &[u8], names: Names) -> Result<(Value, usize), Fault> {
    let mut machine = Machine {
        cursor: Cursor::new(bytes),
        names,
        arena: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: HashMap::new(),
    };
    machine.header()?;
    while machine.step()? {}
    let root = machine.pop()?;
    let value = expand(&machine.arena, root, bytes.len())?;
    Ok((value, machine.cursor.position()))
}

struct Machine<'a> {
    cursor: Cursor<'a>,
    names: Names,
    /// Every value made so far. An opcode makes one at most, so it cannot outgrow the file.
    arena: Vec<Node>,
    stack: Vec<Id>,
    /// Heights of the stack at the open marks.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
}

impl Machine<'_> {
    fn header(&mut self) -> Result<(), Fault> {
        if self.cursor.u8()? != 0x80 {
            return Err(self.cursor.broken("not a pickle of protocol 2 to 5"));
        }
        match self.cursor.u8()? {
            2..=5 => Ok(()),
            other => Err(self
                .cursor
                .broken(format!("protocol {other}; expected 2 to 5"))),
        }
    }

    /// One opcode; `false` at the end. Names are those of Python's `pickletools`.
    fn step(&mut self) -> Result<bool, Fault> {
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
                self.stack.push(top);
            }
            // NONE, NEWTRUE, NEWFALSE.
            b'N' => self.push(Node::None),
            0x88 => self.push(Node::Bool(true)),
            0x89 => self.push(Node::Bool(false)),
            // BININT1, BININT2, BININT, LONG1, LONG4, BINFLOAT.
            b'K' => {
                let value = self.cursor.u8()?;
                self.push(Node::Int(value.into()));
            }
            b'M' => {
                let value = u16::from_le_bytes(self.cursor.array()?);
                self.push(Node::Int(value.into()));
            }
            b'J' => {
                let value = i32::from_le_bytes(self.cursor.array()?);
                self.push(Node::Int(value.into()));
            }
            0x8a => self.integer(1)?,
            0x8b => self.integer(4)?,
            b'G' => {
                let value = f64::from_be_bytes(self.cursor.array()?);
                self.push(Node::Float(value));
            }
            // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8.
            0x8c => self.text(1)?,
            b'X' => self.text(4)?,
            0x8d => self.text(8)?,
            // SHORT_BINSTRING, BINSTRING: what Python 2 calls a str.
            b'U' => self.old_text(1)?,
            b'T' => self.old_text(4)?,
            // SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8.
            b'C' => self.bytes(1)?,
            b'B' => self.bytes(4)?,
            0x8e | 0x96 => self.bytes(8)?,
            // EMPTY_LIST, LIST, APPEND, APPENDS.
            b']' => self.push(Node::List(Vec::new())),
            b'l' => {
                let items = self.pop_to_mark()?;
                self.push(Node::List(items));
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
            b')' => self.push(Node::Tuple(Vec::new())),
            b't' => {
                let items = self.pop_to_mark()?;
                self.push(Node::Tuple(items));
            }
            opcode @ 0x85..=0x87 => self.short_tuple(usize::from(opcode - 0x84))?,
            // EMPTY_DICT, DICT, SETITEM, SETITEMS.
            b'}' => self.push(Node::Dict(Vec::new())),
            b'd' => {
                let items = self.pop_to_mark()?;
                self.push(Node::Dict(Vec::new()));
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
            0x81 if self.names == Names::TorchScript => self.reduce()?,
            b'b' => self.build()?,
            b'Q' => {
                let id = self.pop()?;
                self.push(Node::Persistent(id));
            }
            other => {
                let reason = format!("opcode {other:#04x} is not one that data needs");
                return Err(self.cursor.broken(reason));
            }
        }
        Ok(true)
    }

    fn push(&mut self, node: Node) {
        self.stack.push(self.arena.len());
        self.arena.push(node);
    }

    fn top(&self) -> Result<Id, Fault> {
        let floor = self.marks.last().copied().unwrap_or(0);
        match self.stack.last() {
            Some(&id) if self.stack.len() > floor => Ok(id),
            _ => Err(self.cursor.broken("a value is missing from the stack")),
        }
    }

    fn pop(&mut self) -> Result<Id, Fault> {
        let id = self.top()?;
        self.stack.pop();
        Ok(id)
    }

    fn pop_to_mark(&mut self) -> Result<Vec<Id>, Fault> {
        match self.marks.pop() {
            Some(mark) => Ok(self.stack.split_off(mark)),
            None => Err(self.cursor.broken("no mark on the stack")),
        }
    }

    fn integer(&mut self, width: usize) -> Result<(), Fault> {
        let value = self.cursor.integer(width)?;
        self.push(Node::Int(value));
        Ok(())
    }

    fn text(&mut self, width: usize) -> Result<(), Fault> {
        let text = self.cursor.text(width)?;
        self.push(Node::Str(text));
        Ok(())
    }

    fn old_text(&mut self, width: usize) -> Result<(), Fault> {
        let block = self.cursor.block(width)?;
        let node = match std::str::from_utf8(block) {
            Ok(text) => Node::Str(text.to_owned()),
            Err(_) => Node::Bytes(block.to_vec()),
        };
        self.push(node);
        Ok(())
    }

    fn bytes(&mut self, width: usize) -> Result<(), Fault> {
        let bytes = self.cursor.block(width)?.to_vec();
        self.push(Node::Bytes(bytes));
        Ok(())
    }

    fn short_tuple(&mut self, n: usize) -> Result<(), Fault> {
        let mut items = Vec::with_capacity(n);
        for _ in 0..n {
            items.push(self.pop()?);
        }
        items.reverse();
        self.push(Node::Tuple(items));
        Ok(())
    }

    fn append(&mut self, new: &[Id]) -> Result<(), Fault> {
        let list = self.top()?;
        match &mut self.arena[list] {
            Node::List(items) => {
                items.extend_from_slice(new);
                Ok(())
            }
            _ => Err(self
                .cursor
                .broken("an item for something that is not a list")),
        }
    }

    fn set_items(&mut self, items: &[Id]) -> Result<(), Fault> {
        let dict = self.top()?;
        let (pairs, rest) = items.as_chunks::<2>();
        match &mut self.arena[dict] {
            Node::Dict(entries) if rest.is_empty() => {
                entries.extend(pairs.iter().map(|&[key, value]| (key, value)));
                Ok(())
            }
            Node::Dict(_) => Err(self.cursor.broken("a dict key without a value")),
            _ => Err(self
                .cursor
                .broken("an entry for something that is not a dict")),
        }
    }

    fn memoise(&mut self, key: u32) -> Result<(), Fault> {
        let id = self.top()?;
        self.memo.insert(key, id);
        Ok(())
    }

    fn recall(&mut self, key: u32) -> Result<(), Fault> {
        match self.memo.get(&key) {
            Some(&id) => {
                self.stack.push(id);
                Ok(())
            }
            None => Err(self
                .cursor
                .broken(format!("nothing was remembered as number {key}"))),
        }
    }

    fn global(&mut self, module: String, name: String) -> Result<(), Fault> {
        if !self.names.allow(&module, &name) {
            return Err(Fault::ForbiddenGlobal(format!("{module}.{name}")));
        }
        self.push(Node::Global(module, name));
        Ok(())
    }

    fn stack_global(&mut self) -> Result<(), Fault> {
        let (name, module) = (self.pop()?, self.pop()?);
        match (&self.arena[module], &self.arena[name]) {
            (Node::Str(module), Node::Str(name)) => {
                let (module, name) = (module.clone(), name.clone());
                self.global(module, name)
            }
            _ => Err(self.cursor.broken("a name that is not text")),
        }
    }

    fn reduce(&mut self) -> Result<(), Fault> {
        let (args, callable) = (self.pop()?, self.pop()?);
        let Node::Tuple(arguments) = &self.arena[args] else {
            return Err(self.cursor.broken("a call without a tuple of arguments"));
        };
        let Node::Global(module, name) = &self.arena[callable] else {
            return Err(self.cursor.broken("a call of something that is not a name"));
        };
        let node = match arguments.as_slice() {
            [] if is_ordered_dict(module, name) => Node::Dict(Vec::new()),
            &[pairs] if is_ordered_dict(module, name) => self.dict_of_pairs(pairs)?,
            _ => Node::Object {
                callable,
                args,
                state: None,
            },
        };
        self.push(node);
        Ok(())
    }

    /// Python 2 writes an ordered dict as the call of its class on a list of pairs.
    fn dict_of_pairs(&self, pairs: Id) -> Result<Node, Fault> {
        let pair = |&id: &Id| match &self.arena[id] {
            Node::List(items) | Node::Tuple(items) => match items.as_slice() {
                &[key, value] => Some((key, value)),
                _ => None,
            },
            _ => None,
        };
        let entries = match &self.arena[pairs] {
            Node::List(pairs) => pairs.iter().map(pair).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        match entries {
            Some(entries) => Ok(Node::Dict(entries)),
            None => Err(self
                .cursor
                .broken("an ordered dict of something else than pairs")),
        }
    }

    fn build(&mut self) -> Result<(), Fault> {
        let new = self.pop()?;
        let object = self.top()?;
        match &mut self.arena[object] {
            Node::Object { state, .. } => {
                *state = Some(new);
                Ok(())
            }
            // Attributes of an ordered dict, such as the versions that torch keeps in a
            // state dict: no data.
            Node::Dict(_) => Ok(()),
            _ => Err(self.cursor.broken("a state for something that has none")),
        }
    }
}

fn is_ordered_dict(module: &str, name: &str) -> bool {
    module == "collections" && name == "OrderedDict"
}
