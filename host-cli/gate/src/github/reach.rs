//! Which repository a request is about.

/// Whether the path of a request concerns one of the repositories with these names. A request that moves
/// a branch names it by an id, which only a request about the repository can have found out. The current
/// name of a renamed repository is requested by a number, which the server has given.
pub(super) fn is_about(path: &str, names: &[&str]) -> bool {
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = path.trim_start_matches('/').split('/');
    // The HTTP client would resolve such segments first.
    if parts.clone().any(|part| matches!(&*part.to_ascii_lowercase().replace("%2e", "."), "." | ".."))
        || path.contains('\\')
    {
        return false;
    }
    match (parts.next(), parts.next(), parts.next()) {
        (Some("repositories"), Some(number), None) => number.bytes().all(|digit| digit.is_ascii_digit()),
        (Some("repos"), Some(owner), Some(repository)) => {
            let asked = format!("{owner}/{repository}");
            names.iter().any(|name| name.eq_ignore_ascii_case(&asked))
        }
        (Some("graphql"), None, None) => !names.is_empty(),
        _ => false,
    }
}
