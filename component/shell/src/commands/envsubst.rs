//! `envsubst`: exported variables in the place of `$name` and `${name}`.

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[flag('v', "variables")];

/// Prints what it reads with the variables in it, or the names of variables in a text.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if given.operands.len() > 1 {
        return call.misused("too many arguments", 1).await;
    }
    let wanted: Option<Vec<&[u8]>> = given.operands.first().map(|text| {
        let parts = Parts { rest: text };
        parts.filter_map(|(_, name)| name).collect()
    });
    if given.has('v') {
        let Some(names) = wanted else { return call.misused("missing arguments", 1).await };
        for name in names {
            call.line(name).await?;
        }
        return Ok(0);
    }
    let exported = call.shell.exported();
    let value = |name: &[u8]| -> BString {
        let found = exported.iter().find(|(known, _)| known.as_bytes() == name);
        found.map(|(_, text)| text.clone()).unwrap_or_default()
    };
    let input = call.stdin.all().await;
    call.shell.hold(input.len())?;
    let parts = Parts { rest: &input };
    for (text, name) in parts {
        match name.filter(|name| wanted.as_ref().is_none_or(|wanted| wanted.contains(name))) {
            Some(name) => call.print(value(name)).await?,
            None => call.print(text).await?,
        }
    }
    Ok(0)
}

/// The parts of a text: as they are written, and the name if one is a variable.
struct Parts<'t> {
    rest: &'t [u8],
}

impl<'t> Iterator for Parts<'t> {
    type Item = (&'t [u8], Option<&'t [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (length, name) = match variable(self.rest) {
            Some((length, name)) => (length, Some(name)),
            None => (self.rest[1..].find_byte(b'$').map_or(self.rest.len(), |at| at + 1), None),
        };
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some((text, name))
    }
}

/// The variable that a text begins with: how long it is with its signs, and its name.
fn variable(text: &[u8]) -> Option<(usize, &[u8])> {
    let inner = text.strip_prefix(b"$")?;
    let (signs, inner) = match inner.strip_prefix(b"{") {
        Some(inner) => (2, inner),
        None => (1, inner),
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = inner.iter().take_while(|byte| is_part(byte)).count();
    let name = &inner[..length];
    if name.first().is_none_or(u8::is_ascii_digit) || (signs == 2 && inner.get(length) != Some(&b'}')) {
        return None;
    }
    Some((signs + length + usize::from(signs == 2), name))
}
