//! The search finds secrets in the forms of configuration, programs and key stores.

use crate::support::planted::{base64, fill};
use fastrand::Rng;
use gate::secrets::scan;

fn found(content: &[u8]) -> Vec<(&'static str, usize)> {
    scan(content).iter().map(|finding| (finding.rule, finding.line)).collect()
}

/// Fills each form twenty times, and reports those whose findings differ from `expected` (rules and lines).
fn assert_found(forms: &[(&str, &[(&'static str, usize)])]) {
    let mut random = Rng::with_seed(1);
    let mut missed = Vec::new();
    for (form, expected) in forms {
        for _ in 0..20 {
            let text = fill(form, &mut random);
            if found(text.as_bytes()) != *expected {
                missed.push(format!("{:?} instead of {expected:?}: {text}", found(text.as_bytes())));
                break;
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn values_of_commands_and_of_lines_of_two_words_are_found() {
    assert_found(&[
        ("FROM x\nENV DB_PASSWORD <a:18>\n", &[("generic", 2)]),
        ("ARG API_TOKEN=<a:24>\n", &[("generic", 1)]),
        ("setenv API_TOKEN <a:24>\n", &[("generic", 1)]),
        ("set -gx API_TOKEN <a:24>\n", &[("generic", 1)]),
        ("SetEnv API_TOKEN <a:24>\n", &[("generic", 1)]),
        ("bind 127.0.0.1\nrequirepass <a:18>\n", &[("generic", 2)]),
        ("  password <a:18>\r\n", &[("generic", 1)]),
        ("default login me password <a:6>4x<a:5>9K<a:3>\n", &[("netrc-password", 1)]),
        ("machine x.net\n  login me\n  password <a:6>4x<a:5>9K<a:3>\n", &[("netrc-password", 3)]),
        ("curl -uadmin:<a:6>4x<a:5>9K<a:3> https://x.net\n", &[("user-option", 1)]),
        ("curl --user=admin:<a:6>4x<a:5>9K<a:3> https://x.net\n", &[("user-option", 1)]),
        ("[\"curl\", \"-u\", \"admin:<a:6>4x<a:5>9K<a:3>\"]\n", &[("user-option", 1)]),
        ("db.corp.net:5432:shop:app:<a:6>4x<a:5>9K<a:3>\n", &[("pgpass", 1)]),
        ("*:*:*:app:<a:6>4x<a:5>9K<a:3>\n", &[("pgpass", 1)]),
        ("mysql -uroot -p<a:6>4x<a:5>9K<a:3> shop\n", &[("password-option", 1)]),
        ("sshpass -p '<a:6>4x<a:5>9K<a:3>' ssh x\n", &[("password-option", 1)]),
        ("docker login -u me -p <a:6>4x<a:5>9K<a:3> x.net\n", &[("password-option", 1)]),
        ("CREATE USER a IDENTIFIED BY '<a:6>4x<a:5>9K<a:3>';\n", &[("sql-password", 1)]),
        ("ALTER ROLE a WITH PASSWORD '<a:6>4x<a:5>9K<a:3>';\n", &[("sql-password", 1)]),
        ("ConvertTo-SecureString \"<a:6>4x<a:5>9K<a:3>\" -AsPlainText\n", &[("secure-string", 1)]),
        ("new NetworkCredential(\"me\", \"<a:6>4x<a:5>9K<a:3>\")\n", &[("login-call", 1)]),
        ("new PDO('mysql:host=x', 'me', '<a:6>4x<a:5>9K<a:3>');\n", &[("login-call", 1)]),
        ("requests.get(url, auth=('me', '<a:6>4x<a:5>9K<a:3>'))\n", &[("login-call", 1)]),
        ("\"Authorization\": \"token <a:12>4x<a:20>\"\n", &[("authorization-header", 1)]),
    ]);
}

#[test]
fn values_on_the_next_line_in_blocks_and_in_lists_are_found() {
    assert_found(&[
        ("password: |\n  <a:18>\n", &[("generic", 2)]),
        ("password: >-\n    <a:18>\n", &[("generic", 2)]),
        ("  apiToken:\n    <a:24>\n", &[("generic", 2)]),
        ("{\n  \"password\":\n    \"<a:18>\"\n}\n", &[("generic", 3)]),
        ("const TOKEN: &str =\n    \"<a:24>\";\n", &[("generic", 2)]),
        ("tokens:\n  - <a:24>\n  - \"<a:24>\"\n", &[("generic", 2), ("generic", 3)]),
        ("tokens:\n- <a:24>\n", &[("generic", 2)]),
        ("tokens = [\"<a:24>\", '<a:24>']\n", &[("generic", 1), ("generic", 1)]),
        (
            "let tokens = vec![\n    \"<a:24>\".to_string(),\n    \"<a:24>\".into(),\n];",
            &[("generic", 2), ("generic", 3)],
        ),
        ("tokens = {\"ci\": \"<a:24>\", \"dev\": \"<a:24>\"}\n", &[("generic", 1), ("generic", 1)]),
        ("String[] tokens = new String[] {\"<a:24>\"};\n", &[("generic", 1)]),
        ("variable \"db_password\" {\n  type    = string\n  default = \"<a:18>\"\n}\n", &[("generic", 3)]),
        ("{\"api_token\": \"<6:700>\"}", &[("generic", 1)]),
        ("APP_KEY=base64:<6:43>=\n", &[("laravel-key", 1)]),
        ("const t = process.env.API_TOKEN || '<a:24>';\n", &[("generic", 1)]),
        ("t = os.getenv(\"API_TOKEN\") or \"<a:24>\"\n", &[("generic", 1)]),
        ("var token = []byte(\"<a:24>\")\n", &[("generic", 1)]),
        ("char api_key[] = \"<a:24>\";\n", &[("generic", 1)]),
        ("public string Token { get; set; } = \"<a:24>\";\n", &[("generic", 1)]),
        ("token: !!str <a:12>7<a:12>\npassword: &db <a:6>4x<a:5>9K<a:3>\n", &[("generic", 1), ("generic", 2)]),
        ("WIFI_PSK=<a:6>4x<a:5>9K<a:3>\nDB_PW='<a:6>4x<a:5>9K<a:3>'\n", &[("generic", 1), ("generic", 2)]),
        ("aws_session_token = <6:2300>\n", &[("aws-session-token", 1)]),
        ("_auth = \"<6:10>\"\n", &[]),
        ("x:$6$rounds=656000$<a:16>$<a:86>:1\n", &[("shadow-hash", 1)]),
        ("ada:$2b$10$<a:53>\n", &[("htpasswd", 1)]),
        ("API_KEY_ANDROID=<a:24>\nAPI_KEY_PLAID=<a:24>\n", &[("generic", 1), ("generic", 2)]),
        ("HASHICORP_TOKEN=<a:24>\n", &[("generic", 1)]),
        ("preferredToken: '<a:24>'\naccount_password: '<a:12>4x<a:6>'\n", &[("generic", 1), ("generic", 2)]),
        ("\"\\u003eglpat-<a:20>\"\n", &[("gitlab-pat", 1)]),
        ("RWRTY0IyAAAACAAAAAAAAAAAAEIyAAAA<6:120>==\n", &[("minisign-key", 1)]),
        ("RWRCSwAAACo<6:120>==\n", &[("minisign-key", 1)]),
        ("RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAA<6:120>==\n", &[("minisign-key", 1)]),
        ("db.corp.net:5432:shop:app:<a:6>4x<a:5>9K<a:3>", &[("pgpass", 1)]),
    ]);
}

#[test]
fn tokens_that_stand_without_a_name_are_found() {
    assert_found(&[
        ("client.run(\"<discord:19>\")\n", &[("discord-token", 1)]),
        ("client.run('<discord:18>')\n", &[("discord-token", 1)]),
        ("Authorization: Bot <discord:18>\n", &[("authorization-header", 1)]),
        ("BOTS = {<discord:20>}\n", &[("discord-token", 1)]),
        ("wss(mfa.<b:84>)\n", &[("discord-user-token", 1)]),
        ("https://canary.discord.com/api/v10/webhooks/<d:19>/<b:68>\n", &[("discord-webhook", 1)]),
        ("https://discordapp.com/api/webhooks/<d:19>/<b:68>/slack\n", &[("discord-webhook", 1)]),
        ("f(\"pat<a:14>.<h:64>\")\n", &[("airtable-token", 1)]),
        ("curl https://api.airtable.com/v0/x -H \"Authorization: Bearer key<a:14>\"\n", &[("airtable-key", 1)]),
        ("Airtable({apiKey: 'key<a:14>'})\n", &[("airtable-key", 1)]),
        ("-H 'Authorization: SSWS 00<b:40>'\n", &[("okta-ssws", 1)]),
        ("headers['Authorization'] = f'ssws 00<b:40>'\n", &[("okta-ssws", 1)]),
        ("stripe('sk_org_<a:32>')\n", &[("stripe-key", 1)]),
        ("stripe('rk_live_<a:32>', 'whsec_<a:32>')\n", &[("stripe-restricted-key", 1), ("stripe-webhook-secret", 1)]),
    ]);
}

#[test]
fn an_argument_of_a_call_is_a_secret_by_its_form_alone() {
    assert_found(&[
        ("client.login('glpat-<a:20>')\n", &[("gitlab-pat", 1)]),
        ("run(\"<a:20>\", \"AKIA<U:16>\")\n", &[("aws-access-key-id", 1)]),
        ("connect(\"<a:32>\")\nrun('<h:40>', \"<6:44>\")\n", &[]),
    ]);
}

#[test]
fn values_in_elements_are_found() {
    let value = fill("<a:24>", &mut Rng::with_seed(6));
    for (text, line) in [
        (format!("<string name=\"api_key\">{value}</string>\n"), 1),
        (format!("<key>API_TOKEN</key>\n  <string>{value}</string>\n"), 2),
        (format!("<name>x.token</name>\n<value>{value}</value>\n"), 2),
        (format!("<token>{value}</token>\n"), 1),
    ] {
        assert_eq!(found(text.as_bytes()), [("generic", line)], "{text}");
    }
    assert_eq!(found(format!("<input name=\"token\">\n<p>{value}</p>\n").as_bytes()), []);
}

#[test]
fn what_has_the_shape_of_a_secret_and_is_none_is_not_found() {
    assert_found(&[
        ("const key = 'pk_live_<a:40>';\n", &[]),
        ("f('MTIzNDU2Nzg5MDEyMzQ1Njc4OQ', 'mfa.none', 'path<a:13>.x')\n", &[]),
        ("linkedinAuth: config.linkedin.clientSecret,\n", &[]),
        ("nexmoApiKey: nexmoApiKeySetting,\n", &[]),
        ("SNOWFLAKE_PRIVATE_KEY_PATH=/home/u/rsa_key.p8\n", &[]),
        ("ffuf -u http://10.0.0.1:8080/FUZZ\n", &[]),
        ("class=\"md-colors-primary-overlay\"\n", &[]),
        ("href=\"/static/asset-key-<h:32>.css\"\n", &[]),
        ("password_encryption = scram-sha-256\n", &[]),
        ("TOKEN_E_FAIL: HRESULT = -2147164600i32;\n", &[]),
        ("token_id: <a:24>\ntokenId: '<a:24>'\nTOKEN_ID=<a:24>\n", &[]),
        ("password_hash = \"<a:40>\"\npublicKey: '<a:40>'\n", &[]),
    ]);
}

#[test]
fn long_tokens_and_logins_are_found_whole_or_cut() {
    let mut random = Rng::with_seed(5);
    let header = base64(br#"{"alg":"RS256","typ":"JWT"}"#);
    let claims = base64(format!("{{\"groups\":\"{}\"}}", fill("<a:3000>", &mut random)).as_bytes());
    let jwt = format!("{header}.{claims}.{}", fill("<b:342>", &mut random));
    assert_eq!(found(jwt.as_bytes()), [("jwt", 1)]);
    let login = standard(format!("AWS:{}", fill("<a:1800>", &mut random)).as_bytes());
    assert_eq!(found(format!("{{\"auths\":{{\"x\":{{\"auth\":\"{login}\"}}}}}}").as_bytes()), [("docker-auth", 1)]);
    let login = standard(b"deploy:k3v9Qm2x8q7w1zT5");
    assert_eq!(found(format!("_auth={login}\n").as_bytes()), [("npmrc-auth", 1)]);
}

#[test]
fn what_only_stands_near_a_name_is_none() {
    assert_found(&[
        ("API_KEY=\nBUILD_REVISION=<h:40>\n", &[]),
        ("password:\nrevision: <a:20>\n", &[]),
        ("password: |\nrevision <a:20>\n", &[]),
        ("tokens: []\nids:\n  - <a:24>\n", &[]),
        ("tokens:\n  - name\nids:\n  - <a:24>\n", &[]),
        ("tokens = [first, second]; let id = \"<a:24>\";\n", &[]),
        ("variable \"db_password\" {\n  type = string\n}\nvariable \"id\" {\n  default = \"<a:18>\"\n}\n", &[]),
        ("the password <a:18>\n", &[]),
        ("password <a:18> follows\n", &[]),
    ]);
}

/// DER: a tag, the length, and the contents.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap();
    let length = match length {
        0..0x80 => vec![length as u8],
        0x80..0x100 => vec![0x81, length as u8],
        _ => [&[0x82][..], &length.to_be_bytes()].concat(),
    };
    [&[tag][..], &length, content].concat()
}

fn random_bytes(count: usize, random: &mut Rng) -> Vec<u8> {
    (0..count).map(|at| random.u8(..) | u8::from(at == 0) & 0x7f).collect()
}

/// Keys in DER, of the shapes of RFC 8017, 5915 and 5958, with random numbers in them.
fn keys(random: &mut Rng) -> Vec<Vec<u8>> {
    const RSA: [u8; 13] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];
    const P256: [u8; 19] = [6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
    const ED25519: [u8; 5] = [6, 3, 0x2b, 0x65, 0x70];
    let mut number = |count: usize| random_bytes(count, random);
    let mut keys = Vec::new();
    for bytes in [128, 256, 384, 512] {
        let modulus = der(2, &[&[0][..], &number(bytes)].concat());
        let rest: Vec<u8> = [bytes, bytes / 2, bytes / 2, bytes / 2, bytes / 2, bytes / 2]
            .into_iter()
            .flat_map(|count| der(2, &number(count)))
            .collect();
        let rsa = der(0x30, &[&[2, 1, 0][..], &modulus, &[2, 3, 1, 0, 1], &rest].concat());
        keys.push(der(0x30, &[&[2, 1, 0][..], &der(0x30, &RSA), &der(4, &rsa)].concat()));
        keys.push(rsa);
    }
    let point = der(0xa1, &der(3, &[&[0, 4][..], &number(64)].concat()));
    let mut ec = |curve: &[u8]| der(0x30, &[&[2, 1, 1][..], &der(4, &number(32)), curve, &point].concat());
    let (inner, ec) = (ec(&[]), ec(&der(0xa0, &P256[9..])));
    keys.push(der(0x30, &[&[2, 1, 0][..], &der(0x30, &P256), &der(4, &inner)].concat()));
    keys.push(der(0x30, &[&[2, 1, 0][..], &der(0x30, &ED25519), &der(4, &der(4, &number(32)))].concat()));
    keys.push(ec);
    keys
}

fn standard(content: &[u8]) -> String {
    let mut text = base64(content).replace('-', "+").replace('_', "/");
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

fn wrapped(text: &str, columns: usize, indent: &str) -> String {
    let lines = text.as_bytes().chunks(columns).map(|line| format!("{indent}{}\n", str::from_utf8(line).unwrap()));
    lines.collect()
}

#[test]
fn keys_in_base64_are_found_however_they_are_wrapped() {
    let mut random = Rng::with_seed(2);
    for (number, key) in keys(&mut random).into_iter().enumerate() {
        let bare = standard(&key);
        for text in [
            format!("key: {bare}\n"),
            format!("key: \"{bare}\"\n"),
            format!("key: |\n{}", wrapped(&bare, 64, "  ")),
            wrapped(&bare, 76, ""),
        ] {
            let rules: Vec<_> = found(text.as_bytes()).into_iter().map(|(rule, _)| rule).collect();
            assert_eq!(rules, ["private-key-bare"], "{number}: {text}");
        }
        let name = if key[4] == 2 && key.len() > 200 { "RSA PRIVATE" } else { "PRIVATE" };
        let pem = format!("-----BEGIN {name} KEY-----\n{}-----END {name} KEY-----\n", wrapped(&bare, 64, ""));
        let twice = standard(pem.as_bytes());
        for text in [
            format!("key: {twice}\n"),
            format!("key: |\n{}", wrapped(&twice, 64, "    ")),
            wrapped(&twice, 76, ""),
            format!("KEY=\"{}\"\n", wrapped(&twice, 60, "").replace('\n', "\\n")),
        ] {
            let rules: Vec<_> = found(text.as_bytes()).into_iter().map(|(rule, _)| rule).collect();
            assert_eq!(rules, ["private-key-base64"], "{number}: {text}");
        }
    }
}

#[test]
fn files_that_are_keys_as_a_whole_are_found() {
    let mut random = Rng::with_seed(3);
    for key in keys(&mut random) {
        assert_eq!(found(&key), [("private-key-der", 1)]);
        assert_eq!(found(&key[..key.len() - 1]), [], "cut short");
    }
    let body = random_bytes(300, &mut random);
    let encrypted = [&[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13][..], &der(0x30, &body)].concat();
    let encrypted = der(0x30, &[der(0x30, &encrypted[..13]), der(4, &body)].concat());
    assert_eq!(found(&encrypted), [("private-key-der", 1)]);
    let data = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
    let store = der(0x30, &[&[2, 1, 3][..], &der(0x30, &[&data[..], &der(0xa0, &body)].concat())].concat());
    assert_eq!(found(&store), [("pkcs12", 1)]);
    let endless = [&[0x30, 0x80, 2, 1, 3, 0x30, 0x80][..], &data, &[0xa0, 0x80], &body].concat();
    assert_eq!(found(&endless), [("pkcs12", 1)], "with lengths that only the end says");
    let begin = [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 1];
    let key = [&[0, 0, 0, 1, 0, 1, b'k'][..], &body].concat();
    let trusted = [&[0, 0, 0, 2, 0, 2, b'c', b'a'][..], &[0; 8], &[0, 1, b'X', 0, 0, 1, 44], &body].concat();
    assert_eq!(found(&[&begin[..], &key].concat()), [("java-keystore", 1)]);
    assert_eq!(found(&[&begin[..], &trusted, &trusted, &key].concat()), [("java-keystore", 1)]);
    assert_eq!(found(&[&begin[..], &trusted, &trusted].concat()), [], "only what is trusted");
    assert_eq!(found(&[&begin[..], &trusted[..20]].concat()), [], "cut short");
    let safe = [&[0x03, 0xd9, 0xa2, 0x9a, 0x67, 0xfb, 0x4b, 0xb5][..], &body].concat();
    assert_eq!(found(&safe), [("keepass", 1)]);
    // A certificate is public.
    let certificate = der(0x30, &der(0x30, &[&[0xa0, 3, 2, 1, 2][..], &der(2, &[1]), &der(0x30, &body)].concat()));
    assert_eq!(found(&certificate), []);
}

#[test]
fn text_in_utf_16_is_read_without_a_mark_as_well() {
    let text = fill("one\r\nPASSWORD=<a:20>\r\n", &mut Rng::with_seed(4));
    for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let content: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        assert_eq!(found(&content), [("generic", 2)]);
    }
    let marked = [&[0xff, 0xfe][..], text.as_bytes()].concat();
    assert_eq!(found(&marked), [("generic", 2)], "a mark before another text hides nothing");
}
