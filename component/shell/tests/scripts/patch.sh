### a plain unified patch
seq 1 20 > f
patch <<'P'; echo $?
--- a/f	2020-01-01 00:00:00 +0000
+++ b/f	2020-01-02 00:00:00 +0000
@@ -2,7 +2,6 @@
 2
 3
 4
-5
 6
 7
 8
P
cat f
### applied already, and then in every way
seq 1 20 > f
cat > p <<'P'
--- a/f
+++ b/f
@@ -2,7 +2,6 @@
 2
 3
 4
-5
 6
 7
 8
P
patch -p1 < p; patch -p1 < p; echo $?
patch -p1 -N < p; echo $?
patch -p1 -N -s < p; echo $?
patch -p1 -N --dry-run < p; echo $?
patch -p1 -N -r - < p; echo $?
patch -p1 -t < p; echo $?
patch -p1 -R < p; echo $?
patch -p1 -R -N < p; echo $?
patch -p1 -R -t < p; echo $?
patch -p1 -f < p; echo $?
patch -s < p; echo $?
patch -s -f < p; echo $?
### offsets
seq 1 20 > f
cat > p <<'P'
--- a/f
+++ b/f
@@ -12,7 +12,6 @@
 12
 13
 14
-15
 16
 17
 18
P
sed 1ix f > g; patch g p; cat g
sed 1,3d f > g; patch g p; cat g
sed 1,3d f > g; patch --no-backup-if-mismatch -s g p; cat g
### fuzz
seq 1 20 > f
cat > p <<'P'
--- a/f
+++ b/f
@@ -2,7 +2,6 @@
 2
 3
 4
-5
 6
 7
 8
P
for change in s/^2/x/ s/^3/x/ s/^4/x/ 's/^[38]/x/' s/^7/x/ '8,$d' '7,$d' '1,2d' '1,3d' 1,4d; do
  for fuzz in 0 1 2 3 9; do sed "$change" f > g; echo "$change $fuzz"; patch -F$fuzz -f g p; done
done
### rejects
seq 1 20 > f
cat > p <<'P'
--- a/f	2020-01-01
+++ b/f	2020-01-02
@@ -2,7 +2,6 @@
 2
 3
 4
-5
 6
 7
 8
@@ -12,7 +11,7 @@ a function
 12
 13
 14
-bad
+good
 16
 17
 18
@@ -18,3 +17,4 @@
 18
 19
 20
+21
P
patch -p1 < p; echo $?; cat f.rej
### rejects elsewhere
seq 1 20 > f; seq 1 20 > g
cat > p <<'P'
--- f
+++ f
@@ -2,3 +2,2 @@
 a
-b
 c
--- g
+++ g
@@ -2,3 +2,3 @@
 a
-b
+B
 c
--- f
+++ f
@@ -2,3 +2,2 @@
 d
-e
 f
P
patch < p; echo $?; cat f.rej g.rej
patch -r all.rej < p; echo $?; cat all.rej
patch -r - < p; echo $?
patch -r no/where < p; echo $?
### rejects of another form
seq 1 20 > f
cat > p <<'P'
--- f
+++ f
@@ -2,17 +2,17 @@ fun
 a
 3
 4
-5
 6
 7
 8
 9
-10
+1y
 11
 12
 13
 14
 15
+new
 16
 17
 18
P
patch -f --reject-format=context < p; cat f.rej
patch -f -R --reject-format=context < p; cat f.rej
patch -f -R < p; cat f.rej
patch -f --reject-format=other < p; echo $?
### context patches
seq 1 20 > f
cat > p <<'P'
*** a/f	Wed Jan  1 00:00:00 2020
--- b/f	Wed Jan  2 00:00:00 2020
***************
*** 2,8 ****
  2
  3
  4
- 5
  6
  7
  8
--- 2,7 ----
*************** here
*** 12,18 ****
  12
  13
  14
! 15
  16
  17
  18
--- 11,18 ----
  12
  13
  14
! 1x
! 1y
  16
  17
  18
P
patch -p1 < p; cat f
patch -p1 -N < p; cat f.rej
patch -p1 -R -N < p; cat f
sed -i 's/14/xx/' f; patch -p1 < p; cat f f.rej
sed -i 's/^[0-9]*/x/' f; patch -p1 < p; cat f.rej
patch -p1 --reject-format=unified -R -f < p; cat f.rej
### context patches that only add
seq 1 20 > f
cat > p <<'P'
*** f
--- f
***************
*** 3,8 ****
--- 3,9 ----
  3
  4
  5
+ new
  6
  7
  8
P
patch < p; cat f; patch -R < p; patch -R -N < p; cat f.rej; patch -c < p; patch -u < p; echo $?
### older context patches
seq 1 20 > f
cat > p <<'P'
*** f	x
--- f	y
***************
*** 4,6
  4
- 5
  6
--- 4,5 -----
P
patch < p; sed -i s/7/x/ f; patch -f < p; patch -R < p
### context patches that make and remove files
cat > p <<'P'
*** /dev/null
--- n
***************
*** 0 ****
--- 1,2 ----
+ one
+ two
P
patch < p; cat n; patch < p; echo $?; patch -R < p; echo $?
cat > p <<'P'
*** n
--- n
***************
*** 0 ****
--- 1,2 ----
+ one
+ two
P
patch < p; cat n; patch < p; echo $?; patch -R < p; echo $?; patch < p; patch -R -E < p
### normal patches
seq 1 20 > f
cat > p <<'P'
5d4
< 5
10c9
< 10
---
> 1y
15a15
> new
P
patch f p; cat f; patch -R f p; cat f; patch < p; echo $?
sed -i '5s/.*/x/;10s/.*/y/' f; patch f p; cat f.rej; patch -f f p; echo $?
patch -f --reject-format=unified f p; cat f.rej
seq 1 20 | sed 1d > f; patch f p; patch f p; echo $?
(echo Index: f; cat p) | patch -R; cat f
### normal patches that are wrong
seq 1 20 > f
cat > p <<'P'
5d4
< 5
10c9
< 10
> 1y
P
patch f p; echo $?
cat > p <<'P'
5d4
< 5
10c9
x 10
P
patch f p; echo $?
patch -R f p; echo $?
### what lacks its last line break
printf 'a\nb' > f
cat > p <<'P'
--- f
+++ f
@@ -1,2 +1,2 @@
 a
-b
\ No newline at end of file
+c
\ No newline at end of file
P
patch < p; cat -A f; echo; patch -R < p; cat -A f
printf 'a\nb\n' > f; patch < p; echo $?; cat -A f.rej
printf 'a\nb' > f
patch <<'P'; cat -A f
--- f
+++ f
@@ -2 +2,2 @@
-b
\ No newline at end of file
+b
+c
P
printf 'a\nb' > f
patch <<'P'; cat -A f
--- f
+++ f
@@ -1,2 +1,3 @@
 a
+x
 b
\ No newline at end of file
P
printf 'a\nb' > f
patch <<'P'; cat -A f
--- f
+++ f
@@ -2,0 +3,1 @@
+x
P
printf 'a\nb' > f
patch f <<'P'; cat -A f
2c2
< b
\ No newline at end of file
---
> c
\ No newline at end of file
P
### new and removed files
cat > p <<'P'
--- /dev/null
+++ b/sub/dir/n
@@ -0,0 +1,2 @@
+one
+two
P
patch -p1 < p; cat sub/dir/n; patch -p1 < p; echo $?; patch -p1 -N < p; echo $?
patch -p1 -t --dry-run < p; echo $?
patch -p1 -f < p; echo $?; cat sub/dir/n.rej
patch -p1 -R < p; echo $?
patch -p1 -R < p; echo $?
patch -p1 -R -f < p; echo $?
### files that are there
cat > p <<'P'
--- /dev/null
+++ b/words.txt
@@ -0,0 +1,2 @@
+one
+two
P
patch -p1 < p; echo $?; patch -p1 -t < p; echo $?; cat words.txt.rej
patch -p1 -f < p; echo $?; cat words.txt
cat > p <<'P'
--- /dev/null
+++ b/empty
@@ -0,0 +1,2 @@
+one
+two
P
patch -p1 < p; echo $?; cat empty
### files that go
seq 2 > src/a; seq 1 > src/deep/er/b
cat > p <<'P'
--- a/src/a
+++ /dev/null
@@ -1 +0,0 @@
-1
--- a/src/deep/er/b
+++ /dev/null
@@ -1 +0,0 @@
-1
--- a/src/deep/er/mod.rs	2020-01-01
+++ b/src/deep/er/mod.rs	1970-01-01 00:00:00.000000000 +0000
@@ -1 +0,0 @@
-// nothing
P
patch -p1 < p; echo $?; patch -p1 < p; echo $?
### files that are empty afterwards
seq 1 > src/a
cat > p <<'P'
--- a/src/a
+++ b/src/a
@@ -1 +0,0 @@
-1
P
patch -p1 < p; patch -p1 < p; echo $?; patch -p1 -R < p; patch -p1 -E < p; echo $?; patch -R -p1 < p; patch -p1 --posix < p
### several files
seq 1 20 > f; seq 1 20 > g
cat > p <<'P'
Hello,

here is a patch.
---
 f | 1 +
 1 file changed

diff -u a/f b/f
--- a/f
+++ b/f
@@ -1,3 +1,4 @@
+0
 1
 2
 3
-- 
2.39

Only in b: z
--- a/nothere
+++ b/nothere
@@ -1,2 +1,2 @@
 1
-2
+two
diff -u a/g b/g
--- a/g
+++ b/g
@@ -18,3 +18,2 @@
 18
-19
 20
garbage
P
patch -p1 < p; echo $?; patch -p1 -f -R < p; echo $?; patch -s -p1 < p; echo $?
### the same file twice
seq 1 20 > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
--- f
+++ f
@@ -1,3 +1,4 @@
 one
 2
+2.5
 3
P
patch --dry-run < p; echo $?; patch -o out < p; echo $?; cat out; patch -b < p; echo $?; cat f f.orig
### backups
seq 1 9 > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
patch -b < p; patch -b -R -z .bak < p; patch -b -B pre/ < p; patch -b -R -Y .old- < p; patch -b -B x -Y y -z z < p
patch -R -z .never < p; patch -b -V numbered < p; patch -b -V t -R < p; patch -b < p; patch --backup -V simple -R < p
patch -V what < p; echo $?; patch -z '' < p; echo $?; patch -B '' < p; echo $?
### backups of what is new or goes
cat > p <<'P'
--- /dev/null
+++ sub/n
@@ -0,0 +1,2 @@
+one
+two
P
patch -b -p0 < p; patch -b -p0 -R < p; SIMPLE_BACKUP_SUFFIX=.z patch -b -p0 < p
### carriage returns
seq 1 9 > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
sed 's/$/\r/' p > q; sed 's/$/\r/' f > g; (sed 2q p; sed 1,2d q) > r
patch < q; cat -A f; patch -R --binary < q; echo $?; patch g q; echo $?; cat g.rej; patch g p; echo $?; patch g r; cat -A g; patch --binary f q; echo $?
### indented patches
seq 1 9 > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
sed 's/^/   /' p | patch; cat f; sed 's/^/\t/' p | patch -R; cat f; sed 's/^/ /;3i # comment' p | patch -p0; cat f; sed '4i # comment' p | patch -R
### only garbage
echo hello | patch; echo $?; patch < /dev/null; echo $?; patch -i empty; echo $?; patch -i README.md -s; echo $?; echo x | patch --verbose; patch --verbose < empty
### no file
cat > p <<'P'
Some text

--- a/f
+++ b/f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
@@ -11,3 +11,3 @@
-1
+one
 2
 3
P
patch < p; echo $?; patch -p1 < p; echo $?; patch -p7 -f < p; echo $?; patch -t < p; echo $?; patch -s < p; echo $?; patch -s -f < p; echo $?; patch --verbose --dry-run < p; echo $?
### dangerous names
echo 1 > f
for name in ../work/f ../f /f "$PWD/f" src/../f src/../../work/f; do
  printf '%s\n' "--- $name" "+++ $name" '@@ -1 +1 @@' -1 +2 > p
  patch -p0 -f < p | sed "s,$PWD,HERE,g"
  printf '%s\n' "--- /dev/null" "+++ ${name}x" '@@ -0,0 +1 @@' +2 > p
  patch -p0 -f < p | sed "s,$PWD,HERE,g"
done
patch -p0 "$PWD/f" <<'P' | sed "s,$PWD,HERE,g"
--- ../f
+++ ../f
@@ -1 +1 @@
-1
+2
P
cat f
### choosing among names
printf '%s\n' '--- /dev/null' '+++ one/two/f' '@@ -0,0 +1 @@' +1 | patch -p0
for n in one/two/f one/f longf ff f f.orig; do echo 1 > $n; done
for pair in 'one/two/f one/f' 'longf ff' 'one/f f' 'nn ff' 'ff nn' 'f.orig f' 'nn mm' '/dev/null ff' 'src/f f'; do
  set -- $pair
  printf '%s\n' "--- $1" "+++ $2" '@@ -1 +1 @@' -1 +2 | patch -p0 --dry-run
  printf '%s\n' "--- $1" "+++ $2" '@@ -1 +1 @@' -1 +2 | patch -p0 --dry-run --posix -f
  printf '%s\n' "--- $1" "+++ $2" '@@ -1 +1 @@' -1 +2 | patch --dry-run -R -s
  printf '%s\n' "*** $1" "--- $2" '***************' '*** 1 ****' '! 1' '--- 1 ----' '! 2' | patch -p0 --dry-run
done
for pair in '/dev/null new/d/x' 'new/old/x new/x' 'x.orig xyz' 'src/zz other/zz' 'a/b/c d/e'; do
  set -- $pair
  printf '%s\n' "--- $1" "+++ $2" '@@ -0,0 +1 @@' +2 | patch -p0 --dry-run
done
### index lines
seq 1 9 > f
cat > p <<'P'
Index: f
===================================================================
--- zz
+++ yy
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
patch < p; echo $?; sed 3,4d p | patch; echo $?; sed 3,4d p | patch; cat f.rej
### prerequisites
seq 1 9 > f
cat > p <<'P'
Prereq: 7
--- f
+++ f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
patch < p; echo $?; sed -i 1s/7/seven/ p; patch -R < p; echo $?; patch -R -t < p; echo $?; patch -R -f < p; echo $?; patch --verbose -f < p
### names with blanks and quotes
for n in 'a b' "a'b" 'ü' 'a=b' '#a' '~a' 'a~' 'a"b' 'a$b' 'a*'; do
  seq 1 3 > "$n"; printf '%s\n' "--- $n	2020-01-01" "+++ $n	2020-01-01" '@@ -1,2 +1,2 @@' -1 +2 ' 2' > p
  patch < p; patch < p; patch -R -o "$n x" "$n" p
done
printf '%s\n' '--- "a/f\tx"' '+++ "b/f\tx"' '@@ -1,2 +1,2 @@' -1 +2 ' 2' > p; seq 1 3 > "f	x"; patch -p1 < p
printf '%s\n' '--- "a/\303\274"' '+++ "b/\303\274"' '@@ -1,2 +1,2 @@' -2 +1 ' 2' > p; patch -p1 < p; cat ü
printf '%s\n' '--- a b c' '+++ a b' '@@ -1,2 +1,2 @@' -2 +1 ' 2' > p; patch -p0 < p
### only one heading line
seq 1 9 > f
printf '%s\n' '+++ b/f' '@@ -1,2 +1,2 @@' -1 +2 ' 2' | patch -p1
printf '%s\n' '--- b/f' '@@ -1,2 +1,2 @@' -2 +1 ' 2' | patch -p1
printf '%s\n' '@@ -1,2 +1,2 @@' -1 +2 ' 2' | patch -p1; echo $?
printf '%s\n' '@@ -1,2 +1,2 @@' -1 +2 ' 2' | patch -u; echo $?
printf '%s\n' '@@ -1,2 +1,2 @@' -1 +2 ' 2' | patch f; echo $?
printf '%s\n' '--- f' '+++ f' '' '@@ -1,2 +1,2 @@' -2 +1 ' 2' | patch; echo $?
printf '%s\n' '--- f' '+++ f' | patch; echo $?
### malformed patches
seq 1 9 > f
h='--- f
+++ f'
printf '%s\n' "$h" '@@ -1,2 +1,2 @@' -1 zzz ' 2' | patch; echo $?
printf '%s\n' "$h" '@@ -1,2 +1,2' -1 zzz ' 2' | patch; echo $?
printf '%s\n' "$h" '@@ -x,2 +1,2 @@' -1 +2 ' 2' | patch; echo $?
printf '%s\n' "$h" '@@ -1,3 +1,3 @@' -1 +2 ' 2' | patch; echo $?
printf '%s\n' "$h" '@@ -1,6 +1,6 @@' -1 +2 ' 2' | patch; echo $?
printf '%s\n' "$h" '@@ -1,2 +1,2 @@' -1 +2 | patch; echo $?
printf '%s\n' "$h" '@@ -1,2 +1,2 @@' -1 ' 2' ' 3' | patch; echo $?
printf '%s\n' "$h" '@@ -1 +1 @@' -1 '' +2 | patch; echo $?
printf '%s\n' "$h" '@@ -1 +1 @@' -one; printf +x | patch; echo $?
(printf '%s\n' "$h" '@@ -1 +1 @@' -one; printf +x) | patch; echo $?
(printf '%s\n' "$h" '@@ -1 +1 @@' -1 +2; printf trailing) | patch; echo $?
cat f
### nothing but context, and numbers that are too large
seq 1 9 > f
printf '%s\n' '--- f' '+++ f' '@@ -1,2 +1,2 @@' ' 1' ' 2' | patch; echo $?
printf '%s\n' '--- f' '+++ f' '@@ -1000000000000000 +1 @@' -5 +x | patch; echo $?; cat f
printf '%s\n' '--- f' '+++ f' '@@ -99999999999999999999 +1 @@' -5 +x | patch; echo $?
### malformed after good
seq 1 9 > f; seq 1 9 > g
cat > p <<'P'
--- f
+++ f
@@ -1 +1 @@
-1
+one
--- g
+++ g
@@ -1 +1 @@
-1
+one
@@ -7,2 +7,2 @@
 7
zzz
P
patch < p; echo $?; cat f g
### hunks out of order
seq 1 20 > f
cat > p <<'P'
--- f
+++ f
@@ -12,7 +11,6 @@
 12
 13
 14
-15
 16
 17
 18
@@ -2,7 +2,6 @@
 2
 3
 4
-5
 6
 7
 8
P
patch < p; echo $?; cat f f.rej
### hunks at the ends
seq 0 21 > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,4 @@
+y
 1
 2
 3
P
patch < p; echo $?; patch -F3 < p; echo $?
cat > p <<'P'
--- f
+++ f
@@ -18,3 +18,4 @@
 18
 19
 20
+z
P
patch < p; echo $?; patch -F3 < p; echo $?; cat f
cat > p <<'P'
--- f
+++ f
@@ -1,0 +1,1 @@
+NEW
@@ -100,0 +101,1 @@
+LAST
P
patch < p; echo $?; cat f
### hunks without context
seq 1 9 > f
printf '%s\n' '--- f' '+++ f' '@@ -0,0 +1 @@' +y > p; patch < p; patch < p; patch -R < p; cat f
printf '%s\n' '--- f' '+++ f' '@@ -5 +4,0 @@' -55 > p; patch -N < p; echo $?; patch -f < p; echo $?; cat f.rej
### where a hunk fits
printf '%s\n' a x x b x x c x x d x x e > f
printf '%s\n' '--- f' '+++ f' '@@ -7,2 +7,2 @@' -x +y ' x' | patch; cat f
printf '%s\n' '--- f' '+++ f' '@@ -4,2 +4,2 @@' -x +y ' x' | patch; cat f
printf '%s\n' 1 2 3 c 5 c 7 > f
printf '%s\n' '--- f' '+++ f' '@@ -5 +5 @@' -c +y | patch; cat f
printf '%s\n' '--- f' '+++ f' '@@ -100 +100 @@' -c +y | patch; cat f
printf '%s\n' '--- f' '+++ f' '@@ -100,2 +100,2 @@' -c +y | patch -f; cat f
### hunks near each other
printf '%s\n' a b c d e f g h i > f
printf '%s\n' '--- f' '+++ f' '@@ -2,3 +2,3 @@' ' b' -c +C ' d' '@@ -4,3 +4,3 @@' ' d' -e +E ' f' '@@ -5,3 +5,3 @@' ' e' -f +F ' g' > p; patch < p; cat f f.rej
printf '%s\n' a b c d e f g h i > f
printf '%s\n' '--- f' '+++ f' '@@ -6,3 +6,3 @@' ' f' -g +G ' h' '@@ -8,3 +8,3 @@' ' f' -g +x ' h' '@@ -9,3 +9,3 @@' ' g' -h +x ' i' > p; patch < p; cat f
### loose blanks
printf 'one  two \n\tthree\nfour' > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,4 @@
 one two
-	  three
+3
+3.5
 four  
P
patch < p; patch -l < p; echo $?; cat -A f; patch -l -R < p; cat -A f
printf 'onetwo\n three\nfour' > f; patch -l < p; echo $?
### output
seq 1 9 > f
cat > p <<'P'
--- f
+++ f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
patch -o out < p; cat out; patch -o - < p 2>/dev/null; patch -o - -R f p 2>&1; echo $?; patch < p; patch -N -o out < p; echo $?; cat out; patch --dry-run -R -o out2 < p
### in a folder
cat > p <<'P'
--- a/lib.rs
+++ b/lib.rs
@@ -1,3 +1,3 @@
 pub fn add(a: i32, b: i32) -> i32 {
-    a + b
+    b + a
 }
P
patch -d src < p; patch -d src -p1 -R -i ../p; patch -d src lib.rs ../p; patch -d nothere < p; echo $?; patch -d README.md < p; echo $?; patch -d src lib.rs p; echo $?; patch -p0 src/lib.rs -R < p; cat src/lib.rs
### wrong options
echo 1 > f
patch -X; echo $?; patch --nope; echo $?; patch -p; echo $?; patch -p x < f; echo $?; patch -p-1 < f; echo $?; patch -Fx < f; echo $?; patch a b c; echo $?; patch --ver < f; echo $?; patch -i nothere; echo $?
### all is said
seq 1 9 > f
cat > p <<'P'
Hello
--- a/f
+++ b/f
@@ -1,3 +1,3 @@
-1
+one
 2
 3
@@ -7,3 +7,3 @@
 7
-eight
+8
 9
--- a/nn
+++ b/nn
@@ -1,3 +1,3 @@
-1
+one
 2
 3
the end
P
patch -p1 --verbose < p; echo $?
### links
cat > p <<'P'
--- link.md
+++ link.md
@@ -1,3 +1,3 @@
-# Project
+# Program
 
 It does things.
P
patch < p; echo $?; cat link.md.rej; patch --dry-run --follow-symlinks < p; patch --follow-symlinks < p; echo $?; cat link.md README.md
patch src p; echo $?
### git: modes, names and copies
seq 1 9 > f; seq 1 9 > c
cat > p <<'P'
From 1234 Mon Sep 17 00:00:00 2001
Subject: things

---
 f | 2 +-

diff --git a/f b/d/g
old mode 100644
new mode 100755
similarity index 90%
rename from f
rename to d/g
index 1234567..2345678
--- a/f
+++ b/d/g
@@ -1,3 +1,3 @@
-1
+one
 2
 3
diff --git a/words.txt b/words.txt
old mode 100644
new mode 100755
diff --git a/c b/e/copy
similarity index 100%
copy from c
copy to e/copy
diff --git a/c b/c
index 1234567..2345678 100644
--- a/c
+++ b/c
@@ -1,3 +1,3 @@
-1
+one
 2
 3
diff --git a/new b/new
new file mode 100755
index 0000000..1234567
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+new
diff --git a/nothing b/nothing
new file mode 100644
index 0000000..e69de29
diff --git a/noeol b/noeol
deleted file mode 100644
index 1234567..0000000
--- a/noeol
+++ /dev/null
@@ -1 +0,0 @@
-no line break
\ No newline at end of file
diff --git a/empty b/empty
deleted file mode 100644
index e69de29..0000000
-- 
2.39.2

P
patch -p1 --dry-run < p; echo $?; patch -p1 < p; echo $?; patch -p1 -f --no-backup-if-mismatch < p; echo $?
### git: backwards
seq 1 9 > f
cat > p <<'P'
diff --git a/f b/d/g
old mode 100644
new mode 100755
similarity index 90%
rename from f
rename to d/g
index 1234567..2345678
--- a/f
+++ b/d/g
@@ -1,3 +1,3 @@
-1
+one
 2
 3
diff --git a/new b/new
new file mode 100755
index 0000000..1234567
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+new
diff --git a/nothing b/nothing
new file mode 100644
index 0000000..e69de29
diff --git a/noeol b/noeol
deleted file mode 100644
index 1234567..0000000
--- a/noeol
+++ /dev/null
@@ -1 +0,0 @@
-no line break
\ No newline at end of file
P
patch -p1 < p; echo $?; patch -R -p1 < p; echo $?; patch -b -p1 < p; patch -o - -R -p1 < p 2>/dev/null
### git: renamed already
seq 1 9 > f
cat > p <<'P'
diff --git a/f b/g
similarity index 90%
rename from f
rename to g
--- a/f
+++ b/g
@@ -1,3 +1,3 @@
-1
+one
 2
 3
P
patch -p1 < p; patch -p1 < p; echo $?; patch -p1 -N < p; echo $?; patch -p1 -t < p; echo $?; patch -p1 < p; patch -p0 < p; echo $?; patch -p5 < p; echo $?; patch < p
### git: names that change places
seq 1 9 > f; seq 1 3 > g
cat > p <<'P'
diff --git a/f b/g
similarity index 100%
rename from f
rename to g
diff --git a/g b/f
similarity index 100%
rename from g
rename to f
P
patch -p1 < p; echo $?; cat f
### git: a copy of what changes
seq 1 9 > f
cat > p <<'P'
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,2 +1,2 @@
-1
+x
 2
diff --git a/f b/g
similarity index 90%
copy from f
copy to g
--- a/f
+++ b/g
@@ -1,2 +1,2 @@
-1
+y
 2
diff --git a/f b/f
old mode 100644
new mode 100755
--- a/f
+++ b/f
@@ -7,3 +7,3 @@
 7
-8
+eight
 9
P
patch -p1 < p; echo $?; cat f g
### git: without a file
cat > p <<'P'
diff --git a/g b/g
old mode 100644
new mode 100755
diff --git a/h b/h
index 1234567..2345678 100644
diff --git a/x y b/x y
old mode 100644
new mode 100755
diff --git a/i b/j
rename from i
rename to j
--- a/i
+++ b/j
@@ -1 +1 @@
-1
+2
diff --git a/f b/../../f
rename from f
rename to ../../f
P
patch -p1 < p; echo $?; patch -p1 -f -s < p; echo $?
### git: what is not text
cat > p <<'P'
diff --git a/q b/q
new file mode 100644
index 0000000..1234567
GIT binary patch
literal 3
Kabc

literal 0
HcmV?d00001

P
patch -p1 < p; echo $?
printf '%s\n' 'diff --git a/q b/q' 'Binary files a/q and b/q differ' | patch -p1; echo $?
sed s,q,words.txt,g p | patch -p1; echo $?
### git: links
cat > p <<'P'
diff --git a/l b/l
new file mode 120000
index 0000000..1234567
--- /dev/null
+++ b/l
@@ -0,0 +1 @@
+target
\ No newline at end of file
P
patch -p1 < p; echo $?; patch -p1 < p; echo $?; patch -p1 -R < p; echo $?
echo 1 > l; patch -p1 -R < p; echo $?; cat l.rej
### git: a mode that is there already
seq 1 9 > f
cat > p <<'P'
diff --git a/f b/f
index 1234567..2345678 100755
--- a/f
+++ b/f
@@ -1,2 +1,2 @@
-1
+x
 2
P
patch -p1 < p
printf '%s\n' 'diff --git a/f b/f' 'old mode 100644' 'new mode 100755' > p; patch -p1 < p; patch -p1 < p; patch -R -p1 < p; patch -b -p1 < p
### comments in what stands before
seq 1 9 > f
printf '%s\n' '# one' 'two' '# three' '--- a/g' '# four' '+++ b/g' '@@ -1 +1 @@' -1 +2 | patch -p1
printf '%s\n' '# one' 'two' '# three' '--- a/f' '# four' '+++ b/f' '@@ -1 +1 @@' -1 +2 | patch --verbose -p1
### a larger patch
seq 1 300 > f
{ echo '--- f'; echo '+++ f'; for ((i = 10; i < 290; i += 10)); do printf '@@ -%d,3 +%d,3 @@\n %d\n-%d\n+x%d\n %d\n' $((i+3)) $((i+3)) $i $((i+1)) $i $((i+2)); done; } > p
patch < p; echo $?; cat f
### links that lead out
cat > p <<'P'
diff --git a/up b/up
new file mode 120000
index 0000000..1234567
--- /dev/null
+++ b/up
@@ -0,0 +1 @@
+..
\ No newline at end of file
diff --git a/root b/root
new file mode 120000
index 0000000..1234567
--- /dev/null
+++ b/root
@@ -0,0 +1 @@
+/
\ No newline at end of file
diff --git a/in b/in
new file mode 120000
index 0000000..1234567
--- /dev/null
+++ b/in
@@ -0,0 +1 @@
+src/deep/..
\ No newline at end of file
P
patch -p1 < p; echo $?
for name in up/made root/tmp/made-by-patch in/made src/../up/made; do
  printf '%s\n' '--- /dev/null' "+++ $name" '@@ -0,0 +1 @@' +made | patch -p0; echo $?
done
printf '%s\n' '--- up/work/words.txt' '+++ up/work/words.txt' '@@ -1 +1 @@' -pear +x | patch -p0; echo $?
printf '%s\n' '--- in/made' '+++ in/made' '@@ -1 +1 @@' -made +changed | patch -p0; echo $?; cat src/made
