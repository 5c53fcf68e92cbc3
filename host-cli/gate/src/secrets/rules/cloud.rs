//! Cloud and hosting providers.

use super::{Rule, UUID, before, named, reach, token};
use crate::secrets::rule::Check;

pub(super) const RULES: &[Rule] = &[
    // The key id in AWS's own manuals contains EXAMPLE.
    token(
        "aws-access-key-id",
        "an AWS access key id",
        &["AKIA", "ASIA", "ABIA", "ACCA"],
        "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    )
    .check(Check::Random(27)),
    named(
        "aws-secret-access-key",
        "an AWS secret access key",
        &["aws_secret", "aws_sec", "secret_access_key", "secretaccesskey", "secret-access-key", "secret.access.key"],
        "[A-Za-z0-9/+]{40}",
    ),
    named("aws-session-token", "an AWS session token", &["session_token", "sessiontoken"], "[A-Za-z0-9/+]{100,}={0,2}"),
    token("aws-bedrock-key", "an AWS Bedrock API key", &["ABSKQmVkcm9ja"], "ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    token("aws-mws-token", "an Amazon MWS token", &["amzn.mws."], r"amzn\.mws\.[a-f0-9]{8}-[a-f0-9-]{27}").hex(),
    token("google-api-key", "a Google API key", &["AIza"], "AIza[A-Za-z0-9_-]{35}"),
    token("google-client-secret", "a Google OAuth client secret", &["GOCSPX-"], "GOCSPX-[A-Za-z0-9_-]{28}"),
    token("google-access-token", "a Google OAuth access token", &["ya29."], r"ya29\.[A-Za-z0-9_-]{30,}"),
    token("google-refresh-token", "a Google OAuth refresh token", &["1//0"], "1//0[A-Za-z0-9_-]{40,}"),
    before(
        "google-service-account",
        "a service account's private key",
        &["\"private_key\""],
        r#""private_key"\s*:\s*"(-----BEGIN PRIVATE KEY-----(?:\\n[A-Za-z0-9+/=]{1,76})+)"#,
    )
    .check(Check::Random(35)),
    before("azure-storage-key", "an Azure storage key", &["AccountKey"], "AccountKey=([A-Za-z0-9+/]{86}==)"),
    named(
        "azure-storage-key-named",
        "an Azure storage key",
        &["storage_key", "storagekey", "account_key", "accountkey", "azure", "cosmos"],
        "[A-Za-z0-9+/]{86}==",
    ),
    before("azure-sas", "an Azure shared access signature", &["sig="], "sig=([A-Za-z0-9%/+]{43,70}(?:%3[Dd]|=))"),
    before(
        "azure-shared-access-key",
        "an Azure shared access key",
        &["SharedAccessKey="],
        "SharedAccessKey=([A-Za-z0-9+/]{42,43}=)",
    ),
    reach(
        "azure-client-secret",
        "an Azure client secret",
        &["Q~"],
        4,
        r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
    ),
    reach("azure-search-key", "an Azure Search key", &["AzSe"], 42, "[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}"),
    reach(
        "azure-function-key",
        "an Azure Functions key",
        &["AzFu"],
        44,
        "[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{6,8}={0,2}",
    ),
    token("digitalocean-token", "a DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[a-f0-9]{64}")
        .hex(),
    token("cloudflare-token-new", "a Cloudflare API token", &["cfut_", "cfat_"], "cf[ua]t_[A-Za-z0-9]{40,}"),
    named("cloudflare-token", "a Cloudflare API token", &["cloudflare", "cf_api"], "[A-Za-z0-9_-]{40}"),
    named("cloudflare-key", "a Cloudflare API key", &["cloudflare", "cf_api"], "[a-f0-9]{37}").hex(),
    token("cloudflare-origin-key", "a Cloudflare origin CA key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}").hex(),
    token("heroku-key", "a Heroku API key", &["HRKU-"], "HRKU-[A-Za-z0-9_-]{36,}").hex(),
    named("heroku-key-named", "a Heroku API key", &["heroku"], UUID).hex(),
    token(
        "fly-token",
        "a Fly.io token",
        &["fo1_", "fm1a_", "fm1r_", "fm2_"],
        "f(?:o1|m1[ar]|m2)_[A-Za-z0-9+/_-]{43,}={0,3}",
    ),
    token("vercel-token", "a Vercel token", &["vcp_", "vck_", "vca_", "vcr_", "vci_"], "vc[pkari]_[A-Za-z0-9_-]{24,}"),
    named("vercel-token-named", "a Vercel token", &["vercel"], "[A-Za-z0-9]{24}"),
    token("netlify-token", "a Netlify token", &["nfp_"], "nfp_[A-Za-z0-9_]{36,}"),
    named("netlify-token-named", "a Netlify token", &["netlify"], "[A-Za-z0-9_-]{40,46}"),
    token("alibaba-key-id", "an Alibaba Cloud access key id", &["LTAI"], "LTAI[A-Za-z0-9]{12,20}")
        .check(Check::Random(27)),
    named(
        "alibaba-secret",
        "an Alibaba Cloud access key secret",
        &["aliyun", "alibaba", "access_key_secret", "accesskeysecret"],
        "[A-Za-z0-9]{30}",
    ),
    token("tencent-key-id", "a Tencent Cloud secret id", &["AKID"], "AKID[A-Za-z0-9]{32}"),
    named("ibm-cloud-key", "an IBM Cloud API key", &["ibm", "bluemix"], "[A-Za-z0-9_-]{44}"),
    named("linode-token", "a Linode token", &["linode"], "[a-f0-9]{64}").hex(),
    named("hetzner-token", "a Hetzner Cloud token", &["hcloud", "hetzner"], "[A-Za-z0-9]{64}"),
    token("scaleway-key-id", "a Scaleway access key", &["SCW"], "SCW[A-Z0-9]{17}").check(Check::Random(27)),
    named("scaleway-secret", "a Scaleway secret key", &["scw", "scaleway"], UUID).hex(),
    token("yandex-key", "a Yandex Cloud API key", &["AQVN"], "AQVN[A-Za-z0-9_-]{35,38}"),
    token("render-key", "a Render API key", &["rnd_"], "rnd_[A-Za-z0-9]{28,}"),
    named("oracle-token", "an Oracle Cloud secret key", &["oci_", "oracle"], "[A-Za-z0-9/+]{43}="),
    named("ovh-secret", "an OVH application secret", &["ovh"], "[A-Za-z0-9]{32}"),
];
