//! The JSON Schemas of the results, one for each verb with `--json`, and the page of the book on JSON: the keys of each verb's result, from its
//! schema.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use tilewright_train::win_percentage::scores::Comparison;

use crate::matches::pair::result::MatchResult;
use crate::matches::round_robin::RoundRobinResult;
use crate::network::page::EvaluationFile;
use crate::output::{Written, form_of};
use crate::positions::moves::BestMoves;
use crate::positions::{LikelyLeaves, simulate, solve};
use crate::{
    analyse, bench, configs, evolve, experiment, export, features, games, leaves, lexicon, linear, network, pages, selfplay,
    td, win_percentage, work,
};

/// The form of the result of `match --players`.
pub const ROUND_ROBIN: &str = "round-robin";

/// A result of one of two forms. Only its schema is used.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its variants stand for types")]
enum Either<A, B> {
    One(A),
    Other(B),
}

/// The schema of each verb, in the order of the help.
pub fn schemas() -> Vec<(&'static str, Value)> {
    fn of<T: JsonSchema>(verb: &'static str) -> (&'static str, Value) {
        (verb, with_name(verb, SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()))
    }
    vec![
        of::<BestMoves>("moves"),
        of::<simulate::Table<'_>>("simulate"),
        of::<Either<solve::answer::EndgameAnswer, solve::pre_endgame::PreEndgameAnswer>>("solve"),
        of::<LikelyLeaves>("infer"),
        of::<games::result::RecordedGames>("game show"),
        of::<games::result::RecordedGames>("game annotate"),
        of::<leaves::TrainedLeaves<'_>>("leaves train"),
        of::<MatchResult>("leaves eval"),
        of::<leaves::ShownLeaves>("leaves show"),
        of::<Written<leaves::page::WarningsOfPage>>("leaves report"),
        of::<leaves::diff::ShownDifference>("leaves diff"),
        of::<Written<leaves::ExportedLeaves>>("leaves export"),
        of::<win_percentage::TrainedWinTable<'_>>("win-percentage train"),
        of::<Comparison>("win-percentage eval"),
        of::<win_percentage::ShownTable<'_>>("win-percentage show"),
        of::<Written<win_percentage::ExportedTable>>("win-percentage export"),
        of::<linear::FittedWeights<'_>>("linear fit"),
        of::<network::TrainedNetwork<'_>>("network train"),
        of::<EvaluationFile>("network eval"),
        of::<evolve::EvolveResult<'_>>("evolve"),
        of::<td::TdResult>("td"),
        of::<MatchResult>("match"),
        of::<RoundRobinResult>(ROUND_ROBIN),
        of::<experiment::Studies>("experiment list"),
        of::<experiment::results::Results>("experiment run"),
        of::<experiment::summary::Summary>("experiment show"),
        of::<selfplay::SelfplayResult<'_>>("selfplay"),
        of::<analyse::Analysis>("analyse"),
        of::<export::dataset::Exported>("export"),
        of::<Written<pages::About>>("report"),
        of::<work::stage::StageJson>("work plan"),
        of::<Either<work::run::Ran, work::stay::Stayed>>("work run"),
        of::<work::stage::StageJson>("work merge"),
        of::<work::run::Status>("work status"),
        of::<Either<work::queue::Table<'_>, work::queue::tester::Tested>>("work match"),
        of::<lexicon::Built<'_>>("lexicon build"),
        of::<lexicon::Check<'_>>("lexicon check"),
        of::<lexicon::Stats<'_>>("lexicon stats"),
        of::<Written<lexicon::ExportedWords>>("lexicon export"),
        of::<lexicon::expand::Expansion<'_>>("lexicon expand"),
        of::<configs::ConfigList>("config list"),
        of::<configs::ShownConfig<'_>>("config show"),
        of::<features::Catalogue>("features"),
        of::<bench::Speed>("bench"),
        of::<bench::features::FeatureCosts<'_>>("bench features"),
        of::<bench::endgames::EndgameCosts>("bench endgames"),
        of::<bench::pre_endgames::PreEndgameCosts>("bench pre-endgames"),
    ]
}

/// The name of the form of a verb's JSON, such as `tilewright/leaves-show/1`.
fn name(verb: &str) -> String {
    form_of(&verb.replace(' ', "-"))
}

/// The schema with the key `schema`, which every document begins with.
fn with_name(verb: &str, mut schema: Schema) -> Value {
    RecursiveTransform(tidy).transform(&mut schema);
    schema.insert("title".into(), format!("The JSON of tilewright {verb}").into());
    let object = schema.ensure_object();
    let named = json!({ "const": name(verb), "description": "The name and the version of the form." });
    if let Some(properties) = object.entry("properties").or_insert_with(|| json!({})).as_object_mut() {
        properties.insert("schema".into(), named);
    }
    if let Some(required) = object.entry("required").or_insert_with(|| json!([])).as_array_mut() {
        required.insert(0, "schema".into());
    }
    schema.to_value()
}

/// Parts of comments on code that do not belong into descriptions of JSON.
const LINKS: [(&str, &str); 5] =
    [("[`", "`"), ("`]", "`"), (concat!("crate", "::"), ""), (concat!("super", "::"), ""), ("`None`", "null")];

/// Leaves out the sizes of numbers in Rust, the limits of keys, because later versions may have more, and the links in
/// descriptions. Adds the meaning of common keys.
fn tidy(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
    }
    if let Some(text) = schema.get("description").and_then(Value::as_str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = LINKS.iter().fold(text, |text, (link, plain)| text.replace(link, plain));
        schema.insert("description".into(), text.into());
    }
    for (key, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        // The type that a schema refers to has a description.
        let is_plain = !property.to_string().contains("\"$ref\"");
        if let (Some(property), Some(meaning)) = (property.as_object_mut().filter(|_| is_plain), common(key)) {
            property.entry("description").or_insert(meaning.into());
        }
    }
}

/// The meaning of a key that has no comment of its own.
pub fn common(key: &str) -> Option<&'static str> {
    static MEANINGS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        toml::from_str(include_str!("json_keys.toml"))
            .unwrap_or_else(|error| unreachable!("a test reads this text: {error}"))
    });
    MEANINGS.get(key).map(String::as_str)
}

/// The schemas by the names of the forms, as one JSON document.
pub fn document(schemas: &[(&str, Value)]) -> String {
    let all: Map<String, Value> = schemas.iter().map(|(verb, schema)| (name(verb), schema.clone())).collect();
    format!("{:#}\n", Value::Object(all))
}

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
        let may_be_null = schema["anyOf"].as_array().is_some_and(|any| any.iter().any(|one| one["type"] == "null"));
        let or_null = if may_be_null { " or null" } else { "" };
        let (schema, name) = self.target(schema);
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
