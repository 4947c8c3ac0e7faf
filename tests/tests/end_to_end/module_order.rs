//! The modules of each crate stand in the order of their dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Modules whose children are not in order yet.
const NOT_YET: &[&str] = &[
    "experiments",
    "engine::leave",
    "engine::movegen",
    "engine::player",
    "engine::series",
    "engine::simulator",
    "engine::win_percentage",
    "train::td",
    "train::win_percentage",
];

/// Names from the root of a crate, such as `endgame`, `search`, `Search`.
type Names = Vec<String>;

/// A source file, without its comments and its tests.
#[derive(Default)]
struct Module {
    /// The modules that it declares, in order.
    children: Names,
    /// The paths that its code uses.
    paths: Vec<Names>,
    /// The names that it imports or re-exports, and what they stand for.
    imports: BTreeMap<String, Names>,
}

/// Two rules, for a crate's `lib.rs` and for every file that declares modules:
///
/// - A module, with everything in its folder, uses only modules that are declared above it.
/// - The file itself has one place among the modules that it declares: its own code uses only modules above that place, and its own
///   items are used only by modules below it. So no file uses a module that uses it. A `pub use` of what a module declares is no use.
///
/// Tests may use everything: what stands under `#[cfg(test)]` is left out, wherever it stands in a file.
#[test]
fn modules_use_only_what_stands_above_them() {
    let mut due = Vec::new();
    for name in ["engine", "train", "experiments"] {
        let mut modules = BTreeMap::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &[], &mut modules);
        assert!(modules.len() > 20, "{name} has {} modules", modules.len());
        for (parent, fault) in faults(&modules) {
            let parent = format!("{}::", [&[name.to_string()], &parent[..]].concat().join("::"));
            if !NOT_YET.iter().any(|module| parent.starts_with(&format!("{module}::"))) {
                due.push(parent + ": " + &fault);
            }
        }
    }
    assert!(due.is_empty(), "\n{}", due.join("\n"));
}

/// Reads a module and the modules that it declares.
fn read(folder: &Path, module: &[String], modules: &mut BTreeMap<Names, Module>) {
    let file = folder.join(if module.is_empty() { "lib".into() } else { module.join("/") } + ".rs");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let code = without_tests(&text);
    let found = Module::from_tokens(&tokens(&code), module);
    for child in &found.children {
        read(folder, &[module, &[child.clone()]].concat(), modules);
    }
    modules.insert(module.to_vec(), found);
}

/// The lines that are neither comments nor under `#[cfg(test)]`; files are as rustfmt leaves them.
fn without_tests(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        let Some(indent) = line.strip_suffix("#[cfg(test)]") else {
            kept.push(line);
            continue;
        };
        let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
        if !item.ends_with(';') && !item.ends_with("{}") {
            lines.by_ref().find(|line| *line == format!("{indent}}}"));
        }
    }
    kept.join("\n")
}

/// Identifiers, `::`, and every other character that is no space.
fn tokens(code: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            _ if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    tokens
}

impl Module {
    fn from_tokens(tokens: &[&str], module: &[String]) -> Module {
        let mut found = Module::default();
        found.children.extend(tokens.windows(3).filter(|at| at[0] == "mod" && at[2] == ";").map(|at| at[1].to_string()));
        let mut reexports: BTreeSet<String> = BTreeSet::new();
        let mut at = 0;
        while at < tokens.len() {
            let name = tokens[at];
            let before = |steps: usize| at.checked_sub(steps).map_or("", |place| tokens[place]);
            let (is_import, is_reexport) = (before(1) == "use", before(1) == "use" && ["pub", ")"].contains(&before(2)));
            let is_first = !["::", ".", "in", "mod"].contains(&before(1));
            let begins_path = ["crate", "self", "super"].contains(&name) || found.children.iter().any(|child| child == name);
            if is_first && begins_path && tokens.get(at + 1) == Some(&"::") {
                let mut paths = Vec::new();
                at = follow(tokens, at, &[], &mut paths);
                for (path, alias) in paths {
                    let path = absolute(&path, module);
                    if is_import {
                        found.imports.insert(alias.clone(), path.clone());
                    }
                    if is_reexport && path.len() > module.len() + 1 && path.starts_with(module) {
                        reexports.insert(alias);
                    } else {
                        found.paths.push(path);
                    }
                }
            } else {
                if is_first && reexports.contains(name) {
                    found.paths.push(found.imports[name].clone());
                }
                at += 1;
            }
        }
        found
    }
}

/// Collects a path, or every path of a tree in braces, with the name that it is imported by; the place of the token after it.
fn follow(tokens: &[&str], mut at: usize, base: &[&str], paths: &mut Vec<(Names, String)>) -> usize {
    let mut path = base.to_vec();
    loop {
        if tokens[at] == "{" {
            while tokens[at] != "}" {
                at += 1;
                if tokens[at] != "}" {
                    at = follow(tokens, at, &path, paths);
                }
            }
            return at + 1;
        }
        path.push(tokens[at]);
        at += 1;
        // A turbofish is no part of the path.
        if tokens.get(at) != Some(&"::") || tokens.get(at + 1) == Some(&"<") {
            break;
        }
        at += 1;
    }
    if path.len() > 1 && path.ends_with(&["self"]) {
        path.pop();
    }
    let mut alias = path[path.len() - 1];
    if tokens.get(at) == Some(&"as") {
        (alias, at) = (tokens[at + 1], at + 2);
    }
    paths.push((path.iter().map(ToString::to_string).collect(), alias.to_string()));
    at
}

/// A path from the root of the crate.
fn absolute(path: &[String], module: &[String]) -> Names {
    let mut names = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(names.pop()),
            _ => names.push(name.clone()),
        }
    }
    names
}

/// The module where a path leads through imports and re-exports, and the item in it.
fn origin(modules: &BTreeMap<Names, Module>, path: &[String]) -> (Names, Option<String>) {
    let mut path = path.to_vec();
    for _ in 0..10 {
        let depth = (0..=path.len()).rev().find(|&depth| modules.contains_key(&path[..depth])).unwrap_or_default();
        let (module, item) = (path[..depth].to_vec(), path.get(depth).cloned());
        match item.as_ref().and_then(|item| modules[&module].imports.get(item)) {
            Some(import) => path = [&import[..], &path[depth + 1..]].concat(),
            None => return (module, item),
        }
    }
    panic!("{} is imported in a circle", path.join("::"));
}

/// Every breach of the rules, with the module whose children it is about.
fn faults(modules: &BTreeMap<Names, Module>) -> Vec<(Names, String)> {
    let mut faults = Vec::new();
    // By parent: the children that it uses, and the children that use its items.
    let mut used_by: BTreeMap<Names, BTreeSet<(usize, String)>> = BTreeMap::new();
    let mut users_of = used_by.clone();
    for (module, found) in modules {
        for path in &found.paths {
            let (target, item) = origin(modules, path);
            let common = module.iter().zip(&target).take_while(|(one, other)| one == other).count();
            let parent = module[..common].to_vec();
            let children = &modules[&parent].children;
            let place = |names: &Names| children.iter().position(|child| names.get(common) == Some(child));
            let text = format!("{} uses {}", module.join("::"), [&target[..], item.as_slice()].concat().join("::"));
            match (place(module), place(&target)) {
                (Some(user), Some(used)) if used > user => faults.push((parent, text + ", which stands below it")),
                (None, Some(used)) => drop(used_by.entry(parent).or_default().insert((used, text))),
                (Some(user), None) if item.is_some() => drop(users_of.entry(parent).or_default().insert((user, text))),
                _ => {}
            }
        }
    }
    for (parent, used) in &used_by {
        let (last, first) = (used.last(), users_of.get(parent).and_then(BTreeSet::first));
        if let (Some((last, use_of_child)), Some((first, use_by_child))) = (last, first)
            && first <= last
        {
            faults.push((parent.clone(), format!("{use_of_child}, but {use_by_child}")));
        }
    }
    faults
}
