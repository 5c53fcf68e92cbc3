//! The table of secrets, by family. The formats are those that vendors document, or that their tokens show.

mod cloud;
mod data;
mod forges;
mod keys;
mod messaging;
mod models;
mod payments;

use super::rule::{Rule, before, named, reach, token};

/// A UUID, for vendors that use one as a secret.
const UUID: &str = "[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}";

/// All rules.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    let families =
        [cloud::RULES, forges::RULES, models::RULES, messaging::RULES, payments::RULES, data::RULES, keys::RULES];
    families.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_expression_of_every_rule_compiles() {
        for rule in super::all() {
            let _ = rule.regex();
            assert!(!rule.keys.is_empty(), "{}", rule.id);
        }
    }
}
