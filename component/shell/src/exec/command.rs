//! One command, whatever it is.

use std::rc::Rc;

use brush_parser::ast;
use bstr::ByteSlice;

use super::{Flow, compound, condition, redirect, settled, simple};
use crate::script::turns::Local;
use crate::state::{Function, Place, Shell};

/// Runs a command.
pub fn run<'a>(shell: &'a mut Shell, command: &'a ast::Command) -> Local<'a, Flow> {
    match command {
        ast::Command::Simple(command) => Box::pin(simple::run(shell, command)),
        ast::Command::Compound(command, redirects) => {
            Box::pin(redirected(shell, redirects.as_ref(), Inner::Compound(command)))
        }
        ast::Command::ExtendedTest(test, redirects) => {
            Box::pin(redirected(shell, redirects.as_ref(), Inner::Test(&test.expr)))
        }
        ast::Command::Function(function) => Box::pin(async move {
            let name = function.fname.value.clone();
            let place = match shell.place.source.is_empty() {
                true => Place { source: Rc::new("environment".into()), ..shell.place },
                false => shell.place.clone(),
            };
            let exported = shell.functions.get(&name).is_some_and(|was| was.exported);
            let function = Function { body: function.body.clone(), place, exported };
            Rc::make_mut(&mut shell.functions).insert(name, Rc::new(function));
            Ok(0)
        }),
    }
}

enum Inner<'a> {
    Compound(&'a ast::CompoundCommand),
    Test(&'a ast::ExtendedTestExpr),
}

async fn redirected(shell: &mut Shell, redirects: Option<&ast::RedirectList>, inner: Inner<'_>) -> Flow {
    let was = match redirects {
        None => None,
        Some(redirects) => {
            let was = shell.fds.clone();
            if let Err(ended) = redirect::apply(shell, redirects.0.iter()).await {
                shell.fds = was;
                return settled(shell, Err(ended)).await;
            }
            Some(was)
        }
    };
    let flow = match inner {
        Inner::Compound(command) => compound::run(shell, command).await,
        Inner::Test(expr) => {
            let held = condition::holds(shell, expr).await;
            let status = held.map(|held| i32::from(!held));
            match status {
                // A pattern or a number that is none is a usage error, as in bash.
                Err(super::Ended::Failed(message)) => match shell.complain(&message).await {
                    Ok(()) => Ok(2),
                    Err(stop) => Err(stop),
                },
                status => settled(shell, status).await,
            }
        }
    };
    if let Some(was) = was {
        shell.fds = was;
    }
    flow
}

/// Runs the body of a function.
pub async fn body(shell: &mut Shell, ast::FunctionBody(command, redirects): &ast::FunctionBody) -> Flow {
    redirected(shell, redirects.as_ref(), Inner::Compound(command)).await
}

/// Whether it can be the name of a variable.
pub fn is_name(name: &[u8]) -> bool {
    name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && name.is_ascii()
        && !name.trim().is_empty()
}
