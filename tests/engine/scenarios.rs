//! Every scenario, once with every change approved and once with every change denied.

use wisp_qa::{Choice, Scenario, builtin, check};
use wisp_tests::{Desk, Say};

fn play(scenario: &Scenario, denied: bool) {
    // Where the model says nothing for ever, the limit is what ends the run.
    let says_nothing = scenario
        .turns
        .iter()
        .any(|turn| turn.fault.as_ref().is_some_and(|fault| fault.comments_only));
    let mut desk = Desk::with(builtin(), |settings| {
        settings.api_key.clone_from(&scenario.require_key);
        if says_nothing {
            settings.idle_seconds = 1;
        }
    });
    desk.lay(scenario);
    let session = desk.session();
    desk.start(&session, &scenario.prompt, scenario.max_steps);
    let events = desk.to_the_end(&session, |asked| {
        if denied || scenario.decision(asked) == Choice::Deny {
            Say::Deny
        } else {
            Say::Approve
        }
    });
    let report = check(scenario, &events, desk.folder.path());
    assert!(report.passed(), "{report}");
    assert_eq!(
        desk.stored(&session)[1..],
        events,
        "{}: what was shown is what is stored",
        scenario.name
    );
    desk.assert_requests_were_right();
}

#[test]
fn each_scenario_comes_out_as_it_says_when_all_is_approved() {
    for scenario in &builtin() {
        play(scenario, false);
    }
}

#[test]
fn each_scenario_comes_out_as_it_says_when_all_is_denied() {
    for scenario in &builtin() {
        play(scenario, true);
    }
}
