### lines
sed -n '2,3p' log.txt; sed -n '$p' log.txt; sed '1d;$d' words.txt; sed -n '/ERROR/p' log.txt; sed -n '/fn add/,/^}/p' src/lib.rs; sed '2q' words.txt; sed -n '1~2p' numbers.txt; sed '2,3!d' words.txt
### substitution
sed 's/apple/APPLE/' words.txt; sed 's/\(a\)\(.\)/\2\1/g' words.txt; sed -E 's/([0-9]+)-([0-9]+)/\2-\1/' log.txt; sed 's/a/x/2' words.txt; sed 's|src/|lib/|' <<< src/main.rs; echo hello | sed 's/.*/[&]/'; echo a.b.c | sed 's/\./-/g'; echo Hello | sed 's/hello/x/I'; echo 'one two' | sed -E 's/(\w+) (\w+)/\u\1 \U\2/'
### in place
sed -i 's/hello/goodbye/' src/main.rs; sed -i.bak '/LATER/d' README.md; sed -i -e '1i // head' -e '$a // foot' src/lib.rs
### text
sed '1a after' words.txt; sed '2i\
before' words.txt; sed '/fig/c changed' words.txt; sed -n '$=' words.txt; sed '1!G;h;$!d' numbers.txt; sed = words.txt
### jumps and spaces
sed ':a;N;$!ba;s/\n/,/g' words.txt; sed -n 'H;${x;s/\n/+/g;p}' numbers.txt; sed 'N;P;D' words.txt; sed 'y/abc/xyz/' words.txt; sed -n 'l' tabs.txt; sed -s -n '1p' words.txt numbers.txt; sed 't;s/a/b/;t;s/e/f/' words.txt
### status and errors
sed 'k' words.txt 2>/dev/null; echo $?; sed p nosuch 2>/dev/null; echo $?; sed '2q5' words.txt; echo $?; sed -n '/x/w out' words.txt; cat out; sed 's/a/b' words.txt 2>/dev/null; echo $?
### the longest match
echo one | sed -E 's/o?n?(one)?/x/'; echo abcd | sed -E 's/(a|ab)(c|bcd)/[\1,\2]/'; echo xyz | sed -E 's/x*(xyz)?/-/'
