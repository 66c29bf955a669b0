//! The table of codes. A code is never reused; its page is `codes/PAPnnnn.md`.

use std::fmt::{Debug, Display, Formatter};

macro_rules! codes {
    ($($name:ident = $code:literal,)*) => {
        /// The stable code of a mistake, such as `PAP0003`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each is explained by its page")]
        pub enum Code {
            $($name,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// As it is written, such as `PAP0003`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// The page that explains it, in Markdown.
            pub fn page(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("../codes/", $code, ".md")),)*
                }
            }
        }
    };
}

codes! {
    // the summary and the terms
    NoSummary = "PAP0001",
    NoSuchField = "PAP0002",
    NotStated = "PAP0003",
    TemplateSyntax = "PAP0004",
    SummaryText = "PAP0005",
    NoReason = "PAP0006",
    NeedlessKey = "PAP0007",
    NeverShown = "PAP0008",
    ShownAs = "PAP0009",
    PrivateInSummary = "PAP0010",
    NoIfNone = "PAP0011",
    NoMax = "PAP0012",
    Float = "PAP0013",
    OpenForm = "PAP0014",
    Generic = "PAP0015",
    Recursive = "PAP0016",
    AboveDerive = "PAP0017",
    SerdeAttribute = "PAP0018",
    WrongItem = "PAP0019",
    WrongVariant = "PAP0020",
    VariantNotStated = "PAP0021",
    ExcludingKeys = "PAP0022",
    SameName = "PAP0023",
    TwoSummaries = "PAP0024",
    RoleOfType = "PAP0025",
    NestedForm = "PAP0026",
    // the attribute's keys
    UnknownKey = "PAP0030",
    RepeatedKey = "PAP0031",
    MissingKey = "PAP0032",
    WrongForm = "PAP0033",
    NotYet = "PAP0034",
    Action = "PAP0035",
    Route = "PAP0036",
    Scope = "PAP0037",
    Duration = "PAP0038",
    IdPrefix = "PAP0039",
    Identity = "PAP0040",
    NotInRequest = "PAP0041",
    OtherForm = "PAP0042",
    Reference = "PAP0043",
    // the functions
    NotAnOperation = "PAP0050",
    MissingFunction = "PAP0051",
    NoReconcile = "PAP0052",
    NotAsync = "PAP0053",
    Signature = "PAP0054",
    UnknownParameter = "PAP0055",
    OnlyConfirmedTerms = "PAP0056",
    MissingParameter = "PAP0057",
    ParameterForm = "PAP0058",
    NoAnswer = "PAP0059",
    NearlyAFunction = "PAP0060",
    AgentSetsPrice = "PAP0061",
    Duplicate = "PAP0062",
    WrongAnswer = "PAP0063",
    ForeignError = "PAP0064",
    OtherTerms = "PAP0065",
    // ours
    Bug = "PAP0070",
}

impl Code {
    /// What it is about: the first line of its page.
    pub fn title(self) -> &'static str {
        let first = self.page().lines().next().unwrap_or_default();
        first.split_once(": ").map_or(first, |(_, title)| title)
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Debug for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The code of this spelling, in any case: `PAP0003`, `pap0003` or `3`.
pub fn explain(code: &str) -> Option<Code> {
    let digits = code.trim().to_ascii_uppercase();
    let digits = digits.strip_prefix("PAP").unwrap_or(&digits);
    let number: u16 = digits.parse().ok()?;
    let spelled = format!("PAP{number:04}");
    Code::ALL.iter().copied().find(|code| code.as_str() == spelled)
}
