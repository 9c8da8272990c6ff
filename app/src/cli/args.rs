//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use wisp_engine::protocol::Mode;

/// A native desktop agent. Without a command it opens its window.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  wisp                                     the window\n  wisp exec --dir ~/notes \"What is due this week?\"\n  wisp exec --simulate \"Show me [demo:replace]\"\n\nEnvironment:\n  WISP_HOME  WISP_BASE_URL  WISP_API_KEY  WISP_MODEL  WISP_PROVIDER  WISP_IDLE_SECONDS  WISP_LOG"
)]
pub(super) struct Args {
    /// Open the window on the scripted model. A simulation: no real model is asked.
    #[arg(long)]
    pub(super) simulate: bool,
    /// Open the window with the QA panel: scenarios with their expectations.
    #[arg(long)]
    pub(super) qa: bool,
    /// The folder of the window's first session.
    #[arg(long, value_name = "FOLDER")]
    pub(super) dir: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Sends one request and carries it out.
    #[command(
        after_help = "Examples:\n  wisp exec --dir ~/notes \"Rename draft.md to plan.md\"\n  wisp exec --dir . --approve never --json \"Summarise README.md\" | jq .event\n  echo \"Translate notes.md\" | wisp exec --dir . -\n\nExit status: 0 done, 1 failed, 2 usage, 3 stopped by budget or guard, 130 cancelled."
    )]
    Exec(ExecArgs),
    /// Runs one tool, without a model, through the same checks.
    #[command(
        after_help = "Examples:\n  wisp call files_read '{\"path\": \"notes.md\"}' --dir ~/notes\n  wisp call files_write - --dir . --approve all < arguments.json\n\nPrints the result as JSON; an error is {\"error\": {\"kind\", \"message\"}} with exit status 1."
    )]
    Call(CallArgs),
    /// Serves the scripted model on this computer until it is stopped. A simulation, no model.
    #[command(
        after_help = "Example:\n  wisp simulate --port 8090 &\n  WISP_BASE_URL=http://127.0.0.1:8090/v1 WISP_PROVIDER=deepseek wisp exec --dir . \"[demo:multi]\""
    )]
    Simulate(SimulateArgs),
    /// Lists, shows, searches, exports and deletes sessions.
    #[command(
        after_help = "Examples:\n  wisp sessions list\n  wisp sessions show 3f2a\n  wisp sessions search invoice\n  wisp sessions export 3f2a --format markdown > talk.md"
    )]
    Sessions(SessionsArgs),
    /// Prints the tools that a run would have, as JSON.
    #[command(after_help = "Example:\n  wisp tools --mode chat | jq -r '.[].name'")]
    Tools(ToolsArgs),
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExecArgs {
    /// The folder to work on. Without one there are no file tools.
    #[arg(long, value_name = "FOLDER")]
    pub(super) dir: Option<PathBuf>,
    /// The mode of a new session.
    #[arg(long, value_enum, default_value = "chat")]
    pub(super) mode: ModeArg,
    /// What to answer when a change asks.
    #[arg(long, value_enum, default_value = "ask")]
    pub(super) approve: Approve,
    /// Print one protocol event a line instead of the answer.
    #[arg(long)]
    pub(super) json: bool,
    /// Go on with this session: its id, or enough of its beginning or end.
    #[arg(long, value_name = "ID", conflicts_with = "dir")]
    pub(super) session: Option<String>,
    /// Use the scripted model instead of a real one. Its sessions are kept apart.
    #[arg(long)]
    pub(super) simulate: bool,
    /// A setting for this run alone: max_steps, model, base_url, provider, idle_seconds.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) settings: Vec<String>,
    /// The request; `-` reads it from standard input.
    pub(super) prompt: String,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CallArgs {
    /// The tool's name.
    pub(super) tool: String,
    /// Its arguments, one JSON object; `-` reads them from standard input.
    #[arg(value_name = "JSON")]
    pub(super) arguments: String,
    /// The folder to work on. Without one there are no file tools.
    #[arg(long, value_name = "FOLDER")]
    pub(super) dir: Option<PathBuf>,
    /// The mode whose rules hold.
    #[arg(long, value_enum, default_value = "chat")]
    pub(super) mode: ModeArg,
    /// What to answer when the change asks.
    #[arg(long, value_enum, default_value = "never")]
    pub(super) approve: ApproveCall,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SimulateArgs {
    /// The port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    pub(super) port: u16,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SessionsArgs {
    /// Look at the sessions with the scripted model.
    #[arg(long, global = true)]
    pub(super) simulate: bool,
    #[command(subcommand)]
    pub(super) command: SessionsCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum SessionsCommand {
    /// Lists sessions, the last used first.
    #[command(after_help = "Example:\n  wisp sessions list --json | jq -r '.[].title'")]
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Shows what was said and done in a session.
    #[command(after_help = "Example:\n  wisp sessions show 3f2a")]
    Show {
        /// Its id, or enough of its beginning or end.
        id: String,
        /// One event a line.
        #[arg(long)]
        json: bool,
    },
    /// Looks for words in what was said, literally.
    #[command(after_help = "Example:\n  wisp sessions search \"annual report\"")]
    Search {
        /// The words.
        words: String,
        /// How many hits at most.
        #[arg(long, default_value_t = 20)]
        limit: u32,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Writes a session to standard output.
    #[command(after_help = "Example:\n  wisp sessions export 3f2a --format markdown > talk.md")]
    Export {
        /// Its id, or enough of its beginning or end.
        id: String,
        /// How.
        #[arg(long, value_enum, default_value = "markdown")]
        format: Format,
    },
    /// Deletes a session for good.
    #[command(after_help = "Example:\n  wisp sessions delete 3f2a --yes")]
    Delete {
        /// Its id, or enough of its beginning or end.
        id: String,
        /// Don't ask.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, ClapArgs)]
pub(super) struct ToolsArgs {
    /// The mode.
    #[arg(long, value_enum, default_value = "chat")]
    pub(super) mode: ModeArg,
    /// For a session without a folder.
    #[arg(long)]
    pub(super) no_folder: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ModeArg {
    /// The document assistant: every change asks.
    Chat,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Chat => Self::Chat,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Approve {
    /// Show the whole card and wait for a or r.
    Ask,
    /// Say no.
    Never,
    /// Say yes to what asks inside the folder.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ApproveCall {
    /// Say no.
    Never,
    /// Say yes to what asks inside the folder.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// To read.
    Markdown,
    /// One event a line.
    Json,
}
