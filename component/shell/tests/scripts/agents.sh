### what is here
ls -la | awk '{print $NF}' | tail -n +4 | sort
ls; ls src docs; ls -a | head -5
find . -name '*.rs' | sort
find . -type f | wc -l
find src -type d | sort
### reading
cat README.md; head -2 log.txt; tail -1 log.txt; sed -n '2,3p' log.txt; wc -l *.txt; nl -ba numbers.txt | head -2
### searching
grep -rn TODO . | sort; grep -rl apple . ; grep -c ERROR log.txt; grep -v INFO log.txt; grep -n 'fn ' src/*.rs
grep -rn "fn " src | cut -d: -f1 | sort -u
grep -E '^(2026-01-0[12])' log.txt | awk '{print $2}' | sort | uniq -c | sort -rn
grep -i todo -A1 -B1 README.md
grep -rno 'a [+-] b' src
### editing with sed
sed -i 's/hello/goodbye/' src/main.rs && cat src/main.rs
sed -i -e '1i // head' -e '$a // foot' src/lib.rs; cat src/lib.rs
sed -i.bak '/TODO/d' README.md; diff README.md.bak README.md
sed -E 's/([a-z]+)=([0-9]+)/\2=\1/' <<< "abc=123"
sed -n '/fn add/,/^}/p' src/lib.rs
### writing with here documents
cat > new.txt <<'EOF'
line one $HOME
line two `x`
EOF
cat >> new.txt <<EOF
line three $((1+2))
EOF
cat new.txt
mkdir -p a/b/c && echo hi > a/b/c/d.txt && cat a/b/c/d.txt
tee copy.txt < new.txt > /dev/null; cmp new.txt copy.txt && echo same
### loops over files
for f in *.txt; do echo "$f: $(wc -l < "$f")"; done
for f in src/*.rs; do name=$(basename "$f" .rs); echo "${name^^}"; done
find . -name '*.txt' -print0 | sort -z | while IFS= read -r -d '' f; do echo "<$f>"; done
while read -r n; do echo $((n * 2)); done < numbers.txt
### renaming many
for f in *.txt; do mv "$f" "${f%.txt}.md"; done; ls
### tables
awk -F, 'NR>1 {sum+=$2; n++} END {printf "%.2f\n", sum/n}' data.csv
cut -d, -f1,3 data.csv | tail -n +2 | sort -t, -k2
awk -F, 'NR>1{c[$3]++} END{for (k in c) print k, c[k]}' data.csv | sort
column -t -s, data.csv
sort -t, -k2,2n data.csv | head -3
paste -d, words.txt numbers.txt | head -3
tr 'a-z' 'A-Z' < words.txt | sort | uniq -d
### JSON
jq -r '.items[].name' data.json
jq '.items | length' data.json
jq -c '.items[] | select(.id > 1)' data.json
jq '.items[0].name = "changed"' data.json > tmp.json && mv tmp.json data.json; cat data.json
### counting
sort words.txt | uniq -c | sort -k1,1nr -k2 | awk '{print $2 ": " $1}'
wc -w < README.md; wc -c numbers.txt; grep -o . <<< hello | sort | uniq -c | awk '{print $1 $2}'
### xargs
find . -name '*.rs' | sort | xargs wc -l | tail -1
printf '%s\n' a b c | xargs -I{} echo "item {}"
echo 1 2 3 4 | xargs -n2 echo
find . -name '*.txt' -print0 | sort -z | xargs -0 grep -l apple
### find and do
find . -name '*.bak' -delete; touch x.bak; find . -name '*.bak' -exec rm {} +; ls *.bak 2>/dev/null || echo none
find src -name '*.rs' -exec grep -l TODO {} \;
find . -maxdepth 1 -type f -name '*.*' | sort | sed 's|^\./||'
find . -type f -empty; find . -type l; find . -name deep -prune -o -name '*.rs' -print | sort
### a function library
log() { echo "[$(printf '%s' "$1" | tr a-z A-Z)] ${*:2}"; }
die() { log error "$@" >&2; exit 1; }
log info starting up
[ -f missing ] || log warn "no file"
(die "broken") 2>/dev/null; echo "status $?"
### set -euo pipefail
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp -r src "$tmp/"
(cd "$tmp/src" && ls)
grep -q nothing README.md && echo yes || echo no
count=$(grep -c fn src/lib.rs)
echo "count $count"
### checks before acting
if ! command -v git >/dev/null 2>&1; then :; fi
if grep -q "fn add" src/lib.rs; then echo "has add"; else echo "no add"; fi
[[ -d src && -r README.md ]] && echo ready
[ "$(cat numbers.txt | wc -l)" -eq 6 ] && echo six
test -e nothing || { echo "creating"; mkdir nothing; }
ls -d nothing
### strings
s="feature/add-login"; echo "${s#*/}" "${s%%/*}" "${s//-/_}"
version="1.2.3"; IFS=. read -r major minor patch <<< "$version"; echo "$major.$((minor+1)).0"
path=/usr/local/bin/tool.sh; echo "$(dirname $path) $(basename $path .sh) ${path##*.}"
printf '%-10s|%5d\n' name 42
echo "a,b,c" | tr , '\n' | tac | paste -sd, -
echo "hello world" | rev
seq 1 5 | paste -sd+ | bc
### diff and patch
cp src/lib.rs old.rs; sed -i 's/add/plus/' src/lib.rs
diff old.rs src/lib.rs; echo "status $?"
diff -u old.rs src/lib.rs | tail -n +3 > change.patch; cat change.patch
diff -q old.rs src/lib.rs
(echo "--- old.rs"; echo "+++ old.rs"; cat change.patch) | patch old.rs && cmp old.rs src/lib.rs && echo patched
### moving and removing
mkdir dest; cp README.md dest/; cp -r docs dest/; mv empty dest/nothing; rm -rf src/deep; ls -R dest | head -20; ls src
rm nosuch 2>/dev/null; echo $?; rm -f nosuch; echo $?; rmdir dest 2>/dev/null; echo $?
ln -s README.md l; readlink l; cat l | head -1; rm l
touch -d '2020-01-02 03:04:05' t; date -r t +%F
chmod +x noeol; [ -x noeol ] && echo executable; stat -c '%a %s' noeol
### encodings
echo -n hello | base64; echo aGVsbG8= | base64 -d; echo
printf abc | sha256sum; printf abc | md5sum; printf 'a\tb' | cat -A; printf 'ab' | xxd; printf 'ab' | od -c
### dates
date -u -d '2026-03-04 05:06:07' '+%Y/%m/%d %H:%M:%S %a %b %j %s'
date -u -d @0 +%FT%TZ; date -u -d '2026-01-31 +1 day' +%F; date -u -d '2026-03-01 -1 month' +%F
### archives
tar czf out.tar.gz src docs && tar tzf out.tar.gz | sort | head -4
mkdir x && tar xzf out.tar.gz -C x && ls x
gzip -k numbers.txt && zcat numbers.txt.gz | head -1; gunzip -c numbers.txt.gz | wc -l; rm -r out.tar.gz numbers.txt.gz
### a small program
primes() { local n=$1 i j; for ((i=2; i<=n; i++)); do for ((j=2; j*j<=i; j++)); do (( i % j )) || continue 2; done; echo -n "$i "; done; echo; }
primes 30
fib() { local a=0 b=1 i; for ((i=0; i<$1; i++)); do echo -n "$a "; ((b+=a, a=b-a)); done; echo; }
fib 10
declare -A seen; for w in $(cat words.txt); do ((seen[$w]++)); done; for w in "${!seen[@]}"; do echo "$w ${seen[$w]}"; done | sort
### markdown and reports
{ echo "# Report"; echo; for f in src/*.rs; do echo "- \`$f\`: $(wc -l < $f) lines"; done; } > REPORT.md; cat REPORT.md
### splitting and joining
split -l 2 words.txt part_; ls part_*; cat part_* | cmp - words.txt && echo whole
comm -12 <(sort -u words.txt) <(printf 'apple\nfig\nkiwi\n')
join -t, <(printf '1,a\n2,b\n') <(printf '1,x\n3,z\n')
### here strings and read loops
while IFS='=' read -r k v; do case $k in ''|\#*) continue;; esac; printf '%s -> %s\n' "$k" "$v"; done <<< $'# c\na=1\n\nb=2=3'
### options of a script
run() { local verbose=0 out=; while [ $# -gt 0 ]; do case "$1" in -v|--verbose) verbose=1; shift;; -o|--out) out=$2; shift 2;; --out=*) out=${1#*=}; shift;; --) shift; break;; -*) echo "unknown $1"; return 2;; *) break;; esac; done; echo "v=$verbose out=$out rest=$*"; }
run -v --out=x a b; run -o y c; run --bad; echo $?
### errors that scripts see
cat nosuch 2>&1; ls nosuch 2>&1; cd nosuch 2>&1; rm nosuch 2>&1; mkdir src 2>&1; cp nosuch x 2>&1; mv nosuch x 2>&1; echo $?
grep x nosuch 2>&1; head nosuch 2>&1; wc nosuch 2>&1; sort nosuch 2>&1; cat src 2>&1; rmdir src 2>&1
