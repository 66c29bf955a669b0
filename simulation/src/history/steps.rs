//! A history: what is done to a few nodes on one store, one step after the other.
// size: every step of a history, with how it reads
#![expect(clippy::exhaustive_structs, reason = "a history is written by hand, too")]
#![expect(clippy::exhaustive_enums, reason = "a history is written by hand, too")]

use std::fmt::{Display, Formatter};

use super::random::Random;

/// How many nodes there are.
pub const NODES: usize = 3;
/// How many things there are to be ordered.
const ITEMS: u64 = 3;

/// How long a proposal can be confirmed, in milliseconds.
const LIFETIME: u64 = 60_000;

/// A history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// Where it came from; decides how long each call of the store takes.
    pub seed: u64,
    /// What the nodes are.
    pub nodes: Nodes,
    /// What is done.
    pub steps: Vec<Step>,
}

/// What the nodes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nodes {
    /// Each has room for one handler and one question at a time.
    pub narrow: bool,
    /// The last one only confirms.
    pub last_serves: bool,
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// How long after the step before it, in milliseconds.
    pub after: u64,
    /// Which node it is done at.
    pub node: usize,
    /// What is done. Requests are sent; nobody waits for the answer.
    pub what: What,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The agent asks for an item, in this size. An open order for it is revised.
    Ask {
        /// Which item.
        item: u64,
        /// Which size.
        size: u64,
        /// How it goes if this is its first.
        way: Way,
    },
    /// The company revises the order of an item to this size.
    Revise {
        /// Which item.
        item: u64,
        /// Which size.
        size: u64,
    },
    /// The agent confirms the latest revision that it knows, or the one before.
    Confirm {
        /// Which item.
        item: u64,
        /// Not the latest.
        old: bool,
    },
    /// The agent cancels.
    Cancel {
        /// Which item.
        item: u64,
    },
    /// The agent reads.
    Read {
        /// Which item.
        item: u64,
    },
    /// Somebody who found out settles.
    Settle {
        /// Which item.
        item: u64,
    },
    /// The next calls of this kind fail.
    Fail {
        /// Which.
        call: Call,
        /// How.
        fault: Fault,
        /// How many.
        times: u64,
    },
    /// The company holds back its proposals or confirmations, on all nodes.
    HoldBack {
        /// Confirmations.
        claims: bool,
    },
    /// It lets them go on.
    LetGo {
        /// Confirmations.
        claims: bool,
    },
    /// The process is killed.
    Kill,
    /// Another process starts, if none runs.
    Start,
    /// The process is held up.
    Pause,
    /// It goes on.
    Resume,
    /// It is shut down in good order.
    Close,
    /// Nothing.
    Wait,
}

/// How the handler and the system behind go about an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// What the handler does.
    pub act: Act,
    /// What bars a late request.
    pub fence: Fence,
    /// How long a request is on its way, in milliseconds.
    pub transit: u64,
    /// What the first questions come to.
    pub asked: Asked,
}

/// What the handler does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Sends, and succeeds.
    Succeed,
    /// Declines before it sends.
    Decline,
    /// Sends, notes the change, and fails.
    FailAfter,
    /// Sends, notes the change, and says that nothing was changed.
    Contradict,
    /// Sends, and does not know.
    Forget,
    /// Sends, notes the change, and does not know.
    NoteAndForget,
    /// Sends, and does not wait for the answer.
    GiveUp,
    /// Panics before it sends.
    PanicBefore,
    /// Sends, and panics.
    PanicAfter,
    /// Sends, and never answers.
    Hang,
    /// Waits long before it sends.
    Late,
    /// Sends, and hands the rest over.
    HandOver,
    /// Waits to be stopped.
    Wait,
}

impl Act {
    /// Each of them.
    const ALL: [Self; 13] = [
        Self::Succeed,
        Self::Decline,
        Self::FailAfter,
        Self::Contradict,
        Self::Forget,
        Self::NoteAndForget,
        Self::GiveUp,
        Self::PanicBefore,
        Self::PanicAfter,
        Self::Hang,
        Self::Late,
        Self::HandOver,
        Self::Wait,
    ];
}

/// What bars a late request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fence {
    /// Nothing.
    None,
    /// A checkpoint before it is sent.
    Checkpoint,
    /// The system behind refuses the order once it is voided.
    Downstream,
}

/// What the first questions come to; then they are answered truthfully.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The truth.
    Truth,
    /// Two errors.
    Errors,
    /// A panic.
    Panic,
    /// Never answered.
    Hang,
    /// Nothing is seen, twice.
    NotSeen,
}

/// The calls of a store that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `read`
    Read,
    /// `find_open`
    FindOpen,
    /// `history`
    History,
    /// `propose`
    Propose,
    /// `revise`
    Revise,
    /// `claim`
    Claim,
    /// `close_proposed`
    CloseProposed,
    /// `request_stop`
    RequestStop,
    /// `write_note`
    WriteNote,
    /// `finish`
    Finish,
    /// `ask_later`
    AskLater,
    /// `take_askable`
    TakeAskable,
    /// `record_late`
    RecordLate,
    /// `heartbeat`
    Heartbeat,
    /// `start`
    Start,
    /// `waiting`
    Waiting,
    /// Any of the other half of the store.
    Keeping,
    /// What no company calls while it runs.
    Other,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing was written.
    NotWritten,
    /// Nothing was written, and nobody knows.
    LostBefore,
    /// It was written, and nobody knows.
    LostAfter,
    /// A claim or a start is written two seconds later, and nobody knows. Any other call as `LostBefore`.
    Later,
}

impl History {
    /// A random one.
    pub fn of(seed: u64) -> Self {
        let mut random = Random::of(seed);
        let length = 8 + random.below(32);
        let nodes = Nodes { narrow: random.percent(40), last_serves: random.percent(30) };
        // few orders meet each other more often
        let items = 1 + random.below(ITEMS);
        let mut steps = vec![step(&mut random, ask(&mut Random::of(seed ^ 1), items))];
        steps.extend((1..length).map(|_| {
            let what = what(&mut random, items);
            step(&mut random, what)
        }));
        Self { seed, nodes, steps }
    }
}

fn step(random: &mut Random, what: What) -> Step {
    let after = match random.below(100) {
        // at the last moment before a proposal expires, or just after
        0..4 if matches!(what, What::Confirm { .. } | What::Revise { .. }) => {
            LIFETIME - 30 + random.below(40)
        }
        0..40 => random.below(3),
        40..75 => random.below(40),
        75..95 => random.below(4_000),
        95..99 => random.below(30_000),
        _ => random.below(90_000),
    };
    let node = usize::try_from(random.below(3)).unwrap_or(0);
    Step { after, node, what }
}

fn what(random: &mut Random, items: u64) -> What {
    let item = random.below(items);
    let size = random.below(4);
    match random.below(100) {
        0..15 => ask(random, items),
        15..19 => What::Revise { item, size },
        19..46 => What::Confirm { item, old: random.percent(8) },
        46..54 => What::Cancel { item },
        54..60 => What::Read { item },
        60..63 => What::Settle { item },
        63..79 => fail(random),
        79..86 => What::Kill,
        86..91 => What::Start,
        91..95 => What::Pause,
        95..97 => What::Resume,
        97 if random.percent(60) => What::HoldBack { claims: random.percent(70) },
        97 => What::LetGo { claims: random.percent(70) },
        98 => What::Close,
        _ => What::Wait,
    }
}

fn ask(random: &mut Random, items: u64) -> What {
    let way = Way {
        act: random.one_of(Act::Succeed, &Act::ALL),
        fence: random.one_of(Fence::Checkpoint, &[Fence::Downstream, Fence::None]),
        transit: random.one_of(0, &[0, 30, 2_000, 40_000]),
        asked: random.one_of(
            Asked::Truth,
            &[Asked::Truth, Asked::Errors, Asked::Panic, Asked::Hang, Asked::NotSeen],
        ),
    };
    What::Ask { item: random.below(items), size: random.below(4), way }
}

fn fail(random: &mut Random) -> What {
    use Call::{
        AskLater, Claim, CloseProposed, FindOpen, Finish, History, Propose, Read, RecordLate,
        RequestStop, Revise, TakeAskable, WriteNote,
    };
    let calls = [
        Claim,
        Finish,
        Finish,
        WriteNote,
        AskLater,
        TakeAskable,
        Read,
        FindOpen,
        History,
        Propose,
        Revise,
        CloseProposed,
        RequestStop,
        RecordLate,
        Call::Heartbeat,
        Call::Start,
        Call::Start,
        Call::Waiting,
        Call::Keeping,
    ];
    let call = random.one_of(Claim, &calls);
    let fault =
        random.one_of(Fault::LostAfter, &[Fault::LostBefore, Fault::NotWritten, Fault::Later]);
    What::Fail { call, fault, times: random.one_of(1, &[1, 2, 8]) }
}

impl Display for History {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Nodes { narrow, last_serves } = self.nodes;
        if narrow {
            writeln!(f, "      each node has room for one handler and one question")?;
        }
        if last_serves {
            writeln!(f, "      node {} only confirms", NODES - 1)?;
        }
        let mut at = 0;
        for (number, Step { after, node, what }) in self.steps.iter().enumerate() {
            at += after;
            writeln!(f, "{:>4}  {at:>7} ms  node {node}: {what}", number + 1)?;
        }
        Ok(())
    }
}

impl Display for What {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ask { item, size, way: Way { act, fence, transit, asked } } => {
                write!(
                    f,
                    "ask for item {item} in size {size}; handler: {act:?}, fence: {fence:?}"
                )?;
                if *transit > 0 {
                    write!(f, ", requests arrive after {transit} ms")?;
                }
                if *asked != Asked::Truth {
                    write!(f, ", first questions: {asked:?}")?;
                }
                Ok(())
            }
            Self::Revise { item, size } => write!(f, "revise item {item} to size {size}"),
            Self::Confirm { item, old: false } => write!(f, "confirm item {item}"),
            Self::Confirm { item, old: true } => write!(f, "confirm item {item}, an old revision"),
            Self::Cancel { item } => write!(f, "cancel item {item}"),
            Self::Read { item } => write!(f, "read item {item}"),
            Self::Settle { item } => write!(f, "an operator settles item {item}"),
            Self::Fail { call, fault, times } => {
                write!(f, "the next {times} calls of {call:?} fail: {fault:?}")
            }
            Self::HoldBack { claims } => write!(f, "{} are held back", held(*claims)),
            Self::LetGo { claims } => write!(f, "{} go on", held(*claims)),
            Self::Kill => f.write_str("killed"),
            Self::Start => f.write_str("started"),
            Self::Pause => f.write_str("paused"),
            Self::Resume => f.write_str("resumed"),
            Self::Close => f.write_str("closed"),
            Self::Wait => f.write_str("nothing"),
        }
    }
}

fn held(claims: bool) -> &'static str {
    if claims { "confirmations" } else { "proposals" }
}
