//! The transcript as a list of rows: what is drawn one below the other. A run's rows are made anew only when
//! the run or a fold has changed.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use wisp_engine::protocol::RunOutcome;

use crate::state::folds::Folds;
use crate::state::transcript::{Phase, Run, Step, Transcript};

/// One row; the numbers are places in the transcript's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// The user's words.
    User(usize),
    /// A step's line.
    Step(usize, usize),
    /// What the model said before its calls; inside the fold.
    Narration(usize, usize),
    /// A call's line.
    Call(usize, usize, usize),
    /// What an open call holds.
    Body(usize, usize, usize),
    /// The model's answer.
    Reply(usize, usize),
    /// Something to know.
    Notice(usize, usize),
    /// What goes on right now.
    Status(usize),
    /// How the run ended.
    End(usize),
}

impl Row {
    /// The run it belongs to.
    pub fn run(self) -> usize {
        match self {
            Self::User(run)
            | Self::Step(run, _)
            | Self::Narration(run, _)
            | Self::Call(run, ..)
            | Self::Body(run, ..)
            | Self::Reply(run, _)
            | Self::Notice(run, _)
            | Self::Status(run)
            | Self::End(run) => run,
        }
    }
}

/// A row with its place.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What.
    pub row: Row,
    /// Its height in points, measured or guessed.
    pub height: f32,
    /// Whether the height was measured at the present width.
    pub measured: bool,
}

/// All rows of a transcript.
#[derive(Debug, Default)]
pub struct Rows {
    slots: Vec<Slot>,
    runs: Vec<(u64, Range<usize>)>,
    folds: u64,
    /// Heights of rows that are not in the list at the moment or are being made anew.
    heights: HashMap<u64, f32>,
    width: f32,
}

fn key(row: Row) -> u64 {
    let mut hasher = DefaultHasher::new();
    row.hash(&mut hasher);
    hasher.finish()
}

impl Rows {
    /// Brings the list up to the transcript. `width` is the column's, in points. Tells whether rows changed.
    pub fn update(&mut self, transcript: &Transcript, folds: &Folds, width: f32) -> bool {
        if (self.width - width).abs() > 0.5 {
            self.width = width;
            self.heights.clear();
            for slot in &mut self.slots {
                slot.measured = false;
            }
        }
        let same = self
            .runs
            .iter()
            .zip(&transcript.runs)
            .take_while(|((revision, _), run)| *revision == run.revision)
            .count();
        let first = if self.folds == folds.revision {
            same
        } else {
            0
        };
        if first == transcript.runs.len() && first == self.runs.len() {
            return false;
        }
        self.folds = folds.revision;
        let keep = (self.runs.get(first)).map_or(self.slots.len(), |(_, range)| range.start);
        for slot in self.slots.drain(keep..).filter(|slot| slot.measured) {
            self.heights.insert(key(slot.row), slot.height);
        }
        self.runs.truncate(first);
        let mut rows = Vec::new();
        for (place, run) in transcript.runs.iter().enumerate().skip(first) {
            rows.clear();
            rows_of(place, run, folds, &mut rows);
            let start = self.slots.len();
            for row in &rows {
                let known = self.heights.get(&key(*row)).copied();
                self.slots.push(Slot {
                    row: *row,
                    height: known.unwrap_or_else(|| guess(*row, transcript, width)),
                    measured: known.is_some(),
                });
            }
            self.runs.push((run.revision, start..self.slots.len()));
        }
        self.heights.clear();
        true
    }

    /// The rows, from the top.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Takes a measured height.
    pub fn measure(&mut self, place: usize, height: f32) {
        if let Some(slot) = self.slots.get_mut(place) {
            slot.height = height;
            slot.measured = true;
        }
    }

    /// The place of a row.
    pub fn place_of(&self, row: Row) -> Option<usize> {
        let (_, range) = self.runs.get(row.run())?;
        let slots = self.slots.get(range.clone())?;
        let place = slots.iter().position(|slot| slot.row == row)?;
        Some(range.start + place)
    }

    /// The height of all rows.
    pub fn total(&self) -> f32 {
        self.slots.iter().map(|slot| slot.height).sum()
    }

    /// The height of the rows before this place.
    pub fn top_of(&self, place: usize) -> f32 {
        self.slots.iter().take(place).map(|slot| slot.height).sum()
    }

    /// The row at this distance from the top, and where in it.
    pub fn at(&self, offset: f32) -> (usize, f32) {
        let mut top = 0.0;
        for (place, slot) in self.slots.iter().enumerate() {
            if top + slot.height > offset {
                return (place, offset - top);
            }
            top += slot.height;
        }
        (self.slots.len().saturating_sub(1), 0.0)
    }
}

/// Whether a step is one line with calls below it, rather than the answer itself.
fn has_line(step: &Step) -> bool {
    !step.calls.is_empty() || matches!(step.phase, Phase::Calling(_))
}

fn rows_of(place: usize, run: &Run, folds: &Folds, rows: &mut Vec<Row>) {
    if !run.text.is_empty() {
        rows.push(Row::User(place));
    }
    let notices_at = |after: usize, rows: &mut Vec<Row>| {
        for (number, notice) in run.notices.iter().enumerate() {
            if notice.after_step == after {
                rows.push(Row::Notice(place, number));
            }
        }
    };
    let over = !run.is_running();
    notices_at(0, rows);
    for (number, step) in run.steps.iter().enumerate() {
        if has_line(step) {
            step_rows(place, number, run, step, folds, rows);
        } else if !step.reply.is_empty() {
            rows.push(Row::Reply(place, number));
        }
        notices_at(number + 1, rows);
    }
    if over {
        let quiet = matches!(
            run.end.as_ref().map(|end| &end.outcome),
            Some(RunOutcome::Done)
        );
        // A single tool call has nothing more to say than its own line.
        if !(quiet && run.text.is_empty()) {
            rows.push(Row::End(place));
        }
    } else if run
        .steps
        .last()
        .is_none_or(|step| step.phase != Phase::Done && !has_line(step))
    {
        rows.push(Row::Status(place));
    }
}

fn step_rows(
    place: usize,
    number: usize,
    run: &Run,
    step: &Step,
    folds: &Folds,
    rows: &mut Vec<Row>,
) {
    rows.push(Row::Step(place, number));
    let state = step.state(!run.is_running());
    if !folds.step_is_open(&run.id, step.number, state) {
        return;
    }
    if !step.reply.is_empty() {
        rows.push(Row::Narration(place, number));
    }
    for (at, call) in step.calls.iter().enumerate() {
        rows.push(Row::Call(place, number, at));
        if folds.call_is_open(run, step, call) {
            rows.push(Row::Body(place, number, at));
        }
    }
}

/// A height to begin with, in points; near enough that the bar hardly moves when it is measured.
fn guess(row: Row, transcript: &Transcript, width: f32) -> f32 {
    let run = transcript.runs.get(row.run());
    let lines = |text: &str| {
        let per_line = (width / 7.0).max(20.0);
        #[expect(clippy::cast_precision_loss, reason = "a guess")]
        let length = text.len() as f32;
        (length / per_line).ceil().max(1.0)
    };
    match row {
        Row::User(_) => 44.0 + 20.0 * lines(run.map_or("", |run| &run.text)).min(12.0),
        Row::Reply(_, step) | Row::Narration(_, step) => {
            let step = run.and_then(|run| run.steps.get(step));
            12.0 + 22.0 * lines(step.map_or("", |step| step.reply.text()))
        }
        Row::Step(..) | Row::Call(..) | Row::Status(_) => 28.0,
        Row::Notice(..) => 32.0,
        Row::Body(..) => 160.0,
        Row::End(_) => 36.0,
    }
}

#[cfg(test)]
mod tests {
    use wisp_engine::protocol::{
        CallId, CallRequest, Event, EventId, EventMsg, RunId, SessionId, Usage,
    };

    use super::*;
    use crate::state::folds::FoldKey;

    fn transcript(messages: Vec<EventMsg>) -> Transcript {
        let mut transcript = Transcript::default();
        for (number, msg) in messages.into_iter().enumerate() {
            transcript.apply(&Event {
                id: EventId(number as u64 + 1),
                session: SessionId::new("s"),
                at: 0,
                msg,
            });
        }
        transcript
    }

    fn run(n: usize) -> RunId {
        RunId::new(format!("r{n}"))
    }

    fn a_run(n: usize, calls: usize) -> Vec<EventMsg> {
        let mut messages = vec![EventMsg::RunStarted {
            run: run(n),
            text: "please".into(),
            max_steps: 8,
        }];
        messages.push(EventMsg::CallsRequested {
            run: run(n),
            step: 1,
            calls: (0..calls)
                .map(|call| CallRequest {
                    call: CallId::new(format!("c{call}")),
                    tool: "files_read".into(),
                    arguments: "{}".into(),
                })
                .collect(),
        });
        messages.push(EventMsg::StepFinished {
            run: run(n),
            step: 2,
            text: "There.".into(),
            usage: Usage::default(),
            millis: 1,
        });
        messages.push(EventMsg::RunFinished {
            run: run(n),
            outcome: RunOutcome::Done,
            side_effects: false,
            steps: 2,
            usage: Usage::default(),
            millis: 1,
        });
        messages
    }

    fn rows(transcript: &Transcript, folds: &Folds) -> Vec<Row> {
        let mut rows = Rows::default();
        rows.update(transcript, folds, 700.0);
        rows.slots().iter().map(|slot| slot.row).collect()
    }

    #[test]
    fn the_answer_is_never_in_a_fold_and_a_folded_step_is_one_line() {
        let transcript = transcript(a_run(0, 2));
        let mut folds = Folds::default();
        folds.set(FoldKey::Step(run(0), 1), false);
        let folded = [Row::User(0), Row::Step(0, 0), Row::Reply(0, 1), Row::End(0)];
        assert_eq!(rows(&transcript, &folds), folded);
        folds.set(FoldKey::Step(run(0), 1), true);
        let open = rows(&transcript, &folds);
        assert_eq!(
            open[1..4],
            [Row::Step(0, 0), Row::Call(0, 0, 0), Row::Call(0, 0, 1)]
        );
        assert!(open.contains(&Row::Reply(0, 1)));
    }

    #[test]
    fn only_what_changed_is_made_anew_and_measured_heights_stay() {
        let mut messages = a_run(0, 1);
        messages.extend(a_run(1, 1));
        let mut transcript = transcript(messages);
        let mut rows = Rows::default();
        let mut folds = Folds::default();
        assert!(rows.update(&transcript, &folds, 700.0));
        assert!(
            !rows.update(&transcript, &folds, 700.0),
            "nothing has changed"
        );
        for place in 0..rows.slots().len() {
            rows.measure(place, 77.0);
        }
        transcript.runs[1].revision += 1;
        assert!(rows.update(&transcript, &folds, 700.0));
        assert!(
            rows.slots()
                .iter()
                .all(|slot| slot.measured && slot.height > 76.0)
        );
        folds.set(FoldKey::Step(run(0), 1), false);
        assert!(rows.update(&transcript, &folds, 700.0));
        assert!(rows.place_of(Row::Call(0, 0, 0)).is_none());
        rows.update(&transcript, &folds, 500.0);
        assert!(
            rows.slots().iter().all(|slot| !slot.measured),
            "another width"
        );
    }

    #[test]
    fn places_and_distances_fit_together() {
        let transcript = transcript(a_run(0, 3));
        let mut rows = Rows::default();
        rows.update(&transcript, &Folds::default(), 700.0);
        for place in 0..rows.slots().len() {
            let (found, within) = rows.at(rows.top_of(place) + 1.0);
            assert_eq!(found, place);
            assert!((within - 1.0).abs() < 0.01);
        }
        let (last, _) = rows.at(rows.total() + 100.0);
        assert_eq!(last, rows.slots().len() - 1);
    }
}
