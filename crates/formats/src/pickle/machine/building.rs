//! Builds, fills and calls values.

use super::Machine;
use crate::pickle::Fault;
use crate::pickle::arena::{Id, Node};

impl Machine<'_> {
    pub(super) fn integer(&mut self, width: usize) -> Result<(), Fault> {
        let value = self.cursor.integer(width)?;
        self.push(Node::Int(value))
    }

    pub(super) fn text(&mut self, width: usize) -> Result<(), Fault> {
        let text = self.cursor.text(width)?;
        self.push(Node::Str(text))
    }

    pub(super) fn old_text(&mut self, width: usize) -> Result<(), Fault> {
        let block = self.cursor.block(width)?;
        let node = match std::str::from_utf8(block) {
            Ok(text) => Node::Str(text.to_owned()),
            Err(_) => Node::Bytes(block.to_vec()),
        };
        self.push(node)
    }

    pub(super) fn bytes(&mut self, width: usize) -> Result<(), Fault> {
        let bytes = self.cursor.block(width)?.to_vec();
        self.push(Node::Bytes(bytes))
    }

    pub(super) fn short_tuple(&mut self, n: usize) -> Result<(), Fault> {
        let mut items = Vec::with_capacity(n);
        for _ in 0..n {
            items.push(self.pop()?);
        }
        items.reverse();
        self.push(Node::Tuple(items))
    }

    pub(super) fn append(&mut self, new: &[Id]) -> Result<(), Fault> {
        let list = self.top()?;
        match &mut self.arena[list] {
            Node::List(items) => {
                items.extend_from_slice(new);
                Ok(())
            }
            _ => Err(self.cursor.broken("an item for something that is not a list")),
        }
    }

    pub(super) fn set_items(&mut self, items: &[Id]) -> Result<(), Fault> {
        let dict = self.top()?;
        let (pairs, rest) = items.as_chunks::<2>();
        match &mut self.arena[dict] {
            Node::Dict(entries) if rest.is_empty() => {
                entries.extend(pairs.iter().map(|&[key, value]| (key, value)));
                Ok(())
            }
            Node::Dict(_) => Err(self.cursor.broken("a dict key without a value")),
            _ => Err(self.cursor.broken("an entry for something that is not a dict")),
        }
    }

    pub(super) fn global(&mut self, module: String, name: String) -> Result<(), Fault> {
        if !self.names.allow(&module, &name) {
            return Err(Fault::ForbiddenGlobal(format!("{module}.{name}")));
        }
        self.push(Node::Global(module, name))
    }

    pub(super) fn stack_global(&mut self) -> Result<(), Fault> {
        let (name, module) = (self.pop()?, self.pop()?);
        match (&self.arena[module], &self.arena[name]) {
            (Node::Str(module), Node::Str(name)) => {
                let (module, name) = (module.clone(), name.clone());
                self.global(module, name)
            }
            _ => Err(self.cursor.broken("a name that is not text")),
        }
    }

    pub(super) fn reduce(&mut self) -> Result<(), Fault> {
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
        self.push(node)
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
            None => Err(self.cursor.broken("an ordered dict of something else than pairs")),
        }
    }

    pub(super) fn build(&mut self) -> Result<(), Fault> {
        let new = self.pop()?;
        let object = self.top()?;
        match &mut self.arena[object] {
            Node::Object { state, .. } => {
                *state = Some(new);
                Ok(())
            }
            // Attributes of an ordered dict, such as torch's versions in a state dict, are not data.
            Node::Dict(_) => Ok(()),
            _ => Err(self.cursor.broken("a state for something that has none")),
        }
    }
}

fn is_ordered_dict(module: &str, name: &str) -> bool {
    module == "collections" && name == "OrderedDict"
}
