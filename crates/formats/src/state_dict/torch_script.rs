//! The tensors among the attributes of TorchScript modules.

use super::StateTensor;
use crate::pickle::{Value, is_torchscript_class};
use crate::torch_file::{Storages, is_tensor};
use crate::{FormatError, Problem};

pub(super) fn tensors(content: &Value, storages: &Storages) -> Result<Vec<StateTensor>, FormatError> {
    let wrong = |found: String| Problem::content(found, "a module saved with torch.jit.save").at(storages.file.path());
    if !is_module(content) {
        return Err(wrong(content.describe()));
    }
    let mut tensors = Vec::new();
    walk(content, "", &mut |name, value| {
        let array = storages.tensor(value)?;
        tensors.push(StateTensor { name, array });
        Ok(())
    })?;
    if tensors.is_empty() {
        return Err(wrong("a module without a tensor".to_owned()));
    }
    Ok(tensors)
}

fn is_module(value: &Value) -> bool {
    matches!(value, Value::Object { module, .. } if is_torchscript_class(module))
}

/// Visits the tensors of a module and its submodules. The limited nesting of pickles guarantees termination.
fn walk(
    module: &Value,
    prefix: &str,
    visit: &mut dyn FnMut(String, &Value) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let Value::Object { state: Some(state), .. } = module else {
        return Ok(());
    };
    let Value::Dict(attributes) = state.as_ref() else {
        return Ok(());
    };
    for (key, value) in attributes {
        let Value::Str(key) = key else { continue };
        let name = format!("{prefix}{key}");
        if is_tensor(value) {
            visit(name, value)?;
        } else if is_module(value) {
            walk(value, &format!("{name}."), visit)?;
        }
    }
    Ok(())
}
