### plain
grep TODO README.md; echo $?; grep nothing README.md; echo $?
grep -n e words.txt; grep -c apple words.txt; grep -v apple words.txt; grep -vn apple words.txt; grep -vc apple words.txt
grep -i todo README.md src/main.rs; grep -h TODO README.md src/main.rs; grep -H TODO README.md
grep apple < words.txt; cat words.txt | grep -n fig; cat words.txt | grep -c .
### syntaxes
grep 'a\|f' words.txt; grep -E 'a|f' words.txt; grep -E '^(app|fig)' words.txt; grep -F 'a.*' words.txt; echo $?
grep '\(p\)\1' words.txt; grep -E '(p)\1' words.txt; grep -E '(.)\1' -o words.txt; egrep 'p{2}' words.txt; fgrep -x fig words.txt
grep -E 'a{1,2}p+' words.txt; grep 'a+' words.txt; grep 'p\+' words.txt; grep -n '^$' README.md
grep -c '^$' README.md; grep -vc '^$' README.md; grep -n '^' noeol; grep -c '' empty; echo $?
grep '[[:upper:]]' README.md; grep '[^a-z]' words.txt; echo $?; grep -E '\bfig\b|\<pear' words.txt; grep -w app words.txt; echo $?
grep -P '^\d{4}-\d\d' log.txt; grep -oP 'ERROR \K.*' log.txt; grep -oP '(?<=ERROR )\w+' log.txt; grep -oP '\w+(?= start)' log.txt
grep -oP '"name": "\K[^"]+' data.json
### bad patterns
grep 'a\(' words.txt 2>/dev/null; echo $?; grep -E 'a(' words.txt 2>/dev/null; echo $?; grep '[' words.txt 2>/dev/null; echo $?; grep -P '(' words.txt 2>/dev/null; echo $?
grep 2>/dev/null; echo $?; grep --nonsense x 2>/dev/null; echo $?; grep -A x y words.txt 2>/dev/null; echo $?
### several patterns
grep -e apple -e fig words.txt; grep 'apple
pear' words.txt; printf 'fig\nban\n' > pats; grep -f pats words.txt; grep -F -f pats -c words.txt; grep -f empty words.txt; echo $?; grep -vf empty words.txt
grep -oE -e a -e app words.txt; grep -oF -e a -e app words.txt; grep -o -e 'a.' -e 'p*' words.txt; grep -e '\(p\)\1' -e 'f' words.txt
printf 'fig\n' | grep -f - words.txt; grep -c -e '' words.txt; grep -e a.c -e 'e$' words.txt
### words and lines
printf 'foo bar\nfoobar\nfoo_bar\nbar-foo\nfoo\n' > w; grep -w foo w; grep -x foo w; grep -ow 'foo' w; grep -wE 'foo|foobar' w; grep -xE 'foo|bar-foo|foob' w; grep -wF foo w; grep -xF foo w; grep -vw foo w
grep -ow 'fo*' w; grep -xE 'fo+(bar)?' w; grep -w '\(o\)\1' w; echo $?; grep -x '\(f\)oo' w
### only
grep -o 'p' words.txt; grep -on 'p*' words.txt; grep -ob 'an' words.txt; grep -b fig words.txt; grep -o '[0-9]*' data.csv; grep -oH ',.*' data.csv; grep -ov x words.txt; echo $?; grep -oi 'LON' data.csv
grep -oE '[A-Za-z]+' data.csv | grep -c .; grep -oE '\w+$' log.txt; grep -o 'ü.' docs/*.txt
### lists
grep -l TODO README.md src/main.rs src/lib.rs; grep -L TODO README.md src/main.rs src/lib.rs; echo $?; grep -L TODO README.md; echo $?; grep -lv x README.md; grep -c TODO README.md src/*.rs; grep -lZ TODO README.md src/main.rs | cat -A; grep -cZ TODO README.md src/main.rs
grep -q TODO README.md && echo yes; grep -q nope README.md || echo no; grep -q TODO README.md nofile; echo $?; grep -q TODO nofile README.md 2>/dev/null; echo $?; grep -s TODO nofile; echo $?; grep TODO nofile README.md 2>/dev/null; echo $?
### context
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i; done > l
grep -A1 'line 3' l; grep -B2 'line 5' l; grep -C1 'line [39]' l; grep -n -C1 'line [39]' l; grep -1 'line [35]' l; grep -A1 -B0 'line [37]' l; grep -12 'line 6' l | grep -c .
grep -n -A1 ERROR log.txt; grep -H -n -B1 ERROR log.txt; grep -C1 TODO README.md src/main.rs; grep -c -A2 'line 1' l; grep -o -A1 'e [35]' l; grep -v -A1 'line [1-9]' l; grep -vn -B1 'line [1-9]$' l
cat l | grep -B2 -A1 'line [38]'; grep -m2 -A1 line l; grep -m1 -A3 'line [2345]' l; grep -bn -A1 'line 11' l
### max
grep -m1 a words.txt; grep -m 2 -n a words.txt; grep -m0 a words.txt; echo $?; grep -cm2 a words.txt; grep -m1 a words.txt data.csv
(grep -m1 fig; echo rest; cat) < words.txt; cat words.txt | while read l; do echo "$l" | grep -m1 a; done
while true; do echo y; done | grep -m3 y
### recursion
grep -r TODO . | sort; grep -r TODO | cat | sort; grep -rn TODO src | sort; grep -rl a src docs | sort; grep -rh TODO src | sort; grep -r TODO README.md | sort; grep -rc TODO src | sort
grep -r --include='*.rs' TODO . | sort; grep -rl --include='*.rs' --include='*.md' . .  | sort; grep -rl --exclude='*.txt' e docs src | sort; grep -rl --exclude-dir=deep . src | sort; grep -rL TODO src | sort; grep -R Project . --include='*.md' | sort; grep -rl Project . | sort
grep -r --exclude-dir=src --exclude-dir docs -l e . | sort; grep --include='*.md' TODO README.md src/main.rs | sort; grep -rl --exclude='*.rs' --include='main*' . src | sort; grep -rlw --include=\*.{rs,md} TODO . | sort; grep -rnE '(add|sub)\(' src/; grep -r nothing src// | sort
### folders
grep foo src 2>/dev/null; echo $?; grep TODO * 2>/dev/null; echo $?; grep -s TODO README.md src; echo $?; grep -d skip TODO * ; echo $?
### binary
printf 'foo\0bar foo\nx\n' > bin; grep foo bin 2>/dev/null; echo $?; grep -c foo bin; grep -o foo bin 2>/dev/null; grep -a foo bin | cat -A; grep -l foo bin; grep -I foo bin; echo $?; grep -q foo bin; echo $?; grep -v foo bin 2>/dev/null; echo $?; grep -rI foo .; grep --binary-files=text -c foo bin; grep -Ic x bin; grep -IL foo bin; grep -Lv zz bin
printf 'ok foo\nbad\377 foo\nok2 foo\n' > enc; grep foo enc 2>/dev/null; grep -c foo enc; grep -v zz enc 2>/dev/null; grep -o foo enc; grep -n 'd. foo' enc; echo $?; grep -a foo enc
### zero
printf 'a\nb\0c\0' > z; grep -z '^b' z; echo $?; grep -z 'a.b' z | cat -A; grep -zc . z; grep -zx c z | cat -A; grep -zo '[bc]' z | cat -A; grep -zP 'a\nb' z | cat -A; grep -zoP '(?s)a.b' z | cat -A
### other
grep --color fig words.txt; grep --line-buffered fig words.txt; grep -e fig -- words.txt; grep fig -n words.txt; grep -- -x words.txt; echo $?; grep --label=it -H fig < words.txt; grep -H fig - < words.txt; grep fig words.txt - < words.txt; grep -T 2>/dev/null; echo $?
grep -ie APPLE words.txt; grep -nie APPLE words.txt; grep --regexp=fig --count words.txt; grep --max-count=1 fig words.txt; grep --no-filename fig words.txt numbers.txt; grep --only-match fi words.txt
grep '\.' README.md; grep 'a\tb' tabs.txt; echo $?; grep -P '\t2' tabs.txt; grep $'\t2' tabs.txt; grep '*' README.md; echo $?; grep -E '*a' words.txt; grep 'a*b*' words.txt; grep '\s' data.csv; grep -c '\S' README.md; grep -E 'a|b|' words.txt | grep -c .
grep -c '^\s*$' README.md; grep -cE '^[[:space:]]*$' README.md; grep -nE '^[^a]*$' words.txt; grep -vE '^\s*(//|$)' src/main.rs; grep -c 'x*' words.txt
grep -i 'GRÜSSE\|GRÜßE' docs/*; grep 'gr.ße' docs/*; grep -E 'gr[üu]ße' -o docs/*; grep -P 'gr\wße' docs/*
ps=$(grep -oE '^[a-z]+' words.txt); echo $ps; [ "$(grep -c apple words.txt)" -eq 3 ] && echo three; if grep -q apple words.txt; then echo has; fi
echo abc | grep -o b; echo 'key=value' | grep -oP '^\w+(?==)'; echo 'v1.2.3' | grep -oE '[0-9]+(\.[0-9]+)*'; echo aXb | grep -iv x; echo $?
### colours
printf 'one two\nthree\ntwo one one\n\nx\n' > f; printf 'one\n' > g
grep --color=always one f; grep --color=always -n one f g; grep --color -c one f; grep --color=auto one f; grep --colour=always -o one f
grep --color=always -n -C1 two f; grep --color=always -A1 -m1 one f g; grep --color=always -v one f; grep --color=always -vn -C1 three f
grep --color=always -l one f g; grep --color=always -c one f g; grep --color=always -Zl one f | od -c; grep --color=always -b one f; grep --color=always -rn two .
grep --color=always '' g; grep --color=always -w one f; grep --color=always -on one f; grep --color=always -E 'x*' f; echo one | grep --color=always -H one
grep --color=never one f; grep --color=always -i ONE g; grep --color=always -x one g; grep --color=always -q one f; echo $?
