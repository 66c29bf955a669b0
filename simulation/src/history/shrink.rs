//! From a long history that fails to a short one that fails in the same way.

use super::play::play;
use super::steps::{Act, Asked, Fence, History, Nodes, Step, Way, What};
use super::store::Broken;

/// So many steps can be tried in pairs.
const FEW: usize = 14;

/// A short history that breaks the same promise. It is one from which no step can be taken, and no step made
/// simpler, without keeping the promise.
pub fn shrunk(history: &History, broken: Broken) -> History {
    let Err(failed) = play(history, broken) else { return history.clone() };
    let fails = |history: &History| {
        play(history, broken).is_err_and(|again| again.promise == failed.promise)
    };
    let mut best = history.clone();
    loop {
        let before = best.clone();
        shorter(&mut best, &fails);
        plain_nodes(&mut best, &fails);
        simpler(&mut best, &fails);
        without_two(&mut best, &fails);
        if best == before {
            return best;
        }
    }
}

/// Takes out as many steps as it can, first many at a time.
fn shorter(best: &mut History, fails: &impl Fn(&History) -> bool) {
    let mut many = best.steps.len() / 2;
    while many > 0 {
        let mut at = 0;
        while at < best.steps.len() {
            let less = [without(best, at, many, false), without(best, at, many, true)];
            match less.into_iter().find(fails) {
                Some(less) => *best = less,
                None => at += many,
            }
        }
        many /= 2;
    }
}

/// The history without these steps, and with the time that they took or without.
fn without(history: &History, at: usize, many: usize, in_time: bool) -> History {
    let (before, from) = history.steps.split_at(at);
    let (gone, after) = from.split_at(many.min(from.len()));
    let mut steps = [before, after].concat();
    if let Some(next) = steps.get_mut(at).filter(|_| in_time) {
        next.after += gone.iter().map(|step| step.after).sum::<u64>();
    }
    History { steps, ..history.clone() }
}

/// Takes out two steps that need each other, once there are few.
fn without_two(best: &mut History, fails: &impl Fn(&History) -> bool) {
    let length = best.steps.len();
    if length > FEW {
        return;
    }
    for one in 0..length {
        for other in one + 1..length {
            let left = best.steps.iter().enumerate().filter(|(at, _)| *at != one && *at != other);
            let steps = left.map(|(_, step)| *step).collect();
            let less = History { steps, ..best.clone() };
            if fails(&less) {
                *best = less;
                return;
            }
        }
    }
}

/// Does without what is special about the nodes.
fn plain_nodes(best: &mut History, fails: &impl Fn(&History) -> bool) {
    let Nodes { narrow, last_serves } = best.nodes;
    for nodes in [
        Nodes { narrow: false, last_serves: false },
        Nodes { narrow: false, last_serves },
        Nodes { narrow, last_serves: false },
    ] {
        let plain = History { nodes, ..best.clone() };
        if plain != *best && fails(&plain) {
            *best = plain;
            return;
        }
    }
}

/// Makes each step as plain as it can.
fn simpler(best: &mut History, fails: &impl Fn(&History) -> bool) {
    for at in 0..best.steps.len() {
        // each on top of those before it
        let mut number = 0;
        while let Some(step) = best.steps.get(at).copied()
            && let Some(plain) = plainer(step).get(number).copied()
        {
            number += 1;
            let mut tried = best.clone();
            if let Some(step) = tried.steps.get_mut(at) {
                *step = plain;
            }
            if plain != step && fails(&tried) {
                *best = tried;
            }
        }
    }
}

/// The same step with one thing less each.
fn plainer(step: Step) -> Vec<Step> {
    let mut all = vec![Step { what: What::Wait, ..step }];
    all.extend([Step { after: 0, ..step }, Step { node: 0, ..step }]);
    match step.what {
        What::Ask { item, size, way } => {
            let ways = [
                Way {
                    act: Act::Succeed,
                    fence: Fence::Checkpoint,
                    transit: 0,
                    asked: Asked::Truth,
                },
                Way { transit: 0, ..way },
                Way { asked: Asked::Truth, ..way },
                Way { act: Act::Succeed, ..way },
            ];
            all.extend(ways.map(|way| Step { what: What::Ask { item, size, way }, ..step }));
        }
        What::Fail { call, fault, times } if times > 1 => {
            all.push(Step { what: What::Fail { call, fault, times: 1 }, ..step });
        }
        _ => {}
    }
    all
}
