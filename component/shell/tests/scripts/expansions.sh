### defaults
echo "${x:-d} ${x-e} ${y:=set} $y ${HOME:+alt} ${none:+no}|"
x=; echo "[${x:-d}] [${x-e}] [${x:+f}] [${x+g}]"
### lengths and parts
s=hello.world; echo ${#s} ${s:0:5} ${s:6} ${s: -5} ${s: -5:2} ${s:1:-1}
### prefixes and suffixes
p=/a/b/file.tar.gz
echo ${p##*/} ${p#*/} ${p%/*} ${p%%.*} ${p%.gz} ${p##*.}
### replacement
s="one two one"; echo "${s/one/1}" "${s//one/1}" "${s/#one/X}" "${s/%one/X}" "${s// /_}" "${s/two}"
x=a.b.c; echo ${x//./-} ${x//[a-b]/z}
### case
s="hello World"; echo "${s^}" "${s^^}" "${s,,}" "${s^^[o]}" "${s,}"
### indirection
a=b; b=value; echo ${!a}; OTHER=1; OTHERS=2; echo ${!OTHER*}
### positional
set -- a b c d e; echo $1 ${2} ${@:2:2} ${@: -1} ${#} $* "${*:2}"
set -- 1 2 3 4 5 6 7 8 9 10 11; echo $10 ${10} ${11}
### at
set -- "a b" c; printf '<%s>' "$@"; echo; printf '<%s>' $@; echo; printf '<%s>' "$*"; echo
printf '<%s>' "x$@y"; echo
set --; printf '<%s>' "$@" end; echo; printf '<%s>' "$*" end; echo
### splitting
x="a  b	c"; printf '<%s>' $x; echo; IFS=,; y="1,2,,3,"; printf '<%s>' $y; echo
IFS=': '; z=" a : b:c "; printf '<%s>' $z; echo
### quotes
echo 'single $x' "double \$x \" \\ \n" plain\ text $'tab\there\x41\u00e9'
echo "it's" 'say "hi"' "a"'b'"c"
### braces
echo {a,b,c} x{1,2}y {1..5} {5..1} {a..e} {1..10..3} {01..03} a{,b} {a,{b,c}} "{a,b}" {a} {a,b}{1,2}
echo {-2..2} {10..8} {z..x} pre{x}post {,}
### tilde
echo ~ ~/x "~" a~
x=~/y; echo $x
### globs
echo *.txt; echo src/*.rs; echo *.nothing; echo [a-d]*; echo ?ata.*; echo .h*; echo *
echo docs/*; for f in docs/*; do echo "[$f]"; done
shopt -s nullglob; echo *.none end; shopt -u nullglob
shopt -s globstar; echo **/*.rs; echo src/**; shopt -u globstar
shopt -s dotglob; echo *d*; shopt -u dotglob
echo "*.txt" '*.md'; x='*.txt'; echo $x "$x"
set -f; echo *.txt; set +f
echo */ ; echo src/deep/*/
### extended globs
shopt -s extglob
case foo.txt in *.@(txt|md)) echo yes;; esac
echo !(*.txt|*.md|src|docs)
x=aaab; echo ${x##+(a)} ${x/+(a)/-}
[[ abc == a?(x)bc ]] && echo opt
### commands
echo "$(echo a; echo b)" $(echo c; echo d) `echo e`
x=$(printf 'a\n\n\n'); echo "[$x]"
echo $(cat words.txt) "$(< numbers.txt)"
echo "$(echo "nested $(echo "deep")")"
echo `echo \`echo back\``
### arithmetic in text
i=3; echo "$((i*2))" a[$((i))] ${#i}
a=(1 2 3); echo ${a[i-1]} ${a[$((i-2))]} $((a[0]+a[1]))
### transformations
x="a b'c"; echo ${x@Q} ${x@U} ${x@u}
a=(1 "2 3"); echo "${a[@]@Q}"
### unset and set
x=1; unset x; echo "[${x-unset}]"
### errors
(echo ${x:?must be set}; echo never); echo $?
(: ${x?}); echo $?
### assignments
a=1 b=2; echo $a$b; c=$a$b; echo $c; d="$c "*; echo "$d"
x=a; x+=b; echo $x; declare -i n=5; n+=3; echo $n; n=2*4; echo $n
readonly r=1; (r=2; echo never); echo $?
### declare
declare -a arr=(x y); declare -p arr; declare -A m=([k]=v); declare -p m; declare -i i=3; declare -p i; x=1; declare -p x; export e=5; declare -p e
declare -u up=abc; echo $up; declare -l low=ABC; echo $low
### unicode
x=grüße; echo ${#x} ${x:2:2} ${x^^} ${x/ü/u}
### pathname in patterns
for f in ./*.md; do echo $f; done
### newline in variables
x=$'a\nb'; echo $x; echo "$x"; printf '%q\n' "$x"
### empty elements
a=("" x ""); echo ${#a[@]}; printf '<%s>' "${a[@]}"; echo; printf '<%s>' ${a[@]}; echo
e=(); echo ${#e[@]}; printf '<%s>' "${e[@]}"; echo
### quoted default
unset x; printf '<%s>' "${x:-a b}"; printf '<%s>' ${x:-a b}; printf '<%s>' ${x:-"a b"}; echo
printf '<%s>' "${x-"q r"}"; echo
