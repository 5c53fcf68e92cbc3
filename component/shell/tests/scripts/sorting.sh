### sort plain
sort words.txt; sort -r words.txt; sort -u words.txt; sort numbers.txt; sort noeol words.txt empty; sort < words.txt; cat words.txt | sort - numbers.txt
### sort numbers
sort -n numbers.txt; sort -nr numbers.txt; sort -rnu numbers.txt
printf '%s\n' 1.5 1.05 -3 -3.0 +4 0 -0 '' abc 007 ' 12' 1e3 .5 -.5 1000000000000000000000 999999999999999999999 | sort -n
printf '%s\n' 1.5 1e3 -1e-2 nan inf -inf abc 0x10 +4 '' 5 | sort -g
printf '%s\n' 1K 2M 3G 512 1k 0K -1K -2M 1.5K 1T 900K | sort -h
printf '%s\n' 1K 2M 3G 512 10 | sort -hr
### sort months and versions
printf '%s\n' Mar jan DEC foo Feb ' apr' | sort -M
printf '%s\n' v1.10 v1.9 v1.2 v1.2.1 v1.02 a10 a9 file-1.tar.gz file-1.0.tar.gz file-10.tar.gz .a . .. '' 1.0~rc1 1.0 1.0-1 a~ a b | sort -V
printf '%s\n' v1.10 v1.9 v2 | sort -rV | head -1
printf '%s\n' v1.10 v1.9 v2 | sort --version-sort; printf '3\n1\n' | sort --sort=numeric
### sort keys
sort -t, -k2 data.csv; sort -t, -k2,2n data.csv; sort -t , -k 3,3 -k 1,1r data.csv; sort -t, -k2nr -k1 data.csv
sort -k2 log.txt; sort -k2,2 -s log.txt; sort -k3 log.txt; sort -k2,2r -k1,1 log.txt
sort -k1.9,1.10 log.txt; sort -t- -k3.1,3.2nr log.txt; sort -k2.2 log.txt; sort -k2.3,2.3 log.txt; sort -k1,1 -u log.txt; sort -k9 words.txt
### sort blanks
printf '  b 2\n a  10\nc   3\n\tb 1\n' > f; sort f; sort -b f; sort -k2 f; sort -k2b f; sort -bk2 f; sort -k2n f; sort -k1b,1 f; sort -k1,1b -k2,2n f; sort -k2.1b,2.2b f; sort -n -k2 f
### sort cases
printf '%s\n' b A a B 'a-b' ab 'a b' _a Ab aB | tee f | sort -f; sort -d f; sort -df f; sort -fu f; sort -fs f; sort -i f; sort -fr f; sort -k1f f; sort -k1,1df f
### sort stable and unique with keys
printf 'a 2\nb 1\na 1\nb 2\na 2\n' > f; sort -k1,1 f; sort -s -k1,1 f; sort -u -k1,1 f; sort -r -k1,1 f; sort -rs -k1,1 f; sort -k1,1r f; sort -k1,1r -k2,2 f; sort -ru f
### sort output
sort -o words.txt words.txt; cat words.txt; sort words.txt -r -o out; cat out; sort -o sub/x words.txt; echo $?; sort -uo numbers.txt -n numbers.txt; cat numbers.txt
### sort checks
sort -c words.txt; echo $?; sort words.txt | sort -c; echo $?; sort -C words.txt; echo $?; sort -cu words.txt; sort -u words.txt | sort -cu; echo $?; sort --check=quiet words.txt; echo $?; sort -c --check=silent words.txt; echo $?; sort -nc numbers.txt; echo $?; sort -c words.txt numbers.txt; echo $?; sort -rc empty; echo $?
### sort merges
sort words.txt > a; sort data.csv > b; sort -m a b; sort -mu a a; sort -m words.txt numbers.txt; sort -mr words.txt a; sort -m a - < b
### sort zeros and separators
printf 'b\0a\nx\0c' | sort -z | tr '\0' '|'; echo; printf 'x\0b\ny\0a\n' | sort -t '\0' -k2; printf 'a\\b\nc\\a\n' | sort -t '\' -k2
### sort errors
sort nosuch; echo $?; sort src; echo $?; sort -k0 words.txt; echo $?; sort -k1.0 words.txt; echo $?; sort -kx words.txt; echo $?; sort -t ab words.txt; echo $?; sort -t '' words.txt; echo $?; sort -nM words.txt; echo $?; sort -Q words.txt; echo $?; sort words.txt nosuch; echo $?; sort -k1,0 words.txt; echo $?; sort -k1z words.txt; echo $?; sort -t, -t: words.txt; echo $?; sort -dn words.txt; echo $?; sort --sort=foo words.txt; echo $?; sort -k words.txt; echo $?
### sort ignored
sort -S 1M -T /tmp --parallel=4 words.txt; sort --reverse --unique --field-separator=, --key=2 data.csv
### sort random keeps groups
sort -R words.txt | uniq | wc -l; sort -R numbers.txt | sort -n
### the usual pipeline
sort words.txt | uniq -c | sort -rn; cut -d' ' -f2 log.txt | sort | uniq -c | sort -k1,1nr -k2 | head -2; tr -s ' ' '\n' < README.md | sort | uniq -c | sort -rn | head -3
for i in {1..3000}; do echo $((i * 7919 % 3001)); done | sort -n | tail -3
### uniq
uniq words.txt; sort words.txt | uniq -c; sort words.txt | uniq -d; sort words.txt | uniq -u; sort words.txt | uniq -du; sort words.txt | uniq -cd; sort words.txt | uniq -cu; uniq noeol; uniq empty; uniq nosuch; echo $?
### uniq all
sort words.txt > s; uniq -D s; uniq --all-repeated=separate s; uniq --all-repeated=prepend s; uniq --group s; uniq --group=both s; uniq --group=append s; uniq --group=prepend s; uniq -Du s; uniq -dD s; uniq --group empty; uniq --group=both empty; uniq -cD s; echo $?; uniq --group -c s; echo $?; uniq --group=foo s; echo $?
### uniq parts
printf 'a x\nb x\nB X\nc y\n' > f; uniq -f1 f; uniq -f 1 -i f; uniq -i f; uniq -s2 f; uniq -w1 f; uniq -f1 -c f; uniq -f 5 f; uniq -s 1 -w 1 f; uniq -f x f; echo $?; uniq -w0 f
printf 'a\0a\0b' | uniq -z | tr '\0' '|'; uniq words.txt out; cat out; uniq - < words.txt; uniq a b c; echo $?
### comm
sort -u words.txt > a; printf 'apple\ncherry\nfig\n' > b; comm a b; comm -12 a b; comm -23 a b; comm -13 a b; comm -3 a b; comm -1 a b; comm --output-delimiter=, a b; comm --total a b; comm -123 --total a b; comm a - < b; comm a nosuch; echo $?; comm a; echo $?; comm a empty; comm empty b; comm a a; comm --output-delimiter= a b | tr '\0' '|'
### comm disorder
comm words.txt numbers.txt; echo $?; comm --nocheck-order words.txt numbers.txt; echo $?; comm --check-order words.txt words.txt; echo $?; comm words.txt words.txt; echo $?; printf 'a\nc\nb\n' > x; printf 'a\nc\nb\nd\n' > y; comm x y; echo $?; comm x empty; echo $?; comm -z x y | tr '\0' '|'
### join
printf '1 a\n2 b\n3 c\n5 e\n' > x; printf '1 A x\n3 C y\n3 D z\n4 F w\n' > y; join x y; join -a1 x y; join -a2 x y; join -a1 -a2 x y; join -v1 x y; join -v 2 x y; join -v1 -v2 x y; join -o 1.2,2.2,0 x y; join -a1 -e - -o 0,1.2,2.2 x y; join -a1 -a2 -e NA -o auto x y; join -a1 -e NA x y; join - y < x; join x - < y; join x nosuch; echo $?; join x; echo $?; join -o 1.1 -o 2.3 x y; join -o '1.1 2.3' x y
### join fields
printf 'a,1\nb,2\nc,3\n' > x; printf '1,u\n2,v\n2,w\n' > y; join -t, -1 2 -2 1 x y; join -t , -1 2 -o 1.1,2.2 x y; join -t, -j 1 x x; join -t, -12 -21 x y; join -t '' x x; join -t ab x y; echo $?; join -1 0 x y; echo $?; join -1 1 -1 2 x y; echo $?; join -a 3 x y; echo $?; join -o 3.1 x y; echo $?; join -o x x y; echo $?
### split more
seq 12 > n; split -n 3 n; split -n l/4 n y; split -n r/5 n z; split -n 2/4 n; split -n l/2/4 n; split -n r/2/4 n; split -a 1 -l 1 n q; split -a 3 -x -l 6 n h; split --numeric-suffixes=5 -l 6 n s; split --additional-suffix=.txt -l 6 n t; seq 4 | split -l 2 - in; split --verbose -l 6 n v; split empty e; split -n 3 empty f; split -e -n 3 empty g; split -t 1 -l 2 n w
### csplit
seq 12 > n; csplit n 5; csplit n /5/ ; csplit -f p n 4 8; csplit -s n '/1/' '{2}'; csplit -z n /1/ '{*}'; csplit -n 3 n '/7/+1'; csplit -b '%03d.txt' n '/7/-1'; csplit -f q n '%4%' '/8/'; csplit - 3 < n; csplit -f r --suppress-matched n /5/; csplit -f s --suppress-matched n 3 '{2}'; csplit -f t n 2 /2/; csplit -f u n '/1/' 5 '{1}'; csplit -f w n 12
### they end with their reader
yes | sort -m 2>/dev/null < words.txt | head -1; yes | cut -c1 | head -1; yes | tr y n | head -2; yes | paste - - | head -1; yes | fold -w 1 | head -1; yes | expand | head -1; yes | unexpand | head -1
### sort in many ways
x=7; for i in {1..120}; do x=$(( (x * 1103515245 + 12345) % 2147483648 )); a=$((x / 7 % 5)); b=$((x / 64 % 30 - 9)); case $((x / 1024 % 6)) in 0) s=' ';; 1) s=$'\t';; 2) s='  ';; 3) s=,;; *) s=' ';; esac; case $((x / 4096 % 4)) in 0) w=Aa;; 1) w=aA;; 2) w=b-$a;; 3) w=B.$a;; esac; echo "$w$s$b.$a$s$((b * a))K x$i"; echo " $w$s$b"; done > f
for o in '' -n -r -b -f -d -i -g -h -V -M -df -bf -bn -k2 -k2n -k2,2n -k2nr -k1,1 '-k1,1 -s' '-k1,1f -s' '-k1.2,1.3 -s' '-k1.2b,2.1b' '-k2b,2n' '-k2,2b -k1r' '-t, -k2' '-t, -k2n' '-t. -k2,2' '-t. -k2.2,3.1r' '-u -k1,1' '-u -f -k1,1' '-u -n -k2' '-rk2,2' '-rk2,2n' '-s -r -k1,1' '-k3h' '-k3hr -k1V' '-k2V' '-k2g' '-bk2.2,2.3' '-k2.2b,2.3b -s' '-k9 -s' '-u -k9' '-k1d -s' '-k1i -s' '-k1,2 -k3' '-t : -k1.3' '-k1.99 -s' '-fV' '-k1,1df -s' '-ru -k2,2'; do echo "== $o"; sort $o f; done | cat > g; for o in -c -cu -cn -C; do sort $o g; echo $?; done
### sort version names
for a in '' . .. .a a a. a.b a.1 1 01 001 1.0 1.0.0 1.1 1.01 1a 1~ 1.0~ 1.0-rc1 1.0.tar 1.0.tar.gz 1.0.1.tar.gz 1.0a.tar a-1 a-01 a_1 a+1 'a 1' b12 b2 b012 v1 V1 .1 .b2 .b10 ~ ~a a~ é x.y.z x.1.z x.10.z; do echo "$a"; done | sort -V
### sort general numbers
printf '%s\n' 1e 1e+ 1e+2 0x1F 0xg ' 5' $'\t4' +3 -3 .5 . - + -. 1.2.3 infinity INF -INF NaN nanx 1e-400 '' a | sort -g; printf '%s\n' .5 -.5 0.50 -0 0 +1 - . -. 00.1 0.10 '1 2' 1,000 1000 -1,0 | sort -n; printf '%s\n' .5K 0.5K -0K 0M 1 1Y 1Z 1E 1P 1m 1KB 2Ki -1G -1 K M | sort -h; printf '%s\n' .5K 0.5M 1 1m -1G | sort -fh
### join more
printf 'k1 a b\nk2 c d\nk2 e f\nk4 g h\n' > x; printf 'k1 1\nk2 2\nk2 3\nk3 4\nk5\n' > y; for o in '' '-a 1' '-a 2' '-a 1 -a 2' '-v 1' '-v 2' '-o 0,1.3,2.2 -a1 -a2 -e X' '-o auto -e X -a 1 -a 2' '-1 1 -2 1 -o 2.1,1.1' '-j 2' '-j 2 -a1 -a2' '-1 2 -2 2 -a1' '-j 9' '-t k' '--header' '--check-order -j 3 -a 1'; do echo "== $o"; join $o x y; echo $?; join $o y x; echo $?; done; printf 'a:1:\nb::2\n' > p; join -t: -e E p p; join -t: -e E -o 0,1.2,1.3,1.4 p p; join -i p p
### column and split with stdin and dashes
printf 'a b\n' | column -t -; seq 3 | split -l 1 - z; seq 5 | split -n r/2 - y; cat za? ya?; printf 'a\nb' | split -l 1; cat xab; printf 'a,b,c\nd,e,f\n' | split -t , -l 2 - w; cat waa
### sort bytes
printf '\xff\n\x80\né\nz\na\x00b\na\n' | sort | od -An -c
### join headers, case and order
printf 'id name\n2 b\n3 c\n' > x; printf 'id age\n2 9\n4 8\n' > y; join --header x y; join --header -a1 -a2 -e- -o auto x y; printf 'A 1\nb 2\n' > p; printf 'a x\nB y\n' > q; join -i p q; join p q; echo $?; printf '2 b\n1 a\n3 c\n' > d; join d x; echo $?; join --nocheck-order d x; echo $?; join --check-order d d; echo $?; join d d; echo $?; join --header empty x; join empty x; join -a2 empty x; printf '  1  a \n2\tb\n' > s; join s s; join -o auto s s; join -z x y | od -c | head; join -a1 d empty; echo $?
### split
seq 12 > n; split -l 5 n; split -l 5 -d n num; split -3 n; rm -f *a? ; split -b 10 n b; split -b 1K n; split -C 6 n; ls
### split errors and growth
seq 12 > n; split -a1 -d -l 1 n q; echo $?; split nosuch; echo $?; split -l 0 n; echo $?; split -l x n; echo $?; split -n 5/4 n; echo $?; split -a 1 -n 30 n; echo $?; split -l 1 -b 1 n; echo $?; split n a b; echo $?; printf 'abcdefghij\nab\nc\nddddddd\nx\ny\n' | split -C 6 - k; seq 700 | split -l 1 - L; ls L* | tail -30 | tr '\n' ' '; seq 120 | split -d -l 1 - D; ls D* | tail -30 | tr '\n' ' '
### csplit errors
seq 12 > n; for p in '/x/' 20 13 0 '4 /5/-3' '/5/+20' '/5/ /5/' '/5/+2 /6/' '/3/-1 /3/' '5 3' '4 4' '%3% {1}' '3 {*}' '/1/-1' '/a' x '/5/x' '%x%' '%4%-9' '/2/ {x}'; do echo "== $p"; set -f; csplit n $p; echo $?; set +f; ls; rm -f xx*; done; csplit -k n 3 /x/; csplit nosuch 1; echo $?; csplit; echo $?; csplit n; echo $?
### shuf
shuf words.txt | sort; shuf -i 1-10 | sort -n; shuf -n 2 words.txt | wc -l; shuf -e c a b | sort; shuf -i 5-5; shuf -n 0 words.txt; shuf -r -n 5 -e x; shuf -o out words.txt; sort out; rm out; shuf -i 3-1; echo $?; shuf nosuch; echo $?; shuf -n x words.txt; echo $?; shuf -i 1-3 x; echo $?; seq 5 | shuf -z | wc -c; shuf -re a | head -2; shuf -ri 1-1 | head -2; shuf -i 1-1000000000000 -n 1 | wc -l; shuf empty; shuf -r empty; echo $?; shuf -i 2-1; echo $?; shuf a b; echo $?
