//! Realistic secrets, generated while the tests run. The repository contains none of them, because the scanners of forges would report it.

use fastrand::Rng;

/// Kinds by the rule that must find them, with a name that such a secret is assigned to, and its form: `<class:n>` is `n` characters of a
/// class, and everything else is literal.
pub const FORMS: &[(&str, &str, &str)] = &[
    ("aws-access-key-id", "AWS_ACCESS_KEY_ID", "AKIA<U:16>"),
    ("aws-access-key-id", "AWS_ACCESS_KEY_ID", "ASIA<U:16>"),
    ("aws-secret-access-key", "AWS_SECRET_ACCESS_KEY", "<a:40>"),
    ("google-api-key", "GOOGLE_API_KEY", "AIza<b:35>"),
    ("google-client-secret", "GOOGLE_CLIENT_SECRET", "GOCSPX-<b:28>"),
    ("azure-storage-key-named", "AZURE_STORAGE_KEY", "<6:86>=="),
    ("azure-client-secret", "AZURE_CLIENT_SECRET", "<a:3>8Q~<a:34>"),
    ("digitalocean-token", "DIGITALOCEAN_TOKEN", "dop_v1_<h:64>"),
    ("cloudflare-token", "CLOUDFLARE_API_TOKEN", "<a:40>"),
    ("cloudflare-key", "CLOUDFLARE_API_KEY", "<h:37>"),
    ("heroku-key", "HEROKU_API_KEY", "HRKU-AA<b:58>"),
    ("heroku-key-named", "HEROKU_API_KEY", "<h:8>-<h:4>-<h:4>-<h:4>-<h:12>"),
    ("fly-token", "FLY_API_TOKEN", "fo1_<b:43>"),
    ("netlify-token", "NETLIFY_AUTH_TOKEN", "nfp_<a:36>"),
    ("vercel-token-named", "VERCEL_TOKEN", "<a:24>"),
    ("alibaba-key-id", "ALIBABA_KEY_ID", "LTAI<a:20>"),
    ("github-fine-pat", "GITHUB_TOKEN", "github_pat_<a:22>_<a:59>"),
    ("gitlab-pat", "GITLAB_TOKEN", "glpat-<a:20>"),
    ("gitlab-deploy-token", "DEPLOY_TOKEN", "gldt-<a:20>"),
    ("gitlab-runner-token", "RUNNER_TOKEN", "glrt-<a:20>"),
    ("gitlab-job-token", "JOB_TOKEN", "glcbt-64_<a:20>"),
    ("bitbucket-password", "BITBUCKET_PASSWORD", "ATBB<a:32>"),
    ("atlassian-token", "JIRA_TOKEN", "ATATT3xFfGF0<b:171>=<H:8>"),
    ("pypi-token", "TWINE_PASSWORD", "pypi-AgEIcHlwaS5vcmc<b:140>"),
    ("crates-io-token", "CARGO_REGISTRY_TOKEN", "cio<a:32>"),
    ("rubygems-key", "GEM_HOST_API_KEY", "rubygems_<h:48>"),
    ("docker-hub-token", "DOCKER_PAT", "dckr_pat_<b:27>"),
    ("nuget-key", "NUGET_API_KEY", "oy2<l:43>"),
    ("openai-key", "OPENAI_API_KEY", "sk-proj-<b:74>T3BlbkFJ<b:74>"),
    ("openai-key-old", "OPENAI_API_KEY", "sk-<a:20>T3BlbkFJ<a:20>"),
    ("anthropic-key", "ANTHROPIC_API_KEY", "sk-ant-api03-<b:93>AA"),
    ("huggingface-token", "HF_TOKEN", "hf_<A:34>"),
    ("replicate-token", "REPLICATE_API_TOKEN", "r8_<a:37>"),
    ("groq-key", "GROQ_API_KEY", "gsk_<a:52>"),
    ("xai-key", "XAI_API_KEY", "xai-<a:80>"),
    ("perplexity-key", "PPLX_API_KEY", "pplx-<a:48>"),
    ("slack-bot-token", "SLACK_BOT_TOKEN", "xoxb-<d:12>-<d:12>-<a:24>"),
    ("slack-token", "SLACK_TOKEN", "xoxp-<d:12>-<d:12>-<d:12>-<h:32>"),
    ("slack-webhook", "SLACK_HOOK", "hooks.slack.com/services/T<U:8>/B<U:10>/<a:24>"),
    ("discord-webhook", "HOOK", "discord.com/api/webhooks/<d:18>/<b:68>"),
    ("telegram-token", "BOT_TOKEN", "1<d:9>:AA<b:33>"),
    ("twilio-key", "TWILIO_KEY", "SK<h:32>"),
    ("twilio-token", "TWILIO_AUTH_TOKEN", "<h:32>"),
    ("sendgrid-key", "SENDGRID_API_KEY", "SG.<b:22>.<b:43>"),
    ("mailgun-key", "MAILGUN_API_KEY", "key-<h:32>"),
    ("mailchimp-key", "MAILCHIMP_API_KEY", "<h:32>-us14"),
    ("stripe-key", "STRIPE_SECRET_KEY", "sk_live_<a:24>"),
    ("stripe-restricted-key", "STRIPE_KEY", "rk_test_<a:99>"),
    ("stripe-webhook-secret", "STRIPE_WEBHOOK_SECRET", "whsec_<a:32>"),
    ("square-token", "SQUARE_TOKEN", "sq0atp-<b:22>"),
    ("braintree-token", "BT_TOKEN", "access_token$production$<l:16>$<h:32>"),
    ("shopify-token", "SHOPIFY_TOKEN", "shpat_<h:32>"),
    ("datadog-key", "DD_API_KEY", "<h:32>"),
    ("newrelic-key", "NEW_RELIC_KEY", "NRAK-<U:27>"),
    ("sentry-token", "SENTRY_AUTH_TOKEN", "sntryu_<h:64>"),
    ("grafana-service-token", "GRAFANA_TOKEN", "glsa_<a:32>_<h:8>"),
    ("databricks-token", "DATABRICKS_TOKEN", "dapi<h:32>"),
    ("postgres-url", "DATABASE_URL", "postgres://app:<a:16>@db.internal:5432/app"),
    ("mysql-url", "DATABASE_URL", "mysql://root:<a:14>@10.0.0.3/shop"),
    ("mongodb-url", "MONGO_URL", "mongodb+srv://svc:<a:20>@cluster0.mongodb.net/prod"),
    ("redis-url", "REDIS_URL", "redis://:<h:40>@cache:6379/0"),
    ("password-in-url", "REMOTE", "https://deploy:<a:20>@git.corp.net/x.git"),
    ("planetscale-token", "PS_TOKEN", "pscale_tkn_<b:43>"),
    ("supabase-token", "SUPABASE_ACCESS_TOKEN", "sbp_<h:40>"),
    ("vault-token", "VAULT_TOKEN", "hvs.<b:90>"),
    ("terraform-token", "TF_TOKEN", "<a:14>.atlasv1.<b:67>"),
    ("pulumi-token", "PULUMI_ACCESS_TOKEN", "pul-<h:40>"),
    ("doppler-token", "DOPPLER_TOKEN", "dp.st.prod.<a:43>"),
    ("onepassword-token", "OP_TOKEN", "ops_eyJ<6:300>"),
    ("age-key", "SOPS_AGE", "AGE-SECRET-KEY-1<U:58>"),
    ("tailscale-key", "TS_KEY", "tskey-auth-k<a:11>CNTRL-<a:32>"),
    ("discord-token", "DISCORD_TOKEN", "<discord:19>"),
    ("discord-user-token", "DISCORD_TOKEN", "mfa.<b:84>"),
    ("discord-secret", "DISCORD_CLIENT_SECRET", "<a:32>"),
    ("airtable-token", "AIRTABLE_TOKEN", "pat<a:14>.<h:64>"),
    ("airtable-key", "AIRTABLE_API_KEY", "key<a:14>"),
    ("stripe-key", "STRIPE_SECRET_KEY", "sk_org_<a:32>"),
    ("stripe-key", "STRIPE_SECRET_KEY", "sk_org_live_<a:32>"),
    ("stripe-restricted-key", "STRIPE_KEY", "rk_live_<a:99>"),
    ("generic", "DB_PASSWORD", "<a:18>"),
    ("generic", "SESSION_SECRET", "<h:64>"),
    ("generic", "INTERNAL_API_KEY", "<a:32>"),
];

/// A secret, the name it belongs to, and the rule that must find it.
pub struct Planted {
    pub rule: &'static str,
    pub name: &'static str,
    pub secret: String,
}

impl Planted {
    /// Secret number `at`: the forms in turn, and the secrets that need more than a form.
    pub fn number(at: usize, random: &mut Rng) -> Self {
        let special: [fn(&mut Rng) -> Planted; 5] = [github, npm, jwt, private_key, github_unsummed];
        match FORMS.get(at % (FORMS.len() + special.len())) {
            Some((rule, name, form)) => Planted { rule, name, secret: fill(form, random) },
            None => special[at % (FORMS.len() + special.len()) - FORMS.len()](random),
        }
    }

    pub fn kinds() -> usize {
        let mut rules: Vec<_> = FORMS.iter().map(|(rule, ..)| *rule).collect();
        rules.sort_unstable();
        rules.dedup();
        rules.len() + 4
    }

    /// The secret in a typical file: path and content, with its line.
    pub fn file(&self, number: usize, random: &mut Rng) -> (String, String, usize) {
        let Planted { name, secret, .. } = self;
        let camel: String = name.split('_').map(|part| part[..1].to_owned() + &part[1..].to_lowercase()).collect();
        let camel = camel[..1].to_lowercase() + &camel[1..];
        let lower = name.to_lowercase();
        let lines = "# nothing to see in this line\n".repeat(random.usize(..40));
        let (ending, before, line, after) = match random.usize(..22) {
            0 => (".env", "DEBUG=1\n", format!("{name}={secret}"), "\nPORT=80\n"),
            1 => (".env", "", format!("export {name}=\"{secret}\""), ""),
            2 => ("yml", "env:\n", format!("  {name}: {secret}"), "\n  OTHER: 1\n"),
            3 => ("yaml", "env:\n", format!("  {lower}: '{secret}'"), "\n"),
            4 => ("yaml", "    env:\n", format!("    - name: {name}\n      value: \"{secret}\""), "\n"),
            5 => ("json", "{\n  \"a\": 1,\n", format!("  \"{camel}\": \"{secret}\","), "\n  \"b\": 2\n}\n"),
            6 => ("json", "[", format!("{{\"name\": \"{name}\", \"value\": \"{secret}\"}}"), "]"),
            7 => ("rs", "use x::y;\n\n", format!("const {name}: &str = \"{secret}\";"), "\n"),
            8 => ("rs", "fn f() {\n", format!("    let {lower} = String::from(\"{secret}\");"), "\n}\n"),
            9 => ("py", "import os\n", format!("{name} = '{secret}'  # for now"), "\n"),
            10 => ("py", "", format!("os.environ[\"{name}\"] = \"{secret}\""), "\n"),
            11 => ("js", "const config = {\r\n", format!("  {camel}: '{secret}',\r"), "\n};\r\n"),
            12 => ("ts", "", format!("export const {camel}: string = `{secret}`;"), "\n"),
            13 => ("go", "package main\n\n", format!("var {camel} string = \"{secret}\""), "\n"),
            14 => ("java", "class A {\n", format!("  static final String {name} = \"{secret}\";"), "\n}\n"),
            15 => ("sh", "#!/bin/sh\n", format!("tool --{} {secret} --verbose", lower.replace('_', "-")), "\n"),
            16 => ("toml", "[auth]\n", format!("{lower} = \"{secret}\""), "\n"),
            17 => ("properties", "", format!("app.{}={secret}", lower.replace('_', ".")), "\n"),
            18 => ("xml", "<a>\n", format!("  <add key=\"{name}\" value=\"{secret}\" />"), "\n</a>\n"),
            19 => ("tf", "resource \"x\" \"y\" {\n", format!("  {lower}    = \"{secret}\""), "\n}\n"),
            20 => ("Dockerfile", "FROM scratch\n", format!("ENV {name}={secret}"), "\n"),
            _ => ("cs", "", format!("var {camel} = @\"{secret}\";"), "\n"),
        };
        let inside = line[..line.find(secret.as_str()).unwrap()].matches('\n').count();
        let at = 1 + lines.matches('\n').count() + before.matches('\n').count() + inside;
        (format!("src/{number}/file.{ending}"), format!("{lines}{before}{line}{after}"), at)
    }
}

/// Fills a form.
pub fn fill(form: &str, random: &mut Rng) -> String {
    let mut out = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('<') {
        out += before;
        let form = after.split_once('>').and_then(|(form, after)| Some((form.split_once(':')?, after)));
        match form.and_then(|((class, count), after)| Some((class, count.parse().ok()?, after))) {
            Some((class, count, after)) => {
                out += &drawn(class, count, random);
                rest = after;
            }
            None => {
                out.push('<');
                rest = after;
            }
        }
    }
    out + rest
}

fn drawn(class: &str, count: usize, random: &mut Rng) -> String {
    if class == "discord" {
        // The number of the bot, the time, and a sum.
        let number = format!("1{}", drawn("d", count - 1, random));
        let sum = drawn("b", 38, random);
        return format!("{}.G{}.{sum}", base64(number.as_bytes()), drawn("a", 5, random));
    }
    let (digits, small, capitals) = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    let alphabet = match class {
        "d" => digits.to_owned(),
        "h" => "0123456789abcdef".to_owned(),
        "H" => "0123456789ABCDEF".to_owned(),
        "l" => format!("{digits}{small}"),
        "U" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".to_owned(),
        "A" => format!("{small}{capitals}"),
        "a" => format!("{digits}{small}{capitals}"),
        "b" => format!("{digits}{small}{capitals}-_"),
        "6" => format!("{digits}{small}{capitals}+/"),
        other => panic!("no class {other}"),
    };
    let letters = &alphabet[..alphabet.len().min(alphabet.len() - usize::from(class == "b") * 2)];
    let pick = |from: &str, random: &mut Rng| char::from(from.as_bytes()[random.usize(..from.len())]);
    let mut out: String = (0..count).map(|_| pick(&alphabet, random)).collect();
    // A sign at either end would merge with the text around it.
    out.replace_range(count - 1.., &pick(letters, random).to_string());
    if matches!(class, "a" | "l") && !out.contains(|char: char| char.is_ascii_digit()) {
        out.replace_range(count / 2..=count / 2, "7");
    }
    out
}

fn github(random: &mut Rng) -> Planted {
    let body = drawn("a", 30, random);
    Planted { rule: "github-pat", name: "GITHUB_TOKEN", secret: format!("ghp_{body}{}", sum62(&body)) }
}

/// One character was changed: the token is still nearly complete.
fn github_unsummed(random: &mut Rng) -> Planted {
    Planted { rule: "github-server-token", name: "GH_TOKEN", secret: format!("ghs_{}", drawn("a", 36, random)) }
}

fn npm(random: &mut Rng) -> Planted {
    let body = drawn("a", 30, random);
    Planted { rule: "npm-token", name: "NPM_TOKEN", secret: format!("npm_{body}{}", sum62(&body)) }
}

fn jwt(random: &mut Rng) -> Planted {
    let header = base64(br#"{"alg":"HS256","typ":"JWT"}"#);
    let body =
        base64(format!(r#"{{"sub":"{}","iat":17{}}}"#, drawn("d", 10, random), drawn("d", 8, random)).as_bytes());
    Planted { rule: "jwt", name: "SERVICE_JWT", secret: format!("{header}.{body}.{}", drawn("b", 43, random)) }
}

fn private_key(random: &mut Rng) -> Planted {
    let kind = ["RSA ", "EC ", "OPENSSH ", ""][random.usize(..4)];
    let end = ["\n", "\\n"][random.usize(..2)];
    let lines: Vec<String> = (0..12).map(|_| drawn("6", 64, random)).collect();
    let mark = |word: &str| format!("-----{word} {kind}PRIVATE KEY-----");
    let secret = format!("{}{end}{}{end}{}", mark("BEGIN"), lines.join(end), mark("END"));
    Planted { rule: "private-key", name: "SIGNING_PEM", secret }
}

fn sum62(text: &str) -> String {
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32(text.as_bytes());
    let mut out = [b'0'; 6];
    for place in out.iter_mut().rev() {
        *place = digits[(rest % 62) as usize];
        rest /= 62;
    }
    String::from_utf8(out.to_vec()).unwrap()
}

fn crc32(bytes: &[u8]) -> u32 {
    let shift = |rest: u32| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |rest, _| shift(rest)))
}

pub fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut out, mut bits, mut count) = (String::new(), 0_u32, 0);
    for byte in bytes {
        bits = bits << 8 | u32::from(*byte);
        count += 8;
        while count >= 6 {
            count -= 6;
            out.push(char::from(digits[(bits >> count & 63) as usize]));
        }
    }
    if count > 0 {
        out.push(char::from(digits[(bits << (6 - count) & 63) as usize]));
    }
    out
}
