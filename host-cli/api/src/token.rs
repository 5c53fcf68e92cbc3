//! The tokens of a sandbox. What is kept of one tells nobody what it is: a token is random and long,
//! so its hash is all that is needed.

use gate::hex;
use gate::time::Timestamp;
use host::error::{ErrorKind, HostError, Result};
use host::platform::{Platform, random};
use host::store::{Held, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::role::Role;

/// The text in a sandbox's store.
const NAME: &str = "tokens.json";
/// What every token begins with, so that whoever finds one knows what it is.
const PREFIX: &str = "gitgate_";
/// The most tokens that a sandbox can have.
const MOST: usize = 100;

/// A token, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// By which it is found and withdrawn. Not secret.
    pub id: String,
    /// What it is for.
    pub role: Role,
    /// Whose it is, for the list.
    pub note: String,
    /// When it was made.
    pub made: Timestamp,
    /// From when on it is worth nothing.
    pub expires: Option<Timestamp>,
    /// SHA-256 of the whole token, in hex.
    hash: String,
}

impl Token {
    /// As the description shows it.
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

/// A token that was made just now.
#[derive(Debug)]
pub struct Made {
    /// As it is kept.
    pub kept: Token,
    /// The token itself. Nobody can find it out again.
    pub token: String,
}

impl Made {
    /// As the description shows it.
    pub fn shown(&self) -> Value {
        let mut shown = self.kept.shown();
        shown["token"] = json!(self.token);
        shown
    }
}

/// What a token is wanted for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its role.
    pub role: Role,
    /// Whose it is.
    pub note: String,
    /// After how many seconds it is worth nothing.
    pub expires_in: Option<u64>,
}

/// A random token that nobody has made for a sandbox: the operator's.
pub fn of_operator(platform: &dyn Platform) -> Result<String> {
    Ok(format!("{PREFIX}operator_{}", hex::encode(&random::<32>(platform)?)))
}

/// The hash by which a token is known.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// All tokens of the sandbox that are worth something, oldest first.
pub fn all(store: &Store, now: Timestamp) -> Result<Vec<Token>> {
    let Some(text) = store.text(NAME)? else { return Ok(Vec::new()) };
    let all: Vec<Token> = serde_json::from_str(&text).map_err(|error| {
        HostError::new(ErrorKind::Damaged, format!("{NAME} is damaged: {error}"))
            .hint("remove it, and make new tokens: the old ones are worth nothing any more")
    })?;
    Ok(all.into_iter().filter(|token| token.is_fresh(now)).collect())
}

/// Makes a token.
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

/// Withdraws a token. Says whether there was one.
pub fn withdraw(store: &Store, held: &Held, now: Timestamp, id: &str) -> Result<bool> {
    let mut tokens = all(store, now)?;
    let before = tokens.len();
    tokens.retain(|token| token.id != id);
    put(store, held, &tokens)?;
    Ok(tokens.len() < before)
}

/// The token with this text, if it is worth something.
pub fn find(store: &Store, now: Timestamp, token: &str) -> Result<Option<Token>> {
    // That hashes are compared byte by byte tells nothing: nobody can make one that begins as another.
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
        platform.pass(Duration::from_secs(60));
        assert_eq!(role(&short.token), None);
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
