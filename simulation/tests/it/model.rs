//! The protocol in every order of events.

use std::fmt::Debug;
use std::time::Instant;

use pap_simulation::model::Protocol;
use pap_simulation::model::designs::{all_right, all_wrong};
use stateright::{Checker, HasDiscoveries, Model, Path};

/// OPS-6-4 OPS-3-23 OPS-6-6 OPS-6-7 OPS-5.2-4 OPS-3-7 OPS-1-1
#[test]
fn the_implemented_design_keeps_every_promise_in_every_order_of_events() {
    let mut all = 0;
    for right in all_right() {
        let begun = Instant::now();
        let checker = right.protocol.checker().threads(2).spawn_bfs().join();
        assert!(checker.is_done(), "{}", right.name);
        let states = checker.unique_state_count();
        println!("| {} | {states} | {:.1} s |", right.name, begun.elapsed().as_secs_f32());
        all += states;
        for promise in right.protocol.properties() {
            let broken = checker
                .discovery(promise.name)
                .filter(|_| promise.expectation == stateright::Expectation::Always);
            if let Some(path) = broken {
                panic!("{}: broken is \"{}\"\n{}", right.name, promise.name, told(path));
            }
        }
        for end in right.reaches {
            assert!(checker.discovery(end).is_some(), "{}: never {end}", right.name);
        }
    }
    println!("{all} states");
}

/// OPS-6-4 OPS-3-23 OPS-6-6 OPS-6-7 OPS-5.2-4 OPS-1-1
#[test]
fn every_wrong_design_breaks_the_promise_that_it_is_known_to_break() {
    for wrong in all_wrong() {
        let only = HasDiscoveries::AnyOf([wrong.breaks].into_iter().collect());
        let checker = wrong.protocol.checker().finish_when(only).spawn_bfs().join();
        let states = checker.unique_state_count();
        let Some(path) = checker.discovery(wrong.breaks) else {
            panic!("{} keeps \"{}\" in all its {states} states", wrong.name, wrong.breaks);
        };
        let steps = path.clone().into_actions().len();
        println!("| {} | {} | {steps} | {states} |\n{}", wrong.name, wrong.breaks, told(path));
    }
}

#[test]
fn the_page_about_the_model_names_every_wrong_design() {
    let page = include_str!("../../../docs/model.md");
    for wrong in all_wrong() {
        assert!(page.contains(&format!("\n| {}", wrong.name)), "`{}` is missing", wrong.name);
    }
}

/// A counterexample: one event in a line, then the state it leads to.
fn told(path: Path<<Protocol as Model>::State, <Protocol as Model>::Action>) -> String {
    let last = path.last_state().clone();
    let line = |(at, event): (usize, &dyn Debug)| format!("  {:2} {event:?}\n", at + 1);
    let events = path.into_actions();
    let lines = events.iter().map(|event| -> &dyn Debug { event }).enumerate().map(line);
    format!("{}  -> {last:?}\n", lines.collect::<String>())
}
