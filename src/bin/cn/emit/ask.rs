//! Asks a person about each file that is not ours.

use std::collections::HashMap;

use canopy::plan::{Change, Plan, Step};

use crate::report::hint;

use super::showing;

/// What the answers mean, for whoever asks or mistypes.
const ANSWERS: &str = "  y  overwrite it
  n  leave it as it is
  d  show what would change in it
  a  overwrite it, and all others that were edited
  q  write nothing at all and stop
";

/// The files that a person agrees to have overwritten, by path, as they were when they agreed.
#[derive(Debug, Default)]
pub(super) struct Agreed(HashMap<String, Vec<u8>>);

impl Agreed {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets `plan` overwrite what still is what was agreed to.
    pub(super) fn apply(&self, plan: &mut Plan) {
        for step in plan.steps.iter_mut().filter(|step| step.change == Change::Edited) {
            if self.0.get(&*step.output.path) == Some(&step.found) {
                step.change = Change::Update;
            }
        }
    }

    fn add(&mut self, step: &Step) {
        self.0.insert(step.output.path.to_string(), step.found.clone());
    }
}

/// What a person says to one file.
enum Answer {
    Overwrite,
    OverwriteAll,
    Leave,
    Stop,
}

/// Asks what becomes of each edited file; `None` if nothing is to be written at all. When nobody answers, files stay
/// as they are.
pub(super) fn asked(plan: &Plan, mut ask: impl FnMut(&str) -> Option<String>) -> Option<Agreed> {
    let mut agreed = Agreed::default();
    let mut steps = plan.steps.iter().filter(|step| step.change == Change::Edited);
    while let Some(step) = steps.next() {
        match answer(step, &mut ask) {
            None => break,
            Some(Answer::Stop) => return None,
            Some(Answer::Leave) => {}
            Some(Answer::Overwrite) => agreed.add(step),
            Some(Answer::OverwriteAll) => {
                agreed.add(step);
                steps.by_ref().for_each(|step| agreed.add(step));
            }
        }
    }
    Some(agreed)
}

/// Asks until there is an answer; `None` if nobody answers.
fn answer(step: &Step, ask: &mut impl FnMut(&str) -> Option<String>) -> Option<Answer> {
    let mut before = String::new();
    loop {
        let typed = ask(&(before + &question(step)))?;
        before = String::new();
        match typed.trim().to_lowercase().as_str() {
            "y" | "yes" => return Some(Answer::Overwrite),
            "a" | "all" => return Some(Answer::OverwriteAll),
            "" | "n" | "no" => return Some(Answer::Leave),
            "q" | "quit" => return Some(Answer::Stop),
            "d" | "diff" => showing::push(&mut before, step),
            _ => before.push_str(ANSWERS),
        }
    }
}

fn question(step: &Step) -> String {
    let output = &step.output;
    let told = format!("`{}` holds what no version of `{}` renders to\n", output.path, output.name);
    told + hint("y = overwrite, n = leave, d = show, a = overwrite all, q = stop").trim_end()
        + "\n[y/N/d/a/q] "
}

#[cfg(test)]
mod tests {
    use canopy::problem::Origin;
    use canopy::render::Output;

    use super::*;

    fn plan(changes: &[Change]) -> Plan {
        let origin = Origin { path: "p".into(), line: 1 };
        let step = |(index, change): (usize, &Change)| Step {
            output: Output {
                path: format!("{index}.md").into(),
                contents: "ours\n".into(),
                id: index.to_string().into(),
                name: "n".into(),
                version: 1,
                origin: origin.clone(),
            },
            change: *change,
            target: format!("/{index}.md").into(),
            found: b"theirs\n".to_vec(),
            stat: None,
            hash: canopy::plan::text::hash(b"ours\n"),
            folders: Vec::new(),
        };
        Plan { steps: changes.iter().enumerate().map(step).collect(), unlisted: 0 }
    }

    #[test]
    fn answers_decide_file_by_file_and_silence_leaves_files_alone() {
        use Change::{Create, Edited, Unchanged, Update};
        for (answers, then) in [
            (&["y", "n", "yes"][..], Some([Update, Edited, Update])),
            (&["", "\n", "N\n"], Some([Edited; 3])),
            (&["n", "a"], Some([Edited, Update, Update])),
            (&["d", "what?", "Y\n"], Some([Update, Edited, Edited])),
            (&["y", "q"], None),
            (&[], Some([Edited; 3])),
        ] {
            let mut plan = plan(&[Create, Edited, Unchanged, Edited, Edited]);
            let mut answers = answers.iter();
            let agreed = asked(&plan, |_| answers.next().map(|word| (*word).to_owned()));
            let edited = agreed.map(|agreed| {
                agreed.apply(&mut plan);
                [1, 3, 4].map(|index| plan.steps[index].change)
            });
            assert_eq!(edited, then);
            assert_eq!([plan.steps[0].change, plan.steps[2].change], [Create, Unchanged]);
        }
    }

    #[test]
    fn what_was_changed_while_a_person_thought_stays() {
        let mut plan = plan(&[Change::Edited]);
        let agreed = asked(&plan, |_| Some("y".into())).unwrap();
        plan.steps[0].found = b"changed again".to_vec();
        agreed.apply(&mut plan);
        assert_eq!(plan.steps[0].change, Change::Edited);
    }

    #[test]
    fn the_difference_is_shown_and_what_may_be_answered_is_said() {
        let mut questions = Vec::new();
        let mut answers = ["d", "huh"].into_iter();
        asked(&plan(&[Change::Edited]), |question| {
            questions.push(question.to_owned());
            answers.next().map(str::to_owned)
        });
        assert_eq!(questions.len(), 3);
        assert!(questions[1].contains("theirs") && questions[1].contains("ours"), "{}", questions[1]);
        assert!(questions[2].starts_with(ANSWERS), "{}", questions[2]);
        assert!(questions.iter().all(|question| question.ends_with("[y/N/d/a/q] ")));
    }
}
