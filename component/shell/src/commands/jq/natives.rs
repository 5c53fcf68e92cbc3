//! The functions that are not written in jq.

mod control;
mod formats;
mod lists;
mod matches;
mod maths;
mod objects;
mod texts;
mod times;

use jaq_core::native::Fun;

use super::kind::Kind;

/// All of them.
pub fn all() -> impl Iterator<Item = Fun<Kind>> {
    // Of jaq's own, those that take filters, and know no limits that matter.
    const OURS: &[&str] = &["path", "first", "last", "limit", "skip"];
    let jaq = jaq_core::funs::<Kind>().filter(|(name, ..)| OURS.contains(name));
    let groups = [
        control::all(),
        formats::all(),
        lists::all(),
        maths::all(),
        matches::all(),
        objects::all(),
        texts::all(),
        times::all(),
    ];
    jaq.chain(groups.into_iter().flatten())
}

/// Functions of values: `name(arguments) => function`, where the function is given the input and the arguments.
macro_rules! values {
    ($($name:literal $(($($arg:ident),*))? => $function:expr,)*) => {
        vec![$({
            #[allow(unused_mut, reason = "it is for those that have arguments")]
            let native: jaq_core::RunPtr<$crate::commands::jq::kind::Kind> = |mut cv| {
                // The last argument is on top.
                let args = $crate::commands::jq::natives::popped!(cv; $($($arg),*)?);
                let run: fn(_, _) -> _ = $function;
                jaq_core::native::bome(run(cv.1, args))
            };
            let count = <[&str]>::len(&[$($(stringify!($arg)),*)?]);
            ($name, jaq_core::native::v(count), jaq_core::Native::<$crate::commands::jq::kind::Kind>::new(native))
        }),*]
    };
}

/// The arguments of a function.
macro_rules! popped {
    ($cv:ident;) => {
        ()
    };
    ($cv:ident; $a:ident) => {
        $cv.0.pop_var()
    };
    ($cv:ident; $a:ident, $b:ident) => {{
        let b = $cv.0.pop_var();
        ($cv.0.pop_var(), b)
    }};
    ($cv:ident; $a:ident, $b:ident, $c:ident) => {{
        let c = $cv.0.pop_var();
        let b = $cv.0.pop_var();
        ($cv.0.pop_var(), b, c)
    }};
}

use {popped, values};
