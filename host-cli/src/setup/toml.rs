//! Changes to TOML. What does not change keeps every byte.

use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike};

use super::change::{Change, Taken, Unfit, What, entries};

/// Makes the changes. Returns the text and what takes them back, in the order in which they were
/// made.
pub fn apply(text: &str, changes: &[Change]) -> Result<(String, Vec<Taken>), Unfit> {
    let mut file = parse(text)?;
    let mut taken = Vec::new();
    for change in changes {
        let Change::Set { path, value, .. } = change else { unreachable!("no client has such a list in TOML") };
        let (name, parents) = path.split_last().expect("a change has a path");
        let (table, made) = enter_or_make(file.as_table_mut(), parents)?;
        let former = table.get(name).filter(|item| !item.is_none());
        if former.and_then(plain).as_ref() == Some(value) {
            continue;
        }
        let former = former.map(alone);
        put(table, name, item(value));
        taken.push(Taken { path: path.clone(), made, what: What::Set { value: value.clone(), former } });
    }
    let text = if taken.is_empty() { text.to_owned() } else { printed(&file, text) };
    Ok((text, taken))
}

/// Takes changes back. What is not as they left it stays.
pub fn revert(text: &str, taken: &[Taken]) -> Result<String, Unfit> {
    let mut file = parse(text)?;
    for Taken { path, made, what } in taken.iter().rev() {
        let What::Set { value, former } = what else { continue };
        let (name, parents) = path.split_last().expect("a change has a path");
        let Some(table) = enter(file.as_table_mut(), parents) else { continue };
        if table.get(name).and_then(plain).as_ref() != Some(value) {
            continue;
        }
        match former {
            Some(former) => put(table, name, former_item(former)?),
            None => {
                table.remove(name);
                remove_empty(&mut file, parents, *made);
            }
        }
    }
    Ok(printed(&file, text))
}

/// True if there is nothing in the file.
pub fn says_nothing(text: &str) -> bool {
    text.trim().is_empty()
}

fn parse(text: &str) -> Result<DocumentMut, Unfit> {
    let (all, carriage) = (text.matches('\n').count(), text.matches("\r\n").count());
    if carriage != 0 && carriage != all {
        return Err(Unfit::syntax("TOML with one kind of line end", "some lines end with CR LF, others with LF"));
    }
    text.parse().map_err(|error: toml_edit::TomlError| Unfit::syntax("TOML", error.message()))
}

/// The file as text, with line ends as the `former` text has them: the parser makes them all LF.
fn printed(file: &DocumentMut, former: &str) -> String {
    let text = file.to_string();
    if former.contains("\r\n") { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text }
}

/// Sets a value. One that is replaced leaves its place, its comments and the name's form to it.
fn put(table: &mut dyn TableLike, name: &str, mut item: Item) {
    match table.get_mut(name) {
        Some(there) => {
            if let (Some(old), Some(new)) = (there.as_value(), item.as_value_mut()) {
                *new.decor_mut() = old.decor().clone();
            }
            if let (Some(old), Some(new)) = (there.as_table(), item.as_table_mut()) {
                *new.decor_mut() = old.decor().clone();
                new.set_position(old.position());
            }
            *there = item;
        }
        None => drop(table.insert(name, item)),
    }
}

fn enter<'a>(top: &'a mut Table, path: &[String]) -> Option<&'a mut dyn TableLike> {
    path.iter().try_fold(top as &mut dyn TableLike, |table, name| table.get_mut(name)?.as_table_like_mut())
}

/// The table at `path`, and how many tables were made to reach it.
fn enter_or_make<'a>(top: &'a mut Table, path: &[String]) -> Result<(&'a mut dyn TableLike, usize), Unfit> {
    let (mut table, mut made) = (top as &mut dyn TableLike, 0);
    for (depth, name) in path.iter().enumerate() {
        if !table.contains_key(name) {
            made += 1;
            let mut new = Table::new();
            // Its heading is written only if something besides tables is in it.
            new.set_implicit(true);
            table.insert(name, Item::Table(new));
        }
        let item = table.get_mut(name).expect("it was made if it was not there");
        table = item.as_table_like_mut().ok_or_else(|| Unfit::form(&path[..=depth], "no table"))?;
    }
    Ok((table, made))
}

/// Removes the deepest `count` tables on `path`, as far as nothing is in them.
fn remove_empty(file: &mut DocumentMut, path: &[String], count: usize) {
    for depth in (path.len().saturating_sub(count)..path.len()).rev() {
        let is_empty = enter(file.as_table_mut(), &path[..=depth]).is_some_and(|table| table.is_empty());
        match enter(file.as_table_mut(), &path[..depth]) {
            Some(above) if is_empty => drop(above.remove(&path[depth])),
            _ => return,
        }
    }
}

/// An item as a file of its own, for [`former_item`].
fn alone(item: &Item) -> String {
    let mut file = DocumentMut::new();
    file.insert("former", item.clone());
    file.to_string()
}

fn former_item(text: &str) -> Result<Item, Unfit> {
    Ok(parse(text)?.remove("former").unwrap_or_default())
}

/// A value without its form. `None` for one that no change sets, such as a date.
fn plain(item: &Item) -> Option<Value> {
    if let Some(table) = item.as_table_like() {
        return table
            .iter()
            .map(|(name, item)| Some((name.to_owned(), plain(item)?)))
            .collect::<Option<_>>()
            .map(Value::Object);
    }
    value(item.as_value()?)
}

fn value(value: &toml_edit::Value) -> Option<Value> {
    Some(match value {
        toml_edit::Value::String(text) => text.value().as_str().into(),
        toml_edit::Value::Boolean(is) => (*is.value()).into(),
        toml_edit::Value::Array(items) => items.iter().map(self::value).collect::<Option<Vec<_>>>()?.into(),
        _ => return None,
    })
}

/// A value as it is written: an object as a table of its own.
fn item(value: &Value) -> Item {
    match value {
        Value::String(text) => toml_edit::value(text),
        Value::Bool(is) => toml_edit::value(*is),
        Value::Array(items) => toml_edit::value(items.iter().filter_map(Value::as_str).collect::<Array>()),
        Value::Object(entries) => {
            let entries = self::entries(entries).into_iter().map(|(name, value)| (name.as_str(), item(value)));
            Item::Table(entries.collect())
        }
        Value::Null | Value::Number(_) => unreachable!("no client has such a value in TOML"),
    }
}
