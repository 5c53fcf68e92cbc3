//! `expr`

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};
use crate::regexp::Syntax;

/// The deepest nesting of parentheses.
const DEEPEST: usize = 200;

/// What an expression comes to, or what is wrong with it and the status.
type Valued = Result<BString, (String, i32)>;

/// Computes an expression.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut args = std::mem::take(&mut call.args);
    if args.first().is_some_and(|first| first == "--") {
        args.remove(0);
    }
    if args.is_empty() {
        return call.misused("missing operand", 2).await;
    }
    let mut reader = Reader { args: &args, at: 0, depth: 0 };
    let value = reader.either(true).and_then(|value| match reader.args.get(reader.at) {
        None => Ok(value),
        Some(extra) => Err((format!("syntax error: unexpected argument ‘{extra}’"), 2)),
    });
    match value {
        Ok(value) => {
            call.line(&value).await?;
            Ok(i32::from(is_nothing(&value)))
        }
        Err((message, status)) => {
            call.complain(message).await?;
            Ok(status)
        }
    }
}

fn number(text: &[u8]) -> Option<i128> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let all = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    all.then(|| text.to_str().ok()?.parse().ok()).flatten()
}

/// Whether it counts as false: empty, or zero however it is written.
fn is_nothing(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    text.is_empty() || (!digits.is_empty() && digits.iter().all(|byte| *byte == b'0'))
}

fn length(text: &[u8]) -> usize {
    text.chars().count()
}

/// Reads an expression and computes it. What is not to be computed is read only.
struct Reader<'a> {
    args: &'a [BString],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn takes(&mut self, word: &str) -> bool {
        let found = self.args.get(self.at).is_some_and(|arg| arg == word);
        self.at += usize::from(found);
        found
    }

    fn one_of<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        words.iter().copied().find(|word| self.takes(word))
    }

    fn either(&mut self, counts: bool) -> Valued {
        let mut left = self.both(counts)?;
        while self.takes("|") {
            let right = self.both(counts && is_nothing(&left))?;
            if is_nothing(&left) {
                left = if is_nothing(&right) { "0".into() } else { right };
            }
        }
        Ok(left)
    }

    fn both(&mut self, counts: bool) -> Valued {
        let mut left = self.compared(counts)?;
        while self.takes("&") {
            let right = self.compared(counts && !is_nothing(&left))?;
            if is_nothing(&left) || is_nothing(&right) {
                left = "0".into();
            }
        }
        Ok(left)
    }

    fn compared(&mut self, counts: bool) -> Valued {
        let mut left = self.sum(counts)?;
        while let Some(sign) = self.one_of(&["<=", "<", "==", "=", "!=", ">=", ">"]) {
            let right = self.sum(counts)?;
            let order = match (number(&left), number(&right)) {
                (Some(left), Some(right)) => left.cmp(&right),
                _ => left.cmp(&right),
            };
            let holds = match sign {
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                ">" => order.is_gt(),
                ">=" => order.is_ge(),
                "!=" => order.is_ne(),
                _ => order.is_eq(),
            };
            left = if holds { "1" } else { "0" }.into();
        }
        Ok(left)
    }

    fn sum(&mut self, counts: bool) -> Valued {
        let mut left = self.product(counts)?;
        while let Some(sign) = self.one_of(&["+", "-"]) {
            let right = self.product(counts)?;
            left = if counts { computed(&left, sign, &right)? } else { left };
        }
        Ok(left)
    }

    fn product(&mut self, counts: bool) -> Valued {
        let mut left = self.matched(counts)?;
        while let Some(sign) = self.one_of(&["*", "/", "%"]) {
            let right = self.matched(counts)?;
            left = if counts { computed(&left, sign, &right)? } else { left };
        }
        Ok(left)
    }

    fn matched(&mut self, counts: bool) -> Valued {
        let mut left = self.function(counts)?;
        while self.takes(":") {
            let right = self.function(counts)?;
            left = if counts { matched(&left, &right)? } else { left };
        }
        Ok(left)
    }

    fn function(&mut self, counts: bool) -> Valued {
        if self.takes("+") {
            return self.word();
        }
        if self.takes("length") {
            return Ok(length(&self.function(counts)?).to_string().into());
        }
        if self.takes("match") {
            let (text, pattern) = (self.function(counts)?, self.function(counts)?);
            return if counts { matched(&text, &pattern) } else { Ok(text) };
        }
        if self.takes("index") {
            let (text, wanted) = (self.function(counts)?, self.function(counts)?);
            let place = text.chars().position(|char| wanted.chars().any(|wanted| wanted == char));
            return Ok(place.map_or(0, |place| place + 1).to_string().into());
        }
        if self.takes("substr") {
            let (text, from, most) = (self.function(counts)?, self.function(counts)?, self.function(counts)?);
            let (Some(from @ 1..), Some(most @ 1..)) = (number(&from), number(&most)) else { return Ok("".into()) };
            let (from, most) =
                (usize::try_from(from).unwrap_or(usize::MAX), usize::try_from(most).unwrap_or(usize::MAX));
            let places: Vec<(usize, usize)> =
                text.char_indices().skip(from - 1).take(most).map(|(from, to, _)| (from, to)).collect();
            return Ok(match (places.first(), places.last()) {
                (Some((from, _)), Some((_, to))) => text[*from..*to].into(),
                _ => "".into(),
            });
        }
        if self.takes("(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(("memory exhausted".to_owned(), 2));
            }
            let value = self.either(counts)?;
            self.depth -= 1;
            if self.takes(")") {
                return Ok(value);
            }
            return Err(match self.args.get(self.at) {
                Some(found) => (format!("syntax error: expecting ')' instead of ‘{found}’"), 2),
                None => (format!("syntax error: expecting ')' after ‘{}’", self.args[self.at - 1]), 2),
            });
        }
        if self.args.get(self.at).is_some_and(|arg| arg == ")") {
            return Err(("syntax error: unexpected ')'".to_owned(), 2));
        }
        self.word()
    }

    fn word(&mut self) -> Valued {
        let word = self.args.get(self.at).cloned().ok_or_else(|| match self.at {
            0 => ("syntax error".to_owned(), 2),
            at => (format!("syntax error: missing argument after ‘{}’", self.args[at - 1]), 2),
        })?;
        self.at += 1;
        Ok(word)
    }
}

fn computed(left: &[u8], sign: &str, right: &[u8]) -> Valued {
    let is_number = |text: &[u8]| {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    if !is_number(left) || !is_number(right) {
        return Err(("non-integer argument".to_owned(), 2));
    }
    let range = || ("Numerical result out of range".to_owned(), 2);
    let (left, right) = (number(left).ok_or_else(range)?, number(right).ok_or_else(range)?);
    if right == 0 && matches!(sign, "/" | "%") {
        return Err(("division by zero".to_owned(), 2));
    }
    let value = match sign {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    };
    Ok(value.ok_or_else(range)?.to_string().into())
}

/// What the first group matched from the begin on, or how many characters the whole did.
fn matched(text: &[u8], pattern: &[u8]) -> Valued {
    let regex = Syntax::default().read(pattern).map_err(|message| (message, 2))?;
    let found = regex.captures(text, 0).filter(|groups| groups[0].is_some_and(|(begin, _)| begin == 0));
    if regex.groups > 1 {
        let group = found.and_then(|groups| groups[1]);
        return Ok(group.map_or_else(|| "".into(), |(begin, end)| text[begin..end].into()));
    }
    let end = found.and_then(|groups| groups[0]).map_or(0, |(_, end)| end);
    Ok(length(&text[..end]).to_string().into())
}
