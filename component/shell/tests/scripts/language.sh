### a list
echo one; echo two && echo three || echo four
false || echo five
! true; echo $?
### if
if [ -f README.md ]; then echo file; elif true; then echo no; else echo never; fi
if false; then :; fi; echo $?
if ! test -d src; then echo none; else echo there; fi
### for
for f in *.txt; do echo "$f"; done
for x in a b c; do [ $x = b ] && continue; echo $x; done
for ((i=0; i<3; i++)); do echo $i; done
for x; do echo never; done
### while and until
i=0
while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done
until [ $i -eq 0 ]; do i=$((i-1)); [ $i -eq 1 ] && break; done
echo $i
### case
for x in apple banana cherry 42 ""; do
  case "$x" in
    a*) echo "starts with a";;
    *an*) echo "has an";;
    [0-9]*) echo number;;
    "") echo empty;;
    *) echo other;;
  esac
done
case x in x) echo 1;& y) echo 2;; z) echo 3;; esac
case x in x) echo 1;;& ?) echo 2;; *) echo 3;; esac
### functions
greet() { local name=${1:-nobody}; echo "hello $name"; return 3; }
greet world; echo $?
greet; x=$(greet you); echo "$x $?"
function other { echo "$# $@"; }
other a "b c" d
fact() { if (( $1 <= 1 )); then echo 1; else echo $(( $1 * $(fact $(( $1 - 1 ))) )); fi; }
fact 6
### local variables
x=1
f() { local x=2; g; echo "f $x"; }
g() { echo "g $x"; x=3; }
f; echo $x
### pipelines
echo hi | cat | cat
printf '%s\n' b a c | while read -r l; do echo "[$l]"; done
set -o pipefail
false | true; echo $? "${PIPESTATUS[@]}"
true | false | true; echo "${PIPESTATUS[*]}"
### subshells
x=1; (x=2; cd src; echo $x $(pwd | cat | wc -c | cat >/dev/null)); echo $x
(exit 7); echo $?
### groups and redirections
{ echo a; echo b; } > out.txt
cat out.txt
echo c >> out.txt; cat < out.txt
{ echo err >&2; echo out; } 2>&1
{ echo err >&2; echo out; } 2>/dev/null
ls_missing 2>/dev/null; echo $?
echo x &> both.txt; cat both.txt
exec 3> three.txt; echo three >&3; exec 3>&-; cat three.txt
### here documents
cat <<EOF
name: $HOME
sum: $((1+2))
cmd: $(echo hi)
EOF
cat <<'EOF'
raw $HOME `x` \n
EOF
cat <<-EOF
	tabs go
	  away
	EOF
cat <<< "a string"
x=$(cat <<EOF
inner
EOF
)
echo "$x"
### read
echo "a b c d" | { read -r x y z; echo "$x|$y|$z"; }
while IFS=, read -r name age city; do echo "$city: $name"; done < data.csv
IFS=: read -ra parts <<< "one:two:three"; echo "${#parts[@]} ${parts[1]}"
printf 'no newline' | { read -r x; echo "$? $x"; }
### mapfile
mapfile -t lines < words.txt; echo "${#lines[@]} ${lines[0]} ${lines[-1]}"
### set -e
set -e
false || true
if false; then :; fi
! true
echo alive
false
echo dead
### set -e in a function
set -e
f() { false; echo "still in f"; }
f || echo "caught"
f && echo "also"
x=$(false) || echo "sub"
f
echo dead
### set -u
set -u
echo "${x:-default}"
echo $undefined
echo dead
### trap
trap 'echo bye $?' EXIT
echo hi
exit 3
### trap in a subshell
(trap 'echo inner' EXIT; echo body)
trap 'echo err' ERR
false
true
### double brackets
x=hello
[[ $x == h* ]] && echo prefix
[[ $x == "h*" ]] || echo literal
[[ $x =~ ^h(.)l ]] && echo "${BASH_REMATCH[0]} ${BASH_REMATCH[1]}"
[[ -f README.md && ! -d README.md ]] && echo file
[[ 10 -gt 9 ]] && echo greater
[[ a < b ]] && echo before
[[ -z "" && -n x ]] && echo strings
[[ ( a == b || c == c ) ]] && echo grouped
### test
[ 1 -eq 1 -a 2 -eq 2 ] && echo and
[ 1 -eq 2 -o 2 -eq 2 ] && echo or
test -n "" ; echo $?
[ "a" = "a" ]; echo $?
[ ! -e nothing ]; echo $?
[ -L link.md ] && echo link
[ -s empty ]; echo $?
### arithmetic
echo $((1+2*3)) $((2**10)) $((7/2)) $((-7%3)) $((1<<4)) $((5>3?1:0))
x=5; echo $((x++)) $x $((++x)) $((x--)) $x
((x+=10)); echo $x
echo $((0x1f)) $((010)) $((2#101)) $((16#ff))
(( 0 )); echo $?
let y=3*4; echo $y
a=b; b=7; echo $((a+1))
### arrays
a=(one two "three four")
echo ${#a[@]} "${a[2]}" "${a[@]:1}" "${!a[@]}"
a+=(five); a[10]=ten; echo "${!a[@]}"; echo "${a[-1]}"
unset 'a[1]'; echo "${a[@]}"
for x in "${a[@]}"; do echo "<$x>"; done
b=("${a[@]/o/0}"); echo "${b[@]}"
### associative arrays
declare -A m=([one]=1 [two]=2)
m[three]=3
for k in $(printf '%s\n' "${!m[@]}" | sort); do echo "$k=${m[$k]}"; done
echo ${#m[@]}
unset 'm[one]'; [[ -v m[one] ]] || echo gone
[[ -v m[two] ]] && echo there
### associative arrays in bash's order
declare -A m
for k in zeta alpha beta gamma delta x y z 1 2 3; do m[$k]=1; done
echo "${!m[@]}"
### namerefs
f() { local -n ref=$1; ref=changed; }
v=old; f v; echo $v
### break levels
for i in 1 2 3; do for j in a b c; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; done
### select of commands
command -v echo; type -t cd; type -t if; type -t nothing; command -v nothing || echo none
### getopts
f() { local OPTIND=1 o; while getopts "ab:c" o; do echo "$o ${OPTARG-}"; done; shift $((OPTIND-1)); echo "rest $*"; }
f -a -b val -c x y
f -bval z
f -ac -- -q
### printf
printf '%s-%d-%05.2f-%x-%c|%5s|%-5s|\n' str 42 3.14159 255 char ab cd
printf '%s\n' a b c
printf '%q\n' "a b" 'x$y' ""
printf '%b' 'tab\there\n'
printf -v out '%03d' 7; echo $out
printf '%s %s\n' one
printf '%d\n' "'A"
### echo
echo -n no newline; echo
echo -e 'a\tb\nc'
echo -E 'a\tb'
echo "-n"; echo -- x
### shift and set
set -- a b c d
shift; echo "$1 $#"; shift 2; echo "$@"
set -- "x y" z; for a in "$@"; do echo "[$a]"; done; echo "$*"
IFS=-; echo "$*"
### eval and source
eval 'x=5; echo $x'
echo 'y=from_file; echo "args $@"' > lib.sh
source ./lib.sh one two; echo $y
. ./lib.sh
### process substitution
diff_like() { while read -r a <&3 && read -r b <&4; do echo "$a/$b"; done 3< <(echo 1; echo 2) 4< <(echo x; echo y); }
diff_like
cat <(echo one) <(echo two)
while read -r l; do n=$((n+1)); done < <(printf 'a\nb\n'); echo $n
### not found
nosuchcommand; echo $?
./README.md; echo $?
./src; echo $?
### exit status of assignments
x=$(false); echo $?
x=$(exit 3) y=2; echo $? $y
### environment of one command
X=1 bash -c 'echo $X'; echo "[$X]"
export Y=2; bash -c 'echo $Y'
env Z=3 printenv Z
### errors of syntax
eval 'if true; then'; echo $?
eval 'echo )'; echo $?
### pipes end
yes | head -1
### a broken pipe ends whoever writes
while :; do echo y; done | head -2; echo "${PIPESTATUS[@]}"
(while :; do printf x; done; echo never) | head -c 3; echo; seq 100000 | head -1
### comments and lines
echo a # comment
echo b \
  c
# whole
true && # behind
echo d
### last pipe keeps
n=0; printf 'a\nb\n' | while read -r x; do n=$((n+1)); done; echo $n
shopt -s lastpipe; printf 'a\nb\n' | while read -r x; do n=$((n+1)); done; echo $n
### random things
echo ${RANDOM:+set} ${SECONDS} $BASH_SUBSHELL ${#PATH}
echo $LINENO
### time
time true 2>/dev/null
echo done
### scripts as files
printf '#!/bin/bash\necho "script $1"\nexit 4\n' > s.sh
chmod +x s.sh; ./s.sh arg; echo $?
bash s.sh other; echo $?
bash -c 'echo "$0 $1"' zero one
### what is only read is not run
printf 'echo ran; touch made\n' > s.sh
bash -n s.sh; echo "$?"
bash -n -c 'echo ran'; echo "$?"
bash -nc 'echo ran $(touch made)'; echo "$?"
bash -o noexec s.sh; echo "$?"
printf 'if true; then\n' > t.sh
bash -n t.sh 2> /dev/null; echo "$?"
bash -n < t.sh 2> /dev/null; echo "$?"
bash -c 'false; set -n; echo ran'; echo "$?"
bash -c 'set -n && echo ran || touch made'; echo "$?"
(set -n; echo ran); echo "$?"
### options of bash
bash -e -c 'false; echo ran'; echo "$?"
bash -ec 'false; echo ran'; echo "$?"
bash -u -c 'echo $nothing; echo ran' 2> /dev/null; echo "$?"
bash -o pipefail -c 'false | true'; echo "$?"
bash -euo pipefail -c 'false | true; echo ran'; echo "$?"
bash -c -e 'false; echo ran'; echo "$?"
bash -x -c 'echo "a b"' 2>&1
bash -xc 'x=1; [[ $x = 1 ]]; echo $x' 2>&1 | grep echo
bash -O nullglob -c 'echo no*where'; bash +O dotglob -c "shopt -q dotglob"; echo $?
bash +e -c 'false; echo ran'
printf 'case $- in *e*) echo on;; esac; false; echo ran\n' > s.sh; bash -e s.sh; echo "$?"
### what sleeps too long is ended
timeout 0.2 sleep 5; echo $?
timeout 5 sleep 0.1; echo $?
timeout 0.2 bash -c 'trap "echo end" EXIT; sleep 3; echo never'; echo $?
timeout 0.3 bash -c 'while :; do sleep 0.2; done; echo never'; echo $?
timeout 0.2 bash -c 'bash -c "sleep 3"; echo never'; echo $?
timeout -s KILL 0.2 sleep 3; echo $?
timeout --preserve-status 0.2 sleep 3; echo $?
timeout 0 sleep 0.1; echo $?
timeout 0.2 timeout 5 sleep 3; echo $?
timeout 5 timeout 0.2 sleep 3; echo $?
timeout 0.2 sleep 3 || echo failed
timeout 2 echo in time; timeout 1 false; echo $?
if timeout 0.1 sleep 2; then echo yes; else echo no $?; fi
### sleeping takes time
SECONDS=0; sleep 1.1; (( SECONDS >= 1 && SECONDS < 5 )) && echo one
SECONDS=10; sleep 1.1; (( SECONDS >= 11 && SECONDS < 15 )) && echo eleven
a=$(date +%s%N); sleep 0.3; b=$(date +%s%N); (( b - a >= 300000000 )) && echo later
{ sleep 0.2; echo second; } | { echo first; cat; }
(sleep 0.4; echo b >> out) | (sleep 0.2; echo a >> out); cat out
sleep x; echo $?; sleep; echo $?; sleep 0.1 0.1s; echo $?
### where a sourced file is
mkdir -p lib; printf 'DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\necho "${DIR##*/} $BASH_SOURCE $0 $LINENO ${FUNCNAME[0]-none} ${#BASH_SOURCE[@]}"\nf() {\n  echo "${BASH_SOURCE[0]} $LINENO ${FUNCNAME[*]} ${BASH_LINENO[*]} ${BASH_SOURCE[*]}"\n}\nf\n' > lib/a.sh
source lib/a.sh
. ./lib/a.sh
f
printf '#!/bin/bash\nset -eu\ncd "$(dirname "$0")"\n. ./lib/a.sh\necho "$0 ${BASH_SOURCE[0]} ${BASH_SOURCE[*]}"\nf\n[[ "${BASH_SOURCE[0]}" == "$0" ]] && echo main\n' > t.sh; chmod +x t.sh
./t.sh; bash t.sh; bash ./t.sh; "$PWD/t.sh" | sed "s|$PWD|.|"
printf '[[ "${BASH_SOURCE[0]}" == "$0" ]] && echo main || echo sourced\n' > u.sh; bash u.sh; . ./u.sh; bash -c '. ./u.sh'
echo "[${BASH_SOURCE[0]}] [${FUNCNAME[0]}] [${#BASH_SOURCE[@]}]"
g() { echo "[${BASH_SOURCE[0]}] [${FUNCNAME[*]}] [${BASH_LINENO[*]}]"; }; g
h() { g; }
h
### lines of scripts
echo $LINENO
f() {
  echo $LINENO
  echo $(echo $LINENO)
}
f
x=$LINENO; echo $x
eval 'echo $LINENO; echo $LINENO'
printf 'echo a\n\necho $LINENO\nf() {\n  echo $LINENO\n}\nf\necho $LINENO\nx=$LINENO\necho $x\nfor i in 1; do\n  echo $LINENO; done\nnosuch\n' > s.sh
bash s.sh 2>&1; . ./s.sh 2>&1; bash -c '. ./s.sh' 2>&1; echo $LINENO
bash < s.sh 2>&1
### lines in traps
trap 'echo "err $LINENO"' ERR
false
f() {
  echo in $LINENO
  false
  return 0
}
f
echo $LINENO
printf 'set -e\ntrap '\''echo "line $LINENO: $BASH_COMMAND failed"'\'' ERR\necho a\n\nls /nowhere 2>/dev/null\n' > s.sh
bash s.sh; echo $?
printf 'trap '\''echo "$? $LINENO $BASH_COMMAND"'\'' EXIT\necho a\n\ntest 1 = 2\n' > t.sh; bash t.sh; echo $?
### the command that runs
set -u; trap 'echo "failed: $BASH_COMMAND"' ERR
echo "$BASH_COMMAND"
false
grep -q nothing /dev/null
cat < /nowhere 2>/dev/null
f() { test a = b; true; }; f
x=1 y=2 false
bash -uc 'echo $BASH_COMMAND'
set -E; f; (false; true); x=$(false; true); g() { trap "echo own" ERR; false; }; g; false
trap 'echo "exit: $BASH_COMMAND"' EXIT; exit 3
### callers
f() { caller; caller 0; caller 1; echo $?; }
g() {
  f
}
g
caller; echo $?
printf 'f() {\n  caller; caller 0; caller 1; caller 2; echo $?\n}\ng() {\n  f\n}\ng\n' > s.sh
bash s.sh; . ./s.sh; bash -c '. ./s.sh'
die() { echo "$1 at line $(caller | cut -d" " -f1)"; }
die x
### exported functions
hello() { echo "hello $1"; }
export -f hello
bash -c 'hello a'
printf 'x\ny\n' | xargs -n1 bash -c 'hello "$0"'
printf 'x\n' | xargs -I{} bash -c 'hello {}'
find . -name words.txt -exec bash -c 'hello "$1"' _ {} \;
bash -c 'bash -c "hello b"'
printf 'hello c\n' > s.sh; bash s.sh
xargs hello < /dev/null 2> /dev/null; echo $?
echo d | xargs hello 2> /dev/null; echo $?
env bash -c 'hello e'; timeout 5 bash -c 'hello f'
export -nf hello; bash -c 'hello g' 2> /dev/null; echo $?
export -f nothing 2> /dev/null; echo $?
declare -fx hello; bash -c 'hello h'
other() { :; }; bash -c other 2> /dev/null; echo $?
### menus
printf '1\n\n2\nx\n9\n' > answers
select x in one "two words" three; do echo "[$x] [$REPLY]"; done < answers; echo "$?"
select x in a b c; do case $x in b) echo chosen; break;; *) echo "no: $REPLY";; esac; done 2>&1 < answers; echo "$?"
PS3='which? '; select x in $(seq 1 30); do echo $x; done 2>&1 <<< 12
select x in *.txt "a very long name that takes room" and others "of different" lengths to make columns of it all; do echo $x; break; done 2>&1 <<< 2
set -- p q; select x; do echo "$x"; break; done 2>/dev/null <<< 2
select x in; do echo never; done; echo "$?"
f() { select y in "$@"; do echo "$y"; return 4; done; }; echo 1 | f z 2>&1; if true; then select z in 1 2
do echo "$z"; break; done <<< 2 2>/dev/null; fi
echo select x in; select=1; echo $select
COLUMNS=30 ; select x in aa bb cc dd ee ff gg hh ii jj kk; do break; done 2>&1 <<< 1
set -- p q; for x in; do echo "$x"; done; for x in
do echo "$x"; done; for x; do echo "$x"; done; for x in ""; do echo "[$x]"; done
### lines of wrong scripts
exec 2>&1
printf 'true\n\nif true; then\n  ls )\nfi\n' > a.sh; bash a.sh; echo $?
printf 'true\nif true; then\n  ls\n' > b.sh; bash b.sh 2>&1 | head -1; bash -n b.sh; echo $?
printf 'true\n\nx="abc\n\necho\n' > c.sh; bash c.sh; echo $?
printf 'true\nfor x in a b\n  echo\ndone\n' > d.sh; bash d.sh; echo $?
printf 'true\n\nfi\n' > e.sh; bash e.sh; . ./e.sh; echo $?
printf 'f() {\n  echo a\n}}\n' > f.sh; bash f.sh
