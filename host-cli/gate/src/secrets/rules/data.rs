//! Databases and monitoring.

use super::{Rule, UUID, before, named, reach, token};
use crate::secrets::rule::Check;

/// After the scheme of a URL: a name and the password.
const LOGIN: &str = r#"[a-z0-9+]{0,24}://[^\s/:@"'<>`]{0,80}:([^\s/@"'<>`]{6,160})@[A-Za-z0-9.\[$_-]"#;

pub(super) const RULES: &[Rule] = &[
    url("postgres-url", "a password in a PostgreSQL URL", &["postgres://", "postgresql://", "postgresql+"]),
    url("mysql-url", "a password in a MySQL URL", &["mysql://", "mariadb://", "mysql+"]),
    url("mongodb-url", "a password in a MongoDB URL", &["mongodb://", "mongodb+srv://"]),
    url("redis-url", "a password in a Redis URL", &["redis://", "rediss://"]),
    url("amqp-url", "a password in a message queue URL", &["amqp://", "amqps://", "nats://"]),
    url(
        "sql-url",
        "a password in a database URL",
        &["mssql://", "sqlserver://", "clickhouse://", "snowflake://", "cockroachdb://"],
    ),
    before(
        "password-in-url",
        "a password in a URL",
        &["://"],
        r#"://[^\s/:@"'<>`]{0,80}:([^\s/@"'<>`]{8,160})@[A-Za-z0-9.\[$_-]"#,
    )
    .check(Check::Password),
    before(
        "netrc-password",
        "a password in a .netrc file",
        &["machine", "default"],
        concat!(
            r"(?:machine\s{1,20}\S{1,200}|default)\s{1,20}(?:(?:login|account)\s{1,20}\S{1,100}\s{1,20}){0,2}",
            r"password\s{1,20}(\S{6,160})",
        ),
    )
    .check(Check::Password),
    token("databricks-token", "a Databricks token", &["dapi"], "dapi[a-f0-9]{32}(?:-[0-9])?").hex(),
    token("databricks-secret", "a Databricks OAuth secret", &["dose"], "dose[a-f0-9]{32}").hex(),
    named(
        "snowflake-password",
        "a Snowflake password",
        &["snowflake_password", "snowflake_pass", "snowflake_pwd", "snowflakepassword"],
        r#"[^\s"'`;,]{8,}"#,
    )
    .check(Check::Password),
    token(
        "planetscale-token",
        "a PlanetScale token",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}",
    ),
    token("astra-token", "a DataStax Astra token", &["AstraCS:"], "AstraCS:[A-Za-z0-9:]{20,}"),
    token("supabase-token", "a Supabase token", &["sbp_"], "sbp_(?:v0_)?[a-z0-9]{40}").hex(),
    token("supabase-secret", "a Supabase secret key", &["sb_secret_"], "sb_secret_[A-Za-z0-9_-]{22,}"),
    token("neon-key", "a Neon API key", &["napi_"], "napi_[a-z0-9]{60,}"),
    token("aiven-password", "an Aiven password", &["AVNS_"], "AVNS_[A-Za-z0-9_-]{19}"),
    reach(
        "firebase-key",
        "a Firebase messaging key",
        &[":APA91b"],
        22,
        "[A-Za-z0-9_-]{11,22}:APA91b[A-Za-z0-9_-]{100,}",
    ),
    token("clickhouse-key", "a ClickHouse Cloud key", &["4b1d"], "4b1d[A-Za-z0-9]{38}"),
    named("algolia-key", "an Algolia admin key", &["algolia"], "[a-f0-9]{32}").hex(),
    named("confluent-secret", "a Confluent secret", &["confluent"], "[A-Za-z0-9+/]{64}"),
    named("influxdb-token", "an InfluxDB token", &["influx"], "[A-Za-z0-9_-]{86}=="),
    named("elastic-key", "an Elastic API key", &["elastic"], "(?:essu_)?[A-Za-z0-9+/_-]{40,}={0,2}"),
    token("mapbox-token", "a Mapbox secret token", &["sk.eyJ"], r"sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{22}"),
    named(
        "datadog-key",
        "a Datadog key",
        &["datadog", "dd_api", "dd_app", "dd-api", "dd-app", "dd.api", "dd.app", "ddapi", "ddapp"],
        "(?:[a-f0-9]{40}|[a-f0-9]{32})",
    )
    .hex(),
    token("newrelic-key", "a New Relic key", &["NRAK-"], "NRAK-[A-Z0-9]{27}"),
    token(
        "newrelic-insert-key",
        "a New Relic insert key",
        &["NRII-", "NRIQ-", "NRRA-"],
        "NR(?:II|IQ|RA)-[A-Za-z0-9_-]{32,}",
    )
    .hex(),
    reach("newrelic-license", "a New Relic license key", &["NRAL"], 36, "(?:eu01xx)?[a-f0-9]{30,36}NRAL").hex(),
    token("sentry-token", "a Sentry token", &["sntrys_", "sntryu_", "sntrya_"], "sntry[sua]_[A-Za-z0-9+/=_-]{50,}"),
    named("sentry-token-old", "a Sentry token", &["sentry"], "[a-f0-9]{64}").hex(),
    token("grafana-service-token", "a Grafana service account token", &["glsa_"], "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"),
    token("grafana-cloud-token", "a Grafana Cloud token", &["glc_"], "glc_[A-Za-z0-9+/]{32,}={0,3}"),
    token("grafana-key", "a Grafana API key", &["eyJrIjoi"], "eyJrIjoi[A-Za-z0-9]{50,}={0,2}"),
    token("pagerduty-token", "a PagerDuty token", &["u+"], "u[+][A-Za-z0-9_+-]{18}"),
    named("pagerduty-key", "a PagerDuty key", &["pagerduty", "pd_api"], "[A-Za-z0-9_+-]{20}"),
    token("dynatrace-token", "a Dynatrace token", &["dt0c01.", "dt0s01."], r"dt0[cs]01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    token("honeycomb-key", "a Honeycomb key", &["hcaik_", "hcamk_", "hcxik_", "hcbik_"], "hc[a-z][im]k_[a-z0-9]{32,}"),
    token("posthog-key", "a PostHog personal key", &["phx_"], "phx_[A-Za-z0-9_]{40,}"),
    named("splunk-token", "a Splunk token", &["splunk"], UUID).hex(),
    named("rollbar-token", "a Rollbar token", &["rollbar", "bugsnag", "honeybadger"], "[a-f0-9]{32}").hex(),
    named("codecov-token", "a Codecov token", &["codecov"], UUID).hex(),
    named(
        "launchdarkly-key",
        "a LaunchDarkly key",
        &["launchdarkly", "ld_sdk"],
        "(?:sdk|api)-[a-f0-9]{8}-[a-f0-9-]{27}",
    )
    .hex(),
    named("sumologic-key", "a Sumo Logic key", &["sumo"], "[A-Za-z0-9]{64}"),
    named("logzio-token", "a Logz.io token", &["logz"], "[A-Za-z]{32}"),
    named("opsgenie-key", "an Opsgenie key", &["opsgenie"], UUID).hex(),
];

const fn url(id: &'static str, words: &'static str, keys: &'static [&'static str]) -> Rule {
    before(id, words, keys, LOGIN).check(Check::Login)
}
