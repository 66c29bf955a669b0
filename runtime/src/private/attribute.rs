//! What `#[operation(…)]` says by itself, before the types it speaks of are known.

use pap_protocol::catalogue::{Reconcile, UserApproval, WithoutExtension};

use crate::declaration::{OperationDeclaration, ReferencePart, Route, Schema, TermsDeclaration};

/// See [`OperationDeclaration`], whose fields these are.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
#[expect(missing_docs, reason = "each is explained at `OperationDeclaration`")]
pub struct Attribute {
    pub action: &'static str,
    pub doc: &'static str,
    pub origin: &'static str,
    pub route: Option<Route>,
    pub tool: &'static str,
    pub scopes: &'static [&'static str],
    pub expires_in_s: u64,
    pub retain_for_s: Option<u64>,
    pub user_approval: UserApproval,
    pub without_extension: WithoutExtension,
    pub id_prefix: &'static str,
    pub identity: Option<&'static [&'static str]>,
    pub reference: Option<&'static [ReferencePart]>,
    pub reconcile: Reconcile,
    pub can_stop: bool,
    pub rechecks: bool,
    pub tells_release: bool,
}

impl Attribute {
    /// The declaration, with the forms of its types.
    pub const fn with(
        self,
        terms: &'static TermsDeclaration,
        request: Schema,
        result: Schema,
    ) -> OperationDeclaration {
        OperationDeclaration {
            action: self.action,
            doc: self.doc,
            origin: self.origin,
            route: self.route,
            tool: self.tool,
            scopes: self.scopes,
            expires_in_s: self.expires_in_s,
            retain_for_s: self.retain_for_s,
            user_approval: self.user_approval,
            without_extension: self.without_extension,
            id_prefix: self.id_prefix,
            identity: self.identity,
            reference: self.reference,
            reconcile: self.reconcile,
            can_stop: self.can_stop,
            rechecks: self.rechecks,
            tells_release: self.tells_release,
            terms,
            request,
            result,
        }
    }
}
