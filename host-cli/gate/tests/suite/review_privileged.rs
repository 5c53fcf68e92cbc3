//! The review explains names that tools run, obey or trust, and no ordinary names.

use crate::support::pushing::Scene;
use gate::review::{
    Flag,
    Severity::{self, High, Low, Medium},
};

const AGENTS: &str = "agent instructions or settings";
const APACHE: &str = "Apache obeys it for the folder that it serves, and it can have files run as programs";
const PHP: &str = "PHP obeys it for the folder that it serves, and it can name a script that runs first";
const IIS: &str = "IIS obeys it for the folder that it serves, and it can name programs that run";
const REPLIT: &str = "runs when Replit opens the project";
const SANDBOX: &str = "runs when CodeSandbox opens the project";
const DEVFILE: &str = "runs when a workspace starts from the devfile";
const HELIX: &str = "names programs that Helix runs when it opens a file";
const EDITOR: &str = "runs when an editor opens the folder";
const TASKS: &str = "editor settings, which can run tasks";
const WINDOWS: &str = "a program that Windows runs by its name alone";
const MACHINE: &str = "code for machines, which nobody can read";
const POWERSHELL: &str = "decides what PowerShell runs when it loads the module";
const DJANGO: &str = "a program that runs with each command of a Django project";
const LARAVEL: &str = "a program that runs with each command of a Laravel project";
const RAILS: &str = "a program that runs with each command of a Rails project";
const SYMFONY: &str = "a program that runs with each command of a Symfony project";
const INFRASTRUCTURE: &str = "infrastructure code, whose providers and provisioners run when it is planned or applied";
const TERRAGRUNT: &str = "names commands that Terragrunt runs";
const ANSIBLE: &str = "Ansible obeys it in the folder where it runs, and it can name plugins";
const PLUGINS: &str = "plugins that run with Ansible's playbooks";
const PM2: &str = "a program that names what pm2 starts";
const GUNICORN: &str = "a program that Gunicorn runs when it serves the application";
const PUMA: &str = "a program that Puma runs when it serves the application";
const ANGULAR: &str = "names the builders that run when an Angular application is built";
const TYPESCRIPT: &str = "decides how TypeScript finds modules, and which plugins an editor loads";
const SBT: &str = "a program that sbt builds the project with";
const GORELEASER: &str = "names commands that GoReleaser runs";
const CTAGS: &str = "options that ctags obeys in the folder where it runs";
const IPYTHON: &str = "a program that IPython runs when it starts";
const JUPYTER: &str = "settings of Jupyter, which can run programs when it starts";
const NOTEBOOK: &str = "a notebook, whose cells are a program";
const INSTALLED: &str = "decides what is installed and what runs then";
const LOCK: &str = "a lock file, which decides which code is installed";
const FETCHED: &str = "decides where code is fetched from, and runs with it";
const SPHINX: &str = "a program that Sphinx runs when it builds the documentation";
const READ_THE_DOCS: &str = "names commands that Read the Docs runs";
const MDBOOK: &str = "names programs that mdBook runs when it builds the book";
const DOXYGEN: &str = "names programs that Doxygen filters sources with";
const STYLE: &str = "configuration of a compiler or style tool, which is a program";
const BUILD: &str = "runs when the project is built or entered";

const PRIVILEGED: &[(&str, Severity, &str)] = &[
    ("AGENTS.override.md", High, AGENTS),
    ("sub/agents.OVERRIDE.md", High, AGENTS),
    (".claude-plugin/plugin.json", High, AGENTS),
    (".github/hooks/a.json", High, AGENTS),
    (".github/skills/x/run.sh", High, AGENTS),
    (".htaccess", High, APACHE),
    ("public/.HTACCESS", High, APACHE),
    ("public/.user.ini", High, PHP),
    ("Web.config", High, IIS),
    (".replit", High, REPLIT),
    (".codesandbox/tasks.json", High, SANDBOX),
    ("devfile.yaml", High, DEVFILE),
    (".devfile.yaml", High, DEVFILE),
    (".helix/languages.toml", High, HELIX),
    ("sub/.Helix/config.toml", High, HELIX),
    (".ycm_extra_conf.py", High, EDITOR),
    (".theia/tasks.json", Medium, TASKS),
    ("__pycache__/app.cpython-311.pyc", Medium, MACHINE),
    ("lib/native.node", Medium, MACHINE),
    ("git.bat", Medium, WINDOWS),
    ("sub/Run.CMD", Medium, WINDOWS),
    ("git.exe", Medium, WINDOWS),
    ("gradlew.bat", Medium, BUILD),
    ("Tools.psd1", Medium, POWERSHELL),
    ("Tools.Format.ps1xml", Medium, POWERSHELL),
    ("psakefile.ps1", Medium, BUILD),
    ("x.build.ps1", Medium, BUILD),
    ("Directory.Build.rsp", Medium, BUILD),
    ("manage.py", Medium, DJANGO),
    ("artisan", Medium, LARAVEL),
    ("bin/rails", Medium, RAILS),
    ("bin/console", Medium, SYMFONY),
    ("main.tf", Medium, INFRASTRUCTURE),
    ("infra/main.tf.json", Medium, INFRASTRUCTURE),
    ("main.tofu", Medium, INFRASTRUCTURE),
    ("main.tofu.json", Medium, INFRASTRUCTURE),
    (".terraformrc", Medium, FETCHED),
    (".terraform.lock.hcl", Low, LOCK),
    ("live/terragrunt.hcl", Medium, TERRAGRUNT),
    ("ansible.cfg", Medium, ANSIBLE),
    ("filter_plugins/x.py", Medium, PLUGINS),
    ("roles/a/action_plugins/x.py", Medium, PLUGINS),
    ("ecosystem.config.js", Medium, PM2),
    ("ecosystem.config.cjs", Medium, PM2),
    ("gunicorn.conf.py", Medium, GUNICORN),
    ("config.ru", Medium, PUMA),
    ("config/puma.rb", Medium, PUMA),
    ("angular.json", Medium, ANGULAR),
    ("tsconfig.json", Low, TYPESCRIPT),
    ("web/tsconfig.build.json", Low, TYPESCRIPT),
    ("tsconfig-base.json", Low, TYPESCRIPT),
    ("jsconfig.json", Low, TYPESCRIPT),
    ("project/plugins.sbt", Medium, SBT),
    ("release.sbt", Medium, SBT),
    ("project/Dependencies.scala", Medium, SBT),
    ("project/project/x/Build.scala", Medium, SBT),
    ("services/a/project/Build.scala", Medium, SBT),
    ("project/build.properties", Medium, SBT),
    (".sbtopts", Medium, SBT),
    (".goreleaser.yml", Medium, GORELEASER),
    (".goreleaser.yaml", Medium, GORELEASER),
    ("goreleaser.yaml", Medium, GORELEASER),
    (".ctags.d/x.ctags", Medium, CTAGS),
    ("ctags.d/x.ctags", Medium, CTAGS),
    (".ipython/profile_default/startup/a.py", Medium, IPYTHON),
    ("ipython_config.py", Medium, IPYTHON),
    (".jupyter/custom/custom.js", Medium, JUPYTER),
    ("jupyter_server_config.py", Medium, JUPYTER),
    ("jupyter_server_config.json", Medium, JUPYTER),
    ("analysis/A.ipynb", Low, NOTEBOOK),
    ("constraints.txt", Low, INSTALLED),
    ("ci/constraints-3.12.txt", Low, INSTALLED),
    ("requirements-test.txt", Low, INSTALLED),
    ("requirements/dev.txt", Low, INSTALLED),
    (".config/dotnet-tools.json", Low, INSTALLED),
    ("docs/conf.py", Medium, SPHINX),
    ("doc/conf.py", Medium, SPHINX),
    ("lib/Docs/source/conf.py", Medium, SPHINX),
    (".readthedocs.yaml", Medium, READ_THE_DOCS),
    ("book.toml", Medium, MDBOOK),
    ("Doxyfile", Medium, DOXYGEN),
    (".rubocop.yml", Medium, STYLE),
    ("firebase.json", Medium, BUILD),
    ("fly.toml", Medium, BUILD),
    (".ebextensions/01.config", Medium, BUILD),
];

const ORDINARY: &[&str] = &[
    "src/main.rs",
    "README.md",
    "agents.txt",
    "docs/override.md",
    "htaccess.md",
    "user.ini",
    "web.config.md",
    "replit.md",
    "helix/languages.toml",
    "theia/x.json",
    "bat",
    "cmd/main.go",
    "batch.batch",
    // Nothing runs these just because they exist: a person or another file has to name them.
    "Tools.psm1",
    "scripts/install.ps1",
    "manager.py",
    "docs/artisan.md",
    "main.tfvars.md",
    "x.tfx",
    "ansible.md",
    "src/plugins/x.py",
    "ecosystem.js",
    "angular.ts",
    "src/tsconfig.ts",
    "tsconfig.md",
    "project/notes.md",
    "src/main/scala/com/x/project/Model.scala",
    "goreleaser.md",
    "tags",
    "ipython.py",
    "notebook.py",
    "docs/constraints.md",
    "requirements.md",
    "requirements/index.md",
    "conf.py",
    "app/conf.py",
    "docs/my_conf.py",
    "docs/index.rst",
    "src/console.ts",
];

fn flags_of(paths: impl IntoIterator<Item = &'static str>) -> Vec<Flag> {
    let scene = Scene::simple();
    let blob = scene.repo.id("HEAD:kept.txt");
    let index: String = paths.into_iter().map(|path| format!("100644 {blob}\t{path}\n")).collect();
    scene.repo.git_with(&["update-index", "--add", "--index-info"], index.as_bytes());
    scene.repo.git(&["commit", "-q", "-m", "all"]);
    scene.review("topic").flags
}

#[test]
fn attack_20_names_that_tools_run_by_themselves_are_said_with_what_they_do() {
    let flags = flags_of(PRIVILEGED.iter().map(|(path, _, _)| *path));
    let mut wrong = Vec::new();
    for (path, severity, what) in PRIVILEGED {
        let said = flags.iter().find_map(|flag| match flag {
            Flag::Privileged { path: flagged, what, severity } if flagged == path => Some((*severity, *what)),
            _ => None,
        });
        if said != Some((*severity, *what)) {
            wrong.push(format!("{path}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn attack_20_ordinary_names_beside_those_that_tools_run_are_not_flagged() {
    let flags = flags_of(ORDINARY.iter().copied());
    assert!(flags.is_empty(), "{flags:#?}");
}
