### all
find | sort
find . | sort
find src docs | sort
find src/ src// | sort
find . -print0 | tr '\0' '\n' | sort
### names
find . -name '*.rs' | sort
find . -name 'main.rs'
find . -name 'm*.rs' | sort
find . -name '*o*' | sort
find . -name '[a-d]*' | sort
find . -name '?o*' | sort
find . -name '*.R?' ; echo $?
find . -iname '*.RS' | sort
find . -iname 'readme*'
find . -iname 'ÜNÏ.txt'
find . -name '.*' | sort
### names with quotes
find . -name '' ; find . -name '@(src|docs)'; find . -name 'a/b'
find . -name '\*' ; find . -name 'x\'; find . -name 'r\EADME.md'; find . -name 'R\EADME.md'
find docs -name 'a b.txt'
find src/ -name src; find . -name .; find .. -maxdepth 0 -name ..; find / -maxdepth 0 -name /
find . -name '*a*a*' | sort
find . -name '*.txt*.txt'
find . -name '[!a-z]*' | sort
find . -name '[[:upper:]]*' | sort
### paths
find . -path './src/*' | sort
find . -path '*er*' | sort
find . -wholename './docs/a b.txt'
find . -ipath './SRC/*.RS' | sort
find src -path src; find src -path 'src/' ; find src -path './src'
find . -path '*/deep/*' -name '*.rs'
### regular expressions
find . -regex '.*\.rs' | sort
find . -regex 'main.rs'; find . -regex '.*/main\.rs'
find . -regex '.*/\(main\|lib\)\.rs' | sort
find . -regex '.*/(main|lib)\.rs' | sort
find . -regex '.*/[a-m]+\.rs' | sort
find . -regex '.*/[a-z]*\.txt' | sort
find . -iregex '.*\.RS' | sort
### other regular expressions
find . -regextype posix-extended -regex '.*/(main|lib)\.(rs|txt)' | sort
find . -regextype posix-extended -regex '\./[a-z]{4,5}' | sort
find . -regextype egrep -regex '\./(src|docs)' | sort
find . -regextype posix-basic -regex '.*/[ml][a-z]\{2,3\}\.rs' | sort
find . -regextype sed -regex '\./.\{3\}' | sort
find . -regextype grep -regex '\./src\|\./docs' | sort
find . -regextype posix-extended -regex '.*/(.)\1.*' | sort
find . -regex './.\{3\}' ; find . -regex '.*[[:digit:]]'; find . -regex '\./.?oe?ol'
find . -regex '\./s\+rc'; find . -regex '\./^src'; find . -regex '[.]/[^]/x]*' | sort
find . -regex '\('; echo $?
find . -regextype nosuch; echo $?
### kinds
find . -type f | sort
find . -type d | sort
find . -type l
find . -type f,l -name '*.md' | sort
find . -type d,l | sort
find . -type b; find . -type c,p,s
find . -xtype f -name '*.md' | sort
find . -xtype l; ( cd docs; : ); find . -xtype d | sort
### wrong kinds
find . -type x; echo $?
find . -type f,; echo $?
find . -type ff; echo $?
find . -type f,f; echo $?
find . -type ''; echo $?
### depth
find . -maxdepth 1 | sort
find . -maxdepth 0
find . -mindepth 1 -maxdepth 1 -type d | sort
find . -mindepth 3 | sort
find . -mindepth 2 -maxdepth 2 -type f | sort
find src -depth | sort; find src -depth | tail -1; find src -depth -path 'src/deep*'
find src/deep -depth -name '*e*'
find src/deep -d
### wrong depths
find . -maxdepth x; echo $?
find . -maxdepth -1; echo $?
find . -maxdepth; echo $?
find . -name '*.rs' -maxdepth 2 | sort
### operators
find . -name '*.rs' -o -name '*.md' | sort
find . \( -name '*.rs' -o -name '*.md' \) -type f | sort
find . -type f ! -name '*.txt' | sort
find . -type f -not -name '*.txt' -not -name '.*' | sort
find . -name '*.rs' -a -name 'm*' | sort
find . -name '*.rs' -and -not -path '*/deep/*' | sort
find . -name lib.rs -or -name mod.rs | sort
find . ! ! -name main.rs
find . -name main.rs , -name lib.rs
find . -name main.rs -print , -name lib.rs -print
find . -false -o -name main.rs; find . -true -name main.rs
### operators in each other
find . \( ! -name '*.rs' -o -name m\*.rs \) -path './src/*' | sort
find . \( \( \( -name main.rs \) \) \)
find . -name main.rs -o -name lib.rs -a -false
find . -name main.rs -print -o -name lib.rs -print | sort
find . -name main.rs -o -name lib.rs -print
### wrong expressions
find . -foo; echo $?
find . --foo; echo $?
find . \( -name a; echo $?
find . -name a \); echo $?
find . !; echo $?
find . -name a -o; echo $?
find . -a -name a; echo $?
find . -o -name a; echo $?
find . \( \); echo $?
find . \( -name a -o \); echo $?
find . -name a , ; echo $?
find . -name; echo $?
### stray paths
find . -name a b; echo $?
find . -name '*.md' README.md link.md; echo $?
find -X; echo $?
find - ; echo $?
find ''; echo $?
find -- src -maxdepth 0; echo $?
### wrong values
find . -size x; find . -size 1x; find . -size; find . -size 5kk; echo $?
find . -mtime x; echo $?
find . -perm 9; find . -perm u; find . -perm +111; echo $?
find . -user nobody-of-this-name; echo $?
find . -group nosuchgroup; echo $?
find . -newer nosuch; find . -newermt 'what is this'; find . -newerxy src; echo $?
find . -samefile nosuch; echo $?
find . -links x; find . -inum x; find . -uid x; echo $?
### missing
find nosuch; echo $?
find nosuch src -maxdepth 0; echo $?
find src nosuch docs -maxdepth 0 2>&1; echo $?
find README.md/; echo $?
find nosuch/deep 2>/dev/null || echo failed
### sizes
find . -type f -size 0 | sort
find . -type f -size -1 | sort
find . -type f -size 1 | sort
find . -type f -size +50c | sort
find . -type f -size -20c | sort
find . -type f -size 7c
find . -type f -size +20w | sort
find . -type f -size 1k | wc -l
find . -type f -size -1k; find . -type f -size +1M; find . -type f -size -2G | wc -l
seq 10000 > big; find . -size +10k -type f; find . -size 96b; find . -size 48k; find . -size -49k -size +47k -type f
find . -type f -empty
### empty folders
mkdir() { for d; do : > "$d/.x" 2>/dev/null; done; }
find . -empty | sort
find . -type d -empty
find . -type f -empty -print | sort
### times
touch() { :; }
find . -type f -mtime -1 | sort | head -3
find . -type f -mtime 0 | wc -l
find . -type f -mtime +1; find . -mtime 1; find . -type f -mtime +0
find . -type f -mmin -60 | wc -l
find . -type f -mmin +5; find . -type f -mtime -0.5 | wc -l
find . -type f -newermt 2020-01-01 | wc -l
find . -type f -newermt '2020-01-01 12:00' ! -newermt '2021-01-01'
find . -type f -newermt '1 hour ago' | wc -l
find . -type f -newermt 'tomorrow'
find . -type f -newermt '@0' | wc -l
find . -type f -daystart -mtime -2 | wc -l
find . -atime +3; find . -ctime +3; find . -amin +100; find . -cmin +100
### newer
find . -type f -newer /etc/passwd | wc -l; find /etc/passwd -newer README.md; find /etc/passwd ! -newer README.md
find README.md -newer README.md; find README.md ! -newer README.md
find . -name '*.md' -type f -newermm /etc/passwd; find . -name main.rs -cnewer /etc/passwd; find . -name main.rs -anewer /etc/passwd
### permissions
find . -type f -perm 644 | wc -l
find . -type f -perm 755; find . -type d -perm 755 | wc -l
find . -type f -perm -u+r | wc -l
find . -type f -perm /111; find . -type f -perm /u+x,g+x
find . -type f -perm -600 | wc -l; find . -type f -perm -a=r -perm -u=w | wc -l
find . -type f -perm u=rw,go=r | wc -l; find . -type l -perm 777
find . -type f ! -perm -o+w | wc -l; find . -perm -g=u -type d | wc -l
find . -maxdepth 1 -perm a=rX -o -perm u=rwX,go=rX -type d | sort
find . -perm 0 ; find . -type f -perm -000 | wc -l; find . -type f -perm /000 | wc -l
find . -maxdepth 1 -executable | sort
find . -maxdepth 1 -type f -executable; find . -type f -readable | wc -l; find . -type f -writable | wc -l
### owners and numbers
find . -user root -name README.md; find . -user 0 -name README.md; find . -group root -name README.md
find . -uid 0 -name README.md; find . -uid +5; find . -gid -1 -name README.md; find . -nouser; find . -nogroup
find . -type f -links 1 | wc -l; find . -type f -links +1
find . -type d -links 2 | sort; find . -type d -links 3 | sort
find . -samefile README.md; find . -samefile link.md; find -L . -samefile README.md | sort
find . -inum 0; find . -inum "$(find README.md -printf %i)"
### prune
find . -name src -prune -o -print | sort
find . -path ./src -prune -o -type f -print | sort
find . \( -name src -o -name docs \) -prune -o -type f -print | sort
find . -type d -name '.?*' -prune -o -name '*.rs' -print | sort
find . -name src -prune
find . -depth -name src -prune
find . -mindepth 1 -type d -prune | sort
find src -name deep -prune -o -print0 | tr '\0' '\n' | sort
### quit
find . -name main.rs -print -quit
find . -name main.rs -quit
find . -quit; find . -print -quit
find src docs -type d -print -quit
find . -type f -name '*.rs' -path '*/deep/*' -print -quit | wc -l
[ -n "$(find . -name '*.md' -print -quit)" ] && echo some
[ -n "$(find . -name '*.nosuch' -print -quit)" ] || echo none
find src -maxdepth 0 -exec echo {} + -quit
### exec
find . -name '*.rs' -exec basename {} \; | sort
find src -name main.rs -exec cat {} \;
find src -name main.rs -exec echo one {} two{}two \;
find . -name '*.rs' -exec false \; ; echo $?
find . -name main.rs -exec true \; -print; find . -name main.rs -exec false \; -print
find . -name main.rs -exec false \; -o -name lib.rs -print
find . -type f -exec sh -c 'test $(wc -l < "$1") -gt 4' _ {} \; -print | sort
find docs -type f -exec wc -c {} \; | sort
find . -name main.rs -exec nosuchcommand {} \; ; echo $?
find . -name main.rs ! -exec nosuchcommand {} \; -print
find docs -type f -exec sh -c 'for f; do echo "<$f>"; done' sh {} \; | sort
find . -name README.md -exec sed -n '1p' {} \; -exec wc -l {} \;
find . -name main.rs -exec sh -c 'echo "$0"' {} ';'
find . -name main.rs -exec sh -c 'exit 3' \; ; echo $?
echo input | find . -name main.rs -exec cat \;
### exec with many
find . -name '*.rs' -exec echo {} + | tr ' ' '\n' | sort
find src -type f -exec cat {} + | sort
find docs -type f -exec sh -c 'for f; do echo "<$f>"; done' sh {} + | sort
find . -name '*.rs' -exec false {} + ; echo $?
find . -name nosuch -exec echo {} + ; echo $?
find . -name main.rs -exec nosuchcommand {} + ; echo $?
find . -name main.rs -exec echo a {} + -exec echo b {} +
find . -name main.rs -exec false {} + -print; echo $?
find . -name '*.txt' -exec wc -l {} + | sort
### wrong commands
find . -exec echo {}; echo $?
find . -exec echo {} {} +; echo $?
find . -exec echo {} x +; echo $?
find . -exec \;; echo $?
find . -exec; echo $?
find . -maxdepth 0 -exec echo + \; ; find . -maxdepth 0 -exec echo {} + x \;  ; echo $?
### exec in its folder
find . -name '*.rs' -execdir echo {} \; | sort
find . -name main.rs -execdir pwd \; | sed 's|.*/||'
find . -name main.rs -execdir cat {} \;
find . -maxdepth 0 -execdir echo {} \; ; find src -maxdepth 0 -execdir echo {} \; ; find src/ -maxdepth 0 -execdir echo {} \;
find src -type f -execdir echo {} + | sort
find src -name mod.rs -execdir sh -c 'echo $(basename "$PWD") "$1"; ls=1; echo new > made' _ {} \;
cat src/deep/er/made; pwd | sed 's|.*/||'
find . -name main.rs -execdir sh -c 'echo {}; cat lib.rs' \;
### what commands change
find . -name 'empty' -exec sh -c 'echo x > "$1"' _ {} \; -size +0 -print
find src -name main.rs -exec sed -i 's/hello/bye/' {} \; ; cat src/main.rs
find . -maxdepth 1 -name '*.txt' -exec sh -c 'echo added >> "$1"' _ {} \; ; tail -n 1 words.txt log.txt
find . -name main.rs -exec sh -c 'echo y > "$1.bak"' _ {} \; ; cat src/main.rs.bak
### delete
find . -name '*.rs' -delete; find . | sort
find docs -delete; echo $?; find . -maxdepth 1 | sort
### delete all
find . -delete; echo $?; find .
### delete some
find src -name deep -delete; echo $?
find . -type f -name '*.txt' ! -name words.txt -delete -print | sort
find . -type l -delete; find . -type f -empty -delete; find . | sort
find src -delete -name x -maxdepth 1; echo $?
### delete and prune
find . -name src -prune -o -name '*.txt' -delete; echo $?
find . -depth -name src -prune -o -name '*.txt' -delete; echo $?
find . -type f -delete; find . -type d -empty -print | sort; find . -type d -empty -delete; find .
### printf
find . -name main.rs -printf '%p|%f|%h|%H|%P|%d|%s|%m|%#m|%M|%n|%u|%g|%U|%G|%y|%Y|%l\n'
find src -printf '%p %f %h %P %d %y\n' | sort
find . -maxdepth 1 -printf '%f\n' | sort
find link.md -printf '%p %y %Y %l %s %m %M\n'
find . src/ src// / -maxdepth 0 -printf '%p|%h|%H|%P\n'
find src/ /etc /etc/ -maxdepth 0 -printf '%f|%h\n'
find . -name main.rs -printf '%10f|%-10f|%.2p|%05m|%5s|%-5s|%+d|% d|%05d|%5y|%12M|%5.1f|%#d|%.3d|%%|\n'
find . -name main.rs -printf 'a\tb\\c\101\0z\n' | tr '\0\t' '@#'
find . -name main.rs -printf 'a\cb'; echo; find . -name main.rs -printf '\q%q\n'; find . -name main.rs -printf 'x\'; echo
find . -name main.rs -printf '%'; echo $?; find . -name main.rs -printf '%(x'; echo $?; find . -name main.rs -printf '%T'; echo $?
find . -type f -printf '%s %p\n' | sort -n | tail -3
find . -type f -printf '%k %b %f\n' | sort
find . -name '*.rs' -printf '%h\n' | sort | uniq -c
find . -type f -printf '.' | wc -c
find . -type d -printf '%n %p\n' | sort
### times that are printed
date=$(find README.md -printf '%TY-%Tm-%Td'); [ "$date" = "$(date +%Y-%m-%d)" ] && echo same
[ "$(find README.md -printf '%T+' | cut -c1-10)" = "$date" ] && echo same
[ "$(find README.md -printf '%T@' | cut -d. -f1)" = "$(date -r README.md +%s)" ] && echo same
[ "$(find README.md -printf '%t')" = "$(date -r README.md '+%a %b %e %H:%M:%S.%N0 %Y')" ] && echo same
find README.md -printf '%T@ %T+ %TT %TS\n' | sed 's/[0-9]/N/g'
find README.md -printf '%Tz %TZ %Tq %TN|\n'; find README.md -printf '%CY %AY\n' | wc -w
[ "$(find README.md -printf '%Tc|%TD|%TF|%TR|%TH%TM|%Ta%TA%Tb%TB|%Tj%Tu%Tw%Ty%Tk%Tl%Te')" = "$(date -r README.md '+%a %b %e %H:%M:%S %Y|%D|%F|%R|%H%M|%a%A%b%B|%j%u%w%y%k%l%e')" ] && echo same
### files that are written
find . -name '*.rs' -fprint out1 -o -name '*.md' -fprint out2; sort -o out1 out1; sort -o out2 out2; cat out1 out2
find . -name '*.rs' -fprintf out1 '%f\n' -fprintf out1 '%d\n'; sort out1
find . -name nosuch -fprint none; cat none
find . -name main.rs -fprint0 out1 -print; tr '\0' '\n' < out1
find . -name main.rs -fprint no/such; echo $?
find . -name main.rs -fprint /dev/stdout -print; find . -name main.rs -fprint /dev/stderr 2>&1
find . -name main.rs -fprint out3 -exec cat out3 \; | wc -l; rm() { :; }; sort out3
### lists
find src/main.rs -ls | sed 's/^ *[0-9]* *//; s/[A-Z][a-z][a-z] .[0-9] ..:../TIME/'
find docs -type f -ls | sed 's/^ *[0-9]* *//; s/[A-Z][a-z][a-z] .[0-9] ..:../TIME/' | sort
find link.md -ls | sed 's/^ *[0-9]* *//; s/[A-Z][a-z][a-z] .[0-9] ..:../TIME/'
find . -name main.rs -fls out; wc -l < out; wc -w < out; : > out
### links
find . -lname '*.md'; find . -lname 'README*'; find . -lname other; find . -ilname 'readme*'
find link.md; find -L link.md -type f; find -H link.md -type f; find -P link.md -type l
find -L . -type l; find -L . -name '*.md' -type f | sort; find -L . -lname '*'; find -L . -xtype l
find . -follow -type l; find -L link.md -printf '%y %Y %l|%s\n'
find -H . -type l
### options that change nothing
find . -xdev -name main.rs; find . -mount -name main.rs; find -O3 . -name main.rs; find . -noleaf -name main.rs
find . -ignore_readdir_race -name main.rs; find -D exec . -name main.rs 2>/dev/null; find . -nowarn -name main.rs
find -H -L -P . -name main.rs; find -D; echo $?
### odd names
echo x > $'new\nline'; echo y > '-dash'; echo z > 'a"q'; echo w > '(p)'; echo s > ' lead'
find . -maxdepth 1 -print0 | tr '\0' '@' | tr '@' '\n' | sort
find . -name '-dash'; find . -name '(p)'; find . -name ' *'; find . -name $'*\n*'; find . -name '*"*'
find . -name '*[()]*'; find . -maxdepth 1 -name '*ew?li*'; find ./-dash; find '(p)' ; find \(p\) -type f
find . -maxdepth 1 -type f -name '* *' -exec cat {} +
### with other commands
find . -name '*.txt' -print0 | xargs -0 wc -l | sort
find . -name '*.rs' | xargs cat | wc -l
find . -type f -name '*.rs' | while read -r f; do echo "${f##*/}"; done | sort
while IFS= read -r -d '' f; do echo "[$f]"; done < <(find docs -type f -print0 | sort -z)
### in loops
for f in $(find src -name '*.rs' | sort); do basename "$f" .rs; done
find . -type f | sed 's/.*\.//' | sort | uniq -c
mapfile -t files < <(find src -type f | sort); echo "${#files[@]} ${files[0]}"
find . -type f | head -1 | wc -l
find . -name '*.csv' -exec cut -d, -f1 {} \; | sort
### elsewhere
cd src && find . -name '*.rs' | sort && find .. -maxdepth 1 -name '*.md' | sort
find "$PWD" -name main.rs -printf '%f %d\n'
find src docs -maxdepth 1 -type f 2>/dev/null | sort; find ./ -maxdepth 1 -type d | sort
### a function is no program
f() { echo "called $1"; }
find . -name main.rs -exec f {} \; ; echo $?
find . -name main.rs -exec cd {} \; ; echo $?
find . -name main.rs -exec bash -c 'echo "$1"; cd src; pwd | sed "s|.*/||"' _ {} \; ; pwd | sed 's|.*/||'
find . -name main.rs -exec printf '%s\n' {} \; -exec test -f {} \; -exec echo yes \; -exec [ -d {} ] \; -exec echo no \;
find . -name main.rs -exec env x=1 sh -c 'echo $x' \;
### sooner or later
find . -name main.rs -print -exec echo {} \; -print
find . -name main.rs -print -o -print | sort | head -2
find . -type f -name '*.md' -print -exec wc -l {} + | sort
find src -name '*.rs' -newer /etc/passwd -o -name lib.rs | sort | tail -1
find src/main.rs src/lib.rs; find src/main.rs -type d; find src/main.rs -maxdepth 5 -name '*.rs'
