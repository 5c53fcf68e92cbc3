### ls plain
ls; echo; ls -1 -a; echo; ls -A src docs; ls -r; ls -p; ls -F; ls -d src docs README.md
### ls operands
ls README.md src data.csv docs; ls missing README.md src; echo $?; ls missing; echo $?
ls -d; ls -d .; ls -d */; ls link.md; ls ""; echo $?; ls README.md/; echo $?; ls src/
### ls recursive
ls -R; ls -R src; ls -aR src; ls -R src/ docs; ls -Rd src
### ls sorts
ls -S; ls -Sr; ls -SR src; ls -X; ls -U README.md data.csv; ls --sort=size
touch -d '2020-01-01' words.txt; touch -d '2021-05-05 10:00' log.txt; touch -d '2019-01-01' src; touch -t 202201010000 data.csv
ls -t words.txt log.txt src/lib.rs data.csv -d src; ls -tr words.txt log.txt data.csv; ls -dtr --group-directories-first words.txt log.txt src docs
ls --group-directories-first; ls -r --group-directories-first
touch a10 a9 a1.tar.gz a1b v1.10 v1.9 v1.2; ls -v
### ls long
chmod +x words.txt; touch -d '2020-02-03 04:05:06' words.txt README.md
ls -l words.txt README.md | while read -r m l o g s rest; do echo "$m $s $rest"; done
ls -ld link.md | while read -r m l o g s a b c rest; do echo "$m $s $rest"; done
ls -l src | while read -r m l o g s a b c rest; do echo "$m $s $rest"; done
ls -lh src/lib.rs | while read -r m l o g s rest; do echo "$m $s"; done
ls -l --time-style=long-iso words.txt | while read -r m l o g s rest; do echo "$rest"; done
ls -l --time-style=+%Y words.txt | while read -r m l o g s rest; do echo "$rest"; done
ls -l --full-time words.txt | while read -r m l o g s rest; do echo "$rest"; done
ls -g words.txt | while read -r m l g s rest; do echo "$m $s $rest"; done
ls -lF link.md | while read -r m l o g s a b c rest; do echo "$rest"; done
truncate -s 1500000 big; truncate -s 1023 k; truncate -s 10240 ten; truncate -s 10241 more; ls -lh big k ten more | while read -r m l o g s rest; do echo "$s"; done
### ls links
ln -s src dirlink; ln -s nowhere dangling; ls dirlink; ls -d dirlink; ls -F dirlink; ls -p; ls -F; ls dangling; echo $?; ls -L dangling; echo $?
ls -L -F; ls dirlink/; ls -H -F dirlink
### ls options
ls -I '*.txt'; ls --ignore=d*; ls -Z9 2>/dev/null; echo $?; ls --nope 2>/dev/null; echo $?; ls --color=always >/dev/null; ls --color=auto docs; touch x~; ls -B; ls -N docs
### mkdir
mkdir a; echo $?; mkdir a; echo $?; mkdir b/c; echo $?; mkdir -p b/c/d; echo $?; mkdir -p b/c/d; echo $?
mkdir -pv x/y/z w/; mkdir -v q; mkdir -p README.md; echo $?; mkdir -p README.md/x; echo $?; mkdir; echo $?; mkdir -m 755 m; mkdir 'a b' ''; echo $?
mkdir -p -- -dash; mkdir -pv ./n/./m; mkdir -p "$PWD/abs/olute"
### rmdir
mkdir -p a/b/c d; rmdir d a; echo $?; rmdir -p a/b/c; echo $?; rmdir README.md; echo $?; rmdir src; echo $?; mkdir -p e/f; rmdir -v -p e/f; rmdir --ignore-fail-on-non-empty src; echo $?
rmdir missing; echo $?
### rm
rm README.md; echo $?; rm missing; echo $?; rm -f missing; echo $?; rm src; echo $?; rm -rf src; echo $?; rm -f; echo $?; rm; echo $?; rm -v words.txt link.md
rm -d docs; echo $?; mkdir e; rm -dv e; rm -r .; echo $?; rm -r ..; echo $?; rm -rf docs/ missing/; echo $?; rm -r data.csv empty
mkdir -p o/p; rm -rv o; rm noeol/; echo $?
### rm a link to a folder
ln -s src l; rm l; ls src; ln -s src l; rm -rf l; ls src
### cp files
cp README.md copy; cp README.md data.csv docs; cp -v README.md copy docs; cp missing x; echo $?; cp README.md src/; cp README.md nodir/; echo $?
cp README.md data.csv nodir; echo $?; cp README.md README.md; echo $?; cp; echo $?; cp README.md; echo $?; cp src x; echo $?; cp -T README.md docs; echo $?
chmod +x log.txt; cp log.txt l2; cp log.txt words.txt; cp -p log.txt numbers.txt; cp /dev/null empty2; cp /dev/null data.json; cp -t docs log.txt empty; cp docs/log.txt README.md src/deep
cp README.md /dev/stdout; cp README.md docs/README.md src; echo $?; cp -n data.csv copy; cat copy; echo hi | cp /dev/stdin piped
### cp folders
cp -r src new; cp -r src docs; cp -R src/. docs/flat; cp -r src/ again/; cp -r src README.md; echo $?; cp -r docs src; ls -R src new docs; cp -r missing x; echo $?
cp -rT src new2; cp -rT docs new2; ls -R new2; cp -rv docs/flat/deep out
### cp into itself
# How much GNU's cp has copied before it finds itself depends on the order of the folder on the disk.
cp -r src src/copy; echo $?; rm -r src/copy; cp -r src src; echo $?; rm -r src/src
### cp links
cp link.md l1; cp -r link.md l2; cp -P link.md l3; cp -d link.md l4; cp -a link.md l5; cp -rL link.md l6; mkdir d; ln -s ../src d/s; ln -s nowhere d/n; cp -r d d1; cp -a d d2; cp -rL d d3; echo $?
cp README.md d/n; echo $?; cp data.csv link.md; cat README.md; cp -P l3 words.txt; cp -r d/s e; cp -H d/s f; echo $?
cp --remove-destination numbers.txt l2
### cp times
touch -d '2020-01-01' README.md; cp -p README.md c1; cp -a src c2; stat -c %Y c1; touch -d '2030-01-01' c3; cp -u README.md c3; wc_like=$(cat c3); echo "[$wc_like]"; cp -u data.csv README.md; cat README.md
cp --preserve=timestamps README.md c4; cp --parents src/deep/er/mod.rs docs; cp --parents -r src/deep d2; echo $?
### mv
mv README.md new.md; mv new.md docs; mv missing x; echo $?; mv docs/new.md .; mv src docs lib; echo $?; mkdir lib; mv src docs lib; ls -R lib; mv lib/src lib/src/x; echo $?; mv new.md new.md; echo $?
mv -v data.csv d2.csv; mv -n d2.csv words.txt; ls; mv numbers.txt words.txt; cat words.txt; mv lib words.txt; echo $?; mv words.txt lib; mv -t lib log.txt noeol; mv -T empty lib; echo $?; mv link.md l2; ls lib
mv l2 nodir/x; echo $?; mv; echo $?; mv l2; echo $?; mkdir -p a b/a; mv a b; echo $?; touch b/a/f; mkdir a; mv a b; echo $?; mv tabs.txt gone/; echo $?; mv lib renamed/; ls
mv d2.csv . ; echo $?; touch f1 f2; mkdir g; mv f1 f2 g; ls g; mv -u g/f1 g/f2; ls g
### mv links
ln -s src d; mv d e; ls -F; mv README.md e; ls src; mv e/README.md e2; mv link.md src; ls -F src
### ln
ln -s README.md a; ln -s README.md a; echo $?; ln -sf data.csv a; cat a; ln -s src d; ln -s README.md d; ls -F src; ln -sfn docs d; ls d; ln -s ../README.md docs; ln -sv ../data.csv docs/x; ln -s src/lib.rs; ln -s
echo $?; ln -sr src/lib.rs docs/rel; ln -srf docs rel2; ln -sT src docs; echo $?; ln -sf src/main.rs src/lib.rs -t docs; ln -s x nodir/y; echo $?; ln -snf README.md docs; ls -F docs; ln -sfT data.json a
ln -s "$PWD/src" abs; ln -sr abs/deep dd; ln -sr missing/x docs/mm; ln -s '' q; echo $?
### install
install -d a/b c; install README.md x; install -m 644 README.md y; install -m 755 log.txt words.txt docs; install -D README.md p/q/r; install -Dv data.csv u/v/w; install -v -m u=rw,go=r noeol z; install missing k; echo $?; install src k; echo $?
install /dev/null made; install -t docs data.csv; install -Dt new/dir data.csv; install -dv m/n m/n/o; install -m 600 README.md link.md; install; echo $?
### touch
touch a b 'c d'; touch README.md; cat README.md; touch -c none; touch nodir/x; echo $?; touch; echo $?; touch src; touch -d '2020-01-02 03:04:05' a; stat -c %Y a; touch -r a b; stat -c %Y b; touch -t 202012312359.30 b; stat -c '%Y %y' b
touch -d @86400 a; stat -c %Y a; touch -m -d 2021-01-01 a; stat -c %Y a; touch -d nonsense a; echo $?; touch -t 12 a; echo $?; touch -a a; stat -c %Y a; touch --date=2022-02-02T10:00:00Z a; stat -c %Y a; touch -t 7001010000 e; stat -c %Y e; touch -r a -d '1 day' e; stat -c %Y e
touch x/; echo $?; touch README.md/; echo $?; touch ''; echo $?; ln -s target dang; touch dang
### chmod
chmod +x README.md; chmod 755 data.csv log.txt; chmod 644 log.txt; chmod u+x words.txt; chmod -x README.md; chmod a=rx empty; chmod missing x; echo $?; chmod +x missing; echo $?; chmod; echo $?; chmod 755; echo $?; chmod zz README.md; echo $?
chmod -R +x src; chmod -R a-x,u+X docs; chmod -v 755 README.md; chmod -v 755 README.md; chmod -c 644 README.md; chmod -c 644 README.md; chmod +x,-x noeol; chmod u=rwx,go=rx tabs.txt; chmod go-x tabs.txt; chmod -f +x none; echo $?
chmod 0755 numbers.txt; chmod --reference=numbers.txt data.json; chmod -- -x data.csv; chmod -R 755 src; chmod +X link.md; stat -c %a numbers.txt data.csv; chmod u+x,g=u log.txt; chmod 888 log.txt; echo $?; chmod -v u+x noeol
### stat
stat -c '%n %s %F %a %A' README.md src/lib.rs empty link.md docs; stat -L -c '%n %s %F' link.md; stat -c %N link.md README.md; stat missing; echo $?; stat -c '%s' missing README.md; echo $?; stat; echo $?
stat --format=%s README.md; stat --printf='%n\t%s\n' README.md data.csv; stat --printf='%s' README.md; echo; stat -c '[%10s|%-10s|%010s|%5a|%%|%-12n]' README.md; touch -d '2020-01-01 00:00:00.5' README.md; stat -c '%y %Y %.3Y %.Y' README.md; stat -c %b empty README.md; stat -c '%f %h' README.md; stat -c 'a%' README.md
stat README.md | while read -r a b c; do case $a in File:|Size:|Modify:) echo "$a $b";; esac; done
stat link.md | { read -r l; echo "$l"; }; stat -c%s README.md; stat -c '%B %o' README.md; chmod +x README.md; stat -c '%a %A %04a' README.md; touch "it's" 'a"b'"'c"; stat -c %N it* a*c; stat -c %q README.md; echo $?
### du
du -s src; du -sh src; du -h docs; du -sb docs/ README.md 2>/dev/null; du -a docs | { while read -r s n; do echo "$n $s"; done; } ; du -d1 src; du -k README.md; du missing; echo $?; du -sc README.md data.csv; du empty; du -sh README.md src missing; echo $?
truncate -s 5000 t; du -b t; du --apparent-size t; rm t; echo hello > src/deep/x; du src; du -S src; du -s src src; du --max-depth=0 .  | { read -r s n; echo "$n"; }; du -b src/lib.rs; du -ah --apparent-size src/lib.rs; du --exclude='*.rs' src; du -sm src; du -as src; echo $?
### truncate
truncate -s 3 README.md; cat README.md; echo; truncate -s 10 new; stat -c %s new; truncate -s +5 new; stat -c %s new; truncate -s -3 new; stat -c %s new; truncate -s 1K new; stat -c %s new; truncate -s '<100' new; stat -c %s new; truncate -s '>200' new; stat -c %s new; truncate -s %64 new; stat -c %s new; truncate -s /100 new; stat -c %s new; truncate -s 0 data.csv; truncate -c -s 5 none; truncate README.md; echo $?; truncate -r README.md words.txt; cat words.txt; truncate -s x y; echo $?; truncate -s 1KB new; stat -c %s new; truncate -s 5 src; echo $?; truncate -s 5; echo $?
### file
file README.md empty src link.md noeol docs/*; file -b data.json; file -b src; file --mime-type README.md data.json empty src; file -i README.md docs/*; file missing; echo $?; printf '#!/bin/bash\necho\n' > s; printf '#!/usr/bin/env python3\nprint(1)\n' > p; printf '#!/bin/sh\necho\n' > h; file s p h
printf 'a\r\nb\r\n' > crlf; file crlf; printf '\0\1\2\3' > bin; file bin; printf '{"a": [1, true, null]}' > j; file j; printf '[abc]\n' > nj; file nj; printf '<!DOCTYPE html>\n<html></html>\n' > t.html; file -b t.html; printf '<?xml version="1.0"?>\n<a/>\n' > t.xml; file -b t.xml; file -L link.md; file data.csv; file -b --mime-encoding README.md
ln -s gone dang; file dang; printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\020\0\0\0\010\010\006\0\0\0' > i.png; file -b i.png; printf 'GIF89a\001\0\002\0' > i.gif; file -b i.gif; printf '%%PDF-1.4\n' > d.pdf; file -b --mime-type d.pdf; file - < README.md
### names with odd characters
mkdir -v "it's" 'a b' $'t\tb' 'q"q'"'" 2>&1; touch $'n\nl'; rm -v $'n\nl'; cp -v README.md $'x\n'; mv -v $'x\n' "y'z"; rm -rv "it's" 'a b'
### loops end
ln -s . loop; cp -rL src s2; ls -R loop >/dev/null; ls -LR >/dev/null 2>&1; echo $?; du -s loop | { read -r a b; echo $b; }; rm loop
### pipes
ls | while read -r f; do echo "$f"; done | cat -n; for f in $(ls *.txt); do echo "$f"; done; ls -1 | cat | { read -r x; echo $x; }
