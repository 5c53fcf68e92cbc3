//! Commands that are programs elsewhere, each in a file of its own.

mod arguments;
mod basename;
mod bash;
pub mod cat;
mod column;
mod comm;
mod csplit;
mod cut;
pub mod date;
mod ends;
mod env;
mod expand;
mod feed;
mod fold;
mod head;
mod join;
mod mktemp;
mod nl;
mod numbers;
mod paste;
mod program;
mod realpath;
mod sed;
mod seq;
mod shuf;
mod sleep;
pub mod sort;
mod split;
mod tac;
mod tail;
mod tee;
mod tr;
mod uniq;
mod wc;
mod which;
mod xargs;
mod yes;

use crate::exec::lookup::Run;

macro_rules! table {
    ($($name:literal => $run:path,)*) => {
        const TABLE: &[(&str, Run)] = &[$(($name, |call| Box::pin($run(call)))),*];
    };
}

table! {
    "basename" => basename::run,
    "bash" => bash::run,
    "cat" => cat::run,
    "column" => column::run,
    "comm" => comm::run,
    "csplit" => csplit::run,
    "cut" => cut::run,
    "date" => date::run,
    "dirname" => basename::dirname,
    "env" => env::run,
    "expand" => expand::run,
    "fold" => fold::run,
    "head" => head::run,
    "join" => join::run,
    "mktemp" => mktemp::run,
    "nl" => nl::run,
    "paste" => paste::run,
    "printenv" => env::printenv,
    "readlink" => realpath::readlink,
    "realpath" => realpath::run,
    "rev" => tac::rev,
    "sed" => sed::run,
    "seq" => seq::run,
    "sh" => bash::run,
    "shuf" => shuf::run,
    "sleep" => sleep::run,
    "sort" => sort::run,
    "split" => split::run,
    "tac" => tac::run,
    "tail" => tail::run,
    "tee" => tee::run,
    "timeout" => sleep::timeout,
    "tr" => tr::run,
    "unexpand" => expand::unexpand,
    "uniq" => uniq::run,
    "wc" => wc::run,
    "which" => which::run,
    "xargs" => xargs::run,
    "yes" => yes::run,
}

/// The command of this name.
pub fn find(name: &str) -> Option<Run> {
    TABLE.binary_search_by_key(&name, |(name, _)| name).ok().map(|at| TABLE[at].1)
}
