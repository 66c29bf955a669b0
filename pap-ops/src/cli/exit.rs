//! What the exit code of the command says. The numbers never change their meaning.

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// Done; for `verify` and `migrate --check`: nothing was found.
    Done,
    /// It was not done, or something was found.
    Failed,
    /// The arguments are wrong.
    Usage,
    /// The store, or the admin router, could not be reached or did not answer.
    Unreached,
}

impl Exit {
    /// Every way a run can end, in the order of the numbers.
    pub const ALL: [Self; 4] = [Self::Done, Self::Failed, Self::Usage, Self::Unreached];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unreached => 3,
        }
    }

    /// The number in words, as `--help` prints it.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done; for `verify` and `migrate --check`: nothing was found",
            Self::Failed => "it was not done, or something was found",
            Self::Usage => "wrong arguments",
            Self::Unreached => "the store, or the admin router, was not reached",
        }
    }
}
