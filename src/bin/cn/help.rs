//! `cn help` and `cn --version`.

use canopy::problem::{Problem, nearest};

use crate::args;
use crate::report::{Reply, Styled};
use crate::usage;

/// Prints the help of the program or of one command.
pub(crate) fn help(typed: &args::Help) -> Reply {
    let mut found = args::command();
    found.build();
    for name in &typed.command {
        let sub = found.find_subcommand(name).cloned();
        let Some(sub) = sub else {
            let names = found.get_subcommands().map(clap::Command::get_name);
            let near = nearest(name, names);
            let hint =
                near.map_or("`cn help` lists the commands".into(), |near| format!("did you mean `{near}`?"));
            return usage::wrong(Problem::new(format!("there is no command `{name}`")).hint(hint));
        };
        found = sub;
    }
    let text = found.render_help();
    Reply { data: Styled::Text(text.ansi().to_string()), ..Reply::default() }.with("text", text.to_string())
}

/// Prints the version, and with `--json` where it runs.
pub(crate) fn version() -> Reply {
    let version = env!("CARGO_PKG_VERSION");
    let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    let reply = Reply { data: Styled::Text(format!("cn {version}\n")), ..Reply::default() };
    reply.of("version").with("name", "canopy").with("version", version).with("platform", platform)
}
