//! Private keys, tokens of standards, and infrastructure tools.

use super::{Rule, before, named, reach, token};
use crate::secrets::rule::Check;

/// The first characters of a key in Base64: an OpenSSH key's, or the length of the whole, then the versions and algorithms of RFC 8017
/// (RSA), 5958 (any) and 5915 (elliptic curves).
const BARE: [&str; 15] = [
    // "openssh-key-v1" and a zero.
    "b3BlbnNzaC1rZXktdjEA",
    "IBADANBgkqhkiG9w0BAQEFAASC",
    "IBAAKBgQ",
    "IBAAKCAQEA",
    "IBAAKCAgEA",
    "IBAAKCAYEA",
    "MHcCAQEEI",
    "MIGkAgEBBD",
    "MIHcAgEBBEI",
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg",
    "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBD",
    "MHQCAQEEI",
    "MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEI",
    "MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg",
    "MC4CAQAwBQYDK2V",
];

pub(super) const RULES: &[Rule] = &[
    before(
        "private-key",
        "a private key",
        &["-----BEGIN "],
        concat!(
            r#"-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|ANY|TSS2|ED25519) )?PRIVATE KEY-----"#,
            r#"(?:[\s"'`+,;>|#*-]|\\[nr]|\\|(?:Proc-Type|DEK-Info): ?[A-Za-z0-9,-]{1,60})*"#,
            r#"([A-Za-z0-9+/=]{30,}(?:(?:[\s"'`+,;>|#*-]|\\[nr]|\\){1,20}[A-Za-z0-9+/=]{4,}){0,8})"#,
        ),
    )
    .check(Check::Encoded(35)),
    before(
        "pgp-private-key",
        "a PGP private key",
        &["-----BEGIN PGP"],
        concat!(
            r#"-----BEGIN PGP PRIVATE KEY BLOCK-----"#,
            r#"(?:[\s"'`+,;>|#*-]|\\[nr]|\\|(?:Version|Comment|Hash|Charset): ?[^\n\\]{0,80})*"#,
            r#"([A-Za-z0-9+/=]{30,}(?:\s{1,4}[A-Za-z0-9+/=]{4,}){0,8})"#,
        ),
    )
    .check(Check::Encoded(35)),
    before(
        "putty-private-key",
        "a PuTTY private key",
        &["Private-Lines:"],
        r"Private-Lines: {0,4}[0-9]{1,4}\s{1,4}([A-Za-z0-9+/=]{30,})",
    )
    .check(Check::Encoded(35)),
    before(
        "ssh2-private-key",
        "an SSH2 private key",
        &["---- BEGIN SSH2"],
        concat!(
            r#"---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----\s{1,4}"#,
            r#"(?:[A-Za-z-]{1,20}: [^\n]{0,80}\s{1,4}){0,4}([A-Za-z0-9+/=]{30,})"#,
        ),
    )
    .check(Check::Encoded(35)),
    token(
        "private-key-base64",
        "a private key in Base64",
        &["LS0tLS1CRUdJTi"],
        concat!(
            "LS0tLS1CRUdJTiB(?:SU0EgUFJJVkFURSBLRVk|QUklWQVRFIEtFW|",
            "FQyBQUklWQVRFIEtFW|PUEVOU1NIIFBSSVZBVEUgS0VZ|",
            "EU0EgUFJJVkFURSBLRVk|FTkNSWVBURUQgUFJJVkFURSBLRVk)",
            // Wrapped at any width, or not.
            r"[A-Za-z0-9+/]{2,}(?:(?:\s|\\n){1,20}[A-Za-z0-9+/]{16,}){0,8}={0,2}",
        ),
    ),
    before(
        "private-key-bare",
        "a private key in Base64",
        &BARE,
        concat!(
            "(?:b3BlbnNzaC1rZXktdjEA|IBADANBgkqhkiG9w0BAQEFAASC|IBAAKBgQ|IBAAKCAQEA|IBAAKCAgEA|IBAAKCAYEA|",
            "MHcCAQEEI|MHQCAQEEI|MIGkAgEBBD|MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEI|",
            "MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg|MIHcAgEBBEI|MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg|",
            "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBD|MC4CAQAwBQYDK2V[uw]BCIEI)",
            r"([A-Za-z0-9+/]{16,}(?:(?:\s|\\n){1,20}[A-Za-z0-9+/]{16,}){0,8}={0,2})",
        ),
    )
    .check(Check::Encoded(40)),
    named("laravel-key", "a Laravel application key", &["app_key"], "base64:[A-Za-z0-9+/]{42,}={0,2}"),
    before(
        "pgpass",
        "a password in a .pgpass file",
        &[":5432:", ":*:"],
        r":(?:5432|\*):[^:\s]{1,64}:(?:[^:\s]{1,64}:)?([^:\s]{6,160})(?:\s|\z)",
    )
    .check(Check::Password),
    before(
        "jwk-private-key",
        "the private part of a JSON Web Key",
        &["\"d\""],
        r#""d"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{42,})""#,
    )
    .check(Check::Random(40)),
    token("jwt", "a JSON Web Token", &["eyJ"], r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}")
        .check(Check::Jwt),
    token("age-key", "an age secret key", &["AGE-SECRET-KEY-"], "AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{58,}"),
    before(
        "wireguard-key",
        "a WireGuard private key",
        &["PrivateKey", "PresharedKey"],
        r"(?:PrivateKey|PresharedKey) {0,4}= {0,4}([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)",
    ),
    before(
        "basic-auth",
        "a name and password in Base64",
        &["basic"],
        r#"[Bb](?:asic|ASIC)\s{1,4}([A-Za-z0-9+/]{12,}={0,2})"#,
    )
    .check(Check::Basic),
    before(
        "user-option",
        "a password on a command line",
        &[" -u", "\"-u", "'-u", " --user", "\"--user", "'--user"],
        r#"[ "']-(?:u|-user)[ =]{0,4}["', ]{0,4}[A-Za-z0-9_.@+-]{1,80}:([^\s"'`/][^\s"'`]{5,160})"#,
    )
    .check(Check::Password),
    before(
        "password-option",
        "a password on a command line",
        &["mysql", "mariadb", "sshpass", "docker login", "podman login", "redis-cli"],
        concat!(
            r#"(?:(?:mysql|mariadb)(?:dump|admin|-dump|-admin)?|sshpass|(?:docker|podman) login|redis-cli)"#,
            r#"(?: [^\n|;]{0,120}?)? -(?:p|a|-password[ =]|-pass ) ?["']?([^\s"'$`-][^\s"'`]{5,160})"#,
        ),
    )
    .check(Check::Password),
    before(
        "sql-password",
        "a database user's password",
        &["identified by", "password '", "password \""],
        r#"(?i:identified\s{1,4}by(?:\s{1,4}password)?|password)\s{1,4}['"]([^'"\n]{6,160})['"]"#,
    )
    .check(Check::Password),
    before(
        "secure-string",
        "a password in a PowerShell script",
        &["ConvertTo-SecureString"],
        r#"(?i:convertto-securestring)\s{1,4}(?i:-string\s{1,4})?["']([^"'\n]{6,160})["']"#,
    )
    .check(Check::Password),
    before(
        "login-call",
        "a password in a function call",
        &["NetworkCredential(", "new PDO(", "getConnection(", "mysqli(", "auth=(", "HTTPBasicAuth("],
        concat!(
            r#"[A-Za-z =]{3,24}\(\s{0,8}(?:["'][^"'\n]{0,200}["']\s{0,8},\s{0,8}){1,2}"#,
            r#"["']([^"'\n]{6,160})["']"#,
        ),
    )
    .check(Check::Password),
    before(
        "authorization-header",
        "a token in a header",
        &["authorization"],
        r#"(?i:authorization)["']?\s{0,4}[:=,]\s{0,4}["']?(?i:token|bot|apikey|api-key|key)\s{1,4}([A-Za-z0-9._~+/-]{20,200}=*)"#,
    )
    .check(Check::Drawn),
    before("bearer-token", "a bearer token", &["bearer"], r"[Bb](?:earer|EARER)\s{1,4}([A-Za-z0-9._~+/-]{20,}=*)")
        .check(Check::Drawn),
    token("vault-token", "a HashiCorp Vault token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    named("vault-token-old", "a HashiCorp Vault token", &["vault"], r"s\.[A-Za-z0-9]{24}"),
    reach(
        "terraform-token",
        "a Terraform Cloud token",
        &[".atlasv1."],
        14,
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}",
    ),
    token("pulumi-token", "a Pulumi token", &["pul-"], "pul-[a-f0-9]{40}").hex(),
    token(
        "doppler-token",
        "a Doppler token",
        &["dp.pt.", "dp.ct.", "dp.st.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
        r"dp\.(?:pt|ct|st|sa|scim|audit|said)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    token("onepassword-token", "a 1Password service account token", &["ops_eyJ"], "ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}"),
    token(
        "onepassword-key",
        "a 1Password secret key",
        &["A3-"],
        "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
    ),
    token("tailscale-key", "a Tailscale key", &["tskey-"], "tskey-[a-z]{3,8}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{16,}"),
    token("openshift-token", "an OpenShift token", &["sha256~"], "sha256~[A-Za-z0-9_-]{43}"),
    token("infracost-key", "an Infracost key", &["ico-"], "ico-[A-Za-z0-9]{32}"),
    token("prefect-key", "a Prefect key", &["pnu_", "pnb_"], "pn[ub]_[A-Za-z0-9]{36}"),
    token("octopus-key", "an Octopus Deploy key", &["API-"], "API-[A-Z0-9]{26,}"),
    token("rancher-token", "a Rancher token", &["token-"], "token-[a-z0-9]{5}:[a-z0-9]{54}"),
    token("depot-token", "a Depot token", &["depot_"], "depot_(?:project|org)_[a-f0-9]{64}").hex(),
    token(
        "minisign-key",
        "a minisign or signify secret key",
        // With a password, and two without one.
        &["RWRTY0", "RWRCSwAA", "RWQAAEIy"],
        "RW(?:RTY0|RCSwAA|QAAEIy)[A-Za-z0-9+/]{60,}={0,2}",
    )
    .check(Check::Encoded(40)),
    before(
        "htpasswd",
        "a password hash",
        &[":$apr1$", ":$2a$", ":$2b$", ":$2y$"],
        r":(\$(?:apr1\$[A-Za-z0-9./]{8}\$[A-Za-z0-9./]{22}|2[aby]\$[0-9]{2}\$[A-Za-z0-9./]{53}))",
    ),
    before(
        "shadow-hash",
        "a password hash",
        &[":$6$", ":$y$"],
        concat!(
            r":(\$(?:6\$(?:rounds=[0-9]{1,9}\$)?[^:$\s]{4,40}\$[A-Za-z0-9./]{86}",
            r"|y\$[A-Za-z0-9./]{2,8}\$[A-Za-z0-9./]{8,40}\$[A-Za-z0-9./]{43}))",
        ),
    ),
    named("rails-master-key", "a Rails master key", &["rails_master", "secret_key_base"], "[a-f0-9]{32,128}").hex(),
];
