//! The search finds secrets in any place and form, and reports them without revealing them.

use crate::support::planted::{Planted, base64, fill};
use fastrand::Rng;
use gate::secrets::{Finding, Fingerprint, scan};

fn rules(text: &str) -> Vec<&'static str> {
    scan(text.as_bytes()).iter().map(|finding| finding.rule).collect()
}

#[test]
fn every_one_of_five_thousand_planted_secrets_is_found_by_its_kind_and_line() {
    assert!(Planted::kinds() >= 60, "{}", Planted::kinds());
    let mut random = Rng::with_seed(1);
    let mut missed = Vec::new();
    for number in 0..5000 {
        let planted = Planted::number(number, &mut random);
        let (path, content, line) = planted.file(number, &mut random);
        let found: Vec<_> = scan(content.as_bytes()).iter().map(|finding| (finding.rule, finding.line)).collect();
        let line = line + usize::from(planted.rule == "private-key" && planted.secret.contains("-\n"));
        if found != [(planted.rule, line)] {
            missed.push(format!("{path}: {found:?} instead of {} in line {line} of\n{content}", planted.rule));
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn the_other_kinds_are_found_as_well() {
    let mut random = Rng::with_seed(2);
    let uuid = "<h:8>-<h:4>-<h:4>-<h:4>-<h:12>";
    let lines = "<6:64>\n<6:64>\n<6:40>";
    let mut missed = Vec::new();
    for (rule, form) in [
        ("aws-session-token", "aws_session_token = <6:340>".to_owned()),
        ("azure-storage-key", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=<6:86>==;Suffix=y".into()),
        ("azure-sas", "https://x.blob.core.windows.net/c?sv=2022&sr=c&sig=<a:43>%3D&se=1".into()),
        ("azure-shared-access-key", "Endpoint=sb://x;SharedAccessKeyName=n;SharedAccessKey=<6:43>=".into()),
        ("azure-devops-token", "use <a:76>AZDO<a:4> here".into()),
        ("google-access-token", "Authorization: ya29.<b:150>".into()),
        ("google-refresh-token", "refresh 1//0<b:60>".into()),
        ("pgp-private-key", format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\n{lines}\n=abcd\n")),
        ("putty-private-key", format!("PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n{lines}\nPrivate-MAC: 0\n")),
        ("wireguard-key", "[Interface]\nPrivateKey = <6:42>A=\n".into()),
        ("netrc-password", "machine git.corp.net login me password <a:20>\n".into()),
        ("npmrc-token", "//registry.corp.net/:_authToken=<a:40>\n".into()),
        ("bearer-token", "curl -H 'Authorization: Bearer <a:40>' https://x".into()),
        ("user-option", "curl -u admin:<a:20> https://x.net".into()),
        ("hubspot-token", format!("pat-na1-{uuid}")),
        ("plaid-token", format!("access-production-{uuid}")),
        ("snyk-token", format!("SNYK_TOKEN={uuid}")),
        ("postmark-token", format!("postmarkServerToken: '{uuid}'")),
        ("discord-token", "DISCORD_TOKEN=MT<a:22>.<b:6>.<b:38>".into()),
        (
            "teams-webhook",
            format!("https://x.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/<h:32>/{uuid}"),
        ),
        ("linear-key", "lin_api_<a:40>".into()),
        ("notion-token", "ntn_<a:46>".into()),
        ("figma-token", "figd_<b:40>".into()),
        ("postman-key", "PMAK-<h:24>-<h:34>".into()),
        ("openshift-token", "oc login --token=sha256~<b:43>".into()),
        ("dynatrace-token", "dt0c01.<U:24>.<U:64>".into()),
        ("openrouter-key", "sk-or-v1-<h:64>".into()),
        ("mailgun-key-new", "mailgun_key: <h:32>-<h:8>-<h:8>".into()),
        ("okta-token", "OKTA_API_TOKEN=00<b:40>".into()),
        ("pagerduty-token", "u+<a:18>".into()),
        ("generic", "Server=x;Database=y;User Id=z;Password=<a:16>;Encrypt=true".into()),
        ("generic", "{\\\"password\\\":\\\"<a:16>\\\"}".into()),
        ("generic", "<password><a:16></password>".into()),
        ("generic", "client.set_password(\"<a:16>\")".into()),
    ] {
        for _ in 0..20 {
            let text = fill(&form, &mut random);
            if rules(&text) != [rule] {
                missed.push(format!("{:?} instead of {rule}: {text}", rules(&text)));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
    let login = base64(b"deploy:k3v9Qm2x8q7w1zT5").replace('-', "+").replace('_', "/");
    assert_eq!(rules(&format!("Authorization: Basic {login}")), ["basic-auth"]);
    assert_eq!(rules(&format!("{{\"auths\":{{\"x\":{{\"auth\":\"{login}\"}}}}}}")), ["docker-auth"]);
}

#[test]
fn what_stands_in_the_place_of_a_secret_is_none() {
    let mut random = Rng::with_seed(3);
    let mut taken = Vec::new();
    for form in [
        "password = \"changeme\"",
        "PASSWORD=${DB_PASSWORD}",
        "password: {{ vault.password }}",
        "token = os.environ[\"API_TOKEN\"]",
        "const token = process.env.SERVICE_TOKEN_V2;",
        "api_key = \"YOUR_API_KEY_GOES_HERE_1234\"",
        "secret: <%= ENV['SECRET_1'] %>",
        "let token = lexer.next_token2();",
        "password: String::from(\"hunter2\")",
        "token_type = \"Bearer2Token9xQ\"",
        "private_key_path = \"/etc/ssl/Private9/key1.pem\"",
        "access_key = config.accessKeys.primary1",
        "password_hash = \"<h:64>\"",
        "sha256_token_checksum: <h:64>",
        "token = \"<h:8>-<h:4>-<h:4>-<h:4>-<h:12>\"",
        "commit = <h:40>",
        "integrity sha512-<6:86>==",
        "publicKey: \"<6:43>=\"",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "glpat-abcdefghijklmnopqrst",
        "postgres://postgres:postgres@localhost/test",
        "https://user:password@example.com",
        "https://user:${TOKEN}@example.com/",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n<6:64>\n<6:64>",
        "machine example.com login me password secret",
        "PASSWORD_ERROR: HRESULT = 0x8031002C;",
        "_authToken=${NPM_TOKEN}",
        "Authorization: Basic dXNlcjpwYXNz",
        "eyJhbGciOiJub25lIn0",
        "the token is a secret: keep the password to yourself",
        "risk-<h:31>",
    ] {
        let text = fill(form, &mut random);
        if !rules(&text).is_empty() {
            taken.push(format!("{:?}: {text}", rules(&text)));
        }
    }
    assert!(taken.is_empty(), "{}", taken.join("\n"));
}

#[test]
fn text_in_utf_16_is_read() {
    let mut random = Rng::with_seed(4);
    let text = fill("one\r\nPASSWORD=<a:20>\r\n", &mut random);
    for (mark, unit) in [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)] {
        let content: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(unit)).collect();
        let findings = scan(&content);
        assert_eq!(findings.iter().map(|finding| (finding.rule, finding.line)).collect::<Vec<_>>(), [("generic", 2)]);
    }
}

#[test]
fn binary_content_is_searched_for_what_is_known_by_itself() {
    let mut random = Rng::with_seed(5);
    let token = fill("\0\u{1}glpat-<a:20>\0PASSWORD=<a:20>\0", &mut random);
    assert_eq!(rules(&token), ["gitlab-pat"]);
}

#[test]
fn a_secret_is_found_after_an_escape_and_in_a_url() {
    let mut random = Rng::with_seed(6);
    for form in ["\"a\\nglpat-<a:20>\\n\"", "?q=a%20glpat-<a:20>&b", "X_glpat-<a:20>", "(glpat-<a:20>)"] {
        assert_eq!(rules(&fill(form, &mut random)), ["gitlab-pat"], "{form}");
    }
    assert_eq!(rules(&fill("xglpat-<a:20>", &mut random)), [""; 0], "a part of something else");
}

#[test]
fn attack_19_a_finding_never_says_the_secret() {
    let mut random = Rng::with_seed(7);
    for number in 0..400 {
        let planted = Planted::number(number, &mut random);
        let (_, content, _) = planted.file(number, &mut random);
        for finding in scan(content.as_bytes()) {
            let said = format!("{finding:?}");
            let Finding { shown, fingerprint, .. } = finding;
            assert!(shown.ends_with('…') && shown.chars().count() < 24, "{shown}");
            assert_eq!(fingerprint.to_string().len(), 16);
            // A report shows at most half of a secret of a known format, and a few characters of
            // any other.
            assert!(!said.contains(&planted.secret), "{said}");
            assert!(planted.rule != "generic" || shown.chars().count() <= 5, "{said}");
        }
    }
}

#[test]
fn the_same_secret_has_the_same_fingerprint_and_another_has_another() {
    let mut random = Rng::with_seed(8);
    let [one, two] = [(); 2].map(|()| fill("<a:24>", &mut random));
    let of = |text: String| scan(text.as_bytes())[0].fingerprint;
    assert_eq!(of(format!("password = '{one}'")), of(format!("x\n  SECRET: {one}\n")));
    assert_ne!(of(format!("password = '{one}'")), of(format!("password = '{two}'")));
    let fingerprint = of(format!("password = '{one}'"));
    assert_eq!(fingerprint.to_string().parse::<Fingerprint>().unwrap(), fingerprint);
    for wrong in ["", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", &one] {
        let fault = wrong.parse::<Fingerprint>().unwrap_err();
        assert!(wrong.is_empty() || !fault.message.contains(wrong), "{fault}");
    }
}

#[test]
fn every_rule_compiles_and_has_a_name_of_its_own() {
    let kinds: Vec<_> = gate::secrets::kinds().collect();
    let mut names = kinds.clone();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), kinds.len());
    assert!(kinds.len() > 200, "{}", kinds.len());
    assert!(
        kinds.iter().all(|kind| kind.bytes().all(|byte| byte.is_ascii_lowercase() || b"-0123456789".contains(&byte)))
    );
}

#[test]
fn keys_that_no_passphrase_guards_are_found_though_they_begin_with_zeros() {
    // In OpenSSH's format: its magic, no cipher, kdf or options, one key, then the key.
    let mut random = fastrand::Rng::with_seed(3);
    let mut key =
        b"openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none\0\0\0\0\0\0\0\x01\0\0\0\x33\0\0\0\x0bssh-ed25519\0\0\0 "
            .to_vec();
    key.extend((0..200).map(|_| random.u8(..)));
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sextets = key.chunks_exact(3).flat_map(|part| {
        let bits = u32::from_be_bytes([0, part[0], part[1], part[2]]);
        [18, 12, 6, 0].map(|shift| digits[(bits >> shift & 63) as usize])
    });
    let body: Vec<u8> = sextets.collect();
    let body: String = body.chunks(70).map(|line| format!("{}\n", str::from_utf8(line).unwrap())).collect();
    let marks = ["BEGIN", "END"].map(|mark| format!("-----{mark} OPENSSH {} KEY-----\n", "PRIVATE"));
    assert!(body.contains("AAAAAAAAAB"), "{body}");
    assert_eq!(rules(&format!("{}{body}{}", marks[0], marks[1])), ["private-key"]);
}

#[test]
fn passwords_by_short_names_and_keys_with_signs_are_found() {
    let password = ["Tr0ub4d", "or&3xK9q"].concat();
    let key = ["django-insecure-", "9v(x2&k!w0#q", "8z$e7r@u5t^y", "3m*1n=p+j_h-"].concat();
    for text in [format!("DB_PASS={password}"), format!("smtpPass: '{password}'"), format!("SECRET_KEY = '{key}'")] {
        assert_eq!(rules(&text).len(), 1, "{text}");
    }
    for text in [format!("bypass={password}"), format!("COMPASS = '{password}'")] {
        assert_eq!(rules(&text), Vec::<&str>::new(), "{text}");
    }
}
