//! What a catalogue must keep to, so that every target can rely on it.

use std::collections::BTreeMap;

use pap_protocol::catalogue::{Catalogue, Entry, Member, Schema, Variant};

use super::routes;
use crate::codes::Code;
use crate::diagnostic::Problem;
use crate::forms;

/// Everything that is wrong with the catalogue.
pub(super) fn check(catalogue: &Catalogue, from: &str) -> Vec<Problem> {
    if catalogue.operations.is_empty() {
        let message = format!("{from} declares no operation");
        let help = "name every operation in the list: `operations![Exchange, gift_note]`";
        return vec![Problem::new(Code::CatalogueEmpty, message).help(help)];
    }
    let mut problems = Vec::new();
    for entry in &catalogue.operations {
        let mut faults = Faults { entry, problems: &mut problems };
        faults.action();
        faults.route();
        faults.terms();
        faults.value(&entry.request, "its request");
        faults.value(&entry.result, "its result");
    }
    unique(&catalogue.operations, &mut problems);
    one_spelling(&catalogue.operations, &mut problems);
    problems
}

/// What is wrong with one operation.
struct Faults<'a> {
    entry: &'a Entry,
    problems: &'a mut Vec<Problem>,
}

impl Faults<'_> {
    fn add(&mut self, what: &str) {
        let Entry { action, origin, .. } = self.entry;
        let message = format!("`{action}` cannot be described: {what}");
        let note = format!("it is declared as `{origin}`");
        self.problems.push(Problem::new(Code::CatalogueRule, message).note(note));
    }

    fn action(&mut self) {
        let word = |word: &str| {
            word.chars().next().is_some_and(|c| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        if !self.entry.action.split('.').all(word) {
            self.add("its action is not words of small letters, digits and `_`, joined by `.`");
        }
        let tool = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if self.entry.tool.is_empty() || !self.entry.tool.chars().all(tool) {
            self.add("its tool name has other signs than letters, digits, `_` and `-`");
        }
        if self.entry.expires_in_s == 0 {
            self.add("it expires at once");
        }
    }

    fn route(&mut self) {
        let request = &self.entry.request;
        if !matches!(request, Schema::Record(_) | Schema::Nothing) {
            return self.add("its request is neither an object nor nothing");
        }
        let members = forms::members(request);
        let Some(route) = &self.entry.route else { return };
        if let Some(fault) = routes::fault(&route.method, &route.path) {
            return self.add(fault);
        }
        for name in routes::parameters(&route.path) {
            match members.iter().find(|member| member.name == name) {
                None => self.add(&format!("its route has `{{{name}}}`, its request does not")),
                Some(member) if !forms::is_single(&member.schema) => {
                    self.add(&format!("`{name}` is in its route and is no single value"));
                }
                Some(_) => {}
            }
        }
    }

    fn terms(&mut self) {
        self.members(&self.entry.terms.record.members, "its terms");
    }

    fn members(&mut self, members: &[Member], place: &str) {
        let mut seen: Vec<&str> = Vec::new();
        for member in members {
            if seen.contains(&member.name.as_str()) {
                self.add(&format!("{place} have two members `{}`", member.name));
            }
            seen.push(&member.name);
            let place = format!("`{}` in {place}", member.name);
            if member.schema == Schema::Nothing {
                self.add(&format!("{place} has no value"));
            }
            self.value(&member.schema, &place);
        }
    }

    fn value(&mut self, schema: &Schema, place: &str) {
        if let Schema::Record(record) = schema {
            return self.members(&record.members, place);
        }
        if let Schema::Choice { variants, .. } = schema {
            return self.variants(variants, place);
        }
        if let Schema::Words { words, .. } = schema {
            let words = words.iter().map(|word| word.word.as_str());
            return self.alternatives(words.collect(), place);
        }
        for inner in forms::inside(schema) {
            if matches!(schema, Schema::List { .. }) && forms::may_be_absent(inner) {
                self.add(&format!("{place} is a list with elements that may be absent"));
            }
            self.value(inner, place);
        }
    }

    fn variants(&mut self, variants: &[Variant], place: &str) {
        let kinds = variants.iter().map(|variant| variant.kind.as_str());
        self.alternatives(kinds.collect(), place);
        for variant in variants {
            let place = format!("`{}` of {place}", variant.kind);
            if variant.members.iter().any(|member| member.name == "kind") {
                self.add(&format!("{place} has a member `kind`"));
            }
            self.members(&variant.members, &place);
        }
    }

    fn alternatives(&mut self, mut names: Vec<&str>, place: &str) {
        if names.is_empty() {
            self.add(&format!("{place} is one of nothing"));
        }
        names.sort_unstable();
        for pair in names.windows(2) {
            if let [one, other] = pair
                && one == other
            {
                self.add(&format!("{place} has `{one}` twice"));
            }
        }
    }
}

fn unique(entries: &[Entry], problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<String, &Entry> = BTreeMap::new();
    for entry in entries {
        let mut claims = vec![
            format!("the action `{}`", entry.action),
            format!("the tool name `{}`", entry.tool),
        ];
        if let Some(route) = &entry.route {
            claims.push(format!(
                "the route `{} {}`",
                route.method,
                routes::without_names(&route.path)
            ));
        }
        let taken = claims.iter().find_map(|claim| Some((claim, seen.get(claim)?)));
        if let Some((claim, first)) = taken {
            let (one, other) = (&first.origin, &entry.origin);
            let message = format!("`{one}` and `{other}` both have {claim}");
            let help = "rename one of them";
            problems.push(Problem::new(Code::Duplicate, message).help(help));
        }
        for claim in claims {
            seen.entry(claim).or_insert(entry);
        }
    }
}

/// Routes of one shape write their parameters alike: a document cannot hold both spellings, nor can a
/// router.
fn one_spelling(entries: &[Entry], problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<String, (&Entry, &str)> = BTreeMap::new();
    for (entry, route) in entries.iter().filter_map(|entry| Some((entry, entry.route.as_ref()?))) {
        let shape = routes::without_names(&route.path);
        let (first, path) = *seen.entry(shape).or_insert((entry, &route.path));
        if path != route.path {
            let (one, other) = (&first.origin, &entry.origin);
            let message = format!(
                "`{one}` and `{other}` name the parameters of one path differently: `{path}` and `{}`",
                route.path
            );
            let help = "give the parameters the same names";
            problems.push(Problem::new(Code::Duplicate, message).help(help));
        }
    }
}
