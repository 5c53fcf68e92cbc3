//! Commands that change the shell, or look into it.

mod about;
mod declare;
mod echo;
mod flow;
mod folders;
mod getopts;
mod options;
pub mod printf;
mod read;
pub mod test;
mod variables;

use crate::exec::lookup::Run;

macro_rules! table {
    ($($name:literal => $run:path,)*) => {
        const TABLE: &[(&str, Run)] = &[$(($name, |call| Box::pin($run(call)))),*];
    };
}

table! {
    "." => flow::source,
    ":" => flow::success,
    "[" => test::bracket,
    "alias" => about::alias,
    "break" => flow::leave_loop,
    "builtin" => flow::builtin,
    "caller" => flow::caller,
    "cd" => folders::cd,
    "command" => flow::command,
    "continue" => flow::next_round,
    "declare" => declare::run,
    "dirs" => folders::dirs,
    "echo" => echo::run,
    "eval" => flow::eval,
    "exec" => flow::exec,
    "exit" => flow::exit,
    "export" => declare::run,
    "false" => flow::failure,
    "getopts" => getopts::run,
    "hash" => flow::success,
    "let" => variables::calculate,
    "local" => declare::run,
    "mapfile" => read::mapfile,
    "popd" => folders::popd,
    "printf" => printf::run,
    "pushd" => folders::pushd,
    "pwd" => folders::pwd,
    "read" => read::run,
    "readarray" => read::mapfile,
    "readonly" => declare::run,
    "return" => flow::leave_function,
    "set" => options::set,
    "shift" => variables::shift,
    "shopt" => options::shopt,
    "source" => flow::source,
    "test" => test::run,
    "times" => about::times,
    "trap" => about::trap,
    "true" => flow::success,
    "type" => about::kind,
    "typeset" => declare::run,
    "ulimit" => about::ulimit,
    "umask" => about::umask,
    "unalias" => flow::success,
    "unset" => variables::unset,
    "wait" => about::wait,
}

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// The command of this name.
pub fn find(name: &str) -> Option<Run> {
    TABLE.binary_search_by_key(&name, |(name, _)| name).ok().map(|at| TABLE[at].1)
}
