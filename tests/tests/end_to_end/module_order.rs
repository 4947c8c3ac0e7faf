//! The modules of each crate are declared in the order of their dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Names from the root of a crate, such as `endgame`, `search`, `Search`.
type Names = Vec<String>;

/// A source file, without its comments and its tests.
#[derive(Default)]
struct Module {
    /// The modules that it declares, in order.
    children: Names,
    /// The paths that its code uses.
    paths: Vec<Names>,
    /// The names that it imports or re-exports, with their full paths.
    imports: BTreeMap<String, Names>,
}

/// Two rules, for a crate's `lib.rs` and for every file that declares modules:
///
/// - A module, with everything in its folder, uses only modules that are declared above it.
/// - The file itself has one place among the modules that it declares: its own code uses only modules above that place, and
///   only modules below it use its items. So no file uses a module that uses it. A `pub use` of an item of a declared
///   module does not count.
///
/// Tests may use everything: items under `#[cfg(test)]` are ignored.
#[test]
fn modules_use_only_modules_above_them() {
    let mut faults = Vec::new();
    for name in ["engine", "train", "experiments"] {
        let mut modules = BTreeMap::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &[], &mut modules);
        assert!(modules.len() > 20, "{name} has {} modules", modules.len());
        faults.extend(faults_of(&modules).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Reads a module and the modules that it declares.
fn read(folder: &Path, module: &[String], modules: &mut BTreeMap<Names, Module>) {
    let file = folder.join(if module.is_empty() { "lib".into() } else { module.join("/") } + ".rs");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let found = parse(&tokens(&without_tests(&text)), module);
    for child in &found.children {
        read(folder, &[module, std::slice::from_ref(child)].concat(), modules);
    }
    modules.insert(module.to_vec(), found);
}

/// The lines of a file that are neither comments nor under `#[cfg(test)]`. The file must be formatted by rustfmt.
fn without_tests(text: &str) -> String {
    let mut code = Vec::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        let Some(indent) = line.strip_suffix("#[cfg(test)]") else {
            code.push(line);
            continue;
        };
        let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
        if !item.ends_with(';') && !item.ends_with("{}") {
            lines.by_ref().find(|line| *line == format!("{indent}}}"));
        }
    }
    code.join("\n")
}

/// The tokens of code: identifiers, `::`, and every other character except white space.
fn tokens(code: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut tokens, mut rest) = (Vec::new(), code.trim_start());
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

fn parse(tokens: &[&str], module: &[String]) -> Module {
    let children = tokens.windows(3).filter(|at| at[0] == "mod" && at[2] == ";").map(|at| at[1].to_string());
    let mut found = Module { children: children.collect(), ..Module::default() };
    let (mut reexports, mut at) = (BTreeSet::new(), 0);
    while at < tokens.len() {
        let before = |steps: usize| at.checked_sub(steps).map_or("", |place| tokens[place]);
        let is_import = before(1) == "use";
        let is_public = is_import && ["pub", ")"].contains(&before(2));
        let is_first = !["::", ".", "in", "mod"].contains(&before(1));
        let name = tokens[at];
        let is_root = ["crate", "self", "super"].contains(&name) || found.children.iter().any(|child| child == name);
        if !is_first || !is_root || tokens.get(at + 1) != Some(&"::") {
            if is_first && reexports.contains(name) {
                found.paths.push(found.imports[name].clone());
            }
            at += 1;
            continue;
        }
        let mut paths = Vec::new();
        at = follow(tokens, at, &[], &mut paths);
        for (path, name) in paths {
            let path = absolute(&path, module);
            if is_import {
                found.imports.insert(name.into(), path.clone());
            }
            if is_public && path.len() > module.len() + 1 && path.starts_with(module) {
                reexports.insert(name);
            } else {
                found.paths.push(path);
            }
        }
    }
    found
}

/// Collects a path, or every path of a tree in braces, with its imported name. Returns the place of the token after it.
fn follow<'a>(tokens: &[&'a str], mut at: usize, base: &[&'a str], paths: &mut Vec<(Vec<&'a str>, &'a str)>) -> usize {
    let mut path = base.to_vec();
    while tokens[at] != "{" {
        path.push(tokens[at]);
        at += 1;
        // A turbofish may follow, which is not part of the path.
        if tokens.get(at) != Some(&"::") || tokens.get(at + 1) == Some(&"<") {
            let is_renamed = tokens.get(at) == Some(&"as");
            let name = if is_renamed { tokens[at + 1] } else { path[path.len() - 1] };
            paths.push((path, name));
            return if is_renamed { at + 2 } else { at };
        }
        at += 1;
    }
    while tokens[at] != "}" {
        at += 1;
        if tokens[at] != "}" {
            at = follow(tokens, at, &path, paths);
        }
    }
    at + 1
}

/// A path from the root of the crate.
fn absolute(path: &[&str], module: &[String]) -> Names {
    let mut names = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
    for name in path {
        match *name {
            "crate" | "self" => {}
            "super" => drop(names.pop()),
            _ => names.push(name.to_string()),
        }
    }
    names
}

/// Follows a path through imports and re-exports to a module and an item in it.
fn origin(modules: &BTreeMap<Names, Module>, mut path: Names) -> (Names, Option<String>) {
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

/// All violations of the rules.
fn faults_of(modules: &BTreeMap<Names, Module>) -> Vec<String> {
    let mut faults = Vec::new();
    // By parent: the children that it uses, and the children that use its items.
    let mut used: BTreeMap<Names, BTreeSet<(usize, String)>> = BTreeMap::new();
    let mut users = used.clone();
    for (module, path) in modules.iter().flat_map(|(module, found)| found.paths.iter().map(move |path| (module, path))) {
        let (target, item) = origin(modules, path.clone());
        let common = module.iter().zip(&target).take_while(|(one, other)| one == other).count();
        let parent = module[..common].to_vec();
        let place = |names: &Names| modules[&parent].children.iter().position(|child| names.get(common) == Some(child));
        let text = format!("{} uses {}", module.join("::"), [&target[..], item.as_slice()].concat().join("::"));
        match (place(module), place(&target)) {
            (Some(user), Some(used)) if used > user => faults.push(text + ", which is declared below it"),
            (None, Some(child)) => drop(used.entry(parent).or_default().insert((child, text))),
            (Some(child), None) if item.is_some() => drop(users.entry(parent).or_default().insert((child, text))),
            _ => {}
        }
    }
    for (parent, used) in used {
        let (last, first) = (used.last(), users.get(&parent).and_then(BTreeSet::first));
        if let (Some((last, using)), Some((first, used))) = (last, first)
            && first <= last
        {
            faults.push(format!("{using}, but {used}"));
        }
    }
    faults
}
