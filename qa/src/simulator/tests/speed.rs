//! What a round costs the server: it must not be what a bench of the tool loop measures.

use std::time::{Duration, Instant};

use super::client::{Client, Conversation, start};
use crate::builtin;

/// How many rounds a bench has.
const ROUNDS: u32 = 100;

#[test]
fn a_hundred_rounds_stay_cheap_and_flat() {
    let simulator = start(builtin());
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new(&format!("[bench:{ROUNDS}]"));
    let mut spent = Duration::ZERO;
    let mut body = String::new();
    for _ in 0..=ROUNDS {
        body = talk.body();
        let begin = Instant::now();
        let answer = client.post(&body);
        spent += begin.elapsed();
        talk.reply(answer.message(), |round| {
            format!(
                "{{\"text\":\"line {round}\",\"totalLines\":2000,\"sha256\":\"{:064}\"}}",
                7
            )
        });
    }
    let log = simulator.log();
    assert_eq!(log.violations, []);
    assert_eq!(log.connections, 1);
    assert!(
        talk.messages.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .contains("over")
    );

    let each = spent / (ROUNDS + 1);
    println!("{each:?} a round, {} bytes in the last", body.len());
    // Generous: unoptimised, beside other tests. It catches a cost that grows with the history.
    assert!(each < Duration::from_millis(20), "{each:?}");
}
