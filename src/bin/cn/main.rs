//! `cn`: reads the command line, runs one command, reports, and says how it ended.

mod archive;
mod args;
mod completions;
mod config;
mod context;
mod create;
mod diff;
mod doctor;
mod edit;
mod emit;
mod explain;
mod help;
mod history;
mod import;
mod init;
mod list;
mod man;
mod onboard;
mod pin;
mod prime;
mod render;
mod report;
mod schema;
mod show;
mod signals;
mod stats;
mod sync;
mod tree;
mod update;
mod usage;
mod validate;
mod watch;
mod watcher;

use std::process::ExitCode;
use std::time::Instant;

use canopy::problem::Problem;
use clap::FromArgMatches as _;

use args::{Cli, Command, Form};
use context::Context;
use report::{Reply, Report};

#[expect(clippy::disallowed_methods, reason = "this is where what was typed comes in")]
fn main() -> ExitCode {
    let start = Instant::now();
    let typed: Vec<_> = std::env::args_os().collect();
    // What is typed right needs no help; what is not is answered by the whole definition, which takes its time.
    let found = args::brief(&typed).try_get_matches_from(&typed);
    let found = found.or_else(|_| args::command().try_get_matches_from(&typed));
    let parsed = found.and_then(|found| Cli::from_arg_matches(&found));
    let (report, reply, timing) = match parsed {
        Err(e) => {
            let guess = usage::Guess::of(&typed);
            let report = Report::new(guess.color, Form::of(guess.json, None), false);
            (report, usage::reply(&e, &guess.command), guess.timing)
        }
        Ok(cli) => {
            let timing = cli.global.timing;
            let form = form(&cli);
            let report = Report::new(cli.global.color, form, cli.global.quiet);
            let reply = run(cli, form == Form::Json, &report);
            (report, reply, timing)
        }
    };
    let mut status = report.print(&reply);
    if timing {
        status = status.max(report.timing(start.elapsed()));
    }
    ExitCode::from(status as u8)
}

/// The form of the answer.
fn form(cli: &Cli) -> Form {
    let json = cli.global.json || matches!(&cli.command, Some(Command::Render(args)) if args.is_json());
    Form::of(json, cli.format())
}

fn run(cli: Cli, json: bool, report: &Report) -> Reply {
    let context = Context::new(&cli.global, json);
    if cli.global.json && cli.format().is_some_and(|format| !matches!(format, Form::Text | Form::Json)) {
        let problem = Problem::new("`--json` and `--format` ask for two forms");
        return usage::wrong(problem.hint("leave one of them out"));
    }
    let Some(command) = cli.command else {
        return if cli.global.version { help::version() } else { usage::nothing_typed() };
    };
    let (name, result) = match command {
        Command::Init(args) => ("init", init::init(&context, &args)),
        Command::Create(args) => ("create", create::create(&context, &args)),
        Command::Update(args) => ("update", update::update(&context, &args)),
        Command::Edit(args) => ("edit", edit::edit(&context, &args)),
        Command::Archive(args) => ("archive", archive::archive(&context, &args)),
        Command::Pin(args) => ("pin", pin::pin(&context, &args)),
        Command::Unpin(args) => ("unpin", pin::unpin(&context, &args)),
        Command::Import(args) => ("import", import::import(&context, &args)),
        Command::Doctor(args) => ("doctor", doctor::doctor(&context, &args)),
        Command::Config(args::Config::Schema) => ("config schema", config::schema()),
        Command::Config(args::Config::Show(args)) => ("config show", config::show(&context, &args)),
        Command::Config(args::Config::Set(args)) => ("config set", config::set(&context, &args)),
        Command::Config(args::Config::Unset(args)) => ("config unset", config::unset(&context, &args)),
        Command::Sync(args) => ("sync", sync::sync(&context, &args)),
        Command::Prime(args) => ("prime", prime::prime(&context, &args)),
        Command::Onboard(args) => ("onboard", onboard::onboard(&context, &args)),
        Command::List(args) => ("list", list::list(&context, &args)),
        Command::Show(args) => ("show", show::show(&context, &args)),
        Command::Render(args) => ("render", render::render(&context, &args)),
        Command::Tree(args) => ("tree", tree::tree(&context, &args)),
        Command::History(args) => ("history", history::history(&context, &args)),
        Command::Diff(args) => ("diff", diff::diff(&context, &args)),
        Command::Stats => ("stats", stats::stats(&context)),
        Command::Validate(args) => ("validate", validate::validate(&context, &args)),
        Command::Schema(args::Schema::Create(args)) => ("schema create", schema::create(&context, &args)),
        Command::Schema(args::Schema::Rule(args::SchemaRule::Add(args))) => {
            ("schema rule add", schema::add_rule(&context, &args))
        }
        Command::Schema(args::Schema::Show(args)) => ("schema show", schema::show(&context, &args)),
        Command::Schema(args::Schema::List) => ("schema list", schema::list(&context)),
        Command::Emit(args) => ("emit", emit::emit(&context, &args, report)),
        Command::Explain(args) => ("explain", explain::explain(&context, &args)),
        Command::Completions(args) => ("completions", Ok(completions::completions(&args))),
        Command::Man(args) => ("man", man::man(&args)),
        Command::Help(args) => ("help", Ok(help::help(&args))),
    };
    result.unwrap_or_else(Reply::from).of(name).noting(&context.read()).about(context.base())
}
