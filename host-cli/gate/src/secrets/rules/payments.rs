//! Payments, shops, and office software.

use super::{Rule, UUID, before, named, token};

pub(super) const RULES: &[Rule] = &[
    token(
        "stripe-key",
        "a Stripe secret key",
        &["sk_live_", "sk_test_", "sk_org_"],
        "sk_(?:org_)?(?:live_|test_)?[A-Za-z0-9]{16,}",
    ),
    token(
        "stripe-restricted-key",
        "a Stripe restricted key",
        &["rk_live_", "rk_test_"],
        "rk_(?:live|test)_[A-Za-z0-9]{16,}",
    ),
    token("stripe-webhook-secret", "a Stripe webhook secret", &["whsec_"], "whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    token("square-token", "a Square access token", &["sq0atp-"], "sq0atp-[A-Za-z0-9_-]{22}"),
    token("square-secret", "a Square application secret", &["sq0csp-"], "sq0csp-[A-Za-z0-9_-]{43}"),
    token("square-token-new", "a Square access token", &["EAAA"], "EAAA[A-Za-z0-9_-]{60}"),
    token(
        "braintree-token",
        "a PayPal Braintree access token",
        &["access_token$"],
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    named("paypal-secret", "a PayPal client secret", &["paypal"], "E[A-Za-z0-9_-]{79}"),
    named("braintree-key", "a Braintree private key", &["braintree"], "[a-f0-9]{32}").hex(),
    token(
        "shopify-token",
        "a Shopify token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"],
        "shp(?:at|ca|pa|ss|tka|ua)_[a-fA-F0-9]{32}",
    )
    .hex(),
    named("razorpay-secret", "a Razorpay secret", &["razorpay"], "[A-Za-z0-9]{24}"),
    token("adyen-key", "an Adyen API key", &["AQE"], "AQE[a-z][A-Za-z0-9+/]{80,}={0,2}-[A-Za-z0-9+/=-]{20,}"),
    token(
        "plaid-token",
        "a Plaid access token",
        &["access-sandbox-", "access-development-", "access-production-"],
        "access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}",
    )
    .hex(),
    named("plaid-secret", "a Plaid secret", &["plaid"], "[a-f0-9]{30}").hex(),
    token("flutterwave-key", "a Flutterwave secret key", &["FLWSECK"], "FLWSECK(?:_TEST)?-[A-Za-z0-9]{32}-X").hex(),
    named("mollie-key", "a Mollie API key", &["mollie"], "(?:live|test)_[A-Za-z0-9]{30,}"),
    token("easypost-key", "an EasyPost API key", &["EZAK", "EZTK"], "EZ[AT]K[A-Za-z0-9]{54}"),
    token("shippo-token", "a Shippo token", &["shippo_"], "shippo_(?:live|test)_[a-f0-9]{40}").hex(),
    token("duffel-token", "a Duffel token", &["duffel_"], "duffel_(?:live|test)_[A-Za-z0-9_-]{43}"),
    named("coinbase-secret", "a Coinbase secret", &["coinbase"], "[A-Za-z0-9_+/-]{64,}={0,2}"),
    named("binance-secret", "a Binance secret", &["binance", "bybit", "kraken"], "[A-Za-z0-9+/]{64,}={0,2}"),
    token("notion-token", "a Notion token", &["ntn_", "secret_"], "(?:ntn_[A-Za-z0-9]{46}|secret_[A-Za-z0-9]{43})"),
    token("linear-key", "a Linear API key", &["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_[A-Za-z0-9]{40,}"),
    token("figma-token", "a Figma token", &["figd_", "figo_", "figu_"], "fig[dou][rh]?_[A-Za-z0-9_-]{40,}"),
    token("postman-key", "a Postman API key", &["PMAK-"], "PMAK-[a-f0-9]{24}-[a-f0-9]{34}").hex(),
    named("asana-token", "an Asana token", &["asana"], "(?:[0-9]/[0-9]{16}(?:/[0-9]{16})?:)?[a-f0-9]{32}").hex(),
    token("dropbox-token", "a Dropbox token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{120,}"),
    named("dropbox-secret", "a Dropbox app secret", &["dropbox"], "[a-z0-9]{15}"),
    token("contentful-token", "a Contentful token", &["CFPAT-"], "CFPAT-[A-Za-z0-9_-]{43}"),
    token("hubspot-token", "a HubSpot token", &["pat-na", "pat-eu"], "pat-(?:na|eu)[0-9]-[a-f0-9]{8}-[a-f0-9-]{27}")
        .hex(),
    named("hubspot-key", "a HubSpot key", &["hubspot", "hapikey"], UUID).hex(),
    token("typeform-token", "a Typeform token", &["tfp_"], r"tfp_[A-Za-z0-9_.-]{40,}"),
    token("readme-key", "a ReadMe key", &["rdme_"], "rdme_[a-z0-9]{70}"),
    token("frameio-token", "a Frame.io token", &["fio-u-"], "fio-u-[A-Za-z0-9_=-]{64}"),
    token("clickup-token", "a ClickUp token", &["pk_"], "pk_[0-9]{6,9}_[A-Z0-9]{32}"),
    // https://airtable.com/developers/web/guides/personal-access-tokens
    token("airtable-token", "an Airtable token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    before(
        "airtable-key",
        "an Airtable key",
        &["airtable"],
        r#"(?i:airtable).{0,120}?[^A-Za-z0-9_](key[A-Za-z0-9]{14})(?:[^A-Za-z0-9]|\z)"#,
    ),
    named("trello-token", "a Trello token", &["trello"], "(?:ATTA[A-Za-z0-9]{60,}|[a-f0-9]{32}|[a-f0-9]{64})").hex(),
    named("calendly-token", "a Calendly token", &["calendly"], "[A-Za-z0-9_.-]{60,}"),
    named(
        "salesforce-token",
        "a Salesforce token",
        &["salesforce", "sfdc"],
        "(?:00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{60,}|[A-Za-z0-9]{24,25})",
    ),
    // https://developer.okta.com/docs/guides/create-an-api-token/
    before("okta-ssws", "an Okta token", &["SSWS"], r"(?i:ssws)\s{1,4}(00[A-Za-z0-9_-]{40})"),
    named("okta-token", "an Okta token", &["okta"], "00[A-Za-z0-9_-]{40}"),
    named("auth0-secret", "an Auth0 client secret", &["auth0"], "[A-Za-z0-9_-]{64}"),
    named("ngrok-token", "an ngrok token", &["ngrok"], "[A-Za-z0-9]{26,30}_[A-Za-z0-9]{20,22}"),
];
