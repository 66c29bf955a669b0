//! What each function of an operation is for, takes and answers.

use crate::declaration::Argument;

/// What a function does for the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Propose,
    Perform,
    Reconcile,
    Stop,
    Recheck,
    Released,
}

/// The names that parameters can have, with what each is and how it is written.
pub(super) const NAMES: [(&str, Argument); 5] = [
    ("session", Argument::Session),
    ("request", Argument::Request),
    ("proposing", Argument::Proposing),
    ("op", Argument::Op),
    ("terms", Argument::Terms),
];

impl Role {
    pub(super) const ALL: [Self; 6] =
        [Self::Propose, Self::Perform, Self::Reconcile, Self::Stop, Self::Recheck, Self::Released];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Propose => "propose",
            Self::Perform => "perform",
            Self::Reconcile => "reconcile",
            Self::Stop => "stop",
            Self::Recheck => "recheck",
            Self::Released => "released",
        }
    }

    /// What a function named by path is called with, unless the attribute lists it.
    pub(super) fn usual_arguments(self) -> &'static [Argument] {
        match self {
            Self::Propose => &[Argument::State, Argument::Session, Argument::Request],
            Self::Perform | Self::Reconcile | Self::Stop | Self::Released => {
                &[Argument::State, Argument::Op]
            }
            Self::Recheck => &[Argument::State, Argument::Session, Argument::Terms],
        }
    }

    /// What it may take beside the state.
    pub(super) fn takes(self) -> &'static [Argument] {
        match self {
            Self::Propose => &[Argument::Session, Argument::Request, Argument::Proposing],
            Self::Perform | Self::Reconcile | Self::Stop | Self::Released => &[Argument::Op],
            Self::Recheck => &[Argument::Session, Argument::Terms],
        }
    }

    /// The parameter of this name, if the function takes it.
    pub(super) fn argument(self, name: &str) -> Option<Argument> {
        let (_, argument) = NAMES.into_iter().find(|(known, _)| *known == name)?;
        self.takes().contains(&argument).then_some(argument)
    }

    /// The names it takes, for a message.
    pub(super) fn names(self) -> String {
        let names = NAMES.iter().filter(|(_, argument)| self.takes().contains(argument));
        let names: Vec<String> = names.map(|(name, _)| format!("`{name}`")).collect();
        names.join(", ")
    }

    /// How the parameter is written.
    pub(super) fn spelled(self, argument: Argument) -> &'static str {
        match argument {
            Argument::State => "shop: &Shop",
            Argument::Session => "session: &Session",
            Argument::Request => "request: ExchangeRequest",
            Argument::Proposing => "proposing: &Proposing",
            Argument::Op if self == Self::Perform => "op: Confirmed<ExchangeTerms>",
            Argument::Op if self == Self::Released => "op: &Released<ExchangeTerms>",
            Argument::Op => "op: &Confirmed<ExchangeTerms>",
            Argument::Terms => "terms: &ExchangeTerms",
        }
    }

    /// What the function returns, as it is written.
    pub(super) fn answers(self) -> &'static str {
        match self {
            Self::Propose => "Result<Proposal<ExchangeTerms>, NotOffered>",
            Self::Perform => "Outcome<Exchanged>",
            Self::Reconcile => "Result<Finding<Exchanged>, Retry>",
            Self::Stop => "Result<StopAnswer, Retry>",
            Self::Recheck => "Result<Recheck<ExchangeTerms>, NotOffered>",
            Self::Released => "Result<(), Retry>",
        }
    }

    /// The names it takes.
    pub(super) fn takes_names(self) -> impl Iterator<Item = &'static str> {
        NAMES
            .iter()
            .filter(move |(_, argument)| self.takes().contains(argument))
            .map(|(name, _)| *name)
    }
}
