//! The page of the book on JSON: the keys of each verb's result, from its schema.

use std::fmt::Write as _;

use serde_json::Value;

use super::schemas::common;

/// The types of a schema, in words.
const TYPES: [(&str, &str); 4] = [("string", "text"), ("boolean", "true or false"), ("array", "list"), ("null", "null")];
/// The type of figures with an interval, whose keys the page explains once.
const FIGURE: &str = "Estimate";

/// The page, after this note on its origin.
pub fn page(made: &str, schemas: &[(&str, Value)]) -> String {
    let mut text = include_str!("json_page.txt").replace("{made}", made);
    for (verb, schema) in schemas {
        let _ = write!(text, "\n## {verb}\n");
        let forms = schema["anyOf"].as_array().map_or(std::slice::from_ref(schema), Vec::as_slice);
        for form in forms {
            let mut keys = Keys { root: schema, above: Vec::new(), rows: String::new() };
            let (form, _) = keys.target(form);
            keys.add("", form);
            let about = form["description"].as_str().map_or(String::new(), |about| format!("\n{about}\n"));
            let _ = write!(text, "{about}\n| key | type | meaning |\n| --- | --- | --- |\n{}", keys.rows);
        }
    }
    text
}

/// The rows of a table of keys.
struct Keys<'a> {
    root: &'a Value,
    /// The names of the types around a key, which may hold themselves.
    above: Vec<&'a str>,
    rows: String,
}

impl<'a> Keys<'a> {
    /// The schema that a schema refers to, with its name, or itself. Null is passed over.
    fn target(&self, schema: &'a Value) -> (&'a Value, &'a str) {
        let known = schema["anyOf"].as_array().and_then(|any| any.iter().find(|one| one["type"] != "null"));
        let schema = known.unwrap_or(schema);
        match schema["$ref"].as_str().and_then(|place| place.strip_prefix("#/$defs/")) {
            Some(name) => (&self.root["$defs"][name], name),
            None => (schema, ""),
        }
    }

    /// Adds the keys of an object and of the objects below it.
    fn add(&mut self, path: &str, schema: &'a Value) {
        let keys = schema["properties"].as_object().into_iter().flatten();
        for (key, below) in keys.filter(|(key, _)| !path.is_empty() || *key != "schema") {
            let is_required = schema["required"].as_array().is_some_and(|names| names.iter().any(|name| name == key));
            let kind = self.kind(below) + if is_required { "" } else { ", optional" };
            let of = |schema: &'a Value| self.target(schema).0["description"].as_str();
            let own = below["description"].as_str().or_else(|| of(below));
            let meaning = own
                .or(common(key))
                .or_else(|| of(&below["items"]))
                .unwrap_or_default()
                .replace('|', "\\|")
                .replace('<', "&lt;");
            let _ = writeln!(self.rows, "| `{path}{key}` | {kind} | {meaning} |");
            self.add_below(&format!("{path}{key}"), below);
        }
    }

    fn add_below(&mut self, path: &str, schema: &'a Value) {
        let (schema, name) = self.target(schema);
        if name == FIGURE || self.above.contains(&name) {
            return;
        }
        self.above.extend((!name.is_empty()).then_some(name));
        self.add(&format!("{path}."), schema);
        if schema["items"].is_object() {
            self.add_below(&format!("{path}[]"), &schema["items"]);
        }
        for (number, item) in schema["prefixItems"].as_array().into_iter().flatten().enumerate() {
            self.add_below(&format!("{path}[{number}]"), item);
        }
        if schema["additionalProperties"].is_object() {
            self.add_below(&format!("{path}.*"), &schema["additionalProperties"]);
        }
        self.above.truncate(self.above.len() - usize::from(!name.is_empty()));
    }

    /// The type of a key in words.
    fn kind(&self, schema: &Value) -> String {
        let or_null = if schema["anyOf"].as_array().is_some_and(|any| any.iter().any(|one| one["type"] == "null")) {
            " or null"
        } else {
            ""
        };
        let root = Keys { root: self.root, above: Vec::new(), rows: String::new() };
        let (schema, name) = root.target(schema);
        let values = schema["oneOf"].as_array().or(schema["enum"].as_array()).into_iter().flatten();
        let values: Vec<String> =
            values.map(|value| format!("`{}`", value["const"].as_str().or(value.as_str()).unwrap_or("null"))).collect();
        let word = |kind: &Value| {
            let kind = kind.as_str().unwrap_or("any");
            TYPES.iter().find(|(name, _)| *name == kind).map_or(kind, |(_, word)| word).to_string()
        };
        let kind = match &schema["type"] {
            _ if name == FIGURE => "figure".into(),
            _ if !values.is_empty() => values.join(" or "),
            Value::Array(kinds) => kinds.iter().map(word).collect::<Vec<_>>().join(" or "),
            kind if kind == "array" && schema["items"].is_object() => format!("list of {}", self.kind(&schema["items"])),
            kind => word(kind),
        };
        kind + or_null
    }
}
