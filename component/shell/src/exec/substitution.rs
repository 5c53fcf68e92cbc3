//! Commands in texts: `$(…)`, `eval`, `source`, traps.

use std::rc::Rc;

use brush_parser::ast;
use bstr::ByteSlice;

use super::{Ended, Flow, functions, program, redirect};
use crate::io::{Sink, Target};
use crate::state::Shell;

/// Runs a text in this shell.
pub async fn scripted(shell: &mut Shell, text: &[u8]) -> Flow {
    let parsed = match crate::parse::program(&text.to_str_lossy()) {
        Ok(parsed) => parsed,
        Err(wrong) => {
            let line = std::mem::replace(&mut shell.line, shell.place.above + wrong.line);
            shell.complain(&wrong.message).await?;
            if let Some(text) = &wrong.text {
                shell.complain(text).await?;
            }
            shell.line = line;
            return Ok(2);
        }
    };
    shell.deeper()?;
    if text.contains_str("BASH_COMMAND") && shell.command.is_none() {
        shell.command = Some("".into());
    }
    let line = shell.line;
    let flow = Box::pin(program(shell, &parsed)).await;
    shell.line = line;
    shell.depth = shell.depth.saturating_sub(1);
    flow
}

/// What the commands of a text print, without the line breaks at its end.
pub async fn captured(shell: &mut Shell, text: &str) -> Result<Vec<u8>, Ended> {
    let parsed = crate::parse::program(text).map_err(|wrong| Ended::Fatal(wrong.message, 2))?;
    if text.contains("BASH_COMMAND") && shell.command.is_none() {
        shell.command = Some("".into());
    }
    shell.deeper()?;
    let mut output = match only_reads(&parsed) {
        Some(name) => {
            let name = crate::expand::text(shell, name).await?;
            shell.substituted = Some(0);
            redirect::source(shell, &name).await?.all().await.to_vec()
        }
        None => {
            let mut copy = shell.fork();
            copy.options.errexit &= copy.options.inherit_errexit;
            copy.guarded = 0;
            copy.place.above = copy.line.saturating_sub(1);
            let target = Rc::new(Target::default());
            copy.fds.set(1, Sink::Target(Rc::clone(&target)));
            let flow = Box::pin(program(&mut copy, &parsed)).await;
            let status = functions::ended(&mut copy, flow).await?;
            shell.substituted = Some(status);
            target.take()
        }
    };
    shell.depth -= 1;
    while output.last() == Some(&b'\n') {
        output.pop();
    }
    // As bash does, which says so.
    output.retain(|byte| *byte != 0);
    shell.hold(output.len())?;
    Ok(output)
}

/// The file of `$(< file)`.
fn only_reads(program: &ast::Program) -> Option<&ast::Word> {
    let [list] = &*program.complete_commands else { return None };
    let [ast::CompoundListItem(and_or, _)] = &*list.0 else { return None };
    let [ast::Command::Simple(ast::SimpleCommand { prefix: Some(prefix), word_or_name: None, suffix: None })] =
        &*and_or.first.seq
    else {
        return None;
    };
    match &*prefix.0 {
        [
            ast::CommandPrefixOrSuffixItem::IoRedirect(ast::IoRedirect::File(
                None | Some(0),
                ast::IoFileRedirectKind::Read,
                ast::IoFileRedirectTarget::Filename(name),
            )),
        ] if and_or.additional.is_empty() => Some(name),
        _ => None,
    }
}
