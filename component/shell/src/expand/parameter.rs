//! Parameters: `$name`, `${name…}`.

use brush_parser::word::{Parameter, ParameterExpr as Expr, ParameterTestType as Test, SpecialParameter as Special};
use bstr::{BString, ByteSlice};

use super::fields::Fields;
use super::pieces::{self, Mode};
use super::{arithmetic, special, transform};
use crate::exec::Ended;
use crate::exec::assign;
use crate::exec::command::is_name;
use crate::state::Shell;
use crate::value::Value;

/// What a parameter has.
#[derive(Debug)]
pub enum Content {
    /// A text, if it is set.
    One(Option<BString>),
    /// The elements of `$@` or `$*`, the latter joined in quotes.
    Many(Vec<BString>, bool),
}

/// The parameter that an expression begins with.
pub fn of(expr: &Expr) -> Option<&Parameter> {
    Some(match expr {
        Expr::Parameter { parameter, .. }
        | Expr::UseDefaultValues { parameter, .. }
        | Expr::AssignDefaultValues { parameter, .. }
        | Expr::IndicateErrorIfNullOrUnset { parameter, .. }
        | Expr::UseAlternativeValue { parameter, .. }
        | Expr::ParameterLength { parameter, .. }
        | Expr::RemoveSmallestSuffixPattern { parameter, .. }
        | Expr::RemoveLargestSuffixPattern { parameter, .. }
        | Expr::RemoveSmallestPrefixPattern { parameter, .. }
        | Expr::RemoveLargestPrefixPattern { parameter, .. }
        | Expr::Substring { parameter, .. }
        | Expr::Transform { parameter, .. }
        | Expr::UppercaseFirstChar { parameter, .. }
        | Expr::UppercasePattern { parameter, .. }
        | Expr::LowercaseFirstChar { parameter, .. }
        | Expr::LowercasePattern { parameter, .. }
        | Expr::ReplaceSubstring { parameter, .. } => parameter,
        Expr::VariableNames { .. } | Expr::MemberKeys { .. } => return None,
    })
}

fn indirect(expr: &Expr) -> bool {
    match expr {
        Expr::Parameter { indirect, .. }
        | Expr::UseDefaultValues { indirect, .. }
        | Expr::AssignDefaultValues { indirect, .. }
        | Expr::IndicateErrorIfNullOrUnset { indirect, .. }
        | Expr::UseAlternativeValue { indirect, .. }
        | Expr::ParameterLength { indirect, .. }
        | Expr::RemoveSmallestSuffixPattern { indirect, .. }
        | Expr::RemoveLargestSuffixPattern { indirect, .. }
        | Expr::RemoveSmallestPrefixPattern { indirect, .. }
        | Expr::RemoveLargestPrefixPattern { indirect, .. }
        | Expr::Substring { indirect, .. }
        | Expr::Transform { indirect, .. }
        | Expr::UppercaseFirstChar { indirect, .. }
        | Expr::UppercasePattern { indirect, .. }
        | Expr::LowercaseFirstChar { indirect, .. }
        | Expr::LowercasePattern { indirect, .. }
        | Expr::ReplaceSubstring { indirect, .. } => *indirect,
        Expr::VariableNames { .. } | Expr::MemberKeys { .. } => false,
    }
}

/// Adds what the expression has to fields.
pub async fn add(shell: &mut Shell, expr: &Expr, mode: Mode, quoted: bool, fields: &mut Fields) -> Result<(), Ended> {
    let named;
    let (parameter, expr) = match expr {
        Expr::VariableNames { prefix, concatenate } => {
            let names = shell.vars.iter().map(|(name, _)| name).filter(|name| name.starts_with(prefix.as_str()));
            let names = names.map(|name| BString::from(name.as_str())).collect();
            return put(shell, Content::Many(names, *concatenate), mode, quoted, fields);
        }
        Expr::MemberKeys { variable_name, concatenate } => {
            let keys = shell.vars.get(variable_name).and_then(|variable| variable.value.as_ref());
            let keys = keys.map(Value::keys).unwrap_or_default();
            return put(shell, Content::Many(keys, *concatenate), mode, quoted, fields);
        }
        expr => {
            let parameter = of(expr).expect("the others are done");
            match indirect(expr) {
                true => {
                    named = pointed(shell, parameter).await?;
                    (&named, expr)
                }
                false => (parameter, expr),
            }
        }
    };
    let content = content(shell, parameter).await?;
    let content = match expr {
        Expr::Parameter { .. } => set(shell, parameter, content)?,
        Expr::ParameterLength { .. } => Content::One(Some(length(shell, parameter, content)?)),
        Expr::UseDefaultValues { test_type, default_value, .. } => {
            if lacks(&content, test_type) {
                let default = default_value.as_deref().unwrap_or_default();
                return word(shell, default, mode, quoted, fields).await;
            }
            content
        }
        Expr::UseAlternativeValue { test_type, alternative_value, .. } => {
            if !lacks(&content, test_type) {
                let alternative = alternative_value.as_deref().unwrap_or_default();
                return word(shell, alternative, mode, quoted, fields).await;
            }
            Content::One(Some(BString::default()))
        }
        Expr::AssignDefaultValues { test_type, default_value, .. } => {
            if lacks(&content, test_type) {
                let default = super::operand(shell, default_value.as_deref().unwrap_or_default(), quoted).await?;
                keep(shell, parameter, default.clone()).await?;
                Content::One(Some(default))
            } else {
                content
            }
        }
        Expr::IndicateErrorIfNullOrUnset { test_type, error_message, .. } => {
            if lacks(&content, test_type) {
                let usual = match test_type {
                    Test::UnsetOrNull => "parameter null or not set",
                    Test::Unset => "parameter not set",
                };
                let message = match error_message.as_deref().filter(|message| !message.is_empty()) {
                    Some(message) => super::operand(shell, message, quoted).await?.to_string(),
                    None => usual.to_owned(),
                };
                return Err(Ended::Fatal(format!("{}: {message}", shown(parameter)), unset(shell)));
            }
            content
        }
        Expr::Substring { offset, length, .. } => {
            let content = set(shell, parameter, content)?;
            let from = arithmetic::run(shell, &offset.value).await?;
            let length = match length {
                Some(length) => Some(arithmetic::run(shell, &length.value).await?),
                None => None,
            };
            let with_name = matches!(parameter, Parameter::Special(Special::AllPositionalParameters { .. }));
            transform::part(shell, content, from, length, with_name)?
        }
        other => {
            let content = set(shell, parameter, content)?;
            transform::changed(shell, other, parameter, content, quoted).await?
        }
    };
    put(shell, content, mode, quoted, fields)
}

/// Fails with `set -u`, if it is not set.
fn set(shell: &Shell, parameter: &Parameter, content: Content) -> Result<Content, Ended> {
    match content {
        Content::One(None) if shell.options.nounset => {
            Err(Ended::Fatal(format!("{}: unbound variable", shown(parameter)), unset(shell)))
        }
        content => Ok(content),
    }
}

/// The status of a shell that ends because something is not set: 127 for the first one, as after `bash -c`.
fn unset(shell: &Shell) -> i32 {
    if shell.subshell == 0 { 127 } else { 1 }
}

/// A parameter as it is written in messages.
pub fn shown(parameter: &Parameter) -> String {
    let text = parameter.to_string();
    let inner = text.trim_start_matches(['$', '{']).trim_end_matches('}').to_owned();
    match parameter {
        Parameter::Positional(_) | Parameter::Special(_) => text.replace(['{', '}'], ""),
        _ => inner,
    }
}

/// A word inside the expression, which may be split like any other.
async fn word(shell: &mut Shell, text: &str, mode: Mode, quoted: bool, fields: &mut Fields) -> Result<(), Ended> {
    let mode = match (quoted, mode) {
        (true, _) => Mode::Quoted,
        (false, Mode::Fields) => Mode::Inner,
        (false, mode) => mode,
    };
    pieces::into(shell, text, mode, fields).await
}

fn lacks(content: &Content, test: &Test) -> bool {
    let null = matches!(test, Test::UnsetOrNull);
    match content {
        Content::One(None) => true,
        Content::One(Some(text)) => null && text.is_empty(),
        Content::Many(all, _) => all.is_empty() || (null && all.iter().all(|one| one.is_empty())),
    }
}

/// Adds content to fields.
fn put(shell: &Shell, content: Content, mode: Mode, quoted: bool, fields: &mut Fields) -> Result<(), Ended> {
    match content {
        Content::One(text) => {
            let text = text.unwrap_or_default();
            // Nothing at all is no field, unless it is quoted.
            if !text.is_empty() {
                pieces::value(&text, mode, quoted, fields);
            }
        }
        Content::Many(all, joins) => {
            let joins = joins && (quoted || !mode.splits());
            if joins {
                let joint = super::joint(shell);
                let text = bstr::join(&joint, &all);
                pieces::value(&text, mode, quoted, fields);
                return Ok(());
            }
            for (at, one) in all.iter().enumerate() {
                if at > 0 {
                    match mode.splits() {
                        true => fields.end(),
                        false => fields.add(b" ", quoted),
                    }
                }
                match quoted {
                    true => {
                        fields.begin();
                        fields.add(one, true);
                    }
                    false => pieces::value(one, mode, false, fields),
                }
            }
        }
    }
    Ok(())
}

/// The parameter that the text of a parameter names.
async fn pointed(shell: &mut Shell, parameter: &Parameter) -> Result<Parameter, Ended> {
    let name = match content(shell, parameter).await? {
        Content::One(Some(name)) if !name.is_empty() => name,
        _ => return Err(Ended::Fatal(format!("{}: invalid indirect expansion", shown(parameter)), 1)),
    };
    let name = name.to_str_lossy();
    brush_parser::word::parse_parameter(&name, &brush_parser::ParserOptions::default())
        .map_err(|_| Ended::Fatal(format!("{name}: invalid variable name"), 1))
}

/// What a parameter has.
async fn content(shell: &mut Shell, parameter: &Parameter) -> Result<Content, Ended> {
    Ok(match parameter {
        Parameter::Positional(0) => Content::One(Some(shell.name.clone())),
        Parameter::Positional(at) => Content::One(shell.args.get(*at as usize - 1).cloned()),
        Parameter::Special(Special::AllPositionalParameters { concatenate }) => {
            Content::Many(shell.args.to_vec(), *concatenate)
        }
        Parameter::Special(parameter) => Content::One(special::parameter(shell, parameter)),
        Parameter::Named(name) => Content::One(shell.text(name)),
        Parameter::NamedWithAllIndices { name, concatenate } => {
            Content::Many(special::elements(shell, name).unwrap_or_default(), *concatenate)
        }
        Parameter::NamedWithIndex { name, index } => Content::One(indexed(shell, name, index).await?),
    })
}

/// An element of an array.
async fn indexed(shell: &mut Shell, name: &str, index: &str) -> Result<Option<BString>, Ended> {
    if let Some(elements) = special::list(shell, name) {
        let at = arithmetic::run(shell, index).await?;
        return Ok(usize::try_from(at).ok().and_then(|at| elements.into_iter().nth(at)));
    }
    let is_map = matches!(shell.vars.get(name).and_then(|variable| variable.value.as_ref()), Some(Value::Map(_)));
    if is_map {
        let key = super::key(shell, index).await?;
        return Ok(match shell.vars.get(name).and_then(|variable| variable.value.as_ref()) {
            Some(Value::Map(map)) => map.get(&key).cloned(),
            _ => None,
        });
    }
    let at = arithmetic::run(shell, index).await?;
    Ok(match shell.vars.get(name).and_then(|variable| variable.value.as_ref()) {
        Some(Value::List(list)) => {
            let at = if at < 0 { list.last_key_value().map_or(0, |(last, _)| last + 1) + at } else { at };
            list.get(&at).cloned()
        }
        Some(Value::Text(text)) if at == 0 || at == -1 => Some(text.clone()),
        _ => None,
    })
}

/// The length of a text in characters, or of an array.
fn length(shell: &Shell, parameter: &Parameter, content: Content) -> Result<BString, Ended> {
    let length = match set(shell, parameter, content)? {
        Content::One(text) => text.unwrap_or_default().chars().count(),
        Content::Many(all, _) => all.len(),
    };
    Ok(length.to_string().into())
}

/// Assigns the default of `${name:=…}`.
async fn keep(shell: &mut Shell, parameter: &Parameter, value: BString) -> Result<(), Ended> {
    match parameter {
        Parameter::Named(name) if is_name(name.as_bytes()) => shell.set(name, value),
        Parameter::NamedWithIndex { name, index } => assign::element(shell, name, index, value, false).await,
        other => Err(Ended::Fatal(format!("{}: cannot assign in this way", shown(other)), 1)),
    }
}
