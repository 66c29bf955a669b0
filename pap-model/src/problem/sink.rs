//! Collects problems, so that all independent ones are reported at once.

use super::Problem;

/// Where the parser and the rules put what they find; they never stop at the first.
#[derive(Debug, Default)]
#[must_use = "problems that are not taken out are never reported"]
pub struct ErrorSink {
    problems: Vec<Problem>,
}

impl ErrorSink {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a problem.
    pub fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// The value, or nothing and its problem in the sink.
    pub fn ok<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.push(problem)).ok()
    }

    /// Whether nothing was found so far.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Everything that was found, in the order of finding.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

impl Extend<Problem> for ErrorSink {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        self.problems.extend(problems);
    }
}
