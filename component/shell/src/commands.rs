//! Commands that are programs elsewhere, each in a file of its own.

mod arguments;
mod awk;
mod base64;
mod basename;
mod bash;
mod bc;
pub mod cat;
mod chmod;
mod cksum;
mod cmp;
mod column;
mod comm;
mod copier;
mod cp;
mod csplit;
mod cut;
pub mod date;
mod dd;
mod diff;
mod du;
mod ends;
pub mod entries;
mod env;
mod envsubst;
mod expand;
mod expr;
mod factor;
mod feed;
mod file;
mod find;
mod fold;
mod glob;
pub mod grep;
mod gzip;
mod head;
mod hexdump;
mod input;
mod install;
mod join;
mod jq;
mod ln;
mod ls;
mod mkdir;
mod mktemp;
mod mode;
mod mv;
mod nl;
mod numbers;
mod numfmt;
mod od;
mod paste;
mod patch;
mod program;
mod realpath;
mod rg;
mod rm;
mod sed;
mod seq;
mod shuf;
mod sleep;
pub mod sort;
mod split;
mod stat;
mod strings;
mod sums;
mod system;
mod tac;
mod tail;
mod tar;
mod targets;
mod tee;
mod touch;
mod tr;
mod tree;
mod truncate;
mod uniq;
mod walk;
mod wc;
mod which;
mod xargs;
mod xxd;
mod yes;

use crate::exec::lookup::Run;

macro_rules! table {
    ($($name:literal => $run:path,)*) => {
        const TABLE: &[(&str, Run)] = &[$(($name, |call| Box::pin($run(call)))),*];
    };
}

table! {
    "arch" => system::arch,
    "awk" => awk::run,
    "base32" => base64::base32,
    "base64" => base64::run,
    "basename" => basename::run,
    "bash" => bash::run,
    "bc" => bc::run,
    "cat" => cat::run,
    "chmod" => chmod::run,
    "cksum" => cksum::run,
    "cmp" => cmp::run,
    "column" => column::run,
    "comm" => comm::run,
    "cp" => cp::run,
    "csplit" => csplit::run,
    "cut" => cut::run,
    "date" => date::run,
    "dd" => dd::run,
    "df" => du::disks,
    "diff" => diff::run,
    "dirname" => basename::dirname,
    "du" => du::run,
    "egrep" => grep::egrep,
    "env" => env::run,
    "envsubst" => envsubst::run,
    "expand" => expand::run,
    "expr" => expr::run,
    "factor" => factor::run,
    "fgrep" => grep::fgrep,
    "file" => file::run,
    "find" => find::run,
    "fold" => fold::run,
    "gawk" => awk::run,
    "grep" => grep::run,
    "groups" => system::groups,
    "gunzip" => gzip::gunzip,
    "gzip" => gzip::run,
    "hd" => hexdump::run,
    "head" => head::run,
    "hexdump" => hexdump::run,
    "hostname" => system::hostname,
    "id" => system::id,
    "install" => install::run,
    "join" => join::run,
    "jq" => jq::run,
    "ln" => ln::run,
    "ls" => ls::run,
    "mawk" => awk::run,
    "md5sum" => sums::md5,
    "mkdir" => mkdir::run,
    "mktemp" => mktemp::run,
    "mv" => mv::run,
    "nl" => nl::run,
    "nproc" => system::nproc,
    "numfmt" => numfmt::run,
    "od" => od::run,
    "paste" => paste::run,
    "patch" => patch::run,
    "printenv" => env::printenv,
    "readlink" => realpath::readlink,
    "realpath" => realpath::run,
    "rev" => tac::rev,
    "rg" => rg::run,
    "rm" => rm::run,
    "rmdir" => mkdir::remove,
    "sed" => sed::run,
    "seq" => seq::run,
    "sh" => bash::run,
    "sha1sum" => sums::sha1,
    "sha224sum" => sums::sha224,
    "sha256sum" => sums::sha256,
    "sha384sum" => sums::sha384,
    "sha512sum" => sums::sha512,
    "shuf" => shuf::run,
    "sleep" => sleep::run,
    "sort" => sort::run,
    "split" => split::run,
    "stat" => stat::run,
    "strings" => strings::run,
    "sync" => system::sync,
    "tac" => tac::run,
    "tail" => tail::run,
    "tar" => tar::run,
    "tee" => tee::run,
    "timeout" => sleep::timeout,
    "touch" => touch::run,
    "tr" => tr::run,
    "tree" => tree::run,
    "truncate" => truncate::run,
    "tty" => system::tty,
    "uname" => system::uname,
    "unexpand" => expand::unexpand,
    "uniq" => uniq::run,
    "wc" => wc::run,
    "which" => which::run,
    "whoami" => system::whoami,
    "xargs" => xargs::run,
    "xxd" => xxd::run,
    "yes" => yes::run,
    "zcat" => gzip::zcat,
}

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// The command of this name.
pub fn find(name: &str) -> Option<Run> {
    TABLE.binary_search_by_key(&name, |(name, _)| name).ok().map(|at| TABLE[at].1)
}
