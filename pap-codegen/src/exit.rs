//! What the exit code of the command says. The numbers never change their meaning.

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Exit {
    /// Done; for `check`: everything is up to date.
    Done,
    /// `check` found differences; nothing is broken.
    OutOfDate,
    /// The declarations or `pap.toml` have errors.
    Declarations,
    /// The arguments are wrong.
    Usage,
    /// A file could not be read or written.
    Io,
    /// A bug in pap-codegen.
    Bug,
}

impl Exit {
    /// Every way a run can end, in the order of the numbers.
    pub const ALL: [Self; 6] =
        [Self::Done, Self::Declarations, Self::Usage, Self::OutOfDate, Self::Bug, Self::Io];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Declarations => 1,
            Self::Usage => 2,
            Self::OutOfDate => 4,
            Self::Bug => 70,
            Self::Io => 74,
        }
    }

    /// The number in words, as `--help` prints it.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done; for `check`: up to date",
            Self::Declarations => "the declarations or pap.toml have errors",
            Self::Usage => "wrong arguments",
            Self::OutOfDate => "`check` found differences; nothing is broken",
            Self::Bug => "a bug in pap-codegen; please report it",
            Self::Io => "a file could not be read or written",
        }
    }
}
