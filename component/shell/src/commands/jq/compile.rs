//! Programs that can run.

use jaq_core::load::{Arena, File, Loader, parse};
use jaq_core::{Compiler, Filter};

use super::kind::Kind;
use super::program::{self, Wrong};

const BUILTINS: &str = include_str!("builtins.jq");

/// Makes a filter of a program, which may use these variables. What is wrong is told.
pub fn compile(text: &str, variables: &[String]) -> Result<Filter<Kind>, String> {
    let arena = Arena::default();
    let told = |wrong: Wrong| {
        let Wrong { message, line } = wrong;
        format!("jq: error: {message} at <top-level>, line {line}:\n{text}\njq: 1 compile error\n")
    };
    let main = program::read(text, &arena).map_err(told)?;
    let mut defs = program::library(BUILTINS, &arena).map_err(told)?;
    defs.push(parse::Def { name: "!main", args: Vec::new(), body: main });
    // A name that jaq's own reader can read leads to it.
    defs.push(parse::Def { name: "main", args: Vec::new(), body: parse::Term::Call("!main", Vec::new()) });
    let loaded = Loader::new(defs).load(&arena, File { code: "main", path: () });
    let loaded = loaded.map_err(|_| "jq: error: the program cannot be read\n".to_owned())?;
    let compiler =
        Compiler::default().with_funs(super::natives::all()).with_global_vars(variables.iter().map(String::as_str));
    compiler.compile(loaded).map_err(|errors| {
        let mut out = String::new();
        let mut count = 0;
        for (name, undefined) in errors.into_iter().flat_map(|(_, errors)| errors) {
            let name = match undefined {
                jaq_core::compile::Undefined::Filter(args) => format!("{name}/{args}"),
                _ => name.to_owned(),
            };
            out.push_str(&format!("jq: error: {name} is not defined at <top-level>, line 1:\n{text}\n"));
            count += 1;
        }
        let errors = if count == 1 { "error" } else { "errors" };
        out + &format!("jq: {count} compile {errors}\n")
    })
}

/// Whether a program may read inputs by itself.
pub fn reads(text: &str) -> bool {
    text.contains("input")
}
