//! The stack machine that interprets pickles.

mod building;
mod opcodes;

use super::allow_list::AllowedNames;
use super::arena::{Id, Node, expand};
use super::cursor::Cursor;
use super::{Fault, Value};
use crate::budget::Budget;
use std::collections::HashMap;

/// Memory budget per byte of a pickle. Texts, which make up most data, need at most 5 bytes; a `None` of one byte would
/// need a hundred.
const PER_BYTE: u64 = 8;

/// Runs a pickle to its end; returns the resulting value and the pickle's number of bytes.
pub(super) fn run(bytes: &[u8], names: AllowedNames) -> Result<(Value, usize), Fault> {
    let mut machine = Machine {
        cursor: Cursor::new(bytes),
        names,
        arena: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: HashMap::new(),
        budget: Budget::of(bytes.len() as u64, PER_BYTE),
    };
    machine.header()?;
    while machine.step()? {}
    let root = machine.pop()?;
    let value = expand(&machine.arena, root, bytes.len(), machine.budget)?;
    Ok((value, machine.cursor.position()))
}

struct Machine<'a> {
    cursor: Cursor<'a>,
    names: AllowedNames,
    /// Every value so far. An opcode creates at most one, so there are no more values than bytes in the file.
    arena: Vec<Node>,
    stack: Vec<Id>,
    /// Heights of the stack at the open marks.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
    /// Memory for values, first as nodes, then as a tree.
    budget: Budget,
}

impl Machine<'_> {
    fn push(&mut self, node: Node) -> Result<(), Fault> {
        let bytes = size_of::<Node>() + size_of::<Id>() + node.content_bytes();
        self.budget.spend(bytes as u64)?;
        self.stack.push(self.arena.len());
        self.arena.push(node);
        Ok(())
    }

    /// Pushes an existing value onto the stack.
    fn stack_again(&mut self, id: Id) -> Result<(), Fault> {
        self.budget.spend(size_of::<Id>() as u64)?;
        self.stack.push(id);
        Ok(())
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

    fn memoise(&mut self, key: u32) -> Result<(), Fault> {
        let id = self.top()?;
        self.memo.insert(key, id);
        Ok(())
    }

    fn recall(&mut self, key: u32) -> Result<(), Fault> {
        match self.memo.get(&key) {
            Some(&id) => self.stack_again(id),
            None => Err(self.cursor.broken(format!("nothing was remembered as number {key}"))),
        }
    }
}
