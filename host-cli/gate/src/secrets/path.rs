//! What the path of a file says of its content.

use super::check;

/// Digits of a key of Rails' encrypted credentials, which stands alone in a file.
const RAILS_KEY: usize = 32;

fn name(path: &[u8]) -> Vec<u8> {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a file has variables of an environment: `.env`, `.env.local`, `prod.env`, `.envrc`, `.flaskenv`.
pub(super) fn is_environment(path: &[u8]) -> bool {
    let name = name(path);
    name.starts_with(b".env") || name.ends_with(b".env") || name.ends_with(b"env") && name.starts_with(b".")
}

/// Whether a file is a key of Rails as a whole: `config/master.key`, `config/credentials/production.key`.
/// <https://guides.rubyonrails.org/security.html#custom-credentials>
pub(super) fn is_rails_key(path: &[u8], content: &[u8]) -> bool {
    if content.len() > 2 * RAILS_KEY || !name(path).ends_with(b".key") {
        return false;
    }
    let key = content.trim_ascii();
    key.len() == RAILS_KEY && key.iter().all(u8::is_ascii_hexdigit) && check::random(key, 2.8)
}
