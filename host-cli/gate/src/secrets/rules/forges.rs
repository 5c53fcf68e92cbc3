//! Forges and package registries.

use super::{Rule, before, named, reach, token};
use crate::secrets::rule::Check;

const GITHUB: Check = Check::Sum62(4);
const GITLAB: &str = r"(?:gl[a-z]{2,6}-|GR1348941)[A-Za-z0-9_-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?";

pub(super) const RULES: &[Rule] = &[
    token("github-pat", "a GitHub personal access token", &["ghp_"], "ghp_[A-Za-z0-9]{36,}").check(GITHUB),
    token("github-oauth", "a GitHub OAuth token", &["gho_"], "gho_[A-Za-z0-9]{36,}").check(GITHUB),
    token("github-user-token", "a GitHub App user token", &["ghu_"], "ghu_[A-Za-z0-9]{36,}").check(GITHUB),
    token("github-server-token", "a GitHub App installation token", &["ghs_"], "ghs_[A-Za-z0-9_.-]{36,}").check(GITHUB),
    token("github-refresh-token", "a GitHub refresh token", &["ghr_"], "ghr_[A-Za-z0-9]{36,}").check(GITHUB),
    token(
        "github-fine-pat",
        "a GitHub fine-grained access token",
        &["github_pat_"],
        "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
    ),
    gitlab("gitlab-pat", "a GitLab personal access token", &["glpat-"]),
    gitlab("gitlab-deploy-token", "a GitLab deploy token", &["gldt-"]),
    gitlab("gitlab-runner-token", "a GitLab runner token", &["glrt-", "glrtr-", "GR1348941"]),
    gitlab("gitlab-job-token", "a GitLab CI job token", &["glcbt-"]),
    gitlab("gitlab-trigger-token", "a GitLab pipeline trigger token", &["glptt-"]),
    gitlab("gitlab-feed-token", "a GitLab feed token", &["glft-"]),
    gitlab("gitlab-mail-token", "a GitLab incoming mail token", &["glimt-"]),
    gitlab("gitlab-agent-token", "a GitLab agent token", &["glagent-"]),
    gitlab("gitlab-workspace-token", "a GitLab workspace token", &["glwt-"]),
    gitlab("gitlab-oauth-secret", "a GitLab OAuth secret", &["gloas-"]),
    gitlab("gitlab-scim-token", "a GitLab SCIM token", &["glsoat-"]),
    gitlab("gitlab-flags-token", "a GitLab feature flags token", &["glffct-"]),
    token("bitbucket-password", "a Bitbucket app password", &["ATBB"], "ATBB[A-Za-z0-9_=-]{24,}"),
    token("bitbucket-token", "a Bitbucket access token", &["ATCTT3"], "ATCTT3[A-Za-z0-9_=-]{50,}"),
    token("bitbucket-server-token", "a Bitbucket Data Center token", &["BBDC-"], "BBDC-[A-Za-z0-9+/]{32,}={0,2}"),
    token("atlassian-token", "an Atlassian API token", &["ATATT3"], "ATATT3[A-Za-z0-9_=-]{50,}"),
    named("gitea-token", "a Gitea or Forgejo token", &["gitea", "forgejo", "codeberg"], "[a-f0-9]{40}").hex(),
    token("sourcegraph-token", "a Sourcegraph token", &["sgp_"], "sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}").hex(),
    reach("azure-devops-token", "an Azure DevOps token", &["AZDO"], 76, "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    token("npm-token", "an npm access token", &["npm_"], "npm_[A-Za-z0-9]{36}").check(Check::Sum62(4)),
    before(
        "npmrc-token",
        "a token in an .npmrc file",
        &["_authToken"],
        r#"_authToken\s*=\s*"?([A-Za-z0-9+/=_.~-]{16,})"#,
    ),
    before(
        "npmrc-password",
        "a password in an .npmrc file",
        &[":_password"],
        r#":_password\s*=\s*"?([A-Za-z0-9+/]{12,}={0,2})"#,
    ),
    before("npmrc-auth", "a login in an .npmrc file", &["_auth"], r#"_auth\s*=\s*"?([A-Za-z0-9+/]{12,}={0,2})"#)
        .check(Check::Basic),
    token("pypi-token", "a PyPI token", &["pypi-AgE"], "pypi-AgE[A-Za-z0-9_-]{50,}"),
    token("crates-io-token", "a crates.io token", &["cio"], "cio[A-Za-z0-9]{32}"),
    token("rubygems-key", "a RubyGems API key", &["rubygems_"], "rubygems_[a-f0-9]{48}").hex(),
    token("docker-hub-token", "a Docker Hub token", &["dckr_pat_", "dckr_oat_"], "dckr_[po]at_[A-Za-z0-9_-]{27,}"),
    before("docker-auth", "a Docker registry password", &["\"auth\""], r#""auth"\s*:\s*"([A-Za-z0-9+/]{12,}={0,2})"#)
        .check(Check::Basic),
    token("nuget-key", "a NuGet API key", &["oy2"], "oy2[a-z0-9]{43}"),
    token("clojars-token", "a Clojars token", &["CLOJARS_"], "CLOJARS_[a-z0-9]{60}"),
    token("artifactory-key", "an Artifactory API key", &["AKCp"], "AKCp[A-Za-z0-9]{60,}"),
    token("artifactory-token", "an Artifactory reference token", &["cmVmdGtu"], "cmVmdGtu[A-Za-z0-9]{56}"),
    token("jsr-token", "a JSR token", &["jsrp_", "jsrd_"], "jsr[pd]_[A-Za-z0-9]{32,}"),
    token("packagist-token", "a Packagist token", &["packagist_"], "packagist_[a-z]{3}_[a-f0-9]{32,}").hex(),
    token("buildkite-token", "a Buildkite token", &["bkua_"], "bkua_[a-z0-9]{40,}").hex(),
    token("circleci-token", "a CircleCI token", &["CCIPAT_", "CCIPRJ_"], "CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}")
        .hex(),
    token("sonar-token", "a SonarQube token", &["squ_", "sqa_", "sqp_"], "sq[uap]_[a-f0-9]{40}").hex(),
    named("snyk-token", "a Snyk token", &["snyk"], super::UUID).hex(),
];

const fn gitlab(id: &'static str, words: &'static str, keys: &'static [&'static str]) -> Rule {
    token(id, words, keys, GITLAB)
}
