//! Reads scripts. The grammar is brush's. What would make it dig too deep is refused before.

use brush_parser::{ParseError, ParserOptions, Token, TokenizerError, ast, parse_tokens, uncached_tokenize_str};

/// How deeply brackets, or commands, may lie in each other, and how many signs may stand before a number.
const DEEPEST: usize = 200;

/// Refuses a text that nests too deeply for a parser that calls itself.
pub fn checked(text: &str) -> Result<(), String> {
    let (mut depth, mut signs) = (0_usize, 0_usize);
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            b'!' | b'~' | b'+' | b'-' | b'?' | b'^' | b'*' | b'=' => {
                signs += 1;
                if signs > DEEPEST && !text.contains('\n') {
                    return Err(format!("syntax error: more than {DEEPEST} signs follow each other"));
                }
                continue;
            }
            b' ' => continue,
            _ => (),
        }
        signs = 0;
        if depth > DEEPEST {
            return Err(format!("syntax error: brackets lie in each other more than {DEEPEST} deep"));
        }
    }
    Ok(())
}

/// Refuses commands that lie in each other too deeply.
fn shallow(tokens: &[Token]) -> Result<(), String> {
    let mut depth = 0_usize;
    for token in tokens {
        let Token::Word(word, _) = token else { continue };
        match word.as_str() {
            "if" | "while" | "until" | "for" | "case" | "select" | "!" | "time" | "coproc" | "function" => depth += 1,
            "fi" | "done" | "esac" => depth = depth.saturating_sub(1),
            _ => (),
        }
        if depth > DEEPEST {
            return Err(format!("syntax error: commands lie in each other more than {DEEPEST} deep"));
        }
    }
    Ok(())
}

/// Makes every `select` a `for` whose variable has a mark: the grammar does not know the one, and it looks like the other.
fn menus(tokens: &mut Vec<Token>) {
    nothing(tokens);
    for at in 0..tokens.len().saturating_sub(2) {
        let begins = match at.checked_sub(1).map(|before| &tokens[before]) {
            None => true,
            Some(Token::Operator(operator, _)) => !operator.contains(['<', '>']),
            Some(Token::Word(word, _)) => {
                matches!(word.as_str(), "do" | "then" | "else" | "elif" | "if" | "while" | "until" | "{" | "!" | "time")
            }
        };
        let is_loop = matches!(tokens[at + 2].to_str(), "in" | "do" | ";" | "\n");
        let is_name = crate::exec::command::is_name(tokens[at + 1].to_str().as_bytes());
        if begins && is_loop && is_name && tokens[at].to_str() == "select" {
            if let Token::Word(word, _) = &mut tokens[at] {
                "for".clone_into(word);
            }
            if let Token::Word(name, _) = &mut tokens[at + 1] {
                name.insert_str(0, crate::exec::select::MARK);
            }
        }
    }
}

/// Puts a word that is nothing behind an `in` with no words: the grammar takes that for a loop without `in`.
fn nothing(tokens: &mut Vec<Token>) {
    for at in (3..tokens.len()).rev() {
        let is_loop = matches!(tokens[at - 3].to_str(), "for" | "select") && tokens[at - 1].to_str() == "in";
        if is_loop && matches!(&tokens[at], Token::Operator(operator, _) if operator == ";" || operator == "\n") {
            let place = tokens[at].location().clone();
            tokens.insert(at, Token::Word("${IFS+}".to_owned(), place));
        }
    }
}

/// Whether a person who types this has not come to its end: a quote, a here-document or a command is open.
pub fn is_unfinished(text: &str) -> bool {
    if checked(text).is_err() {
        return false;
    }
    match uncached_tokenize_str(text, &ParserOptions::default().tokenizer_options()) {
        Err(error) => error.is_incomplete(),
        Ok(mut tokens) => {
            menus(&mut tokens);
            text.ends_with("\\\n")
                || (shallow(&tokens).is_ok()
                    && matches!(parse_tokens(&tokens, &ParserOptions::default()), Err(ParseError::ParsingAtEndOfInput)))
        }
    }
}

/// Words that end something, or go on with it.
const CLOSING: &[&str] = &["fi", "done", "esac", "then", "do", "else", "elif", "}"];

/// Why a text is no program.
#[derive(Debug)]
pub struct Wrong {
    /// What the shell says about it.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The text of that line, if the shell repeats it.
    pub text: Option<String>,
}

impl Wrong {
    fn at(line: usize, message: impl Into<String>) -> Wrong {
        Wrong { message: message.into(), line, text: None }
    }
}

/// Reads a program.
pub fn program(text: &str) -> Result<ast::Program, Wrong> {
    checked(text).map_err(|message| Wrong::at(1, message))?;
    // The grammar does not know a loop without any expression.
    let text = text.replace("((;;))", "(( ; ; ))");
    let mut tokens = uncached_tokenize_str(&text, &ParserOptions::default().tokenizer_options()).map_err(unfinished)?;
    menus(&mut tokens);
    shallow(&tokens).map_err(|message| Wrong::at(1, message))?;
    parse_tokens(&tokens, &ParserOptions::default()).map_err(|error| match error {
        // bash is then behind the last line.
        ParseError::ParsingAtEndOfInput => Wrong::at(text.lines().count() + 1, "syntax error: unexpected end of file"),
        ParseError::ParsingNear(place) => {
            let line = text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default();
            let from = line.chars().skip(place.column.saturating_sub(1));
            let token: String = from.take_while(|char| !char.is_whitespace()).collect();
            // The grammar has read a closing word before it finds that nothing was open.
            let last = line.split_whitespace().last().filter(|last| CLOSING.contains(last));
            let token = if token.is_empty() { last.unwrap_or("newline") } else { &token };
            let message = format!("syntax error near unexpected token `{token}'");
            Wrong { message, line: place.line, text: Some(format!("`{line}'")) }
        }
        other @ ParseError::Tokenizing { .. } => Wrong::at(1, format!("syntax error: {other}")),
    })
}

fn unfinished(error: TokenizerError) -> Wrong {
    let (place, sign) = match &error {
        TokenizerError::UnterminatedSingleQuote(place) => (place, '\''),
        TokenizerError::UnterminatedDoubleQuote(place) => (place, '"'),
        TokenizerError::UnterminatedBackquote(place) => (place, '`'),
        other => return Wrong::at(1, format!("syntax error: {other}")),
    };
    Wrong::at(place.line, format!("unexpected EOF while looking for matching `{sign}'"))
}

#[cfg(test)]
mod tests {
    use super::is_unfinished;

    #[test]
    fn what_is_open_is_unfinished_and_what_is_wrong_is_not() {
        for open in [
            "echo 'a",
            "echo \"a\nb",
            "if true; then",
            "for x in a b; do\necho",
            "cat <<E\na",
            "(ls",
            "echo $(ls",
            "ls |",
            "a &&",
            "f() {",
            "echo a\\\n",
        ] {
            assert!(is_unfinished(open), "{open}");
        }
        for done in ["", "ls", "echo a\\ b", "cat <<E\na\nE\n", "echo )", "ls ;; x", "if true; then ls; fi", "# it's"] {
            assert!(!is_unfinished(done), "{done}");
        }
    }
}
