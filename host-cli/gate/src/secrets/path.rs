//! What a file's path says about its content.

use super::check;

/// The number of digits of a key for Rails' encrypted credentials, which fills a file.
const RAILS_KEY: usize = 32;

fn name(path: &[u8]) -> Vec<u8> {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a file holds environment variables: `.env`, `.env.local`, `prod.env`, `.envrc`, `.flaskenv`.
pub(super) fn is_environment(path: &[u8]) -> bool {
    let name = name(path);
    name.starts_with(b".env") || name.ends_with(b".env") || name.ends_with(b"env") && name.starts_with(b".")
}

/// Whether a file is a Rails key as a whole: `config/master.key`, `config/credentials/production.key`.
/// <https://guides.rubyonrails.org/security.html#custom-credentials>
pub(super) fn is_rails_key(path: &[u8], content: &[u8]) -> bool {
    if content.len() > 2 * RAILS_KEY || !name(path).ends_with(b".key") {
        return false;
    }
    let key = content.trim_ascii();
    key.len() == RAILS_KEY && key.iter().all(u8::is_ascii_hexdigit) && check::random(key, 2.8)
}
