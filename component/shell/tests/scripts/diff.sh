### normal
printf 'a\nb\nc\n' > a; printf 'a\nx\nc\nd\n' > b
diff a b; echo $?
diff a a; echo $?
diff b a; echo $?
diff a empty; diff empty a; echo $?
### no line break
printf 'a\nb' > a; printf 'a\nb\n' > b; printf 'a\nc' > c
diff a b; diff b a; diff a c; diff -u --label a --label c a c; diff -w a b; echo $?
diff noeol noeol; echo $?
### unified
seq 1 30 > a; sed -e 3d -e 's/^20$/x/' -e '28a\
new' a > b
diff -u --label a --label b a b
diff -U0 --label a --label b a b
diff -U 1 --label a --label b a b
diff --unified=8 --label=a --label=b a b
diff -u a b | tail -n +3
diff -up --label a --label b src/main.rs src/lib.rs
diff -u -F '^l' --label a --label b words.txt log.txt
### headers
cp words.txt a; sed s/fig/FIG/ words.txt > b
touch -d '2025-01-02 03:04:05.5' a; touch -d '2025-06-02 03:04:05 UTC' b
diff -u a b
mkdir x y; cp -p a x/f; cp -p b y/f; diff -u x/f y; diff -ru x y; diff -r -u x y
diff -uN a nope; diff -uN nope a | tail -n +3; diff -u a nope; echo $?
### quiet and same
diff -q words.txt numbers.txt; echo $?; diff -q words.txt words.txt; echo $?; diff -s words.txt words.txt; echo $?
diff --brief words.txt log.txt; diff -qs words.txt words.txt; diff --report-identical-files words.txt numbers.txt
### folders
mkdir -p a/s b/s b/new a/k; echo 1 > a/f; echo 2 > b/f; echo 1 > a/same; echo 1 > b/same; echo x > a/s/x; echo y > b/s/y; echo n > b/new/n; echo k > b/k; touch 'a/q r' 
echo z > 'b/q r'
diff a b; echo $?; diff -r a b; echo $?; diff -rq a b; diff -rN a b; diff -rqN a b; diff -rs a b; diff -r -x f -x 's' a b; diff -r --exclude='*' a b; echo $?
diff -r a/ b/; diff --recursive --brief a b
diff -rN -w a b
diff a/f b; diff a b/f
diff -rB --unified=0 --label l --label m a/f b/f
### ignoring
printf 'a  b\nc\n\n' > a; printf 'a b \nC\n' > b
diff a b; diff -b a b; diff -w a b; diff -i a b; diff -wi a b; diff -wiB a b; echo $?; diff -bB a b; diff -Z a b; diff -biB -u a b; echo $?
printf 'a\tb\n' > c; printf 'a       b\n' > d; diff -E c d; echo $?; diff -E c c
printf 'x\r\ny\r\n' > e; printf 'x\nz\n' > f; diff --strip-trailing-cr e f; diff e f; echo $?
printf '# 1\na\nb\n' > g; printf '# 2\na\nc\n' > h; diff -I '^#' g h; printf '# 2\na\nb\n' > h; diff -I '^#' g h; echo $?
### blank lines
printf 'a\n\nb\nc\nd\ne\nf\n' > a; printf 'a\nb\nc\nd\n\ne\ng\n' > b; diff -B a b; diff -uB --label a --label b a b
printf 'a\n\n\nb\n' > a;  printf 'a\nb\n' > b; diff -B a b; echo $?; diff -Bs a b
### binary
printf 'a\0b\n' > a; printf 'a\0c\n' > b; diff a b; echo $?; diff -q a b; diff -a a b; diff -s a a; diff -u a b; diff a words.txt
### errors
diff nope words.txt; echo $?; diff; echo $?; diff words.txt; echo $?; diff a b c; echo $?; diff -Q a b; echo $?; diff nope nope2; echo $?; diff -N nope nope2; echo $?; diff src words.txt; echo $?; diff -U x words.txt words.txt; echo $?
### input
diff - words.txt < words.txt; echo $?; echo x | diff - numbers.txt; sort words.txt | diff words.txt -
diff <(sort words.txt) <(sort -u words.txt); echo $?
echo x | diff -u --label a --label b - empty
diff -u --color=never --label a --label b words.txt numbers.txt
### cmp
cmp words.txt words.txt; echo $?; cmp words.txt numbers.txt; echo $?; cmp -s words.txt numbers.txt; echo $?
printf 'abc\ndef\n' > a; printf 'abc\ndeF\n' > b; printf abc > c
cmp a b; cmp -l a b; cmp -b a b; cmp -bl a b; cmp a c; echo $?; cmp -s a c; echo $?; cmp -n 3 a b; echo $?; cmp -n 2 a c; echo $?; cmp --bytes=5 a b; cmp a empty; echo $?; cmp empty empty; echo $?; cmp -l a words.txt; cmp -i 1 a b; cmp -i 6:2 a b; cmp a b 4 4; cat a | cmp - b; cat a | cmp b; cmp nope a; echo $?; cmp; echo $?; cmp -ls a b; echo $?
printf 'a\tb\200' > d; printf 'a\nb\377' > e; cmp -lb d e; cmp -b d e
### old and idle options of diff
printf '1\n2\n3\n4\n5\n6\n7\n' > a; printf '1\n2\n3\nx\n5\n6\n7\n' > b
diff -u0 a b | tail -n +3; diff -u1 a b | tail -n +3; diff -u12 a b | tail -n +3; diff -1 -u a b | tail -n +3; diff -U2 -0 a b | tail -n +3
diff -W 100 a b; diff --width=80 -u a a; diff -W x a b 2>/dev/null; echo $?

### the whole file as context
seq 1 9 > a; sed s/5/five/ a > b
for n in 99999999999 4294967295 18446744073709551615; do diff -U$n --label a --label b a b; done
diff -u99999999999 --label a --label b a b
