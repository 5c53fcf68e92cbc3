### printing
sed p words.txt; sed -n 2p words.txt; sed -n '$p' words.txt numbers.txt; sed -n '$=' log.txt; sed = numbers.txt
sed -n '2,4p;/fig/=' words.txt; sed -n -e 1p -e '3p' words.txt; sed '' noeol; sed p noeol; sed -n 'p;p' noeol words.txt
cat words.txt | sed 2q; sed -n '2{p;q}' words.txt; sed 5q3 numbers.txt; echo $?; sed Q5 words.txt; echo $?; sed 'q 3' words.txt; echo $?
### addresses
sed -n '2~3p;0~2p' words.txt; echo; sed -n '2,+2p' words.txt; echo; sed -n '2,~4p' words.txt; echo; sed -n '/fig/,/fig/p' words.txt
echo; sed -n '/APPLE/I,+1p' words.txt; sed -n '5,2p;/fig/,1p' words.txt; sed '0,/pear/d' words.txt; echo; sed '1,/pear/d' words.txt
sed -n '\,src,p;\%fig%p;/x/!p' words.txt; sed '2!d' words.txt; sed '2 ! d' words.txt; sed -n '$!p' words.txt; sed '1~0d;3~p' words.txt
sed -n '4,~4p;1,~1p' words.txt; sed -n '2,4!p;3,$p' words.txt; sed -n '/pear/,$p' words.txt; sed -n '2,/banana/{/apple/p}' words.txt; sed '1d;$d' numbers.txt
sed -n '2,3{N;N;p}' numbers.txt; sed -n '2,4{=;N}' words.txt; sed '2,1p;q 3' words.txt; sed -n '//p' words.txt; echo $?; sed -n '/ap/{//p;s//X/p}' words.txt
printf 'x\ny\n' | sed '/x/I,+1 ! p'; printf '1\n2\n3\n' | sed -n '/1/,/2/p;/3/,/4/p'; printf '1\n2\n3\n' | sed -n '2,~2p;3,~2p;1,~0p'
printf '2\n1\n2\n1\n' | sed -n '1,/1/p;0,/2/p' ; printf '%s\n' {1..10} | sed -n '2{p;n;n;p};/5/,/7/{=;/6/!p}' 
### substitution
sed 's/a/X/' words.txt; sed 's/a/X/g' words.txt; sed 's/a/X/2' words.txt; sed -n 's/a/X/2gp' words.txt; sed 's/A/x/Ig' words.txt
sed 's/\(.\)\(.\)/\2\1/' words.txt; sed -E 's/(.)(.)/\2\1/;s/^|$/"/g' words.txt; sed 's/[aeiou]/<&>/g;s/<a>/\&/' words.txt
echo /usr/local/bin | sed 's,/,::,g;s#::#/#;s|l\(o\)c|[\1]|'; echo hello | sed 's/l*/x/2;s/x*/-/g'; echo baaac | sed 's/a*/x/g'
echo abc | sed 's/b*/-/g'; echo abc | sed 's/b*/-/2'; echo abc | sed 's/x*$/-/g'; echo aaa | sed 's/a/b/3;s/a/c/4'
echo abcabc | sed 's/b/X/2g;s/a/Y/1p'; echo 'a.b*c' | sed 's/\./-/;s/*/+/;s/[.*]/_/'; echo 'foo bar' | sed 's/\(foo\) \(bar\)/\2 \1/'
echo aab | sed 's/\(a\)\1/[&]/;s/x\|b/Y/'; echo abc | sed 's/\(a\|ab\)\(c\|bcd\)*/[\1|\2]/'; echo abcd | sed -E 's/(a|ab)(c|bcd)?/[\1,\2]/'
echo 'one two' | sed -E 's/(^|[^a-z])t/\1T/;s/o?n?/<&>/'; echo 'a{1}' | sed 's/{1}/X/'; echo 'a{1}' | sed -E 's/a{1}/X/;s/\{/Y/'
echo 'a b' | sed 's/\s/_/;s/\w\+/[&]/g'; echo 'a b' | sed 's/\</</g;s/\>/>/g'; echo 'grüße' | sed 's/./x/3;s/ß/&&/;s/./-/g'
echo 'a^b$c' | sed 's/b$c/x/;s/\(^a\)/[\1]/;s/a^/y/'; echo 'x+y' | sed 's/x\+y/n/;s/x+y/m/'; printf 'a\n' | sed -e 's/\(b\)*/[\1]/g'
sed 's/,/\n/g;s/^\(.\)/\u\1/' data.csv; sed 's/.*/\U&/;s/^./\l&/' words.txt; sed -E 's/(\w+),/\u\1;/g' data.csv; sed 's/\t/ /g' tabs.txt; sed -n 's/TODO/DONE/w out.txt
1p' README.md
### case
echo 'hello world' | sed 's/\(h\)\(x*\)\(e\)/\u\2\1\U\3\E-\u\2\2z\l\1/'; echo 'hello wORLD' | sed -E 's/(\w+) (\w+)/\u\L\2\E \U\l\1/'
echo 'foo bar' | sed -E 's/(\w+) (\w+)/\L\u\2x\E\uy/'; echo 'straße ü' | sed 's/.*/\U&/'; echo 'ÄÖ' | sed 's/.*/\L&/;s/ö/\u&/'
echo 'the quick fox' | sed 's/\b\(.\)/\u\1/g'; echo 'foo_bar_baz' | sed -E 's/_(.)/\U\1/g;s/.*/\u\L&/;s/.*/\l\u&/;s/.*/\l\E&/'; echo FooBar | sed -E 's/([A-Z])/_\l\1/g;s/^_//'
### escapes
printf 'a\tb\n' | sed 's/[\t]/T/;s/[\n]/N/'; printf 'a\tb\n' | sed -E 's/\t/T/;s/\x61/Q/'; printf 'a]b\\\n' | sed 's/[\]]/T/g'
echo a | sed 's/a/\d065\o102\x43\cA\a\f\v\r\q\./'; echo ab | sed 's&b&x\&y&'; echo 'a^b' | sed 's/a\x5eb/x\x26y/'; echo 'a.b axb' | sed 's/a\x2eb/_/g'
echo ab | sed 's/a/x\
y/'; echo 'a+b aab' | sed 's+a\+b+X+g'; echo 'a|b aab' | sed 's|a\|b|X|g'; echo 'a|b aab' | sed -E 's|a\|b|X|g'; echo 'a.b aab' | sed 's.a\.b.X.g'
echo a.b | sed 's/a\.b/\//;s,/,\,,'; echo aXb | sed '\,X,s,X,\n,'; echo 'a/b' | sed 's/\//\\\//g;s#\\/#/#'; echo a | sed 's\a\b\'; echo a | sed '\\a\p'
echo 'a/b' | sed 's/[/]/x/'; echo $?; echo 'x1' | sed 's/\d49/Q/'; echo 'a b' | sed 's/ /\n/;s/\n/\\n/'; echo 'a[b' | sed 's/[[]/x/;s/[^[:alpha:]]/y/'; echo 'a]b' | sed 's/[]]/x/;s/[^]a]/y/'
### brackets
echo 'a/b' | sed 's/[/]/x/'; echo 'a/]b' | sed 's/[]/]/x/g'; echo 'a/b' | sed '/[/]/d'; echo 'a/b' | sed -n '/[a/]b/p'; echo 'a,b' | sed 's,[,],x,'; echo 'a/b' | sed 's/[[:alpha:]/]/x/g'; echo 'a/[b' | sed 's/[/[]/x/g'
echo ab | sed 's/[b/x/'; echo $?; echo 'ab[' | sed 's/a/[/'; echo 'a\/b' | sed 's/[\/]/x/g'; echo 'a\nb' | sed 's,[\,n],x,g'; echo 'a/b' | sed 's/[^]/]/x/g'; echo 'a/b]' | sed 's/[\]/]/x/g'; echo $?; echo 'a.b' | sed 's|[[.|.]]|x|g'
for x in 5e 5d 2d 5b 5c; do echo 'a^]-[b' | sed "s/[\x$x]/_/g"; echo 'a^]-[b' | sed "s/[a\x$x]/_/g"; done; for x in 2e 2a 5d 24 2b 3f; do echo 'axb aab ab aaab a.b a$b a*b' | sed "s/a\x${x}b/_/g"; echo 'axb aab ab' | sed -E "s/a\x${x}b/_/g"; done
### y
echo 'hello' | sed 'y/helo/HELO/'; echo ab | sed 'y/ab/\n\t/'; echo ab | sed 'y/ab/\q\\/'; echo 'a/b' | sed 'y/\//x/'; echo ab | sed 'y,ab,\,x,'
echo 'äöü' | sed 'y/äöü/aou/'; echo aou | sed 'y/aou/äöü/'; echo abc | sed 'y/abc/\x41\o102\//'; echo x | sed 'y/a/bc/'; echo $?; echo 'a;b}c' | sed '{s/a/x/;y/b/z/}'
### a i c
sed '1i first' words.txt; sed '$a last' noeol; sed '2c changed' numbers.txt; sed '2,4c\
changed' numbers.txt; sed '/fig/a\
  after\
and more' words.txt; sed -e '1i\' -e '  x' numbers.txt; sed -e '$!{1a foo' -e '}' numbers.txt; sed '2,4!c foo' numbers.txt
echo a | sed 'a foo\tbar\\x\qz'; echo a | sed 'a\ttext'; echo a | sed 'a\  text\
  more'; echo a | sed 'a  text  '; echo a | sed 'a\'; echo a | sed 'a \  foo'; echo a | sed 'a\\tfoo'; echo a | sed '1i a\nb'; echo a | sed '1i\n\nb'
printf 'x\ny\n' | sed 'a
p'; printf 'x\ny\n' | sed 'a\
'; echo x | sed '1i\
\  foo\
bar\\n'; sed '$!N;2,4c foo' numbers.txt; sed '$!{2,3c foo
}' numbers.txt; sed '/2/,/zzz/c foo' numbers.txt; sed '2{s/9/x\ny/;c foo
}' numbers.txt; echo a | sed a; echo $?; echo a | sed '1{a foo}'; echo $?; printf 'x' | sed 'p;i foo'; sed 'a a
i i
r noeol
$!N' numbers.txt; sed '1i    indented' numbers.txt | sed 1q
### hold
sed G words.txt; sed -n '1!G;h;$p' words.txt; sed '1!G;h;$!d' words.txt; sed 'x;p;x' numbers.txt; sed -n 'H;${x;s/\n/,/g;p}' words.txt; sed -n 'H;${g;p}' noeol; sed 'x;${x;G}' numbers.txt
printf 'x' | sed G; printf 'x\ny' | sed -n 'H;${x;p}'; printf x | sed 'x;p;x'; printf x | sed '$!d;h;x'; printf 'x\ny' | sed -n '1h;2{g;p}'; printf 'x\ny' | sed =; sed 'z;s/^$/E/' numbers.txt
### next
sed 'n;d' words.txt; sed 'N;s/\n/+/' words.txt; sed '$!N;P;D' words.txt; sed 'N;N;s/\n/,/g' numbers.txt; sed -n '$!{n};p' numbers.txt; sed -n 'n;p' words.txt; sed '$!N;/^\(.*\)\n\1$/!P;D' words.txt
sed ':a;N;$!ba;s/\n/ /g' words.txt; sed -e :a -e '$!N;s/\n2/ two/;ta' -e 'P;D' numbers.txt; sed 'a foo
n' numbers.txt; sed 'a foo
N' numbers.txt; sed --posix 'N;N;N;N;s/^/Q/' numbers.txt; sed --posix 'n;n;n;n;n;n;s/^/Q/' words.txt; sed -n '/ERROR/{n;p}' log.txt; sed '2{h;d};4G' numbers.txt; sed '$!d' words.txt
sed -n 'x;n;G;l' numbers.txt; sed '/^$/N;/\n$/D' README.md; sed 'N;P;D' noeol; sed 's/o/\n/;P;D' words.txt; sed 's/a/&\
/;P;D' words.txt
### jumps
printf 'a\nb\n' | sed -n 's/a/x/;n;tq;p;b;:q;s/^/T/p'; printf 'a\nb\n' | sed -n 's/a/x/;N;tq;p;b;:q;s/^/T/p'; echo aaa | sed ':a;s/a/b/;ta'; echo aaa | sed ':a s/a/b/;ta'; echo 1234567 | sed -E ':a;s/^([0-9]+)([0-9]{3})/\1,\2/;ta'
echo ab | sed -n '/a/{bend};p;:end'; echo ab | sed '{:a}'; echo ab | sed ':a b;p'; echo ab | sed ': a;p'; echo ab | sed 's/x/y/;T;s/a/z/'; echo ab | sed 's/a/y/;Tq;s/b/z/;:q'; echo ab | sed 'b x'; echo $?; echo x | sed 'bend
s/x/y/
: end
s/$/!/'
### options
sed -n -E -e 's/(p)+/<\1>/p' words.txt; sed -ne '/fig/p' words.txt; sed --quiet --expression=2p words.txt; sed -r 's/(a)(p)/\2\1/' words.txt; sed -s -n '$=;F' words.txt numbers.txt; sed -n '$=' words.txt numbers.txt
sed -s '1i ---' words.txt numbers.txt; sed -s 'N;s/\n/-/' words.txt numbers.txt; sed -s 'x;$G' words.txt numbers.txt; sed -s 'R noeol' words.txt numbers.txt; sed -s 's/^/x/' noeol numbers.txt; sed -s -n '2,$p' words.txt numbers.txt; sed -u 1d numbers.txt
printf 'a\0b\0' | sed -z 's/^/x/;$!d;=;a foo' | cat -A; printf 'a\0b' | sed -z 'l;i\
x' | cat -A; sed -z 's/\n/,/g' words.txt; sed -z 's/^/X/mg' numbers.txt; sed -z 's/$/X/g' numbers.txt; printf 's/a/b/\n# comment\n1d\n' > s.sed; sed -f s.sed words.txt; sed -n -f s.sed -e p words.txt; printf '#n\n2p\n' > n.sed; sed -f n.sed words.txt; sed '#n
p' numbers.txt; sed '#np' numbers.txt; sed '# n' numbers.txt; sed -e p -e '#n' noeol; printf '#nfoo\np\n' > c.sed; sed -f c.sed noeol; sed -e '#n' -e p numbers.txt; echo p | sed -n -f - words.txt | sed 1q; sed -f s.sed -- words.txt; sed p -n words.txt
sed --version | sed 1q; sed > /dev/null; echo $?; sed --nope p words.txt; echo $?; sed -f nofile words.txt; echo $?; sed p nofile words.txt; echo $?; sed p src; echo $?; sed -n '$p' words.txt nofile; sed --help > /dev/null; echo $?; sed -n p - < noeol
### in place
sed -i s/a/X/ words.txt numbers.txt; sed -i.bak '1d' log.txt; sed -i'old_*' 2d tabs.txt; sed -i -e '$a foo' noeol; sed -i -n '/9/p' README.md; sed -i 2q src/main.rs src/lib.rs; sed -i 2Q data.csv; echo $?
sed -i s/1/2/ link.md; sed -i p nofile numbers.txt; echo $?; sed -i p src words.txt; echo $?; sed -i p; echo $?; sed -n -i 'p;w /dev/stdout' data.json; sed -Ei 's/(g)(r)/\2\1/' docs/*.txt; sed -i '1i new' empty .hidden; sed --in-place=.orig 's/nothing/x/' src/deep/er/mod.rs
### in place with links and modes
sed -i.bak s/a/X/ words.txt; sed -i --follow-symlinks s/Project/P/ link.md; sed -i.bak s/things/T/ link.md; sed -i -s '1i a
$a b
N' numbers.txt log.txt; sed -i '1,2{w copy
d}' data.csv; sed -i 'x;$G' tabs.txt noeol
### files
sed 'r noeol' numbers.txt; sed '$r numbers.txt' words.txt; sed 'R words.txt' numbers.txt; sed 'R noeol' numbers.txt; sed 2rnofile numbers.txt; cat words.txt | sed 'r /dev/stdin' numbers.txt; sed -n 'w one
/2/w two
s/3/x/w /dev/stdout' numbers.txt; sed -n 'w o1
w o1' noeol; sed 'W /dev/stdout' numbers.txt; sed -n '/1/w /dev/stderr' numbers.txt 2>&1; sed 'w /nodir/x' numbers.txt; echo $?; sed 's/a/b/w out}' words.txt; sed -n 'N;W first' words.txt; sed '/fig/w figs' words.txt > /dev/null; sed 'w never' empty; sed '$r noeol
$a end' noeol; printf 'x\n' | sed 'r noeol
N'; sed '$s/2/x/;$r noeol' - numbers.txt < words.txt; cat words.txt | sed '1r /dev/stdin' numbers.txt
### l
printf 'a b\303\274c\001\\\t\n' | sed -n l; echo aaaaaaaaaaaaaaaaaaaaaaaa | sed -n 'l 10'; echo aaaa | sed -n 'l 1'; echo aaaaaaaaaaaaaaaaaaaaaaaa | sed -n -l 5 l; echo aaa | sed -n 'l 5;p'; echo aaaaaaaaaaa | sed -n 'l;l 5 ; p'; echo aaaaaa | sed -n -l 1 l; sed -n 'N;N;l' numbers.txt; printf 'a\033[0m\177\n' | sed -n l; printf '%s ' {1..40} | sed -n l; echo aaaaaaaaaaa | sed -n 'l 0;l 2'
### multiline
printf 'x\ny\n' | sed 'N;s/^y/Q/M;s/x$/R/M'; printf 'x\ny\n' | sed 'N;s/\`x/Q/M;s/y\'"'"'/R/M'; printf 'a\nb\n' | sed 'N;s/a.b/X/M'; printf 'a\nb\n' | sed 'N;s/a[^x]b/X/M'; printf 'a\nb\n' | sed 'N;s/a.b/X/'; printf 'a\nb\n' | sed 'N;s/^/> /mg;s/$/ </mg'; printf 'a\nb\n' | sed -n 'N;/^b/Mp;/a$/p'; printf 'a\nb\n' | sed 'N;s/a$/X/;s/a\n/Y/'; printf 'a\nb\n' | sed 'N;s/[^a]/-/g'
### mistakes
for s in 'k' 'pp' 's/a/b' '/a' 3 0p 0,2p '1,p' '1,2q' 's//x/' 's//x/I' '1!!p' 's/\(a/x/' 'p}' '{p' 's/a/b/gg' 's/a/b/0' 's/a/\1/' 'r' 's/a/b/w' 's/a/b/k' 's' 'y' '$!' '1,/x' 'q5x' 'p;}' '1:a' '1}' '{p;1}' '1#x' 'l x' '+1p' ':' 'v 9.2' '{p}p' 's/a/b/12p3' 's/a/b/pp' 'y/a/bc/' 's a b x'; do sed "$s" numbers.txt; echo "$s $?"; done
sed --posix 'a foo' numbers.txt; echo $?; sed --sandbox 'w x' numbers.txt; echo $?; sed 'v 4.2
p' numbers.txt; sed 's/a/b/;;p;' numbers.txt; sed '1,3 s/1/b/ ; # comment
 s/b/c/' numbers.txt; sed ' 1 , 3 { p ; p } ; }' numbers.txt; echo $?; sed '/1/,/2/ { p ; }' numbers.txt; sed -n '{p};p' numbers.txt; sed 's/1/b/ # foo' numbers.txt; sed 's/x/y/ ; p}' numbers.txt; echo $?
### streams
printf '%s\n' {1..9999} | sed 's/y/n/' | sed 2q; printf '%s\n' {1..9999} | sed 3q; printf '%s\n' {1..9999} | sed -n '2{p;q}'; (sed 1q; echo --; cat) < words.txt; printf '%s\n' {1..9999} | sed -n '$p'; printf '%s\n' {1..5} | sed '$d' | sed '1d'; printf 'a\nb' | while read -r x; do echo "$x" | sed 's/^/> /'; done; sed -n '1p' < words.txt; sed 's/x/y/' < /dev/null; sed p <<< hi; sed 's/a/b/' empty words.txt empty
### everyday
sed -e 's/^[ \t]*//' -e 's/[ \t]*$//' src/main.rs; sed '/^$/d' README.md; sed '/^#/d;/^$/d' README.md; sed -n '/fn main/,/^}/p' src/main.rs; sed 's/\([^,]*\),\([^,]*\),\(.*\)/\3 \1/' data.csv; sed -n 's/.*"name": "\([^"]*\)".*/\1/p' data.json; sed -E 's/^([0-9-]+) ([A-Z]+) (.*)$/\2: \3 (\1)/' log.txt
sed '1d;s/,.*//' data.csv; sed -n '/ERROR/s/.*ERROR //p' log.txt; sed 's/"/\\"/g' data.json; v=new; sed "s/TODO/$v/g" README.md; sed 's|src/|lib/|' <<< src/main.rs; sed "s/'/\"/g" <<< "it's"; sed '$!s/$/,/' words.txt; sed = words.txt | sed 'N;s/\n/\t/'; sed '/WARN/!s/2026/YYYY/' log.txt; sed -n '$!{h;d};H;x;p' numbers.txt; sed 's/^\(.\)\(.*\)$/\2\1/' words.txt; sed '/pub fn sub/,/^}/{s/a - b/b - a/;s/^/\/\/ /}' src/lib.rs; sed 's/[^[:alnum:]]\+/-/g;s/^-//' README.md; echo 'a  b   c' | sed 's/  */ /g'; sed -e '/fig/{' -e 's/f/F/' -e '}' words.txt
### loops end
printf 'a\n' | sed ':a;s/^\(.\{0,40\}\)$/\1x/;/x\{30\}/!ba'; printf '5\n' | sed ':a;p;s/5/4/;ta;s/4/3/;ta;d'; echo 'a,b,c' | sed ':a;s/,/\n/;P;D'; echo '((a)b)' | sed -E ':a;s/\(([^()]*)\)/\1/;ta'; printf 'a \\\nb\nc\n' | sed -e ':a' -e '/\\$/N; s/\\\n//; ta'; echo hello | sed '/\n/!G;s/\(.\)\(.*\n\)/&\2\1/;//D;s/.//'; printf '1\n\n\n2\n\n3\n' | sed '/^$/{N;/^\n$/D}'
### config files
printf 'host = old\n#port=1\n[a]\nx=1\n[b]\nx=1\n' > c.ini; sed -i 's/^host *=.*/host = new/; s/^#\(port\)=.*/\1=8080/' c.ini; sed -i '/^\[b\]/,/^\[/s/x=1/x=2/' c.ini; sed -i "/^\[a\]/a\\
added=yes" c.ini; cat c.ini; sed -n '/^\[a\]/,/^\[b\]/{/^\[/!p}' c.ini; sed -i.orig -e '/^#/d' -e 's/[[:space:]]*=[[:space:]]*/: /' c.ini; sed -i '$ d' c.ini; sed -i '/\[b\]/i # note' c.ini; sed -i -E '/^(host|port)/{s/: /=/;s/$/;/}' c.ini; sed -e '1{h;d}' -e '$G' c.ini
