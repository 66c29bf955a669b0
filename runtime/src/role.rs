//! What one process of a company does.

/// What this process does of a company that has many.
///
/// # Examples
///
/// ```
/// use pap_runtime::Role;
///
/// // the web tier only confirms; workers elsewhere perform
/// assert!(Role::Serve != Role::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Role {
    /// It proposes, confirms and performs.
    #[default]
    Both,
    /// It proposes and confirms; what it confirmed waits in the store for a process that performs.
    Serve,
    /// It performs what others confirmed, and asks about what nobody knows. It can still be asked to
    /// propose and confirm, and then performs what it confirmed.
    Perform,
}

impl Role {
    /// Whether handlers and questions run here.
    pub(crate) fn performs(self) -> bool {
        self != Self::Serve
    }
}
