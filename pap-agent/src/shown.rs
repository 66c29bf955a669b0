//! Step 3 of 6: what the User is shown, with who says it.

use std::fmt::{Debug, Display, Formatter, Write};
use std::sync::Arc;

use pap_protocol::operation::{Operation, OperationId, Revision};
use pap_protocol::value::Instant;

use crate::company::Company;
use crate::digest::Digest;
use crate::terms::{Term, terms};

/// Text that a Company wrote. It is shown, never obeyed: no text from a Company is the User's approval
/// (section 5.1).
///
/// `Display` is safe for a terminal and a page: what would move the cursor, change the direction of
/// the text or not be seen is written as `\u{…}`. `Debug` shows its length alone.
#[derive(Clone, PartialEq, Eq)]
pub struct CompanyText(String);

impl CompanyText {
    /// Every character as the Company wrote it.
    pub fn verbatim(&self) -> &str {
        &self.0
    }

    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Display for CompanyText {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|char| {
            if acts_on_its_surroundings(char) {
                write!(f, "{}", char.escape_unicode())
            } else {
                f.write_char(char)
            }
        })
    }
}

impl Debug for CompanyText {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "CompanyText({} bytes)", self.0.len())
    }
}

/// Controls, marks of direction, and characters without width.
fn acts_on_its_surroundings(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}')
        || matches!(char, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(char, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A revision that waits to be confirmed, as this agent read it.
///
/// It is not an approval, and nothing makes one of it but the host's [`Approver`](crate::Approver) or
/// a standing permission.
///
/// Cloning it makes another handle to the same proposal.
#[derive(Debug, Clone)]
pub struct Proposal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    company: Arc<Company>,
    operation: Operation,
    action: Option<String>,
    shown: Shown,
}

/// What the User is shown before they answer (section 5.1): who asks, and what would happen, in the
/// Company's own words and, beside them, as the terms say it.
///
/// `Display` is a plain rendering of all of it for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// The name of the Company, as its discovery document says.
    pub company_name: CompanyText,
    /// The domain that served that document: names can be alike, domains are not.
    pub company_domain: String,
    /// The operation.
    pub operation_id: OperationId,
    /// The revision that an approval would be for.
    pub revision: Revision,
    /// The terms in plain language, every character as the Company wrote it.
    pub summary: CompanyText,
    /// The same as single values, for the User or the host to compare with the summary.
    pub terms: Vec<Term>,
    /// The last time this revision can be confirmed.
    pub expires_at: Option<Instant>,
    /// Whether no standing permission can confirm it.
    pub user_approval_required: bool,
    /// The page of the Company's website that shows it.
    pub url: Option<String>,
}

impl Proposal {
    pub(crate) fn new(company: Arc<Company>, operation: Operation, action: Option<String>) -> Self {
        let shown = Shown::new(&company, &operation);
        Self(Arc::new(Inner { company, operation, action, shown }))
    }

    /// What to show the User.
    pub fn shown(&self) -> &Shown {
        &self.0.shown
    }

    /// The Company that proposed it.
    pub fn company(&self) -> &Company {
        &self.0.company
    }

    /// The operation.
    pub fn operation_id(&self) -> &OperationId {
        &self.0.operation.operation_id
    }

    /// The revision.
    pub fn revision(&self) -> Revision {
        self.0.operation.revision
    }

    /// The name of the action that was asked for, if the request had one.
    pub fn action(&self) -> Option<&str> {
        self.0.action.as_deref()
    }

    /// The operation as the Company sent it.
    pub fn operation(&self) -> &Operation {
        &self.0.operation
    }
}

impl Shown {
    pub(crate) fn new(company: &Company, operation: &Operation) -> Self {
        Self {
            company_name: CompanyText::new(company.name()),
            company_domain: company.domain().to_owned(),
            operation_id: operation.operation_id.clone(),
            revision: operation.revision,
            summary: CompanyText::new(operation.summary.as_str()),
            terms: terms(operation.terms.as_deref()),
            expires_at: operation.expires_at,
            user_approval_required: operation.user_approval_required,
            url: operation.url.clone(),
        }
    }

    /// The values that matter most, for beside the summary: amounts, days, moments.
    pub fn important_terms(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(|term| term.is_important())
    }

    /// What an approval is of: everything that tells the User who would do what.
    pub(crate) fn digest(&self) -> Digest {
        let revision = self.revision.to_string();
        let who = [self.company_name.verbatim(), &self.company_domain, self.operation_id.as_str()];
        Digest::of(who.into_iter().chain([revision.as_str()]).chain(self.what()))
    }

    /// What the revision says, whoever says it: a Company can change its name, not a revision.
    pub(crate) fn terms_digest(&self) -> Digest {
        Digest::of(self.what())
    }

    fn what(&self) -> impl Iterator<Item = &str> {
        let terms = self.terms.iter().flat_map(|term| [term.path(), term.literal()]);
        std::iter::once(self.summary.verbatim()).chain(terms)
    }
}

impl Display for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} ({}) proposes:", self.company_name, self.company_domain)?;
        writeln!(f, "  {}", self.summary)?;
        if self.important_terms().next().is_some() {
            writeln!(f, "In its terms:")?;
        }
        for term in self.important_terms() {
            let path = CompanyText::new(term.path().trim_start_matches('/'));
            writeln!(f, "  {path}: {}", term.value())?;
        }
        if let Some(expires_at) = self.expires_at {
            writeln!(f, "Can be confirmed until {expires_at}.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn company_text_cannot_act_on_a_terminal_and_stays_verbatim() {
        let text = CompanyText::new("for $7\u{202e}0.00\u{1b}[2J more\u{200b}");
        assert_eq!(text.to_string(), r"for $7\u{202e}0.00\u{1b}[2J more\u{200b}");
        assert_eq!(text.verbatim().chars().count(), 21);
        assert_eq!(format!("{text:?}"), "CompanyText(25 bytes)");
    }
}
