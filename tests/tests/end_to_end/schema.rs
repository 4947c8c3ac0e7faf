//! JSON documents against the JSON Schemas of the book, as far as those go: types, values, and keys, of which none is unknown.

use std::sync::LazyLock;

use serde_json::Value;

use super::documents::text;

static SCHEMAS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&text("docs/reference/schemas.json")).expect("the program writes JSON"));

/// Checks a document of the program against the schema that it names.
pub fn check(document: &Value) {
    let name = document["schema"].as_str().unwrap_or_else(|| panic!("no schema in {document}"));
    let root = SCHEMAS.get(name).unwrap_or_else(|| panic!("{name} has no schema"));
    assert_eq!(root["properties"]["schema"]["const"], name);
    // The name lies beside the keys of the form, which may be one of several.
    let (mut document, mut form) = (document.clone(), root.clone());
    document.as_object_mut().unwrap().remove("schema");
    form["required"].as_array_mut().unwrap().retain(|key| key != "schema");
    if let Err(fault) = fits(&document, &form, root) {
        panic!("{name}: {fault}\n{document:#}");
    }
}

/// Whether a value fits a schema, or why not.
fn fits(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    if let Some(place) = schema["$ref"].as_str() {
        return fits(value, root.pointer(&place[1..]).ok_or(format!("{place} is missing"))?, root);
    }
    if let Some(forms) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let faults: Vec<String> = forms.iter().filter_map(|form| fits(value, form, root).err()).collect();
        return if faults.len() < forms.len() { Ok(()) } else { Err(faults.join(", and ")) };
    }
    if schema.get("const").is_some_and(|one| one != value)
        || schema["enum"].as_array().is_some_and(|values| !values.contains(value))
    {
        return Err(format!("{value} is none of the values"));
    }
    let is_of = |kind: &Value| match kind.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        _ => value.is_object(),
    };
    match &schema["type"] {
        Value::Null => {}
        Value::Array(kinds) if kinds.iter().any(is_of) => {}
        kind if kind.is_string() && is_of(kind) => {}
        kind => return Err(format!("{value} is not of the type {kind}")),
    }
    for (number, element) in value.as_array().into_iter().flatten().enumerate() {
        let of = schema["prefixItems"].get(number).unwrap_or(&schema["items"]);
        fits(element, of, root).map_err(|fault| format!("[{number}]{fault}"))?;
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        value.get(name).ok_or_else(|| format!(" lacks {name}"))?;
    }
    for (key, below) in value.as_object().into_iter().flatten() {
        let of = schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]);
        if of.is_null() {
            return Err(format!(" has the unknown key {key}"));
        }
        fits(below, of, root).map_err(|fault| format!(".{key}{fault}"))?;
    }
    Ok(())
}
