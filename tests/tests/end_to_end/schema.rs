//! Checks JSON documents against the JSON Schemas of the book: types, values and keys. An unknown key is an error.

use std::sync::LazyLock;

use serde_json::Value;

use super::documents::text;

static SCHEMAS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&text("docs/reference/schemas.json")).expect("the program writes JSON"));

/// Checks a document of the program against the schema that it names.
pub fn check(document: &Value) {
    let name = document["schema"].as_str().unwrap();
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
    if *schema == Value::Bool(true) {
        return Ok(());
    }
    if let Some(place) = schema["$ref"].as_str() {
        return fits(value, root.pointer(&place[1..]).ok_or(format!("{place} is missing"))?, root);
    }
    if let Some(forms) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let faults: Vec<String> = forms.iter().filter_map(|form| fits(value, form, root).err()).collect();
        return if faults.len() < forms.len() { Ok(()) } else { Err(faults.join(", and ")) };
    }
    let values = schema["enum"].as_array().map(Vec::as_slice).or(schema.get("const").map(std::slice::from_ref));
    if values.is_some_and(|values| !values.contains(value)) {
        return Err(format!(" is {value}, none of the values"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allows = |one: &Value| one.is_null() || one == kind || (one == "number" && kind == "integer");
    if !schema["type"].as_array().map_or_else(|| allows(&schema["type"]), |kinds| kinds.iter().any(allows)) {
        return Err(format!(" is {value}, not of the type {}", schema["type"]));
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
        let known = if of.is_null() { Err(" is an unknown key".into()) } else { fits(below, of, root) };
        known.map_err(|fault| format!(".{key}{fault}"))?;
    }
    Ok(())
}
