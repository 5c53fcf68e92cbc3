### head
head -2 words.txt; head -n 3 words.txt; head -n -5 words.txt; head -c 7 words.txt; head -c -30 words.txt; echo
head -n1 words.txt numbers.txt empty; head -q -n 1 words.txt numbers.txt; head -v -n1 noeol; head -n 1 src nope words.txt; echo $?
printf 'a\0b\0c' | head -z -n 2; head -c 1K README.md; head -n x words.txt; echo $?; head -n 0 words.txt; head -1q words.txt numbers.txt
### head leaves the rest
{ head -n 2; echo --; cat; } < words.txt
{ head -c 3; echo --; head -c 2; } < words.txt
yes | head -3; yes a b | head -n 2; seq 1 inf | head -2
yes | head -c 5; yes -x | head -1; echo "${PIPESTATUS[@]}"
### tail
tail -2 words.txt; tail -n 3 words.txt; tail -n +5 words.txt; tail +6 words.txt; tail -c 5 words.txt; tail -c +30 words.txt; tail -n 0 words.txt
tail -n1 words.txt noeol empty; tail -q -n 1 words.txt numbers.txt; tail -v -n1 noeol; tail -n 1 nope words.txt src; echo $?
seq 100 | tail -3; seq 10 | tail -n +9; printf 'a\nb' | tail -n 1; tail -5 words.txt numbers.txt; echo $?; tail -c 2 noeol; seq 10 | tail -n +0 | wc -l
tail -n -2 words.txt; tail -3c words.txt; tail -z -n 1 words.txt; printf 'a\0b\0' | tail -z -n1
### wc
wc words.txt; wc -l words.txt; wc -l < words.txt; wc < words.txt; cat words.txt | wc; wc *.txt; wc -lw words.txt numbers.txt; wc -c empty noeol; wc -m docs/ünï.txt; wc docs/*; wc -L *.txt
wc nope words.txt; echo $?; wc src; echo $?; printf 'a b\xff c\n\tx' | wc -lwmcL; echo 日本語 | wc -mL; wc -l src words.txt; wc </dev/null; wc -lw <<< "x y"
printf 'words.txt\0numbers.txt\0' | wc -l --files0-from=-; wc -l - words.txt < numbers.txt; printf 'a\001b \001 c\u00a0d\u2003e\n' | wc -w; wc -cl < words.txt; wc --lines --words words.txt
### nl
nl README.md; nl -ba README.md; nl -b a -w 3 -s ': ' -v 5 -i 10 README.md; nl -n ln words.txt; nl -n rz -w4 words.txt; nl -bp^a words.txt; nl -bn words.txt | cat -A
printf '\\:\\:\\:\nhead\n\\:\\:\nbody\n\nx\n\\:\nfoot\n\\:\\:\nagain\n' | nl -ha -fa; printf '\\:\\:\na\n\\:\\:\nb\n' | nl -p; printf '\n\n\n\na\n' | nl -ba -l2; nl noeol; nl -v -2 -n rz words.txt; nl nope; echo $?; nl words.txt numbers.txt
printf 'xy\nxyxy\na\n' | nl -dxy; nl -w 0 words.txt; echo $?
### tac and rev
tac words.txt; tac noeol words.txt; printf 'a,b,c' | tac -s,; echo; printf 'a,b,c,' | tac -s ,; echo; printf 'a,b,c' | tac -b -s,; echo; printf 'a1b22c3' | tac -r -s '[0-9]'; echo
printf 'a1b22c3d' | tac -r -s '[0-9][0-9]*'; echo; tac empty; tac nope; echo $?; printf 'xaay' | tac -s aa; echo; printf 'aaaa' | tac -s aa; echo; printf 'one1two22' | tac -b -r -s '[0-9]'; echo
rev words.txt; rev docs/ünï.txt; rev noeol; rev nope; echo $?; echo abc | rev; echo abc | rev -
### tee
echo one | tee a b; echo two | tee -a a; cat a b; echo x | tee >/dev/null c; echo y | tee src; echo $?; echo z | tee -; printf abc | tee d | wc -c; seq 3 | tee e | tail -1
echo p | tee nope/x q; echo $?; cat q
### seq
seq 3; seq 2 4; seq 5 -2 1; seq -2 1; seq 0 0.5 2; seq 1 .1 1.3; seq -w 8 11; seq -w -1 1; seq -w 0 .25 1; seq -s, 3; seq -s ' ' 1 3; seq 3 1; echo $?; seq -f %03g 3; seq -f 'a%.2fb' 1 2; seq -f '%g%%' 1 2; seq 1e1; seq 1.0 3; seq 1 1.5; seq 0.1 0.1 0.5
seq; echo $?; seq x; echo $?; seq 1 0 2; echo $?; seq -f %d 3; echo $?; seq 1 2 3 4; echo $?; seq -1; seq -5 -3; seq +2; seq 010; seq -w 010; seq -w 1 10.5; seq -w 1.5 3; seq 1 1e2 200; seq -w .5 2; seq -f %e 2; seq -f '%5.1f|' 9 10; seq -f '%-5g|' 2; seq -f '%+g' 2; seq 1000000 1000001; seq -f %g 1000000 1000001; seq -s '' 3; seq --separator=: 3; seq -ws: 9 10; seq -0.5 .5 .5; seq 100000000000000000000 100000000000000000001
seq -w 1e-1 1; seq 1e-1 .1 .3; seq 1.e0 2; seq 3. 4; seq -w 5. 10
### sleep and timeout
sleep 1; echo $?; sleep 0.01 0s; echo $?; sleep x; echo $?; sleep; echo $?; timeout 5 echo hi; timeout 5s sh -c 'exit 3'; echo $?; timeout -k 1 2 nosuch; echo $?; timeout x ls; echo $?; timeout 1; echo $?; echo in | timeout 1 cat; timeout --preserve-status -s KILL 5 true; echo $?; timeout -x 1 a; echo $?; f() { echo fn; }; timeout 1 f; echo $?
timeout 3 cd /; echo $?; timeout 2 timeout 3 echo deep; timeout 2 bash -c 'echo $0 $1' a b; timeout 2 cat nope; echo $?
### basename and dirname
basename /a/b.txt; basename /a/b.txt .txt; basename a/; basename /; basename //; basename ''; basename -a a/b c/d; basename -s .c a.c b.c; basename .txt .txt; basename -z a/b; echo; basename; echo $?; basename a b c; echo $?; basename a//b//; basename -- -x; basename a b -a
dirname /a/b; dirname a; dirname /; dirname a/b/ c; dirname ''; dirname a//b; dirname //a; dirname /a//; dirname -z a/b; echo; dirname; echo $?; dirname ../x; dirname .; dirname ///
### realpath
realpath .; realpath src/../README.md; realpath link.md; realpath -s link.md; realpath nope; echo $?; realpath nope/x; echo $?; realpath -e nope; echo $?; realpath -m nope/../x/y; realpath --relative-to=src README.md; realpath --relative-to=. src/deep docs; realpath --relative-to src src; realpath --relative-base=src src/lib.rs README.md; realpath / //; realpath -q nope/x; echo $?; realpath; echo $?; realpath ''; echo $?
realpath README.md/; echo $?; realpath -z .; echo; realpath -m README.md/x; realpath --relative-to=src --relative-base=. src/lib.rs docs; realpath src/
### readlink
readlink link.md; readlink README.md; echo $?; readlink nope; echo $?; readlink -f link.md; readlink -f nope; readlink -f nope/x; echo $?; readlink -e nope; echo $?; readlink -m a/b/../c; readlink -n link.md; echo; readlink -f . src/..; readlink -f README.md/x; echo $?; readlink; echo $?; readlink -z link.md; echo; readlink -nf link.md src
### xargs
echo a b c | xargs; printf 'a\nb\n' | xargs -n1 echo x; seq 5 | xargs -n 2; printf 'a b\nc\n' | xargs -I{} echo '[{}] {}'; printf '  a  \n\nb\n' | xargs -I % echo '[%]'; printf 'a\0b c\0' | xargs -0 -n1 echo; echo a,b,c | xargs -d, -n1; printf 'a b\nc d\n' | xargs -d '\n' -n1 echo
echo "'a b' \"c d\" e\\ f" | xargs -n1; printf 'a b \nc\nd\n' | xargs -L1 echo; printf 'a\nb\nc\n' | xargs -L 2; true | xargs; true | xargs -r; true | xargs echo none; true | xargs -I{} echo {}; printf 'a\nb\n' | xargs -n1 sh -c 'exit 3'; echo $?; printf 'a\nb\n' | xargs -n1 nosuch; echo $?; echo a | xargs sh -c 'exit 255'; echo $?; echo "a 'b" | xargs echo; echo $?
echo src/*.rs | xargs wc -l; echo in | xargs cat; printf 'a\nb\n' | xargs -I{} sh -c 'echo "$1!"' _ {}; seq 3 | xargs -I{} -P1 echo n{}; echo a b | xargs -n1 -I{} echo x{}; echo a b | xargs -I{} -n1 echo x{}; echo a b | xargs -I{} -n2 echo x{}; printf 'a\nEND\nb\n' | xargs -E END; xargs -a words.txt -n 3; echo '' | xargs echo x; printf "a ''\n" | xargs -n1 echo e; printf "''\n" | xargs -I{} echo '<{}>'
seq 30000 | xargs | wc; seq 30000 | xargs echo | while read -r a b; do echo $a; done; seq 60000 | xargs -n 1000 | wc -l; seq 30000 | xargs echo | head -c 1000; seq 10 | xargs -s 20; f() { echo fn; }; echo a | xargs f; echo $?; echo a | xargs cd; echo $?; echo a | xargs printf '%s-%s\n' x; xargs -n 0 </dev/null; echo $?; printf 'a\n b\nc' | xargs -l; echo README.md | xargs head -1; printf '%s\n' * | xargs -i echo {} >/dev/null; printf 'x\0\0y' | xargs -0 -I{} echo '<{}>'; printf 'a\tb' | xargs -d '\t' echo; echo hi | xargs -t echo; printf '%s\n' words.txt noeol | xargs cat; printf 'a\\\nb\n' | xargs -n1; echo a | xargs test -z; echo $?
echo 1 | xargs bash -c 'echo $0; cat'; printf 'a\nb\n' | xargs -I{} echo {}{} x{}y; yes | xargs -n1 | head -2; printf 'a b' | xargs -0; printf 'a\n\nb\n' | xargs -d '\n' -n1 echo .; echo 'a "b c"d' | xargs -n1; seq 4 | xargs -n1 -r -x echo -; seq 3 | while read i; do echo $i | xargs echo; done
### mktemp
f=$(mktemp) && [ -f "$f" ] && echo ok ${#f}; d=$(mktemp -d) && [ -d "$d" ] && echo ok; g=$(mktemp -u aXXXX.c) && echo ok ${#g}; [ "$f" != "$(mktemp)" ] && echo differs; mktemp fooXX; echo $?; mktemp -u nope/XXXX | wc -c; mktemp nope/XXXX; echo $?; h=$(mktemp -u -p src); case $h in src/tmp.??????????) echo yes;; esac; : > keep
case $(mktemp -t xXXXX) in /tmp/x????) echo t;; esac; case $(mktemp --suffix=.txt -u abcXXX) in abc???.txt) echo s;; esac; case $(TMPDIR=$PWD/docs mktemp -u) in $PWD/docs/tmp.*) echo env;; esac; case $(mktemp -u --tmpdir=src zXXXXX) in src/z?????) echo p;; esac; mktemp -q nope/XXX; echo $?; mktemp a b; echo $?; mktemp --suffix=a/b XXXX; echo $?; case $(mktemp -du) in /tmp/tmp.??????????) echo du;; esac
### bytes and ends
printf 'a\xffb\n' | head -c 2 | wc -c; printf 'x\n\xff\n' | tac | wc -c; printf 'a\xff\nb\n' | rev | wc -c; yes | xargs -n1 -x 2>/dev/null | head -1; yes | tee /dev/null | head -2; yes | tac -s nope nope; seq 3 | tee >(cat >/dev/null) | tail -1; head -n 1 <(seq 3) <(seq 5 6); cat words.txt | { read x; tail -n 2; }; wc -l <(seq 4) | head -c 2; echo; head -5c words.txt; echo; seq 5 | head -n -2 | tail -n 1
printf 'one\ntwo\n' > f; tail -n 1 f >> f; cat f; head -n -1 f | tee g | wc -l; nl -s' ' < f | rev | tac
### xargs more
printf 'a b\n\n c\n' | xargs -L1 echo :; printf 'a\nb \n' | xargs -L1 echo :; printf 'x y z' | xargs -n2 -t; printf 'p q\n' | xargs -I X -0 echo '[X]'; echo 'a\' | xargs echo; printf '"a b"c d\n' | xargs -I{} echo '<{}>'; echo x | xargs -I{} {} 2>/dev/null; echo $?; echo a | xargs -d ab; echo $?; echo a | xargs -q; echo $?; echo a | xargs -- echo -n; echo; printf 'a\0' | xargs --null -I{} echo {}; echo abc | xargs -s 5; echo $?; seq 3 | xargs -n1 sh -c 'echo $0; [ $0 != 2 ]'; echo $?; seq 3 | xargs -n1 sh -c 'echo $0; [ $0 != 2 ] || exit 255'; echo $?
seq 3 | xargs -P 0 -n3 echo; echo a | xargs -a nope echo; echo $?; printf 'a:b:c' | xargs -d: -L2 echo; printf ' \n \n' | xargs echo none; printf 'a\vb\n' | xargs -n1; x=1; export y=2; echo a | xargs sh -c 'echo $x-$y-$0'; echo a | xargs -I{} sh -c 'echo {} > {}.out'; echo a | xargs src 2>/dev/null; echo $?; echo a | xargs ./README.md; echo $?
### nl and wc more
nl -b pa.*e words.txt; nl -b 'p^$' README.md | head -3; nl -h x README.md; echo $?; nl -n zz README.md; echo $?; nl -i 0 numbers.txt; nl -i -1 numbers.txt; nl -w 1 -v 99 numbers.txt; nl -d '' words.txt | head -1; printf '\\:\\:\nx\n' | nl -d '+'; printf '+:+:\nx\n' | nl -d +; printf 'a\n\n\nb\n\n' | nl -b a -l 3; nl -s '' -w 2 numbers.txt
wc -c < src/lib.rs; wc README.md - < words.txt; wc empty; wc -w empty; wc -L docs/ünï.txt; printf '\t\tab\rabc\n' | wc -L; printf 'a\u00a0b\u2060c\n' | wc -wm; wc -m < docs/ünï.txt; wc -lc nope; echo $?; wc -x; echo $?; seq 1000 | wc; wc -l /dev/null; cat words.txt | wc -l - numbers.txt; wc -lL words.txt < words.txt
### which
which head cat; echo $?; which nosuch; echo $?; which nosuch cat; echo $?; which; echo $?; which cd; echo $?; which -a cat; which /bin/cat; which echo; f() { :; }; which f; echo $?; which ./src ./README.md; echo $?
### widths
printf '%*d|%-*s|\n' 5 3 6 ab; printf '%2000001d' 1 | wc -c; printf '%.3000000d' 1 | wc -c; printf '%-1500000s|' a | wc -c
printf '%070000d|' 5 | wc -c; printf '%.70000f|' 0.5 | md5sum; printf '%.70000e|' 0.25 | md5sum; printf '%070000.2f' 1.5 | wc -c; printf '%.2000g|%#.30g\n' 0.5 0.5
awk 'BEGIN { printf "%070000d|%.70000f|%.70000d", 1, 0.1, 2 }' | wc -c
printf '1\n' | nl -w 70000 | wc -c; printf '1\n' | nl -w 70000 -n rz | wc -c
### zones
D='2024-03-01 12:00 UTC'
for z in UTC UTC0 EST5 '<+03>-3' XYZ-5:30 GMT; do TZ=$z date -d "$D" '+%F %T %z %Z'; TZ=$z date -d '2024-03-01 08:00' +%s; done
TZ=EST5 date -u -d "$D" '+%T %Z'; TZ=EST5 date -d "$D"; TZ=EST5 date -d "$D" -Iseconds
### dates that are told by others
for d in '2024-03-01 - 1 day' '2024-03-01 + 2 days' '2024-03-01 -1 day' '2024-03-01 - 1 month' '2024-03-31 12:00 + 1 week' '2024-03-01 + 1 month - 1 day' '2024-03-01 3 days ago' '2024-03-01 next day' '2024-03-01 this week' '2024-03-01 last year' 'monday 2024-03-01' '2024-03-01 week'; do echo "$d: $(TZ=UTC date -d "$d" '+%F %T')"; done
for d in monday 'next monday' 'last friday' 'this sunday' sun 'next wednesday' tues 'next week' 'friday 10:00' 'next tuesday 09:30' 'last sunday + 2 days' 'sunday - 1 day'; do echo "$d: $(date -d "$d" '+%F')"; done
for d in 'monday' 'friday 10:00' 'next thu'; do date -d "$d" +%T; done
date -d nonsense 2>&1; date -d '2024-13-01' 2>&1; date x 2>&1; date -d 'mondayy' 2>&1; date -d 'next foo' 2>&1
### variables in templates
export NAME=Ada AGE=36; local=1
printf 'Hi $NAME, ${AGE} years. $local$nothing. $1 $$ ${NAME ${NAME:-x} $NAME_ $ {NAME}\n$NAME$AGE' | envsubst; echo "|"
printf '$NAME ${AGE}\n' | envsubst '$NAME'; printf '$NAME ${AGE}\n' | envsubst '${AGE} x'; printf '$NAME\n' | envsubst ''
envsubst -v 'a $NAME ${AGE} $b'; NAME=Bo envsubst <<< 'x $NAME'; printf '' | envsubst | wc -c
