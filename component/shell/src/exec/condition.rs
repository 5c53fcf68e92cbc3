//! What stands in `[[ … ]]`.

use brush_parser::ast::{BinaryPredicate as Binary, ExtendedTestExpr as Expr};
use bstr::{BString, ByteSlice};

use super::Ended;
use crate::builtins::test;
use crate::expand::{self, arithmetic};
use crate::regexp;
use crate::script::turns::Local;
use crate::state::Shell;
use crate::value::Value;

/// Whether it holds.
pub fn holds<'a>(shell: &'a mut Shell, expr: &'a Expr) -> Local<'a, Result<bool, Ended>> {
    Box::pin(async move {
        Ok(match expr {
            Expr::And(one, other) => holds(shell, one).await? && holds(shell, other).await?,
            Expr::Or(one, other) => holds(shell, one).await? || holds(shell, other).await?,
            Expr::Not(inner) => !holds(shell, inner).await?,
            Expr::Parenthesized(inner) => holds(shell, inner).await?,
            Expr::UnaryTest(predicate, word) => {
                let operand = expand::text(shell, word).await?;
                test::unary(shell, predicate, &operand)
            }
            Expr::BinaryTest(predicate, left, right) => {
                let left = expand::text(shell, left).await?;
                match predicate {
                    Binary::StringExactlyMatchesPattern => matches(shell, &left, right).await?,
                    Binary::StringDoesNotExactlyMatchPattern => !matches(shell, &left, right).await?,
                    Binary::StringMatchesRegex => {
                        let pattern = expand::regex(shell, right).await?;
                        searched(shell, &left, &pattern)?
                    }
                    Binary::StringContainsSubstring => {
                        let right = expand::text(shell, right).await?;
                        searched(shell, &left, &regexp::escaped(&right))?
                    }
                    Binary::ArithmeticEqualTo
                    | Binary::ArithmeticNotEqualTo
                    | Binary::ArithmeticLessThan
                    | Binary::ArithmeticLessThanOrEqualTo
                    | Binary::ArithmeticGreaterThan
                    | Binary::ArithmeticGreaterThanOrEqualTo => {
                        let right = expand::text(shell, right).await?;
                        let (left, right) = (arithmetic::evaluate(shell, &left)?, arithmetic::evaluate(shell, &right)?);
                        test::compared(predicate, left, right)
                    }
                    _ => {
                        let right = expand::text(shell, right).await?;
                        test::binary(shell, predicate, &left, &right)
                    }
                }
            }
        })
    })
}

async fn matches(shell: &mut Shell, left: &BString, right: &brush_parser::ast::Word) -> Result<bool, Ended> {
    let pattern = expand::pattern(shell, right).await?;
    Ok(pattern.ignoring_case(shell.options.nocasematch).matches(left))
}

/// Searches for a regular expression, and sets BASH_REMATCH.
fn searched(shell: &mut Shell, text: &BString, pattern: &[u8]) -> Result<bool, Ended> {
    let regex = regexp::extended(pattern, shell.options.nocasematch)
        .map_err(|_| Ended::Failed(format!("{}: invalid regular expression", pattern.to_str_lossy())))?;
    let groups = regex.groups(text);
    let found = groups.is_some();
    let matched = groups.into_iter().flatten().map(|group| group.map_or_else(BString::default, BString::from));
    let value = Value::list(matched);
    shell.vars.entry("BASH_REMATCH").value = Some(value);
    Ok(found)
}
