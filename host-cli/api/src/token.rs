//! The tokens of a sandbox. The store reveals no token: tokens are random and long, so their hashes
//! are enough.

use gate::hex;
use gate::time::Timestamp;
use host::error::{ErrorKind, HostError, Result};
use host::platform::{Platform, random};
use host::store::{Held, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::role::Role;

/// The key of the tokens in a sandbox's store.
const NAME: &str = "tokens.json";
/// The prefix of every token, so that a finder recognizes one.
const PREFIX: &str = "gitgate_";
/// The most tokens that a sandbox can have.
const MOST: usize = 100;

/// A stored token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Identifies it for revocation. Not secret.
    pub id: String,
    /// Its role.
    pub role: Role,
    /// Its owner, for the list.
    pub note: String,
    /// The time of its creation.
    pub made: Timestamp,
    /// The time from which it is invalid.
    pub expires: Option<Timestamp>,
    /// SHA-256 of the whole token, in hex.
    hash: String,
}

impl Token {
    /// The token in the description's form.
    pub fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "role": self.role,
            "note": self.note,
            "made": self.made,
            "expires": self.expires,
        })
    }

    fn is_fresh(&self, now: Timestamp) -> bool {
        self.expires.is_none_or(|expires| now < expires)
    }
}

/// A new token.
#[derive(Debug)]
pub struct Made {
    /// The stored form.
    pub kept: Token,
    /// The token itself. Nobody can recover it later.
    pub token: String,
}

impl Made {
    /// The token in the description's form.
    pub fn shown(&self) -> Value {
        let mut shown = self.kept.shown();
        shown["token"] = json!(self.token);
        shown
    }
}

/// The wanted token.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its role.
    pub role: Role,
    /// Its owner.
    pub note: String,
    /// Its lifetime in seconds.
    pub expires_in: Option<u64>,
}

/// A random token that belongs to no sandbox: the operator's.
pub fn of_operator(platform: &dyn Platform) -> Result<String> {
    Ok(format!("{PREFIX}operator_{}", hex::encode(&random::<32>(platform)?)))
}

/// The hash that identifies a token.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// All valid tokens of the sandbox, oldest first.
pub fn all(store: &Store, now: Timestamp) -> Result<Vec<Token>> {
    let Some(text) = store.text(NAME)? else { return Ok(Vec::new()) };
    let all: Vec<Token> = serde_json::from_str(&text).map_err(|error| {
        HostError::new(ErrorKind::Damaged, format!("{NAME} is damaged: {error}"))
            .hint("remove it, and make new tokens: the old ones are worth nothing any more")
    })?;
    Ok(all.into_iter().filter(|token| token.is_fresh(now)).collect())
}

/// Creates a token.
///
/// # Errors
/// If there are too many.
pub fn make(store: &Store, held: &Held, platform: &dyn Platform, wanted: &Wanted) -> Result<Made> {
    let now = platform.now().timestamp();
    let mut tokens = all(store, now)?;
    if tokens.len() >= MOST {
        return Err(HostError::new(ErrorKind::Usage, format!("the sandbox has {MOST} tokens, which is the most"))
            .hint("withdraw those that nobody uses"));
    }
    let id = hex::encode(&random::<8>(platform)?);
    let token = format!("{PREFIX}{id}_{}", hex::encode(&random::<32>(platform)?));
    let kept = Token {
        id,
        role: wanted.role,
        note: wanted.note.clone(),
        made: now,
        expires: wanted.expires_in.map(|seconds| now.plus(seconds)),
        hash: hex::encode(&hash(&token)),
    };
    tokens.push(kept.clone());
    put(store, held, &tokens)?;
    Ok(Made { kept, token })
}

/// Revokes a token. Returns whether it existed.
pub fn withdraw(store: &Store, held: &Held, now: Timestamp, id: &str) -> Result<bool> {
    let mut tokens = all(store, now)?;
    let before = tokens.len();
    tokens.retain(|token| token.id != id);
    put(store, held, &tokens)?;
    Ok(tokens.len() < before)
}

/// Lets a valid token expire later. Returns whether there is one of that id.
pub fn extend(store: &Store, held: &Held, now: Timestamp, id: &str, seconds: u64) -> Result<bool> {
    let mut tokens = all(store, now)?;
    let Some(token) = tokens.iter_mut().find(|token| token.id == id) else { return Ok(false) };
    token.expires = token.expires.map(|expires| expires.max(now.plus(seconds)));
    put(store, held, &tokens)?;
    Ok(true)
}

/// The token with this text, if it is valid.
pub fn find(store: &Store, now: Timestamp, token: &str) -> Result<Option<Token>> {
    // Comparing hashes byte by byte reveals nothing: nobody can make a token whose hash starts like
    // another's.
    let hash = hex::encode(&hash(token));
    Ok(all(store, now)?.into_iter().find(|kept| kept.hash == hash))
}

fn put(store: &Store, held: &Held, tokens: &[Token]) -> Result<()> {
    store.put_text(held, NAME, &serde_json::to_string(tokens).expect("it has only string keys"))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::time::Duration;

    use host::fake::FakePlatform;
    use host::store::memory::MemoryStorage;

    use super::*;

    fn store() -> Store {
        Store::new(Rc::new(MemoryStorage::default()), "one".parse().unwrap())
    }

    fn wanted(role: Role, expires_in: Option<u64>) -> Wanted {
        Wanted { role, note: "phone".to_owned(), expires_in }
    }

    #[test]
    fn what_is_kept_of_a_token_is_not_the_token() {
        let (store, platform) = (store(), FakePlatform::default());
        let made = make(&store, &store.lock.acquire().unwrap(), &platform, &wanted(Role::Agent, None)).unwrap();
        let secret = made.token.rsplit('_').next().unwrap();
        assert_eq!(secret.len(), 64);
        assert!(!store.text(NAME).unwrap().unwrap().contains(secret));
        assert!(!made.kept.shown().to_string().contains(secret));
    }

    #[test]
    fn a_token_is_found_until_it_is_withdrawn_or_expires() {
        let (store, platform) = (store(), FakePlatform::default());
        let held = store.lock.acquire().unwrap();
        let now = || platform.now().timestamp();
        let lasting = make(&store, &held, &platform, &wanted(Role::Owner, None)).unwrap();
        let short = make(&store, &held, &platform, &wanted(Role::Agent, Some(60))).unwrap();
        assert_ne!(lasting.token, short.token);
        let role = |token: &str| find(&store, now(), token).unwrap().map(|token| token.role);
        assert_eq!((role(&lasting.token), role(&short.token)), (Some(Role::Owner), Some(Role::Agent)));
        assert_eq!(role(&short.token[..short.token.len() - 1]), None);
        assert_eq!((role(&short.kept.id), role("")), (None, None));
        assert!(extend(&store, &held, now(), &short.kept.id, 120).unwrap());
        platform.pass(Duration::from_secs(60));
        assert_eq!(role(&short.token), Some(Role::Agent));
        platform.pass(Duration::from_secs(60));
        assert_eq!(role(&short.token), None);
        assert!(!extend(&store, &held, now(), &short.kept.id, 120).unwrap());
        assert_eq!(all(&store, now()).unwrap(), std::slice::from_ref(&lasting.kept));
        assert!(withdraw(&store, &held, now(), &lasting.kept.id).unwrap());
        assert!(!withdraw(&store, &held, now(), &lasting.kept.id).unwrap());
        assert_eq!(role(&lasting.token), None);
    }

    #[test]
    fn there_are_no_more_than_the_most() {
        let (store, platform) = (store(), FakePlatform::default());
        let held = store.lock.acquire().unwrap();
        for _ in 0..MOST {
            make(&store, &held, &platform, &wanted(Role::Agent, Some(60))).unwrap();
        }
        assert_eq!(make(&store, &held, &platform, &wanted(Role::Agent, None)).unwrap_err().kind, ErrorKind::Usage);
        platform.pass(Duration::from_secs(61));
        make(&store, &held, &platform, &wanted(Role::Agent, None)).unwrap();
    }

    #[test]
    fn a_damaged_list_is_told_and_lets_nobody_in() {
        let (store, platform) = (store(), FakePlatform::default());
        store.put_text(&store.lock.acquire().unwrap(), NAME, "[{}]").unwrap();
        assert_eq!(find(&store, platform.now().timestamp(), "x").unwrap_err().kind, ErrorKind::Damaged);
    }
}
