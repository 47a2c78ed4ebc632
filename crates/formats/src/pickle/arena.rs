//! The values of a pickle during interpretation: containers are filled after others refer to them.

use super::{Fault, Value};
use crate::budget::Budget;

/// The maximum nesting of values. Real files stay below 10.
const MAX_DEPTH: usize = 64;
/// The limit on shared values: a pickle of n bytes may describe n + this many values ...
const SHARED_VALUES: usize = 1 << 20;
/// ... and n + this many bytes of text.
const SHARED_BYTES: usize = 1 << 26;

/// A node's index in the arena.
pub(super) type Id = usize;

#[derive(Debug)]
pub(super) enum Node {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    Bytes(Vec<u8>),
    List(Vec<Id>),
    Tuple(Vec<Id>),
    Dict(Vec<(Id, Id)>),
    Global(String, String),
    Object { callable: Id, args: Id, state: Option<Id> },
    Persistent(Id),
}

impl Node {
    /// Bytes of its content, besides the node itself.
    pub(super) fn content_bytes(&self) -> usize {
        match self {
            Node::Str(text) => text.len(),
            Node::Bytes(bytes) => bytes.len(),
            Node::Global(module, name) => module.len() + name.len(),
            Node::List(items) | Node::Tuple(items) => items.len() * size_of::<Id>(),
            Node::Dict(entries) => entries.len() * size_of::<(Id, Id)>(),
            Node::None | Node::Bool(_) | Node::Int(_) | Node::Float(_) | Node::Object { .. } | Node::Persistent(_) => 0,
        }
    }
}

/// Copies the graph under `root` into a tree.
pub(super) fn expand(arena: &[Node], root: Id, n_bytes: usize, budget: Budget) -> Result<Value, Fault> {
    let mut expansion = Expansion {
        arena,
        n_bytes,
        values_left: n_bytes.saturating_add(SHARED_VALUES),
        bytes_left: n_bytes.saturating_add(SHARED_BYTES),
        budget,
    };
    expansion.value(root, 0)
}

struct Expansion<'a> {
    arena: &'a [Node],
    n_bytes: usize,
    values_left: usize,
    bytes_left: usize,
    budget: Budget,
}

impl Expansion<'_> {
    fn value(&mut self, id: Id, depth: usize) -> Result<Value, Fault> {
        if depth > MAX_DEPTH {
            return Err(self.broken(format!("values nested more than {MAX_DEPTH} deep, or inside themselves")));
        }
        self.spend(1, 0)?;
        let depth = depth + 1;
        Ok(match &self.arena[id] {
            Node::None => Value::None,
            Node::Bool(v) => Value::Bool(*v),
            Node::Int(v) => Value::Int(*v),
            Node::Float(v) => Value::Float(*v),
            Node::Str(v) => Value::Str(self.text(v)?),
            Node::Bytes(v) => {
                self.spend(0, v.len())?;
                Value::Bytes(v.clone())
            }
            Node::List(items) => Value::List(self.values(items, depth)?),
            Node::Tuple(items) => Value::Tuple(self.values(items, depth)?),
            Node::Dict(entries) => Value::Dict(
                entries
                    .iter()
                    .map(|&(key, value)| Ok((self.value(key, depth)?, self.value(value, depth)?)))
                    .collect::<Result<_, Fault>>()?,
            ),
            Node::Global(module, name) => Value::Global {
                module: self.text(module)?,
                name: self.text(name)?,
            },
            Node::Object { callable, args, state } => self.object(*callable, *args, *state, depth)?,
            Node::Persistent(id) => Value::Persistent(Box::new(self.value(*id, depth)?)),
        })
    }

    fn object(&mut self, callable: Id, args: Id, state: Option<Id>, depth: usize) -> Result<Value, Fault> {
        let (Node::Global(module, name), Node::Tuple(args)) = (&self.arena[callable], &self.arena[args]) else {
            return Err(self.broken("a call of something that is not a name"));
        };
        if module == "_codecs" && name == "encode" {
            return self.latin1(args);
        }
        Ok(Value::Object {
            module: self.text(module)?,
            name: self.text(name)?,
            args: self.values(args, depth)?,
            state: match state {
                Some(state) => Some(Box::new(self.value(state, depth)?)),
                None => None,
            },
        })
    }

    /// Bytes in protocol 2, which writes them as a text whose characters are the bytes.
    fn latin1(&mut self, args: &[Id]) -> Result<Value, Fault> {
        if let &[text, encoding] = args
            && let (Node::Str(text), Node::Str(encoding)) = (&self.arena[text], &self.arena[encoding])
            && encoding == "latin1"
        {
            self.spend(0, text.len())?;
            let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
            if let Some(bytes) = bytes {
                return Ok(Value::Bytes(bytes));
            }
        }
        Err(self.broken("a text encoded other than as latin1"))
    }

    /// A copy of a text or name, counted in the budget, since a short pickle can refer to a long text any number of
    /// times.
    fn text(&mut self, text: &str) -> Result<String, Fault> {
        self.spend(0, text.len())?;
        Ok(text.to_owned())
    }

    fn values(&mut self, ids: &[Id], depth: usize) -> Result<Vec<Value>, Fault> {
        ids.iter().map(|&id| self.value(id, depth)).collect()
    }

    fn spend(&mut self, values: usize, bytes: usize) -> Result<(), Fault> {
        let left = (self.values_left.checked_sub(values), self.bytes_left.checked_sub(bytes));
        let (Some(values_left), Some(bytes_left)) = left else {
            return Err(self.broken("a value that is enormous because its parts are shared"));
        };
        (self.values_left, self.bytes_left) = (values_left, bytes_left);
        let taken = values * size_of::<Value>() + bytes;
        Ok(self.budget.spend(taken as u64)?)
    }

    fn broken(&self, reason: impl Into<String>) -> Fault {
        Fault::Broken {
            offset: self.n_bytes,
            reason: reason.into(),
        }
    }
}
