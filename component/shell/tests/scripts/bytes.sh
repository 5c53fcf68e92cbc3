### checksums
for c in md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum; do $c README.md data.csv empty; $c < noeol; $c nope; echo $?; done
md5sum -b README.md; sha256sum --tag README.md "docs/a b.txt"; sha1sum -z README.md | od -c
echo > 'x
y'; md5sum x*; cksum -a sha256 README.md; cksum -a md5 --untagged README.md
### checksums are checked
sha256sum *.txt > sums; sha256sum -c sums; echo $?
echo more >> log.txt; gzip tabs.txt; sha256sum -c sums; echo $?
sha256sum -c --quiet sums; sha256sum --status -c sums; echo $?
sha256sum -c --ignore-missing sums; echo $?
sha256sum --tag words.txt | sha256sum -c -; echo junk | md5sum -c; echo $?
{ echo junk; md5sum words.txt; } | md5sum -c --strict; echo $?
sha256sum -c nope; echo $?; gunzip tabs.txt.gz
### base64
base64 README.md; base64 -w0 log.txt; echo; base64 -w 10 < noeol; base64 log.txt | base64 -d; printf 'YQ==YWI=' | base64 -d; echo
printf 'YWI' | base64 -d; echo " $?"; printf 'Y!W J\nj' | base64 -di; echo $?; printf 'YW!J' | base64 -d; echo $?; printf '' | base64; base64 -d nope; echo $?
x=abcdef; for i in 1 2 3 4 5 6; do printf ${x:0:i} | base32; printf ${x:0:i} | base32 | base32 -d; echo; done; base32 log.txt
### od
od README.md; od -c data.csv; od -An -tx1 noeol; od -A d -t x1 words.txt; od -A x -t x1z -v words.txt; od -t u1 -N 5 log.txt; od -j 3 -N 10 -c log.txt
od -b noeol; od -x noeol; od -d noeol; od -t x2 -t c noeol; od -t d1d2d4d8 noeol; od -t x4 noeol; od -t o1o2o4 noeol; od -t a noeol; od -tu8 noeol
dd if=/dev/zero bs=100 count=1 status=none | od -c; dd if=/dev/zero bs=100 count=1 status=none | od -v -An -tx1; od -w8 -c noeol; od -An -c empty; od empty; printf '\1\2\3\4\5\6\7\10\0\0\200\77\0\0\0\0' | od -t f4 -t f8 -t x1z; printf '\377\376\0\1\7\10\t\n\v\f\r\033\177' | od -c -ta
echo hi | od -An -tx1; od nope; echo $?; od -N 4 -An -tu4 /dev/zero; od -j 1000 noeol; echo $?; od -tx1 noeol - README.md < empty
printf '\0\0\300\77\0\0\0\300\51\134\217\302\365\250\11\100' | od -t f4; printf '\51\134\217\302\365\250\11\100\0\0\0\0\0\0\360\177' | od -t f8; od --endian=big -tx2 noeol; od -i noeol; od -s noeol; od -l noeol; od -tx1 -w4 -An noeol
### xxd
xxd README.md; xxd -p log.txt; xxd -p -c 0 noeol; xxd -l 5 log.txt; xxd -s 4 noeol; xxd -s -4 noeol; xxd -c 8 noeol; xxd -g1 noeol; xxd -g 3 -c 8 noeol; xxd -u noeol; xxd -i noeol; xxd -i < words.txt; xxd -b noeol; xxd -e noeol
xxd log.txt | xxd -r; xxd -p log.txt | xxd -r -p; echo 48656c6c6f | xxd -r -p; echo; xxd -ps noeol; xxd nope; echo $?; xxd noeol out; cat out; xxd -r out back; cat back; xxd empty
printf 'abc' | xxd -s 1; echo "0000003: 61" | xxd -r | od -c; xxd -i src/main.rs
### hexdump
hexdump README.md; hexdump -C log.txt; hexdump -C noeol; hexdump -n 5 log.txt; hexdump -s 3 -n 7 -C log.txt; dd if=/dev/zero bs=100 count=1 status=none | hexdump -C; dd if=/dev/zero bs=50 count=1 status=none | hexdump -v; hexdump -C empty; printf 'abcdefg' | hexdump
hexdump -c noeol; hexdump -b noeol; hexdump -x noeol; hexdump -d noeol; hexdump -o noeol
### strings
printf 'abc\0hello\1\2world\n\0\0longer text here\377x' > bin; strings bin; strings -n 3 bin; strings -t x bin; strings -td -n 6 bin; strings -4 < bin; strings -t o bin; strings nope; echo $?; strings -f bin
### gzip
gzip -k log.txt; echo log*; gunzip -c log.txt.gz; zcat log.txt.gz; gzip -t log.txt.gz; echo $?; gunzip -f log.txt.gz; echo log*
gzip words.txt; echo words*; gunzip words.txt.gz; echo words*; gzip -c data.csv | gzip -d; gzip < noeol | zcat; echo
gunzip README.md; echo $?; zcat README.md; echo $?; gunzip nope; echo $?; gzip nope; echo $?; gzip -9n < log.txt | gunzip; gzip src; echo $?
gzip -k noeol; gunzip noeol.gz; echo $?; gunzip -f noeol.gz; echo $?; (gzip -c noeol; gzip -c words.txt) | gunzip; (echo hi | gzip; echo junk) | gunzip; echo $?; echo hi | gzip | dd bs=15 count=1 status=none | gunzip; echo $?; : | gunzip; echo $?
gzip -1 numbers.txt; gzip -d numbers.txt; cat numbers.txt; gzip -c log.txt | zcat; gzip -dcf log.txt; gzip -dcf < log.txt; gzip x.gz; echo $?
gzip -r docs; echo docs/*; gunzip -r docs; echo docs/*
echo SGVsbG8K > b; echo H4sIAAAAAAAAA/NIzcnJ5wIAFjFh2AYAAAA= | base64 -d | gunzip; echo $?
### dd
dd if=log.txt bs=10 count=2 status=none; echo; dd if=log.txt of=out bs=4 skip=2 count=3 2>/dev/null; cat out; echo; printf XY | dd of=out bs=1 seek=3 conv=notrunc status=none; cat out; echo
dd if=/dev/zero of=zeros bs=1k count=3 status=none; cksum zeros; echo hello | dd conv=ucase status=none; printf abcdef | dd conv=swab 2>/dev/null; echo; dd if=nope; echo $?; dd bad=1; echo $?
printf 0123456789 | (dd bs=1 count=3 status=none; echo; dd bs=2 count=2 status=none; echo; cat); echo; dd if=noeol bs=5 status=noxfer 2>&1 >/dev/null; printf abc | dd of=n bs=1 seek=2 status=none; od -c n; printf abcd | dd of=out bs=2 seek=1 status=none; cat out; dd if=noeol ibs=1 skip=3 status=none; dd if=log.txt bs=1 count=5B status=none; printf ab | dd bs=4 conv=sync status=none | od -c; dd if=log.txt iflag=skip_bytes,count_bytes skip=3 count=4 bs=1M status=none
### numfmt
numfmt --to=iec 1536 1023 1024 999999 1048575 10240 0 5 10239 10188 1.2; numfmt --to=si 999 1000 1500 99950 99951 999999 123456789; numfmt --from=iec 1.5K 2M 0.1K; numfmt --from=si 1K; numfmt --to=iec-i --suffix=B 2048; numfmt --from=auto 1Ki 1K; echo 'a 1000 b' | numfmt --field 2 --to=si; echo '   1000  b' | numfmt --to=si; numfmt --to=iec --padding=8 2000; numfmt --format '%.2f' --to=iec 2000; numfmt --format '%8.1f|' 2000
numfmt 1.50; numfmt --to=si -- 0.5 -1500 -0.4; numfmt abc; echo $?; numfmt --round=down --to=si 1999; numfmt --to-unit=1024 4096; numfmt --from-unit=512 4; printf 'h 1\n1000 2\n' | numfmt --header --to=si; echo 10,2000 | numfmt -d, --field=2 --to=iec; numfmt --invalid=ignore --to=si abc 1000; echo $?; numfmt --from=si --to=iec 1G; numfmt --from=iec 1Ki; echo $?; numfmt 1K; echo $?
numfmt --round=nearest --to=si 1940 9950; echo 'x  1000   2000' | numfmt --field=2- --to=si; echo 'x  1000   2000' | numfmt --field=3 --to=si; numfmt --suffix=B 12B; numfmt --padding=-8 --to=si 5000; numfmt --format '%-8f|' 2000; numfmt --format '%08.2fx' 2000; numfmt 1.567 --to-unit=10; numfmt 1.005 --format=%.1f; numfmt --from=iec-i 1Ki; printf '1000\nx\n2000\n' | numfmt --to=si --invalid=fail; echo $?; printf '1000\n2000\n' | numfmt --to=si
### expr
expr 1 + 2; expr 7 - 10; expr 3 \* 4; expr 7 / 2; expr -7 / 2; expr -7 % 3; expr 1 / 0; echo $?; expr 5 \> 3; expr a \< b; expr 10 \< 9; expr abc = abc; expr abc != abc; echo $?; expr 0; echo $?; expr ''; echo $?; expr -0; echo $?
expr abc : 'a\(.\)c'; expr abcdef : 'abc'; expr abc : b; echo $?; expr abc : 'x\(.\)'; echo $?; expr length hello; expr length grüße; expr substr hello 2 3; expr index hello lo; expr match foobar 'foo\(.*\)'; expr \( 1 + 2 \) \* 3; expr 0 \| 5; expr 3 \& 0; echo $?; expr 3 \& 4; expr '' \| ''; expr 1 \| 1 / 0; expr 1 + a; echo $?; expr; echo $?; expr 1 2; echo $?; expr 1 +; echo $?; expr \( 1; echo $?; expr + length; expr -- 5; expr 1 '<=' 1; expr 5 == 5; expr file.tar.gz : '.*\.\(.*\)'; expr 1 - 2 - 3; expr 2 + 3 \* 4; expr "a b" : '.*'; expr äb : 'ä'; expr substr hello 0 2; expr substr hello 3 100; expr 9223372036854775807 + 1; expr abc : 'a\|b'; expr ')'; echo $?
### factor
factor 12 1 0 2 97 1000000007 1000000016000000063 18446744073709551615 18446744073709551617; echo 60 61 | factor; factor abc; echo $?; factor -1; echo $?; echo 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 | factor; factor 340282366920938463463374607431768211 
### about the system
tty < /dev/null; echo $?; tty -s < /dev/null; echo $?; nproc --bad; echo $?; sync; echo $?; uname; uname -s; uname -o; uname x; echo $?; uname -m; arch
### endless input
yes() { while echo "${1-y}"; do :; done 2>/dev/null; }
head() { local i; for ((i = 0; i < 2; i++)); do IFS= read -r line; printf '%s\n' "$line"; done; }
yes | base64 | head; yes | od -v | head; yes | xxd | head; yes | hexdump -vC | head; yes hello | strings | head; yes 12 | factor | head; yes 1000 | numfmt --to=si | head; yes abc | dd status=none 2>/dev/null | head
od -v /dev/zero | head; base64 /dev/zero | head; xxd /dev/zero | head; yes 1+1 | bc | head
### bc
echo '1+2; 7/2; -7/2; 7%3; -7%3; 2^10; 2^-1; (1+2)*3; 2^3^2; -2^2; 10-3-2' | bc
echo 'scale=4; 1/3; 2/3; -1/3; 22/7; 7%2.5; 5.5%2; 1.5*1.5; 2^-2; 1.23456*2; .5; 0; 0.0; 1.50; 3/1; sqrt(2); sqrt(16); 1.1^3; 10.00/4' | bc
printf 'a=5\na\na+=3\na\na++\n++a\na--\na\n(b=2)\nb*a\na-=1;a*=2;a/=3;a%%=4;a^=2;a\n' | bc
echo '1<2; 2<1; 1==1; 1!=1; 3>=3; 1&&0; 1||0; !1; !0; 1<=2&&3>2' | bc
echo '2^200; 2^1000; 100!' | bc
echo '12345678901234567890*98765432109876543210; 10^40/7; 99999999999999999999999999/12345678901234567; 10^50%97; 123456789012345678901234567890123456789/1000000000000000000000' | bc
printf 'for(i=0;i<5;i++) i\nwhile(i>0){i-=2;if(i==1)break;i}\nif(1<2) "yes\n" else "no\n"\nif (0) 1 else 2\n' | bc
printf 'define f(n){if(n<=1) return 1;return n*f(n-1)}\nf(20)\nf(50)\ndefine g(x,y){auto z\nz=x+y\nreturn(z)}\ng(1,2);z\n' | bc
printf 'a[1]=5;a[2]=7;a[1]+a[2];a[3]\ndefine s(x[],n){auto i,t;for(i=0;i<n;i++)t+=x[i];return t}\ns(a[],3)\n' | bc
echo 'obase=16;255;4095;-10;obase=2;10;.5;obase=8;64;obase=20;419' | bc; echo 'ibase=16;FF;A;obase=A;1F' | bc; echo 'ibase=2;1011;1.1' | bc; echo 'obase=16;scale=4;1/3; 0.1' | bc
echo '1/0; 5' | bc; echo $?; printf '1+\n2+2\n' | bc; echo $?; printf '1/0\n3\n' | bc; echo 'print "a", 1+1, "\n"; "text"; 3' | bc; echo; echo 'length(12345); length(1.234); scale(1.23); scale; last; 8; last; .' | bc
echo '/* comment */ 1 # more' | bc; printf '1 + \\\n2\n' | bc; echo 'quit' | bc; printf '3\nquit\n4\n' | bc; printf 'halt\n5\n' | bc; echo '5' > f.bc; echo '6' | bc f.bc; bc -q <<< '2*3'; echo 'x' | bc; echo '1.0==1; .1+.2; 1.10+2.205' | bc; echo 'sqrt(-1)' | bc; echo 'f(1)' | bc; bc <<< 'scale=10; 4*3.14159/2'; bc <<< 'scale=2; 100*45/67'; echo 'scale=20; sqrt(2); sqrt(10^30)' | bc
BC_LINE_LENGTH=0 bc <<< '2^500'; bc <<< '10^68; 10^67; 10^69'; echo '0.5+0.5; 5 % 0.3; scale=3; 5%0.3; -5%3; 1/3*3' | bc; bc <<< 'a=b=3; a; b; x=y'; bc <<< 'if (1) { 2; 3 }'; bc nope; echo $?
### bc with its library
echo '1/3; e(1); e(0); e(-1); l(2); l(10); a(1)*4; s(1); c(1); s(0); c(0); e(10); l(.5); a(-1); s(4); c(3); e(.5); l(1000)' | bc -l
echo 'scale=5; e(2); l(3); a(.5); s(2); 2*a(1); 10/4' | bc -l
### tar
tar cf a.tar README.md src/main.rs src/lib.rs; tar tf a.tar; tar -tf a.tar src; echo $?; tar tf a.tar nope; echo $?; tar xOf a.tar README.md; printf '' > a.tar
tar tf README.md; echo $?; tar cf a.tar; echo $?; tar tf nope; echo $?; tar f x; echo $?; tar --bad; echo $?; printf '' > a.tar
### tar extracts
tar czf - --sort=name src docs link.md empty noeol > /dev/null; mkdir() { :; }
tar cf - src docs | (cd docs && tar xf -); tar czf - README.md src/lib.rs | tar xzvf - -C docs; cat docs/README.md; tar cf - src | tar xf - -C docs --strip-components=1; tar cf - src | tar xf - --strip-components=2 -C docs
tar cf - -C src main.rs -C .. noeol | tar tf -; tar cf - link.md README.md | tar xvf - -C docs; tar cvf - src/main.rs noeol | tar tf -; tar -c --sort=name . --exclude='*.txt' --exclude=./src/deep | tar t
tar cf - src/lib.rs src/main.rs noeol | tar xvf - -C docs src; tar cf - src/lib.rs noeol | tar t --wildcards '*.rs'; printf 'noeol\nempty\n' | tar cf - -T - | tar t; tar cf - -T words.txt nope | tar t; tar cf - nope noeol | tar t; tar cf - --sort=name --no-recursion src | tar t; tar cf - "docs/ünï.txt" 'docs/a b.txt' | tar t
x=0123456789; x=$x$x$x$x$x; x=$x$x; echo long > "f$x$x"; tar cf - "f$x$x" | tar t; tar cf - "f$x$x" | (cd docs; tar x); chmod() { :; }; tar cf - "$PWD/noeol" | tar tf - | od -An -c > /dev/null
echo new > docs/noeol; tar cf - noeol | tar xf - -k -C docs; echo $?; cat docs/noeol; tar cf - noeol | tar xf - --skip-old-files -C docs; cat docs/noeol; tar cf - noeol | tar xf - -C docs; cat docs/noeol; tar tzf noeol; echo $?; tar cf - ../work/noeol | tar tf -; tar cf - empty | dd bs=300 count=1 status=none | tar tf -; echo $?; tar cf - log.txt | dd bs=600 count=1 status=none | tar tf -; echo $?; tar xf - -C nope < /dev/null; echo $?
### tar appends
tar cf - noeol --exclude=x | tar t; tar cf docs/t.tar noeol; tar rf docs/t.tar empty; tar tf docs/t.tar; tar cf docs/t.tar -C docs .; tar tf docs/t.tar --exclude='*.txt'; tar caf docs/t.tgz noeol; tar tf docs/t.tgz; printf '' > docs/t.tar; printf '' > docs/t.tgz
### tar reads pax
echo H4sIAAAAAAACA+3ZT2rCQBTH8ax7ipzA+ePMpJtil132CoGRWipJSS2kXqoX6M6LNQkFaSoWwRkj8/1sIiooPN/83oteZMHJTmHtcO2Mr8NjZaw2RSFN/7yS0ugst1kE72+bsum+SlPXm2Pv++/1K+VFXS0j1N8Zc6T+Zlx/a2SWS+ofXFf9mwzJmomZuH8s24dl6ZdNuP4/0Pf7/te/s6Drfy1tlrcx+z/R+iuXv5ab1Z0Xu69q98lZkBgvFtXi4vmvxvlvZEH+x9DSAon3//q5erl0/4/3P2WUyXIdfjVh/xOrsvGTq79T3fmvYiynidd/CvO/LvSf+V855v8o8//tzwKwrqsn0QYjPs6MTeUsYpT95Pl/7pzVzP8xbGmBpE0h/408cP+vIP9j0DZO/keeDpgippH/g//z347zv3Bz8j9W/Rmlyf+L7v/7s2G///P/X5z935m8vwM8zADbSeJ4CsiLPgHCfsbJ93+NtK6//x/j15V4/gMAAAAAAAAAAAAAAAAAgOvzDbHiPUYAUAAA | base64 -d > docs/t.tgz; tar tf docs/t.tgz; tar tvf docs/t.tgz; tar xzvf docs/t.tgz -C src
### tar reads gnu
echo H4sIAAAAAAACA+2ZTWrDMBCFZ51T6AQZ62ekbff1JQIqbUmwwU0h7aV6ge5yscpZFKrQhEA0dqL5NrJlgxdPT+/ZjgjFaRKB6DAm8vFwrB0ZF0LjxnmdZgwoAgbe37arQSkY+n576r5z12+UiH33xKC/d+6E/i7Xn9KgGtG/OEn9BQjVEnH/3e2/Jva/zvyvyRrxPwc7sUDl/t+8duup8z/vf9qSA2XKVxPpf/iyGuLs9CcKoDRHOa1c/yUu8aHtu+e23Dbwj+6/+huv/6yF9LYYRv+3nPlfKZskPe6KgR9XRhL79vS/uP9b77X0fxY+xQJVM4f8tz4c5b+3kv93sP8ztwNpEXPU/3z+U57/wVjJfy795QeA5P+k7//mOP+JQD1K/pfv/7NEfMlFxDEByj7j4u+/rkknoAzHUqs8/wVBqJcf78LCcQAoAAA= | base64 -d > docs/t.tgz; tar tf docs/t.tgz; tar tvf docs/t.tgz; tar xzvf docs/t.tgz -C src
### tar reads ustar
echo H4sIAAAAAAACA+3WQQ6CMBAF0K49BTdop5nS85DUqJG0CWKCXsoLuPNiVpZd4IYWkf82JcAC8vMz46TITkXWmPGM0nO8JjaarVX8uU9KsRaVEQVcL33TxU/pQuin3vv2fKWcDH5fIP+aeSJ/TvM3rESlkH92Mf2dgM1y8vX0r8fC/aek/2SsRv9LGFCBjfe/Pfnz0vM/3f+IiUWl868m2P/ksencz+VfkxUVlVhON57/bWazzP867v925fO/Df4gh2zm+v07RiAAAAAAAAAAAAAAwN95A8ErxtMAKAAA | base64 -d > docs/t.tgz; tar tf docs/t.tgz; tar tvf docs/t.tgz; tar xzvf docs/t.tgz -C src
### tar stays inside
echo H4sIAAAAAAACA+2YSwrCMBRFs5SuIL/mMxZ06MQdtCgoKhVtxeX7WmcVrBSSRnsPgUBTyOD2vL6Ec9FcWFgk4YzpZqI/E5opY7XxXpr2uZJ5rlgmWQSaW11cs4xdq6r+9N7Q+o8SPHyQNKIob+Ixtf9533/rHPyPAcUPCWZMIThvRzmp/+rdfwn/Y1BCgVlTNeG/6mH/Zd9/Z8l/3ZUm+B84f7G7H07T5m96+SttNOp/DEJnDxL3/xh+jxH3P4qOhPD/T/IHSZ//dXr9HzUAivo/UZ8v8D8o1GJHqf/e2u/zl9576v8s6n9w9hH2GOG/0/T/V6+rqc1qsVyv+HmL/AEAAAAAAABgPE+j7ig+ACgAAA== | base64 -d > docs/t.tgz; tar tf docs/t.tgz; tar xzf docs/t.tgz -C src/deep; echo $?
### tar does not follow links out
ln=$(echo x); tar cf a.tar -C docs .; tar xf a.tar -C src; tar cf - link.md | tar xf - -C src/deep; echo new > docs/link.md; tar cf - -C docs link.md | tar xf - -C src/deep; cat README.md src/deep/link.md; printf '' > a.tar
### zeros
head -c 5 /dev/zero | od -c; head -c 100000 < /dev/zero | wc -c; dd if=/dev/zero of=z bs=10 count=3 2>/dev/null; wc -c < z
tr '\0' x < /dev/zero | head -c 4; echo; cat /dev/zero | head -c 3 | xxd; echo a > /dev/zero; [ -e /dev/zero ] && echo there; [ -c /dev/zero ] && echo device
head -c 70000 /dev/zero | tr '\0' 'a' | md5sum; IFS= read -r -n 2 -d '' x < /dev/zero; echo $?; head -z -n 2 /dev/zero | wc -c
