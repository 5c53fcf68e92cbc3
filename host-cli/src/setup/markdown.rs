//! A section between two marks in a Markdown file that others write, too.

use super::change::Unfit;

/// How the line before the section begins. The rest of it is for readers.
const BEGIN: &str = "<!-- gitgate: begin";
const BEGIN_LINE: &str = "<!-- gitgate: begin (`gitgate setup` wrote this, `--undo` removes it) -->";
const END: &str = "<!-- gitgate: end -->";

/// What takes a section back.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Taken {
    /// What was put between the text and the section.
    gap: String,
    /// The section that was there, with its marks.
    former: Option<String>,
}

/// Puts a section with `body` at the end of the text, or in the place of the one that is there.
/// Returns no [`Taken`] if it is there already.
pub fn apply(text: &str, body: &str) -> Result<(String, Option<Taken>), Unfit> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let section = format!("{BEGIN_LINE}\n{}\n{END}\n", body.trim_end()).replace('\n', newline);
    if let Some((before, former, after)) = split(text)? {
        let is_there = former == section;
        let taken = Taken { gap: String::new(), former: Some(former.to_owned()) };
        return Ok((format!("{before}{section}{after}"), (!is_there).then_some(taken)));
    }
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    Ok((format!("{text}{gap}{section}"), Some(Taken { gap, former: None })))
}

/// Takes the section back, and the gap before it if it is still there.
pub fn revert(text: &str, taken: &Taken) -> Result<String, Unfit> {
    let Some((before, _, after)) = split(text)? else { return Ok(text.to_owned()) };
    match &taken.former {
        Some(former) => Ok(format!("{before}{former}{after}")),
        None => Ok(format!("{}{after}", before.strip_suffix(taken.gap.as_str()).unwrap_or(before))),
    }
}

/// The text before the section, the section with both marks and the end of its line, and the text
/// behind it.
fn split(text: &str) -> Result<Option<(&str, &str, &str)>, Unfit> {
    let unfit = |what: &str| Unfit {
        message: format!("has {what}"),
        hint: "let one section begin with \"<!-- gitgate: begin\" and end with \"<!-- gitgate: end -->\", or none",
    };
    let starts: Vec<usize> = lines(text).filter(|(_, line)| line.starts_with(BEGIN)).map(|(at, _)| at).collect();
    let ends: Vec<usize> =
        lines(text).filter(|(_, line)| line.trim_end() == END).map(|(at, line)| at + line.len()).collect();
    match (starts.as_slice(), ends.as_slice()) {
        ([], []) => Ok(None),
        (&[start], &[end]) if start < end => Ok(Some((&text[..start], &text[start..end], &text[end..]))),
        ([_, _, ..], _) | (_, [_, _, ..]) => Err(unfit("more than one section of gitgate's")),
        _ => Err(unfit("a section of gitgate's without a begin or an end")),
    }
}

/// The lines with their ends, and where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    })
}
