//! Names for kinds of files, as ripgrep has them (`rg --type-list`): the common ones.

use crate::error::ToolError;

/// Each name with the globs of its files' names.
const TYPES: &[(&str, &[&str])] = &[
    ("c", &["*.c", "*.h"]),
    ("clojure", &["*.clj", "*.cljc", "*.cljs"]),
    ("cmake", &["*.cmake", "CMakeLists.txt"]),
    ("cpp", &["*.cc", "*.cpp", "*.cxx", "*.h", "*.hh", "*.hpp", "*.hxx", "*.inl"]),
    ("cs", &["*.cs"]),
    ("css", &["*.css", "*.scss"]),
    ("dart", &["*.dart"]),
    ("docker", &["*Dockerfile*"]),
    ("elixir", &["*.ex", "*.eex", "*.exs", "*.heex"]),
    ("erlang", &["*.erl", "*.hrl"]),
    ("fish", &["*.fish"]),
    ("go", &["*.go"]),
    ("gradle", &["*.gradle", "*.gradle.kts"]),
    ("graphql", &["*.graphql", "*.graphqls"]),
    ("haskell", &["*.hs", "*.lhs"]),
    ("html", &["*.htm", "*.html", "*.ejs"]),
    ("java", &["*.java", "*.jsp"]),
    ("js", &["*.js", "*.jsx", "*.cjs", "*.mjs", "*.vue"]),
    ("json", &["*.json", "*.sarif"]),
    ("jsonl", &["*.jsonl"]),
    ("julia", &["*.jl"]),
    ("jupyter", &["*.ipynb"]),
    ("kotlin", &["*.kt", "*.kts"]),
    ("less", &["*.less"]),
    ("lua", &["*.lua"]),
    ("make", &["[Gg]NUmakefile", "[Mm]akefile", "*.mak", "*.mk"]),
    ("markdown", &["*.md", "*.markdown", "*.mdx"]),
    ("md", &["*.md", "*.markdown", "*.mdx"]),
    ("nix", &["*.nix"]),
    ("objc", &["*.h", "*.m"]),
    ("perl", &["*.pl", "*.pm", "*.t"]),
    ("php", &["*.php", "*.phtml"]),
    ("protobuf", &["*.proto"]),
    ("py", &["*.py", "*.pyi"]),
    ("python", &["*.py", "*.pyi"]),
    ("r", &["*.R", "*.r", "*.Rmd"]),
    ("ruby", &["*.rb", "*.rbw", "*.gemspec", "Gemfile", "Rakefile"]),
    ("rust", &["*.rs"]),
    ("sass", &["*.sass", "*.scss"]),
    ("scala", &["*.scala", "*.sbt"]),
    ("sh", &["*.sh", "*.bash", "*.zsh", "*.ksh", ".bashrc", ".profile", ".zshrc"]),
    ("sql", &["*.sql"]),
    ("svelte", &["*.svelte", "*.svelte.ts"]),
    ("swift", &["*.swift"]),
    ("tf", &["*.tf", "*.tfvars"]),
    ("toml", &["*.toml", "Cargo.lock"]),
    ("ts", &["*.ts", "*.tsx", "*.cts", "*.mts"]),
    ("txt", &["*.txt"]),
    ("typescript", &["*.ts", "*.tsx", "*.cts", "*.mts"]),
    ("vue", &["*.vue"]),
    ("xml", &["*.xml", "*.xsd", "*.xsl", "*.xslt", "*.svg"]),
    ("yaml", &["*.yaml", "*.yml"]),
    ("zig", &["*.zig"]),
];

/// The globs of the files of a kind.
pub fn globs(name: &str) -> Result<&'static [&'static str], ToolError> {
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, globs)| *globs).ok_or_else(|| {
        let known: Vec<&str> = TYPES.iter().map(|(known, _)| *known).collect();
        ToolError::bad_args(format!("Unknown type of files: {name}"))
            .hint(format!("Use `glob` with a pattern such as *.{name}, or one of {}.", known.join(", ")))
    })
}
