//! `objects: ...; attributes: ...; relations: ...`, the form in which papers print scene graphs.

use crate::{FormatError, Problem};
use neurogauge_core::SceneGraph;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The parts of a graph, in the order in which they are printed.
const PARTS: [&str; 3] = ["objects:", "attributes:", "relations:"];

pub(super) fn parse(path: &Path, text: &str) -> Result<Vec<(String, SceneGraph)>, FormatError> {
    let mut graphs = Vec::new();
    let mut first_line: HashMap<&str, usize> = HashMap::new();
    for GraphLines { stem, line, text } in entries(path, text)? {
        let fault = |reason| Problem::invalid(format!("line {line}, {stem:?}"), reason).at(path);
        if let Some(first) = first_line.insert(stem, line) {
            return Err(fault(format!("the stem is at line {first} already")));
        }
        graphs.push((stem.to_owned(), graph(&text).map_err(fault)?));
    }
    Ok(graphs)
}

/// A stem, its line number, and the rest of the line.
struct GraphLines<'a> {
    stem: &'a str,
    line: usize,
    text: String,
}

fn entries<'a>(path: &Path, text: &'a str) -> Result<Vec<GraphLines<'a>>, FormatError> {
    let mut entries: Vec<GraphLines<'a>> = Vec::new();
    let lines = text.lines().zip(1..).map(|(text, line)| (text.trim(), line));
    for (text, line) in lines.filter(|(text, _)| !text.is_empty() && !text.starts_with('#')) {
        let stem = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        match (stem, entries.last_mut()) {
            (Some(stem), _) => entries.push(GraphLines {
                stem: stem.trim(),
                line,
                text: String::new(),
            }),
            (None, Some(entry)) => {
                entry.text.push_str(text);
                entry.text.push(' ');
            }
            (None, None) => {
                let reason = format!("{text:?} belongs to no stem; expected a line [stem] first");
                return Err(Problem::invalid(format!("line {line}"), reason).at(path));
            }
        }
    }
    Ok(entries)
}

fn graph(text: &str) -> Result<SceneGraph, String> {
    let mut starts = Vec::new();
    for part in PARTS {
        let found: Vec<usize> = starts_of(text, part);
        if found.len() > 1 {
            return Err(format!("{part:?} occurs {} times in it; expected once", found.len()));
        }
        starts.extend(found.into_iter().map(|start| (start, part)));
    }
    starts.sort_unstable();
    let before = starts.first().map_or(text.len(), |(start, _)| *start);
    if !text[..before].trim().is_empty() {
        return Err(format!(
            "{:?} belongs to no part; expected objects: ..., attributes: ..., relations: ...",
            text[..before].trim()
        ));
    }
    let mut graph = SceneGraph::default();
    for (i, (start, part)) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(text.len(), |(next, _)| *next);
        let content = text[start + part.len()..end].trim();
        let content = content.strip_suffix(';').unwrap_or(content);
        match *part {
            "objects:" => graph.objects = names(content),
            "attributes:" => graph.attributes = attributes(content)?,
            _ => graph.relations = relations(content)?,
        }
    }
    Ok(graph)
}

/// The positions at which a part begins: its name follows white space or a semicolon.
fn starts_of(text: &str, part: &str) -> Vec<usize> {
    let places = text.match_indices(part).map(|(start, _)| start);
    let begins = |start: &usize| text[..*start].chars().next_back().is_none_or(|c| c.is_whitespace() || c == ';');
    places.filter(begins).collect()
}

/// The texts between commas, with inner white space reduced to one space.
fn names(text: &str) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    text.split(',').map(name).collect()
}

fn name(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn attributes(text: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut attributes = BTreeMap::new();
    for of_object in text.split(';').filter(|text| !text.trim().is_empty()) {
        let (object, values) = of_object
            .split_once(':')
            .ok_or_else(|| format!("attributes {:?}; expected \"object: attribute, attribute\"", of_object.trim()))?;
        let object = name(object);
        if attributes.insert(object.clone(), names(values)).is_some() {
            return Err(format!("attributes of {object:?} stand twice"));
        }
    }
    Ok(attributes)
}

fn relations(text: &str) -> Result<Vec<[String; 3]>, String> {
    let relations = text.split(';').map(str::trim).filter(|text| !text.is_empty());
    relations
        .map(|relation| {
            let inner = relation.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
            let parts: Vec<String> = inner.map(names).unwrap_or_default();
            <[String; 3]>::try_from(parts)
                .map_err(|_| format!("relation {relation:?}; expected \"(subject, relation, object)\""))
        })
        .collect()
}
