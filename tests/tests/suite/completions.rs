//! Completions, as each shell itself gives them.

use std::fs;

use serde_json::json;
use tests::cli::{Cli, finish};

use crate::pushing::{Staged, staged};

/// What the shells offer for the last word of a command line.
struct Shell {
    program: &'static str,
    /// Prints a candidate in each line. `@LINE@` is the command line.
    script: &'static str,
}

const SHELLS: [Shell; 3] = [
    Shell {
        program: "bash",
        // As readline calls it: words are cut at blanks and at colons, and the last one may be empty.
        script: r#"
            source <(gitgate completions bash)
            COMP_LINE='@LINE@' COMP_POINT=${#COMP_LINE} COMP_WORDS=()
            line=$COMP_LINE
            while [[ $line ]]; do
                blank=${line%%[! ]*} line=${line#"${line%%[! ]*}"}
                word=${line%%[ :=]*}
                [[ ! $word ]] && word=${line:0:1}
                [[ $word || $blank ]] && COMP_WORDS+=("$word")
                line=${line#"$word"}
            done
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            last=${COMP_WORDS[COMP_CWORD]}
            [[ $last == [:=] ]] && last=
            _gitgate gitgate "$last" ''
            ((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
        "#,
    },
    Shell {
        program: "zsh",
        // At a terminal of its own, with what it would insert written down where it is about to be.
        script: r#"
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PROMPT= RPROMPT=; autoload -Uz compinit; compinit -u -d $HOME/dump"
            zpty -w shell 'source <(gitgate completions zsh)'
            zpty -w shell 'compadd() {
                local -a given
                if [[ ${@[(I)-O|-A|-D]} -gt 0 ]]; then builtin compadd "$@"; return; fi
                builtin compadd -O given "$@"; print -rl -- $given >> $HOME/found; builtin compadd "$@"
            }'
            zpty -w shell 'offer() { _main_complete; print done > $HOME/done; compstate[insert]= compstate[list]= }'
            zpty -w shell 'zle -C offer complete-word offer; bindkey "^X" offer'
            zpty -w shell 'print -r -- ready > $HOME/ready'
            for ((i = 0; i < 600; i++)); do [[ -e $HOME/ready ]] && break; sleep 0.05; done
            zpty -n -w shell '@LINE@'$'\C-X'
            for ((i = 0; i < 600; i++)); do [[ -e $HOME/done ]] && break; sleep 0.05; done
            zpty -d shell
            [[ -e $HOME/done ]] || exit 1
            [[ ! -e $HOME/found ]] || cat $HOME/found
            rm -f $HOME/found $HOME/done $HOME/ready
        "#,
    },
    Shell { program: "fish", script: "source (gitgate completions fish | psub); complete -C '@LINE@'" },
];

impl Shell {
    /// The candidates, without their descriptions.
    fn offers(&self, cli: &Cli, line: &str) -> Vec<String> {
        let found = std::process::Command::new(self.program).arg("--version").output();
        if let Err(error) = found {
            panic!("{}: {error}\nThis test needs the shell: `apt-get install {0}`", self.program);
        }
        let out = finish(&mut cli.shell(self.program, &self.script.replace("@LINE@", line)), b"");
        let mut offers: Vec<String> =
            out.stdout.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect();
        offers.sort();
        offers.dedup();
        assert!(out.stderr.is_empty(), "{}: {line}: {out:#?}", self.program);
        offers
    }
}

/// What all shells have to offer, of a machine with a staged commit and a call that waits.
fn completes(shell: &Shell) {
    let Staged { cli, repo, id, .. } = staged();
    cli.run(&["-s", "default-2", "new", "--empty", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
    cli.run(&["-s", "default-2", "call", "write_file", &json!({ "path": "a", "content": "1" }).to_string()]).ok();
    let stage = json!({ "files": ["a"], "message": "Add a" }).to_string();
    cli.run(&["-s", "default-2", "call", "git_stage", &stage]).exits(3);
    let waiting = cli.run(&["-s", "default-2", "review", "--json"]).ok().json()["id"].as_str().unwrap().to_owned();
    fs::create_dir(cli.work().join("odd\u{1b}[2J")).unwrap();
    let target = repo.path().to_owned();
    let offers = |line: &str| shell.offers(&cli, line);
    let has = |line: &str, word: &str| {
        let offers = offers(line);
        assert!(offers.iter().any(|offer| offer == word), "{}: {line}: {word} is not in {offers:?}", shell.program);
    };
    assert_eq!(offers("gitgate -s def"), ["default", "default-2"]);
    assert_eq!(offers("gitgate rm default-"), ["default-2"]);
    assert_eq!(offers("gitgate call git_pus"), ["git_push"]);
    assert_eq!(offers("gitgate setup cod"), ["codex"]);
    has("gitgate rev", "review");
    has("gitgate push --o", "--only");
    assert_eq!(offers(&format!("gitgate push {}", &id[..3])), [&id[..8]]);
    assert_eq!(offers(&format!("gitgate -s default-2 review {}", &waiting[..4])), [waiting.as_str()]);
    has("gitgate push --to ", "origin");
    has("gitgate push --to ", &target);
    has("gitgate push --to pro", "project/");
    assert_eq!(offers("gitgate push --to project#to"), ["project#topic"]);
    assert!(offers("gitgate push --to o").iter().all(|offer| !offer.contains("odd")), "{}", shell.program);
}

#[test]
fn bash_completes_names() {
    completes(&SHELLS[0]);
}

#[test]
fn zsh_completes_names() {
    completes(&SHELLS[1]);
}

#[test]
fn fish_completes_names() {
    completes(&SHELLS[2]);
}

#[test]
fn attack_15_bash_puts_a_folder_on_the_line_as_a_name() {
    let cli = Cli::default();
    fs::create_dir(cli.work().join("a;touch b")).unwrap();
    assert_eq!(SHELLS[0].offers(&cli, "gitgate new --from a"), [r"a\;touch\ b/"]);
}

#[test]
fn bash_completes_what_follows_a_colon() {
    let Staged { cli, .. } = staged();
    assert_eq!(SHELLS[0].offers(&cli, "gitgate push --to local:project#to"), ["project#topic"]);
}

#[test]
fn what_fails_offers_nothing_and_says_nothing() {
    let cli = Cli::default();
    for words in [&["-s", "gone", "push", "a"][..], &["--home", "/dev/null", "-s", "a"], &["nothing", "x"]] {
        let out = cli.run(&[&["__complete"], words].concat()).ok();
        assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("", ""), "{words:?}");
    }
    cli.run(&["completions", "csh"]).exits(2);
}

#[test]
fn without_a_compiled_component_no_commit_is_offered_and_none_is_compiled() {
    let Staged { cli, id, .. } = staged();
    let cache = cli.folder().join("cache");
    let out = finish(cli.command(&["__complete", "push", &id[..3]]).env("XDG_CACHE_HOME", &cache), b"").ok();
    assert_eq!((out.stdout.as_str(), cache.exists()), ("", false));
    assert_eq!(cli.run(&["__complete", "push", &id[..3]]).ok().stdout, format!("{}\tTell of the past\n", &id[..8]));
}
