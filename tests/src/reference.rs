//! Generates the reference of the tools in their README from the built command's descriptions.

use serde_json::Value;

const BEGIN: &str = "<!-- tools:begin -->\n";
const END: &str = "<!-- tools:end -->";

/// The README with the reference of `tools`, as `gitgate tools --json` lists them.
///
/// # Panics
/// If the README has no place for it, or a tool has no description.
pub fn put(readme: &str, tools: &Value) -> String {
    let start = readme.find(BEGIN).expect("the README has a place for the tools") + BEGIN.len();
    let end = start + readme[start..].find(END).expect("the place has an end");
    format!("{}{}{}", &readme[..start], reference(tools), &readme[end..])
}

/// The README with the table of the names that other clients have for `tools`.
///
/// # Panics
/// If the README has no place for it.
pub fn put_names(readme: &str, tools: &Value) -> String {
    const BEGIN: &str = "<!-- dialects:begin -->\n";
    const END: &str = "<!-- dialects:end -->";
    let start = readme.find(BEGIN).expect("the README has a place for the names") + BEGIN.len();
    let end = start + readme[start..].find(END).expect("the place has an end");
    let rows: String = tools.as_array().expect("it is a list").iter().map(names).collect();
    format!("{}| tool, argument | other names |\n|---|---|\n{rows}{}", &readme[..start], &readme[end..])
}

/// A row for each other name of a tool and its arguments.
fn names(tool: &Value) -> String {
    let named = |theirs: &Value| {
        let all = theirs.as_object().expect("names are an object").iter().map(|(name, dialects)| {
            let dialects: Vec<&str> = dialects.as_array().expect("it is a list").iter().map(text_of).collect();
            if dialects.is_empty() { format!("`{name}`") } else { format!("`{name}` ({})", dialects.join(", ")) }
        });
        all.collect::<Vec<_>>().join(", ")
    };
    let (name, names) = (text_of(&tool["name"]), &tool["otherNames"]);
    let mut rows = String::new();
    let mut row = |here: &str, theirs: &Value| {
        if theirs.as_object().is_some_and(|theirs| !theirs.is_empty()) {
            rows.push_str(&format!("| {here} | {} |\n", named(theirs)));
        }
    };
    row(&format!("`{name}`"), &names["tool"]);
    for (argument, theirs) in names["arguments"].as_object().into_iter().flatten() {
        row(&format!("`{name}`: `{argument}`"), theirs);
    }
    row(&format!("`{name}`: does not count"), &names["remarks"]);
    rows
}

/// A paragraph for each tool, a line for each argument, and one for the structured result.
fn reference(tools: &Value) -> String {
    tools.as_array().expect("it is a list").iter().map(tool).collect::<Vec<_>>().join("\n")
}

fn tool(tool: &Value) -> String {
    let who = if tool["manual"] == true { " (only the user)" } else { "" };
    let mut text = format!("**`{}`**{who}: {}\n", text_of(&tool["name"]), text_of(&tool["description"]));
    let schema = &tool["inputSchema"];
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let optional = if required.contains(&Value::from(name.as_str())) { "" } else { "?" };
        text.push_str(&format!("- `{name}{optional}`: {}. {}\n", kind(field), text_of(&field["description"])));
    }
    let result = &tool["outputSchema"];
    let forms = result["oneOf"].as_array().map_or(std::slice::from_ref(result), Vec::as_slice);
    text.push_str(&format!("- Result: {}.\n", forms.iter().map(form).collect::<Vec<_>>().join(" or ")));
    text
}

/// The form of an argument: a type, its possible values, or the variants of an object.
fn kind(field: &Value) -> String {
    if let Some(values) = field["enum"].as_array() {
        return values.iter().map(|value| format!("`{}`", text_of(value))).collect::<Vec<_>>().join(" or ");
    }
    if let Some(forms) = field["oneOf"].as_array() {
        return forms.iter().map(form).collect::<Vec<_>>().join(" or ");
    }
    match text_of(&field["type"]) {
        "array" => format!("list of {}s", text_of(&field["items"]["type"])),
        kind => kind.to_owned(),
    }
}

/// One variant of an object: `{type: "local", path, branch?}`, with required fields first.
fn form(form: &Value) -> String {
    if let Some(value) = form["const"].as_str() {
        return format!("`{value}`");
    }
    let fields = form["properties"].as_object().expect("a form has fields");
    let required = form["required"].as_array().cloned().unwrap_or_default();
    let is_required = |name: &&String| required.contains(&Value::from(name.as_str()));
    let shown = |name: &String| match fields[name]["const"].as_str() {
        Some(value) => format!("{name}: \"{value}\""),
        None if is_required(&name) => name.clone(),
        None => format!("{name}?"),
    };
    let in_order = required.iter().map(|name| shown(&text_of(name).to_owned()));
    let optional = fields.keys().filter(|name| !is_required(name)).map(shown);
    format!("`{{{}}}`", in_order.chain(optional).collect::<Vec<_>>().join(", "))
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a tool says nothing where it should: {value}"))
}
