//! Whether the stored form of terms changed without a new version.
//!
//! Every revision is stored with the version of its terms. A version that means two forms is found out when an
//! operation can not be performed. So a company commits a text that says which version has which form, and its
//! build compares: `action version shape`, one line for each.

use std::fmt::{Display, Formatter};

use crate::catalogue::Entry;

/// Which version of which action's terms has which form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shapes(Vec<Line>);

/// One version of one action's terms.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    action: String,
    version: u32,
    shape: String,
}

/// What is wrong with shapes as they are now, compared with the recorded ones.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// What changed.
    pub message: String,
    /// Why that is wrong.
    pub note: &'static str,
    /// What to type.
    pub help: String,
}

impl Shapes {
    /// Those of declared operations, in their order; terms without a fingerprint are left out.
    pub fn of(operations: &[Entry]) -> Self {
        let mut shapes = Vec::new();
        for entry in operations {
            let terms = &entry.terms;
            let older = terms.upgrades.iter().map(|older| (older.version, &older.shape));
            for (version, shape) in older.chain([(terms.version, &terms.shape)]) {
                let (action, shape) = (entry.action.clone(), shape.clone());
                shapes.push(Line { action, version, shape });
            }
        }
        shapes.retain(|shape| !shape.shape.is_empty());
        Self(shapes)
    }

    /// Those that a text records. Other lines, such as comments, are passed over.
    pub fn recorded(text: &str) -> Self {
        let shape = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            let (action, version, shape) = (words.next()?, words.next()?, words.next()?);
            let version = version.parse().ok().filter(|_| words.next().is_none())?;
            Some(Line { action: action.to_owned(), version, shape: shape.to_owned() })
        };
        Self(text.lines().filter_map(shape).collect())
    }

    /// Whether each of these is recorded as it is.
    pub fn are_in(&self, recorded: &Self) -> bool {
        self.0.iter().all(|now| {
            let same = |then: &&Line| then.action == now.action && then.version == now.version;
            recorded.0.iter().filter(same).any(|then| then.shape == now.shape)
        })
    }

    /// What changed without a new version since these were recorded.
    pub fn drift(&self, recorded: &Self) -> Vec<Drift> {
        self.0.iter().filter_map(|now| self.drift_of(now, recorded)).collect()
    }

    fn drift_of(&self, now: &Line, recorded: &Self) -> Option<Drift> {
        let Line { action, version, shape } = now;
        let is_older =
            self.0.iter().any(|shape| shape.action == *action && shape.version > *version);
        let then = || recorded.0.iter().filter(|then| then.action == *action);
        let other = then().find(|then| then.version == *version && then.shape != *shape);
        let newest = then().map(|then| then.version).max().unwrap_or_default();
        if is_older {
            return other.map(|_| Drift {
                message: format!(
                    "the older terms of `{action}`, version {version}, are not what was recorded"
                ),
                note: "what was stored with them does not read back, so it could not be performed",
                help: "make the struct that `upgrades` names as it was".to_owned(),
            });
        }
        if newest > *version {
            return Some(Drift {
                message: format!(
                    "the terms of `{action}` went back from version {newest} to {version}"
                ),
                note: "what was stored with the newer version could not be performed",
                help: format!(
                    "write `version = {}` in its `#[terms(…)]`",
                    newest.saturating_add(1)
                ),
            });
        }
        other.map(|_| Drift {
            message: format!("the terms of `{action}` changed, and are still version {version}"),
            note: "what was stored with this version does not read back, so it could not be performed",
            help: format!(
                "write `version = {}` in its `#[terms(…)]`, keep the older struct under another name, and name it in \
                 `upgrades`; if nothing was ever stored with version {version}, take its recorded line out",
                version.saturating_add(1)
            ),
        })
    }
}

impl Display for Shapes {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for Line { action, version, shape, .. } in &self.0 {
            writeln!(f, "{action} {version} {shape}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(action: &str, versions: &[(u32, &str)]) -> Shapes {
        let shape = |(version, shape): &(u32, &str)| Line {
            action: action.to_owned(),
            version: *version,
            shape: (*shape).to_owned(),
        };
        Shapes(versions.iter().map(shape).collect())
    }

    #[track_caller]
    fn told(now: &Shapes, recorded: &str) -> Vec<String> {
        now.drift(&Shapes::recorded(recorded)).into_iter().map(|drift| drift.message).collect()
    }

    #[test]
    fn a_new_version_or_a_new_action_is_no_drift() {
        let recorded = "# a comment\na.b 1 aa\n<<<<<<< ours\n";
        assert_eq!(told(&now("a.b", &[(1, "aa")]), recorded), [""; 0]);
        assert_eq!(told(&now("a.b", &[(1, "aa"), (2, "bb")]), recorded), [""; 0]);
        assert_eq!(told(&now("a.b", &[(2, "bb")]), recorded), [""; 0]);
        assert_eq!(told(&now("a.c", &[(1, "bb")]), recorded), [""; 0]);
        assert!(now("a.b", &[(1, "aa")]).are_in(&Shapes::recorded(recorded)));
        assert!(!now("a.b", &[(2, "aa")]).are_in(&Shapes::recorded(recorded)));
    }

    #[test]
    fn a_version_means_one_form() {
        let recorded = "a.b 1 aa\na.b 2 bb\n";
        assert_eq!(
            told(&now("a.b", &[(2, "cc")]), recorded),
            ["the terms of `a.b` changed, and are still version 2"]
        );
        assert_eq!(
            told(&now("a.b", &[(1, "cc"), (2, "bb")]), recorded),
            ["the older terms of `a.b`, version 1, are not what was recorded"]
        );
        assert_eq!(
            told(&now("a.b", &[(1, "aa")]), recorded),
            ["the terms of `a.b` went back from version 2 to 1"]
        );
    }

    #[test]
    fn what_is_written_reads_back() {
        let shapes = now("a.b", &[(1, "aa"), (2, "bb")]);
        assert_eq!(shapes.to_string(), "a.b 1 aa\na.b 2 bb\n");
        let read = Shapes::recorded(&shapes.to_string());
        assert_eq!(read, shapes);
        assert_eq!(read.drift(&read), []);
    }
}
