//! Scripts that are put together at random: pipelines of filters, loops, conditions and redirections over the fixture's files. What they
//! write stands beside the folder that they list, and none has `pipefail`: what they print would depend on who is faster.

use fastrand::Rng;

/// What gives lines.
const SOURCES: &[&str] = &[
    "cat words.txt",
    "cat numbers.txt words.txt",
    "cat data.csv",
    "cat log.txt",
    "cat src/lib.rs",
    "cat noeol",
    "cat empty",
    "cat tabs.txt",
    "cat -n src/main.rs",
    "seq 12",
    "seq 3 4 40",
    "seq -w 8 12",
    "printf '%s\\n' b a c a 'd e' ''",
    "printf 'x:%d\\n' 3 20 100",
    "echo {a,b}{1..3} | tr ' ' '\\n'",
    "find . -type f | sort",
    "find src -name '*.rs' | sort",
    "ls -1",
    "ls src docs",
    "grep -n a words.txt log.txt",
    "grep -rn fn src | sort",
    "awk -F, '{ print $2, $1 }' data.csv",
    "jq -r '.items[].name' data.json",
    "for f in *.txt; do wc -l < \"$f\"; done",
    "while IFS=, read -r a b c; do echo \"$c:$a\"; done < data.csv",
    "head -c 40 README.md",
    "paste words.txt numbers.txt",
    "comm <(sort words.txt) <(sort -u numbers.txt words.txt)",
    "join -t, <(sort data.csv) <(sort data.csv)",
    "diff words.txt numbers.txt",
];

/// What turns lines into others.
const FILTERS: &[&str] = &[
    "sort",
    "sort -r",
    "sort -u",
    "sort -n",
    "sort -k2",
    "sort -t, -k2,2n",
    "sort -t: -k1,1 -s",
    "sort -f",
    "uniq",
    "uniq -c",
    "uniq -d",
    "uniq -ci",
    "head -3",
    "head -n -2",
    "head -c 20",
    "tail -2",
    "tail -n +3",
    "cut -d, -f1",
    "cut -d' ' -f2-",
    "cut -c2-5",
    "cut -f1 -s",
    "tr a-z A-Z",
    "tr -d aeiou",
    "tr -s '[:space:]' '\\n'",
    "tr -cd '[:alnum:]\\n'",
    "sed 's/a/X/g'",
    "sed -n '2,4p'",
    "sed '/e/d'",
    "sed -E 's/([a-z]+)([^a-z]*)/\\2\\1/'",
    "sed '$!N;s/\\n/-/'",
    "sed '1!G;h;$!d'",
    "sed '2i new'",
    "awk '{ print NR\": \"$0 }'",
    "awk 'length > 4'",
    "awk '{ n[$1]++ } END { for (k in n) print n[k], k }' | sort",
    "awk -F'[:,]' '{ s += $2 } END { print s, NF }'",
    "awk '!seen[$0]++'",
    "awk '{ $1 = \"\"; print }'",
    "awk 'NR % 2 { printf \"%-8s|\", $1; next } { print $NF }'",
    "grep -v '^$'",
    "grep -c .",
    "grep -o '[a-z]*e'",
    "grep -in 'a.*e'",
    "grep -A1 -B1 e",
    "grep -w a",
    "grep -E '^(a|b)|[0-9]{2}'",
    "wc -l",
    "wc -w -c",
    "nl",
    "nl -ba -w3 -s.",
    "rev",
    "tac",
    "fold -w 7",
    "expand -t4",
    "paste -sd,",
    "paste - -",
    "column -t",
    "xargs",
    "xargs -n2 echo +",
    "xargs -I{} echo '[{}]'",
    "tee ../copy",
    "od -c | head -3",
    "xxd | head -2",
    "base64 -w 30",
    "sha256sum",
    "md5sum",
    "cat -A",
    "while read -r l; do echo \"<$l>\"; done",
    "{ read -r first; echo \"$first!\"; cat; }",
];

/// Conditions.
const CONDITIONS: &[&str] = &[
    "[ -f words.txt ]",
    "[[ -d src && ! -e nosuch ]]",
    "grep -q ERROR log.txt",
    "! grep -q nosuch log.txt",
    "test \"$x\" = 1",
    "(( x > 2 ))",
    "[[ $x =~ ^[0-9]+$ ]]",
    "[ -s empty ] || false",
];

/// What does something with variables, files or the flow.
const STEPS: &[&str] = &[
    "x=$(wc -l < words.txt)",
    "x=$((x * 2 + 1))",
    "x=${x:-5}; echo ${x#1} ${#x}",
    "a=(one two three); echo ${a[1]} ${#a[@]} \"${a[@]:1}\"",
    "declare -A m=([k]=v [l]=w); for k in k l; do echo $k=${m[$k]}; done",
    "f() { local y=$1; echo \"f $y\"; return 3; }; f x; echo $?",
    "for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done",
    "i=0; while (( i < 3 )); do echo i$i; ((i++)); done",
    "case $x in 1*) echo one;; *[2-9]) echo more;; *) echo other;; esac",
    "mkdir -p out/deep && cp words.txt out/deep/w && ls -R out",
    "mv words.txt moved.txt; ls *.txt; mv moved.txt words.txt",
    "rm -f nosuch; rm -r docs; ls",
    "echo line >> log.txt; tail -1 log.txt",
    "sed -i 's/INFO/info/' log.txt",
    "cat > new.txt <<EOF\nx is $x\n$(echo sub)\nEOF\ncat new.txt",
    "cat <<'EOF' | tr a-z A-Z\nas $is\nEOF",
    "printf '%05.1f|%-6s|%x\\n' 3.14159 ab 255",
    "echo \"${PWD##*/}\"; cd src && ls; cd ..",
    "set -- a 'b c' d; echo $# \"$2\"; shift; echo \"$*\"",
    "s='hello world'; echo ${s/o/0} ${s//o/0} ${s^} ${s:3:4} ${s%% *}",
    "trap 'echo bye' EXIT",
    "false || echo rescued; true && echo on",
    "echo err >&2; ls nosuch 2>/dev/null; echo $?",
    "cat nosuch words.txt 2>&1 | wc -l; echo ${PIPESTATUS[*]}",
    "find . -name '*.rs' -exec wc -l {} + | tail -1",
    "find . -type f -size -2 | sort | head -4",
    "test -x src || echo no; chmod +x words.txt; test -x words.txt && echo yes",
    "tar -cf t.tar src && tar -tf t.tar | sort; rm t.tar",
    "gzip -k words.txt && zcat words.txt.gz | head -1; rm words.txt.gz",
    "diff -u words.txt numbers.txt | tail -n +3",
    "comm -12 <(sort words.txt) <(echo fig); ",
    "bc <<< '2^10 + 7/2'",
    "date -u -d @86400 +%F",
    "jq '.items | length' data.json",
    "getopts_demo() { while getopts ab: o; do echo $o ${OPTARG-}; done; }; getopts_demo -a -b v",
];

/// One script.
pub fn script(random: &mut Rng) -> String {
    let mut script = String::new();
    if random.u8(..4) == 0 {
        script.push_str(["set -e\n", "set -u\nx=3\n", "set -eu\nx=4\n"][random.usize(..3)]);
    }
    for _ in 0..random.usize(1..4) {
        script.push_str(&part(random));
        script.push('\n');
    }
    script
}

fn one<'a>(random: &mut Rng, of: &[&'a str]) -> &'a str {
    of[random.usize(..of.len())]
}

fn pipeline(random: &mut Rng) -> String {
    let mut pipeline = one(random, SOURCES).to_owned();
    for _ in 0..random.usize(1..5) {
        pipeline.push_str(" | ");
        pipeline.push_str(one(random, FILTERS));
    }
    pipeline
}

fn part(random: &mut Rng) -> String {
    match random.u8(..10) {
        0..4 => pipeline(random),
        4..6 => one(random, STEPS).to_owned(),
        6 => format!("if {}; then {}; else echo no; fi", one(random, CONDITIONS), pipeline(random)),
        7 => format!("{} > ../made; {} < ../made", pipeline(random), one(random, FILTERS)),
        8 => format!("v=$({}); echo \"$v\" | {}", pipeline(random), one(random, FILTERS)),
        _ => format!("{} && {} || echo failed; echo $?", one(random, CONDITIONS), pipeline(random)),
    }
}
