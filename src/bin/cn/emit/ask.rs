//! Asks a person about each file that is not ours.

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

/// Asks what becomes of each edited file; `false` if nothing is to be written at all. When nobody answers, files
/// stay as they are.
pub(super) fn settle(plan: &mut Plan, mut ask: impl FnMut(&str) -> Option<String>) -> bool {
    let mut all = false;
    for step in plan.steps.iter_mut().filter(|step| step.change == Change::Edited) {
        if all {
            step.change = Change::Update;
            continue;
        }
        let mut before = String::new();
        loop {
            let Some(answer) = ask(&(before + &question(step))) else { return true };
            before = String::new();
            match answer.trim().to_lowercase().as_str() {
                "y" | "yes" => step.change = Change::Update,
                "a" | "all" => {
                    step.change = Change::Update;
                    all = true;
                }
                "d" | "diff" => {
                    showing::push(&mut before, step);
                    continue;
                }
                "q" | "quit" => return false,
                "" | "n" | "no" => {}
                _ => {
                    before.push_str(ANSWERS);
                    continue;
                }
            }
            break;
        }
    }
    true
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
                path: format!("{index}.md"),
                contents: "ours\n".into(),
                id: index.to_string(),
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
        Plan { steps: changes.iter().enumerate().map(step).collect() }
    }

    #[test]
    fn answers_decide_file_by_file_and_silence_leaves_files_alone() {
        use Change::{Create, Edited, Unchanged, Update};
        for (answers, goes_on, then) in [
            (&["y", "n", "yes"][..], true, [Update, Edited, Update]),
            (&["", "\n", "N\n"], true, [Edited; 3]),
            (&["n", "a"], true, [Edited, Update, Update]),
            (&["d", "what?", "Y\n"], true, [Update, Edited, Edited]),
            (&["y", "q"], false, [Update, Edited, Edited]),
            (&[], true, [Edited; 3]),
        ] {
            let mut plan = plan(&[Create, Edited, Unchanged, Edited, Edited]);
            let mut answers = answers.iter();
            assert_eq!(settle(&mut plan, |_| answers.next().map(|word| (*word).to_owned())), goes_on);
            let edited = [1, 3, 4].map(|index| plan.steps[index].change);
            assert_eq!(edited, then);
            assert_eq!([plan.steps[0].change, plan.steps[2].change], [Create, Unchanged]);
        }
    }

    #[test]
    fn the_difference_is_shown_and_what_may_be_answered_is_said() {
        let mut asked = Vec::new();
        let mut answers = ["d", "huh"].into_iter();
        settle(&mut plan(&[Change::Edited]), |question| {
            asked.push(question.to_owned());
            answers.next().map(str::to_owned)
        });
        assert_eq!(asked.len(), 3);
        assert!(asked[1].contains("theirs") && asked[1].contains("ours"), "{}", asked[1]);
        assert!(asked[2].starts_with(ANSWERS), "{}", asked[2]);
        assert!(asked.iter().all(|question| question.ends_with("[y/N/d/a/q] ")));
    }
}
