### fields
awk '{print $1}' log.txt
awk '{print $NF, NF}' README.md
awk -F, '{print $2, $1}' data.csv
awk -F, 'NR>1 {s+=$2} END {print s, s/NR, NR}' data.csv
awk -F'\t' '{print $3 "-" $1}' tabs.txt
awk -Ft '{print $1}' tabs.txt
awk -F '|' '{print $2}' <<< 'a|b|c'
awk -F. '{print $2}' <<< 'a.b.c'
awk -F'[,;]+' '{print $2, NF}' <<< 'a,;b;c'
awk -F '' '{print $2, NF}' <<< 'aüc'
awk -F' ' '{print $2, NF}' <<< '  a   b  '
awk -F: -v OFS=- '{$1=$1; print; print $0}' <<< 'a:b:c'
### fields assigned
echo 'a b c' | awk '{$2="x"; print; print NF}'
echo 'a b c' | awk '{$5="x"; print; print NF}' OFS=:
echo 'a b c d' | awk '{NF=2; print; $0="x y z"; print NF, $2}'
echo 'a b c d' | awk '{NF=6; print $0 "|"}' OFS=,
echo 'a b c' | awk '{$0="p q"; print $1, NF; $3="r"; print $0}'
echo '3 4' | awk '{$1+=2; $2++; print; print $1*$2}'
echo 'a b c' | awk '{$(NF+1)=NF; print}'
echo 'a b c' | awk '{$NF=""; print; print NF}'
echo 'a b c' | awk '{ $3=""; sub(/ +$/, ""); print $0 "." ; print NF}'
echo '1 2 3' | awk '{for(i=1;i<=NF;i++) $i=$i*2; print}'
echo 'x' | awk '{print $(-1)}' 2>/dev/null; echo $?
echo '   a   b ' | awk '{$1=$1}1' | cat -A
### patterns
awk '/ERROR/' log.txt
awk '!/ERROR/' log.txt
awk 'NR==2' log.txt
awk 'NR==2,NR==4 {print NR": "$0}' log.txt
awk '/WARN/,/INFO/' log.txt
awk '/start/,/start/' log.txt
awk '$2 == "ERROR" && /disk/ {print $3}' log.txt
awk 'END {print NR}' log.txt
awk 'BEGIN {print "only"}' missing
awk 'BEGIN {print 1} BEGIN {print 2} END {print 3} END {print 4}' empty
awk 'NR%2' numbers.txt
awk '!seen[$0]++' words.txt
awk 'length' README.md
awk 'length > 12' README.md
awk 1 noeol
awk 'NR>1 && NR<4; NR==3 {print "three"}' words.txt
awk '$1 > 5' numbers.txt
awk '$1 ~ /^[a-f]/ {n++} END {print n+0}' words.txt
awk '$1 !~ "a"' words.txt
### several files
awk '{print FILENAME, FNR, NR}' numbers.txt noeol
awk 'FNR==1 {print FILENAME}' numbers.txt words.txt
awk 'NR==FNR {a[$1]; next} $1 in a' numbers.txt <(echo 2; echo 7; echo 33)
awk '{print x, $0}' x=1 noeol x=2 noeol
awk 'FNR==2 {nextfile} {print FILENAME": "$0}' numbers.txt words.txt
awk '{print}' missing noeol; echo $?
awk '{print}' src noeol; echo $?
cat noeol | awk '{print "in", $0}' - numbers.txt
echo stdin | awk '{print FILENAME "|" $0}'
awk 'BEGIN {ARGV[1]=""; } {print}' missing noeol
awk 'BEGIN {for (i=0;i<ARGC;i++) print i, ARGV[i]}' a b=c -x
awk 'END {print $0, NF}' log.txt
### variables
awk -v x=5 -v y='a\tb' 'BEGIN {print x+1, y}'
awk -vx=5 'BEGIN {print x}'
X=hey awk 'BEGIN {print ENVIRON["X"]}'
export Y=1.0; awk 'BEGIN {if (ENVIRON["Y"]==1) print "number"}'
awk -v n=10 'BEGIN {print (n < 9) ? "less" : "more"}'
awk 'BEGIN {print NF, NR, FNR, FS, OFS, RSTART, RLENGTH, "[" FILENAME "]"}'
awk 'BEGIN {print (SUBSEP == "\034"), CONVFMT, OFMT}'
awk 'BEGIN { x[1,2]=3; for (k in x) {split(k, p, SUBSEP); print p[1], p[2]} }'
awk --assign=z=3 'BEGIN{print z}'
awk -f <(echo 'BEGIN {print "from a file"}')
echo 'function f(x) {return x*2}' > lib.awk; awk -f lib.awk -e 'BEGIN {print f(4)}'
awk -- 'BEGIN{print "dash"}'
### arithmetic
awk 'BEGIN {print 1+2*3, (1+2)*3, 7/2, 7%3, -7%3, 2^10, 2**3, 2^3^2, -2^2, !0, !1, !"", !"a"}'
awk 'BEGIN {x=5; x+=2; print x; x-=1; print x; x*=2; print x; x/=4; print x; x%=2; print x; x^=2; print x; x**=2; print x}'
awk 'BEGIN {i=1; print i++ + ++i, i, i-- - --i, i}'
awk 'BEGIN {print 1e6, 1e5*10, 1000000*1000000, 0.1+0.2, 1/3, 100000.5, 1e300*1e10, -1e300*1e10}'
awk 'BEGIN {print 2^53, 2^53+1, 2^100, 1e18, 123456789012345678}'
awk 'BEGIN {print int(3.9), int(-3.9), int("12abc"), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0,-1)}'
awk 'BEGIN {print 1==1.0, "a"<"b", "10"<"9", 10<9, "abc"<"abd", 1<"a"}'
awk 'BEGIN {print 0x11, 011, 1e3, .5, 5., "0x11"+0, "3x"+1, "+5"+1, " 7 "+1, ".5."+0, "1e2x"+0, "1e"+0}'
awk 'BEGIN {print -0, 0*-1, "-0"+0, -3 " " -4, 1 - 1, 1 -1, "a" -1}'
awk 'BEGIN {print log(-1)}' 2>/dev/null
awk 'BEGIN {print 1/0}' 2>/dev/null; echo $?
awk 'BEGIN {print 1%0}' 2>/dev/null; echo $?
awk 'BEGIN {CONVFMT="%.2g"; a=3.14159; b=a ""; print b, a; OFMT="%.3f"; print a, a "", 17, 17.0}'
awk 'BEGIN {x[0.1+0.2]=1; for (k in x) print k; x[12.0]=2; print 12 in x, "12" in x}'
awk 'BEGIN {print 5 % -3, -5 % 3, 5.5 % 2, 2^-1, 2^0.5}'
awk 'BEGIN {print 1>2 ? "a" : "b"; print (1>2) ? "a" : "b"}'; cat 2* 2>/dev/null
awk 'BEGIN {print !x + 1, - -3, !!5, 1 - -1, +"3a", -"3a"}'
awk 'BEGIN {print and(12,10), or(12,10), xor(12,10), lshift(1,4), rshift(16,2), compl(0), strtonum("0x1F"), strtonum("017"), strtonum("12.5")}'
awk 'BEGIN {print 1,2 > "/dev/stdout"; print 3==3, 1!=2, 2>=1, 1<=0}'
awk 'BEGIN {printf "%d %d\n", 2147483648*4, -2^40; print 1e15, 1e16, 1e17, 123456789.123}'
### comparison of input
echo '10 9 abc 1e2 100 0x10 16 +5 5 .5 0.50' | awk '{print ($1>$2), ($1<$3), ($4==$5), ($6==$7), ($8==$9), ($10==$11)}'
echo ' 12 ' | awk -F, '{print ($1==12), ($1=="12")}'
echo '0' | awk '{if ($1) print "true"; else print "false"; x=$1 ""; if (x) print "text"}'
echo '0.0' | awk '{if ($1) print "true"; else print "false"}'
echo 'a' | awk '{if ($2=="") print "empty"; if ($2==0) print "zero"; if (u=="" && u==0) print "both"}'
awk 'BEGIN {if (!u) print "unset"; print length(u), u+0, "[" u "]"}'
echo '10,9' | awk '{split($0,a,","); print (a[1]>a[2]), (a[1] "" > a[2] "")}'
echo '5 10' | awk '{a=$1; b=$2; print (a<b), (substr($1,1)<substr($2,1))}'
echo '+inf -nan inf nan' | awk '{print $1+0, $2+0, $3+0, $4+0}'
awk -v x=010 'BEGIN {print x+0, (x==10)}'
### strings
awk 'BEGIN {print length("hello"), length("ünï"), length(12345), length()}'
awk 'BEGIN {print substr("hello",2,3) "|" substr("hello",0) "|" substr("hello",-1,3) "|" substr("hello",4,100) "|" substr("hello",10) "|" substr("hello",2,0) "|" substr("ünïx",2,2) "|" substr("hello",1.5,1.5)}'
awk 'BEGIN {print index("foobar","bar"), index("foo","x"), index("üx","x"), index("abc","")}'
awk 'BEGIN {print toupper("abcü"), tolower("ABCÜ")}'
awk 'BEGIN {n=split("a:b:c",p,":"); print n,p[1],p[2],p[3]; n=split("",p); print n, length(p)}'
awk 'BEGIN {n=split("  a  b ",p); print n,p[1],p[2]; n=split("a1b22c",p,/[0-9]+/,s); print n,p[3],s[1],s[2]; n=split("abc",p,""); print n,p[1],p[3]}'
awk 'BEGIN {n=split(" a b ",p,/ /); print n,"[" p[1] "]"; n=split("a.b.c",p,"."); print n; n=split("a||b",p,"|"); print n; n=split("aXXb",p,"XX"); print n}'
awk 'BEGIN {print "a" "b" 1 2, 1 " " 2, "x" 1+1 "y"}'
awk 'BEGIN {print "tab\there", "nl\\n", "q\"q", "sl\/ash", "\101\x41", "a\
b"}'
awk 'BEGIN {s = "abc"; s = s "def"; s = s s; print s; for (i=0;i<5;i++) t = t i ","; print t; t = t t; print t}'
awk 'BEGIN {print substr("hello", 2); print substr(12345, 2, 3)}'
awk 'BEGIN { print length "x" }' < noeol
### match
awk 'BEGIN {print match("foobar",/o+/), RSTART, RLENGTH; print match("x",/y/), RSTART, RLENGTH; print match("üab","b"), RSTART}'
awk 'BEGIN {if (match("key=value",/([a-z]+)=([a-z]+)/,m)) print m[0],m[1],m[2],m[1,"start"],m[2,"start"],m[2,"length"]}'
awk 'match($0,/[0-9]+-[0-9]+/) {print substr($0,RSTART,RLENGTH)}' log.txt
awk 'BEGIN {if ("abc" ~ "^a.c$") print "yes"; if ("a.c" ~ /a\.c/) print "dot"; if ("abc" ~ "a\\.c") print "no"; if ("a+b" ~ /a\+b/) print "plus"}'
awk 'BEGIN {r="^[0-9]+$"; print ("123" ~ r), ("12a" ~ r), "x" ~ /[[:alpha:]]/, "é" ~ /^.$/}'
awk '/^[^,]*,[0-9]{2},/ {print $1}' data.csv
awk 'BEGIN {print "a/b" ~ /a\/b/, "a/b" ~ "a/b", "a/b" ~ /[/]b/, "]" ~ /[]]/, "a]" ~ /[a\]]$/, "\\" ~ /\\/, "\\" ~ /[\\]/, "-" ~ /[a\-z]/, "b" ~ /[a\-z]/, "\t" ~ /[\t]/}'
awk 'BEGIN {print "foo bar" ~ /\<bar\>/, "foobar" ~ /\ybar/, "foo bar" ~ /\ybar/, "a b" ~ /a\sb/, "ab" ~ /^\w+$/, "$x" ~ /\$x/, "a" ~ /a|b/, "{" ~ /{/, "a{" ~ /a{/}'
awk 'BEGIN {IGNORECASE=1; print "ABC" ~ /abc/, "ABC" == "abc"}' | cat | awk '{print $1}'
awk 'BEGIN {x="A"; print x ~ /a/ || x ~ /A/, /x/ + 0, !/x/}'
awk 'BEGIN { $0 = "abc"; print /b/ ? "has" : "not"; print (/b/) + 1; if (/c/ && !/d/) print "ok"; n = /b/; print n }'
### substitutions
echo 'hello world' | awk '{sub(/o/,"0"); print; gsub(/o/,"0"); print; print gsub(/l/,"L"), $0}'
echo 'hello' | awk '{gsub(/l/,"[&]"); print; gsub(/\[/,"\\&"); print}'
echo 'hello' | awk '{gsub(/x*/,"-"); print}'
echo 'abc' | awk '{gsub("","-"); print; gsub(/$/,"!"); print; gsub(/^/,">"); print}'
echo 'a b c' | awk '{gsub(/b/,"x",$2); print; sub("c","y",$3); print NF, $0}'
echo 'a.b.c' | awk '{gsub(".","x"); print}'
echo 'a.b.c' | awk '{gsub("\\.","x"); print; s="aaa"; print gsub(/a/,"b",s), s}'
echo 'abc' | awk '{print gensub(/(a)(b)/,"\\2\\1","g"), $0; print gensub(/b/,"[&]",1); print gensub(/[a-c]/,"x",2)}'
echo 'path/to' | awk '{gsub("/","\\/"); print; gsub(/\//,"::"); print}'
awk 'BEGIN {s="a\\b"; gsub(/\\/,"/",s); print s; t="x&y"; gsub(/&/,"\\\\&",t); print t; u="x"; sub(/x/,"\\\\\\&",u); print u; v="x"; sub(/x/,"\\q\\\\q",v); print v}'
awk 'BEGIN {a["k"]="foo"; sub(/o/,"0",a["k"]); print a["k"]; print gensub(/(.)(.)/,"\\2\\1\\0","g","abcd"); print gensub("b+","<&>","g","abbbcb")}'
awk '{gsub(/[aeiou]/,"")} 1' words.txt
awk '{$1=toupper(substr($1,1,1)) substr($1,2)} 1' words.txt
echo 'x  y' | awk '{gsub(/[ \t]+/," "); print; gsub(/^[ \t]+|[ \t]+$/,""); print}'
echo 'ünï' | awk '{gsub(/./,"<&>"); print; gsub(/n*/,"-"); print}'
awk 'BEGIN {s="aab"; gsub(/a*b?/, "X", s); print s; s="banana"; print gsub(/ana/,"x",s), s; s="foo"; gsub(/^f|o$/,"-",s); print s}'
### printf
awk 'BEGIN {printf "%s %d %5d|%-5d|%05d|%+d|% d\n", "a", 3.9, 42, 42, 42, 42, 42}'
awk 'BEGIN {printf "%f %.2f %8.3f|%-8.1f|%e %g %G\n", 3.14159, 3.14159, 3.14159, 3.14159, 31415.9, 0.00001, 1e10}'
awk 'BEGIN {printf "%x %X %o %c %c %c %%\n", 255, 255, 8, 65, "hello", 252}'
awk 'BEGIN {printf "%10s|%-10s|%.2s|%5.1s|%*d|%-*d|%.*f\n", "abc", "abc", "abc", "abc", 5, 42, 5, 42, 2, 3.14159}'
awk 'BEGIN {printf("%s-%s\n", "a", "b"); printf "no newline"; printf "\n"; x = sprintf("%03d", 7); print x}'
awk 'BEGIN {printf "%5s|%-5s|\n", "ü", "ü"; printf "%i\n", "12abc"; printf "%d\n", -3.9; printf "%s\n", 3.0; printf "%s %s\n", 1e6, 0.1}'
awk 'BEGIN {printf "%#x %#o %e\n", 255, 8, 0; printf "%u %d\n", 3, "0x1A"; printf "%5%|%d%%\n", 5}'
awk 'BEGIN {printf "%2$s %1$s\n", "a", "b"; printf "%c%c", "", 10; printf "%s"}' 2>/dev/null; echo $?
awk 'BEGIN {printf "%d %x\n", 2^40, 2^40; printf "%.3d|%6.3d|%-8x|%08.2f|%+.1e\n", 5, 5, 255, -3.14159, 12345}'
awk 'BEGIN {printf "%s\n"}' 2>/dev/null; echo $?
awk '{printf "%-10s %5d\n", $1, length($1)}' words.txt
awk -F, '{printf "%s%s", (NR>1?";":""), $1} END {print ""}' data.csv
awk 'BEGIN {printf "%s %s %s\n", "a", "b"}' 2>/dev/null; echo $?
awk 'BEGIN {printf "%g %g %g %g %g\n", 100000, 1000000, 1e-4, 1e-5, 123456789; printf "%#g %G %.0f %.0e %.10g\n", 1, 1e-10, 2.5, 12345, 1/3}'
awk 'BEGIN {printf "%k%5y|%d%", 1}'; echo
awk 'BEGIN {x=-1; printf "%x %u %d %s %g\n", x, x, x*0, x*0, 0*x}'
### arrays
awk '{c[$1]++} END {PROCINFO["sorted_in"]="@ind_str_asc"; for (k in c) print k, c[k]}' words.txt
awk '{c[$1]++} END {PROCINFO["sorted_in"]="@val_num_desc"; for (k in c) print k, c[k]}' <<< $'a\nb\nb\nc\nc\nc'
awk 'BEGIN {a["x"]=1; delete a["x"]; print length(a), ("x" in a); a[1]; a[2]; delete a; print length(a)}'
awk 'BEGIN {a[1,2]=3; if ((1,2) in a) print "in"; print a[1,2]; if (!((2,1) in a)) print "not"; delete a[1,2]; print length(a)}'
awk 'BEGIN {n=split("c a b",a); n=asort(a); for(i=1;i<=n;i++) printf "%s ", a[i]; print ""; b["z"];b["y"]; n=asorti(b,d); print n,d[1],d[2], length(b)}'
awk 'BEGIN {n=split("10 9 b 2 a",a," "); asort(a); for(i=1;i<=n;i++) printf "%s ", a[i]; print ""}'
awk 'BEGIN {n=split("10 9 2 33",a); asort(a, b, "@val_num_desc"); for(i=1;i<=n;i++) printf "%s ", b[i]; print a[1]}'
awk 'BEGIN {a[1][2]=5; a[1][3]=6; print a[1][2], length(a[1]), (2 in a[1]), isarray(a[1]); for (k in a[1]) n+=k; print n; delete a[1][2]; print length(a[1])}'
awk 'BEGIN {a["x"]; if ("x" in a) print "made"; if (a["y"]=="") print "empty"; print ("y" in a), ("z" in a)}'
awk 'BEGIN {for (i=0;i<5;i++) a[i]=i*i; s=0; for (k in a) s+=a[k]; print s, length(a)}'
awk 'BEGIN {a["1"]=1; print a[1], a["01"] == "", (01 in a)}'
awk '{a[NR]=$0} END {for (i=NR;i>0;i--) print a[i]}' numbers.txt
awk 'NR==FNR{m[$1]=$2;next} {print $1, ($1 in m) ? m[$1] : "none"}' <(printf 'a 1\nb 2\n') <(printf 'b\nc\n')
awk 'BEGIN { x["a"]; f(x); for (k in x) n++; print n } function f(y) { y["b"]; y["c"] }'
awk 'BEGIN { print typeof(x), typeof(1), typeof("a"), typeof(a); b[1]; print typeof(b), typeof(b[1]), typeof(/x/) }'
### functions
awk 'function f(a,b) {return a+b} BEGIN {print f(1,2), f(1), f()}'
awk 'function fact(n) {return n<=1 ? 1 : n*fact(n-1)} BEGIN {print fact(10), fact(20)}'
awk 'function fib(n) {if (n<2) return n; return fib(n-1)+fib(n-2)} BEGIN {print fib(15)}'
awk 'function fill(a,n,  i) {for(i=1;i<=n;i++) a[i]=i*i} BEGIN {fill(sq,5); print sq[5], length(sq), i}'
awk 'function g(s) {s="changed"; return} BEGIN {t="kept"; g(t); print t, "[" g(t) "]"}'
awk 'function local(  loc) {loc[1]=5; loc[2]=6; return length(loc)} BEGIN {print local(), local()}'
awk 'function outer(a) {inner(a)} function inner(b) {b["x"]=1} BEGIN {outer(arr); print arr["x"]}'
awk 'function f(x) { if (x > 0) { print x; f(x-1) } } BEGIN { f(3) }'
awk 'function max(a, b) {
  if (a > b)
    return a
  else
    return b
}
{ m = NR == 1 ? $1 : max(m, $1) }
END { print m }' numbers.txt
awk 'func f(x) {return x "!"} BEGIN {print f("a")}'
awk 'function a(n) {return b(n)} function b(n) {return n ? a(n-1) + 1 : 0} BEGIN {print a(2000)}'
awk 'function f(n) {getline; return $0} {print f(1)}' numbers.txt
awk 'function f() {exit 3} BEGIN {f(); print "never"}'; echo $?
awk '/./ {g(); print "no"} function g() {next} END {print "end"}' words.txt
### control flow
awk 'BEGIN {while (i<3) {print i++; if (i==2) continue}; do {print "d" i--} while (i>1); for (;;) {if (j++>2) break}; print j}'
awk 'BEGIN {if (1) print "a"; else print "b"; if (0) print "c"
else print "d"; if (0) {print 1} else if (1) {print 2} else {print 3}}'
awk 'BEGIN {for (i=0;i<10;i++) {if (i%2) continue; if (i>6) break; printf "%d ", i}; print ""}'
awk '{if ($1>5) {big++} else small++} END {print big, small}' numbers.txt
awk 'NR==3 {exit} {print} END {print "end"}' words.txt; echo $?
awk 'BEGIN {exit 2} END {print "end"}'; echo $?
awk 'BEGIN {exit 2} END {exit}'; echo $?
awk 'END {exit 5}' words.txt; echo $?
awk '/fig/ {next} {print}' words.txt
awk 'BEGIN {switch ("b") {case "a": print 1; case "b": print 2; case "c": print 3; break; default: print 4}; switch (7) {default: print "d"; case 1: print "one"}; switch ("xyz") {case /y/: print "re"; break; case "q": print "q"}}'
awk 'BEGIN {for (i=1;i<=3;i++) for (j=1;j<=3;j++) {if (j==2) break; print i, j}}'
awk 'BEGIN {a["x"];a["y"]; for (k in a) {n++; if (n==1) continue; break}; print n; for (k in a) delete a[k]; print length(a)}'
awk 'BEGIN { if (!(3 in a)) print "none"; if (! 3 in a) print "x"; else print "y" }'
awk 'BEGIN {
  # a comment
  x = 1 ; y = 2   # another
  if (x == 1 &&
      y == 2 ||
      z)
    print "multi" \
      "line"
  ;
}'
awk 'BEGIN{a=1;b=2;print a,b;;print(a)(b);print (a)(b);print(a,b);print (1+2)*3, (4)}'
awk 'BEGIN { for (i = 0; i < 3; i++); print i; while (i-- > 0); print i }'
### getline
awk 'BEGIN {while ((getline line < "words.txt") > 0) n++; print n; close("words.txt"); getline line < "words.txt"; print line}'
awk 'NR==1 {getline; print "got " $0, NR} NR==3 {getline x; print "x=" x, NR, $0}' words.txt
awk 'BEGIN {"echo hi there" | getline; print $2; "echo one; echo two" | getline x; print x; "echo one; echo two" | getline x; print x, NR}'
awk 'BEGIN {cmd="cat words.txt"; while ((cmd | getline l) > 0) c[l]++; close(cmd); print c["apple"]}'
awk 'BEGIN {print (getline x < "missing"), (getline < "missing")}'
awk 'BEGIN {while (getline < "numbers.txt") s+=$1; print s}'
awk 'BEGIN {while (("cat numbers.txt" | getline) > 0) print "n" $1}'
awk 'BEGIN {getline; print "first", $0; getline; print "second", $0} {print "rest", $0; exit}' words.txt
echo 'in' | awk 'BEGIN {getline line < "-"; print line}'
awk 'END {print getline, $0}' noeol
awk 'BEGIN {"date -u -d @0 +%Y" | getline y; print y; f="data.csv"; getline a[1] < f; getline a[2] < f; print a[2]; getline $2 < f; print $0, NF}'
awk '{while ((getline l < ARGV[1]) > 0) n++} END {print n, NR}' numbers.txt
awk 'BEGIN { "echo " "x" | getline v; print v }'
### output
awk '{print > "out.txt"} END {close("out.txt"); while ((getline l < "out.txt") > 0) print "r", l}' numbers.txt
awk '{print $1 > $1 ".txt"}' <<< $'a\nb\na'; cat a.txt b.txt
awk 'BEGIN {print "x" >> "app.txt"; print "y" >> "app.txt"}'; awk 'BEGIN {print "z" >> "app.txt"}'; cat app.txt
awk 'BEGIN {print "err" > "/dev/stderr"; print "out" > "/dev/stdout"}' 2>&1
awk 'BEGIN {printf "%s\n", "p" > "p.txt"; print "a", "b" > "p.txt"}'; cat p.txt
awk '{print $1 | "cat"}' numbers.txt
awk 'BEGIN {print "head"; print "b" | "cat"; print "a" | "cat"; close("cat"); print "tail"}'
awk 'BEGIN {print "one"; print "two" | "cat 1>&2"; print "three"}' 2>/dev/null
awk -F, '{print > ("by-" $3 ".out")}' data.csv; cat by-*.out
awk 'BEGIN {OFS="-"; ORS="|\n"; print 1,2,3; $0="a b c"; $1=$1; print}'
awk 'BEGIN {print "x" > "/no/such/file"}' 2>/dev/null; echo $?
awk 'BEGIN {print close("never"), system("exit 3"), system("echo sys")}'
awk 'BEGIN {printf "a"; system(""); printf "b\n"; system("echo c"); fflush(); print "d"}'
awk 'BEGIN {print "x" | "cat >piped.txt"; close("cat >piped.txt"); getline y < "piped.txt"; print y}'
awk 'BEGIN {print > "e.txt"; printf "" > "f.txt"}' ; cat e.txt f.txt
awk 'BEGIN {print 1, 2 > "t1"; print(3)(4) > "t1"; print (5,6) > "t1"; print "a" "b" > "t" "2"}'; cat t1 t2
### pipes at the end
awk '{print $1 | "cat"} END {print "done"}' numbers.txt
awk '{print $1 | "cat"} END {close("cat"); print "done"}' numbers.txt
awk 'BEGIN {print "header"} {print | "cat"}' numbers.txt
awk 'BEGIN {"exit 3" | getline; print close("exit 3"); print "x" | "cat; exit 4"; print close("cat; exit 4")}'
### record separators
printf 'a;b;c' | awk -v RS=';' '{print NR, $0}'
printf 'a b\nc\n\n\nd e\nf\n' | awk -v RS= '{print NR": "$1"|"$NF"|"NF}'
printf '\n\na b\nc\n\n\nd e\nf\n\n\n' | awk 'BEGIN{RS="";FS="\n"} {print NR": "$1"|"$2"|"NF} END {print NR}'
printf 'a12b345c\n' | awk -v RS='[0-9]+' '{print NR, $0, RT}'
printf 'a\r\nb\r\n' | awk 'BEGIN{RS="\r\n"} {print $0 "."}'
printf 'a\r\nb\r\n' | awk '{sub(/\r$/,""); print $0 "."}'
printf 'x:y\nz:w\n\np:q\n' | awk -v RS= -F: '{print NF, $2}'
printf 'one\0two\0' | awk -v RS='\0' '{print $0}'
printf 'aXbxc' | awk -v RS=X '{print}'
awk 'BEGIN {RS="^$"} {print length($0)}' log.txt
printf 'a\nb\n' | awk -v ORS=' ' '1; END {printf "\n"}'
printf 'a--b--c\n' | awk 'BEGIN{RS="--"} {printf "[%s]", $0} END {print ""}'
printf 'a b' | awk '{print $2}' RS=' ' 
printf 'l1\nl2;l3;l4\n' | awk 'NR==1 {RS=";"} {print NR, $0}'
### more separators
echo 'a,b;c' | awk '{FS=","; print $1} END {}' 
printf 'a,b\nc,d\n' | awk '{FS=","; print $1}'
awk -v FPAT='([^,]+)|("[^"]+")' '{print NF, $2}' <<< 'a,"b,c",d'
awk -v FIELDWIDTHS='2 3 2' '{print $1 "|" $2 "|" $3, NF}' <<< 'aabbbccdd'
awk -F'\\|' '{print $2}' <<< 'a|b'
awk -F"\\t" '{print $2}' tabs.txt
awk -F'::' '{print $2}' <<< 'a::b'
awk -F'a' '{print $2}' <<< 'xayAz'
awk 'BEGIN{FS=OFS="\t"} {t=$1;$1=$2;$2=t} 1' tabs.txt
awk -F'[][]' '{print $2}' <<< 'x[y]z'
awk -F' +' '{print NF, $2}' <<< ' a  b'
awk -F'^x' '{print NF, $2}' <<< 'xaxb'
### sums and reports
awk -F, 'NR>1 {n[$3]+=$2} END {PROCINFO["sorted_in"]="@ind_str_asc"; for (c in n) printf "%-10s %d\n", c, n[c]}' data.csv
awk '{for (i=1;i<=NF;i++) w[tolower($i)]++} END {PROCINFO["sorted_in"]="@ind_str_asc"; for (k in w) print w[k], k}' README.md
awk 'NR==1 {min=max=$1} {if ($1<min) min=$1; if ($1>max) max=$1; s+=$1} END {print min, max, s/NR}' numbers.txt
awk -F, 'BEGIN {print "["} NR>1 {printf "%s  {\"name\": \"%s\", \"age\": %d}", (NR>2 ? ",\n" : ""), $1, $2} END {print "\n]"}' data.csv
awk '{ line[NR] = $0 } END { for (i = NR; i >= 1; i--) printf "%s%s", line[i], (i > 1 ? "," : "\n") }' words.txt
awk '{l=length($0); if (l>m) {m=l; x=$0}} END {print m, x}' src/lib.rs
awk '/fn /{match($0,/fn [a-z]+/); print FILENAME":"FNR": "substr($0,RSTART+3,RLENGTH-3)}' src/*.rs
awk 'BEGIN{while(i++<5)printf "%s%s",i,i<5?OFS:ORS}'
awk '{a[NR%2]=a[NR%2] $0 " "} END {print a[0]; print a[1]}' numbers.txt
awk 'NR>1{print prev} {prev=$0}' numbers.txt
awk 'ORS=NR%2?",":"\n"' words.txt; echo
awk '{$1=""; print substr($0,2)}' log.txt
awk '/^pub fn/{f=1} f{print} /^}/{f=0}' src/lib.rs
awk 'f&&!/^}/{print;next} /sub/{f=1}' src/lib.rs
awk '{ n = split($0, c, ""); for (i = n; i; i--) printf "%s", c[i]; print "" }' words.txt
### times
awk 'BEGIN {print strftime("%Y-%m-%d %H:%M:%S", 86400, 1), mktime("1970 01 02 00 00 00"), strftime("%A %B %j", 0)}'
awk 'BEGIN {print (systime() > 1600000000), mktime("2024 13 01 00 00 00"), mktime("x")}'
awk 'BEGIN {srand(1); a=rand(); srand(1); b=rand(); print (a==b), (a<1), (a>=0), srand(5), srand()}'
### errors
awk 'BEGIN {print 1' 2>/dev/null; echo $?
awk '{print $1' numbers.txt 2>/dev/null; echo $?
awk 2>/dev/null; echo $?
awk 'BEGIN {f(1)}' 2>/dev/null; echo $?
awk 'BEGIN {x=1; x[1]=2}' 2>/dev/null; echo $?
awk 'BEGIN {print "a" ~ "("}' 2>/dev/null; echo $?
awk '/(/' words.txt 2>/dev/null; echo $?
awk -f missing.awk 2>/dev/null; echo $?
awk --nope 'BEGIN{}' 2>/dev/null; echo $?
awk 'BEGIN {getline x < "missing"; print "on"}'
awk 'BEGIN {next}' 2>/dev/null; echo $?
awk 'BEGIN {return}' 2>/dev/null; echo $?
awk -v 1x=2 'BEGIN{}' 2>/dev/null; echo $?
awk 'BEGIN { print "before"; x[1]=1; print x }' 2>/dev/null; echo $?
### odd syntax
awk 'BEGIN { print 1; print 2 } ; { } ; END { print 3 }' empty
awk 'BEGIN { a = "x"; print a++ + 0, a; $3 = "z"; print $0, NF; print $(1+2) }'
awk 'BEGIN { print 1 " " 2, 3 > "/dev/stdout" }'
awk 'BEGIN { x = y = 3; print x, y; print x == y ? "same" : "other"; print (x = 4) * 2, x }'
awk 'BEGIN { print "a" > "/dev/null"; print length("x" "y"), length "z" }' < /dev/null
awk 'BEGIN { $0 = "3 4 5"; print $1 $2, $1 + $2, $NF - 1, $NF-1, -$1, !$1, $1^2, $1++ , $1, ++$2, $2 }'
awk 'BEGIN { i = 2; $0 = "a b c"; print $i++, i; print $++i; print $i-- }'
awk 'BEGIN { a["b"] = 1; if ("b" in a && !("c" in a)) print "ok"; print 1 in a, ("b" in a) }'
awk 'BEGIN { print 1==1, 2 < 1, (3 > 2) }'
awk 'BEGIN { print "x" (1 < 2) "y"; print 1 + 1 "" 2 + 2; print 6 / 3 / 2, 2 * 3 % 4 }'
awk 'BEGIN { regex = "^a"; if ("abc" ~ regex "b") print "joined"; print "b" ~ "a" "b" }'
awk '
BEGIN   { n = 0 }

/fig/   { n++
          next }
        { other++ }

END     { print n, other }
' words.txt
awk 'BEGIN { if (1) { } else { } ; print "empty" } function f() { }'
awk 'BEGIN { while (1) { if (++n > 3) break } print n }'
awk 'BEGIN { do n++; while (n < 5); print n }'
awk 'BEGIN { if (x) print 1; else if (y) print 2; else print 3 }'
awk 'BEGIN { print -1 " " -1; print 1 - 1 " " 2; print 2 -1, "a" -1 }'
awk 'BEGIN { print length() }' ; awk 'BEGIN { print toupper(substr("abc", 2)) }'
awk '$1=="fig"{print "f"}$1=="pear"{print "p"}' words.txt
awk 'BEGIN { a = 1; a += a += 2; print a; b[1] = 2; b[1] ^= 3; print b[1]; c = c == 0; print c }'
awk 'BEGIN { print substr("hello", length("hello")), index("a,b", ",") }; # end'
awk 'BEGIN{printf "%s %s\n","a" "b","c"}END{}' < /dev/null
### more numbers
awk 'BEGIN {print 1e-5, 123456.7, 1234567.8, 0.000001234, 3.0, -3.50, 1e5+0.5}'
awk 'BEGIN {print 9007199254740993, 2^63, -2^63, 1e22, 1e23; print 017, 08, 1.5e3, 0x, 1..2}' 2>/dev/null
awk 'BEGIN {x = "3.0"; y = 3; print (x == y), (x+0 == y); print "1e3" == 1000, "abc" < 1}'
awk 'BEGIN {print length(12.50), 1.0 "", 1e3 "", 0.1 + 0.2 ""; a[1.0]; a["1"]; print length(a)}'
awk 'BEGIN {print int("0x1A"), int(" 42abc"), int(-0.5), int("1e3")}'
awk 'BEGIN {print substr("hello", "2"), index(12345, 34), length(-5)}'
echo '1,000 2' | awk '{print $1+$2, $1*1}'
echo '3.10 3.1' | awk '{print ($1==$2), $1 "" == $2 ""}'
awk 'BEGIN {printf "%5.1f%%|%s\n", 45.678, 1/4; printf "%.3s|%c%c%c\n", "abcdef", 72, "i", 33}'
awk 'BEGIN {printf "%s %s %s\n", 1e10, 1e-10, 123456789012}'
awk 'BEGIN {OFMT="%.2f"; x = 3.14159; print x, x ""; print 1e20, 2.0; printf "%s\n", x}'
### more fields
printf 'a:b:c\n' | awk -F: '{$2=""; print; print NF}' 
printf 'a:b:c\n' | awk 'BEGIN{FS=":";OFS="-"} {$1=$1} 1; {print $2}'
printf 'a b c\n' | awk '{NF=NF; print} {$2=$2; print $0}' OFS=_
printf 'one two\n' | awk '{ $7="x"; print NF; print }' OFS=,
printf '  lead\n' | awk '{print NF, $1} {print length($0)}'
printf 'a\tb c\td\n' | awk -F'\t' '{print NF; print $2}' 
printf 'a,b,c\n' | awk -F, '{for (i=NF;i>0;i--) printf "%s%s", $i, (i>1?FS:"\n")}'
printf 'k=v;k2=v2\n' | awk -F'[=;]' '{print $2, $4}'
printf 'a b c d e\n' | awk '{print $(NF-1), $(NF/2), $NF--, NF}'
printf 'x y z\n' | awk '{$2=""; $0=$0; print NF, $2}'
printf '1 2 3\n4 5 6\n' | awk '{s=0; for(i=1;i<=NF;i++) s+=$i; print s; t+=s} END {print t}'
printf 'a b\n' | awk '{$3=$1; $1="q"} {print $0; print NF; print $3}'
printf 'p|q|r\n' | awk -F'|' -v OFS='|' '{$2="Z"}1'
printf 'a  b\n' | awk -F' ' '{print $2}'; printf 'a  b\n' | awk -F'[ ]' '{print NF}'
printf 'x1y22z\n' | awk -F'[0-9]+' '{print $1 $2 $3, NF}'
printf '\n' | awk '{print NF, length}'; printf '' | awk 'END {print NR}'
printf 'aTbTc\n' | awk -FT '{print $2}'; printf 'a b\n' | awk -F'b' '{print NF}'
awk '{ $2 = sprintf("%05.1f", $2); print }' <<< 'x 3.14159 y'
awk '{ sum[$1] += $2; n[$1]++ } END { for (k in sum) print k, sum[k] / n[k] }' <<< 'a 1
a 2'
### more programs
awk 'BEGIN { while ((getline line < ARGV[1]) > 0) { n = split(line, f, ","); if (++r == 1) { for (i = 1; i <= n; i++) h[i] = f[i]; continue } for (i = 1; i <= n; i++) printf "%s=%s%s", h[i], f[i], (i < n ? " " : "\n") } }' data.csv
awk '
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function join(a, n, sep,    i, s) { s = a[1]; for (i = 2; i <= n; i++) s = s sep a[i]; return s }
{ n = split($0, w, /[ ,]+/); print trim("  " $1 "  ") "|" join(w, n, "+") }' data.csv
awk 'function qsort(A, left, right,   i, last) {
	if (left >= right) return
	swap(A, left, left + int((right-left+1)/2))
	last = left
	for (i = left+1; i <= right; i++)
		if (A[i] < A[left])
			swap(A, ++last, i)
	swap(A, left, last)
	qsort(A, left, last-1)
	qsort(A, last+1, right)
}
function swap(A, i, j,   t) { t = A[i]; A[i] = A[j]; A[j] = t }
{ A[NR] = $0 }
END { qsort(A, 1, NR); for (i = 1; i <= NR; i++) print A[i] }' numbers.txt
awk 'BEGIN { for (i = 2; i <= 50; i++) { p = 1; for (j = 2; j * j <= i; j++) if (i % j == 0) { p = 0; break } if (p) printf "%d ", i } print "" }'
awk 'BEGIN { n = 6; for (i = 0; i < n; i++) { for (j = 0; j <= i; j++) { c[i, j] = (j == 0 || j == i) ? 1 : c[i-1, j-1] + c[i-1, j]; printf "%s%d", (j ? " " : ""), c[i, j] } print "" } }'
awk '{ w = w (w ? " " : "") $0; if (length(w) > 12) { print w; w = "" } } END { if (w) print w }' words.txt
awk '/ERROR/ { e[$1] = e[$1] (e[$1] ? "; " : "") $3 " " $4 } END { PROCINFO["sorted_in"] = "@ind_str_desc"; for (d in e) print d ": " e[d] }' log.txt
awk -v RS='}' '/fn/ { match($0, /fn ([a-z]+)\(([^)]*)\)/, m); print m[1] " <- " m[2] }' src/lib.rs
awk -v q="'" 'BEGIN { print q "quoted" q; print "\047octal\047", "\x22hex\x22" }'
awk 'BEGIN { s = "a,b,,c"; while (match(s, /,/)) { print "[" substr(s, 1, RSTART-1) "]"; s = substr(s, RSTART+1) } print "[" s "]" }'
awk 'BEGIN { s = "The Quick"; r = ""; for (i = 1; i <= length(s); i++) { c = substr(s, i, 1); r = r (c ~ /[A-Z]/ ? tolower(c) : toupper(c)) } print r }'
awk 'BEGIN { split("3 1 2", a); n = asort(a, b, "@val_num_asc"); for (i = 1; i <= n; i++) printf "%s,", b[i]; print "" ; delete b; print length(b) }'
awk '{ h = 0; for (i = 1; i <= length($0); i++) h = (h * 31 + index("abcdefghijklmnopqrstuvwxyz", substr($0, i, 1))) % 65536; printf "%s %04x\n", $0, h }' words.txt
awk -F, 'NR==1 { for (i=1;i<=NF;i++) col[$i]=i; next } { print $col["city"], $col["name"] }' data.csv
awk 'NR>1 && /^#/ {exit} END {print NR}' README.md
awk '{ print NR % 2 ? "odd" : "even", $0 }' numbers.txt
awk 'BEGIN { printf "%-15s|%8s|\n", "Name", "Total"; printf "%s\n", sprintf("%20s", ""); }'
awk 'function f(a) { a["n"]++; if (a["n"] < 3) f(a); return a["n"] } BEGIN { print f(z), z["n"] }'
awk 'function f(x) { x[1] = 1 } BEGIN { f(y); f(y); print length(y); y[2]; print length(y) }'
awk 'function g(u) { return u == "" } BEGIN { print g(v); v = 3; print g(v), v }'
awk '{ gsub(/"/, "\\\""); print "\"" $0 "\"" }' data.json
awk 'BEGIN { "pwd" | getline d; n = split(d, p, "/"); print p[n] }'
awk '{ cmd = "echo got " $1; cmd | getline r; close(cmd); print r }' numbers.txt
awk '{ print $1, "x" | "cat; echo end" }' numbers.txt
awk 'BEGIN { r = system("true"); print r; r = system("false"); print r; if (!system("test -f words.txt")) print "there" }'
awk 'BEGIN { system("cat") } ' < noeol; echo
awk 'BEGIN { printf "to stderr\n" | "cat 1>&2"; print "to stdout" }' 2>/dev/null
awk '{print > FILENAME ".copy"}' words.txt numbers.txt; cat numbers.txt.copy
awk 'BEGIN { f = "o.txt"; for (i = 0; i < 3; i++) print i > f; close(f); print "again" > f }'; cat o.txt
awk 'BEGIN { print "a\\b", "c\/d", "e\"f" ; print "tab:\t:", length("\t") }'
while echo y; do :; done | awk 'NR==3 {print NR; exit}'
### more regular expressions
awk 'BEGIN { print "ab" ~ /^(a|b)+$/, "abc" ~ /^(a|b)+$/, "aaa" ~ /^a{3}$/, "aa" ~ /^a{3,}$/, "" ~ /^$/, "x" ~ //, "a\nb" ~ /a.b/, "a\nb" ~ /^b/ }'
awk 'BEGIN { print match("xabcabc", /(abc)+/), RLENGTH; print match("foo123", /[0-9]+$/), RSTART; print match("aaa", /b*/), RLENGTH; print match("abcd", /bc|bcd/), RLENGTH }'
awk 'BEGIN { if (match("2024-05-06", /([0-9]+)-([0-9]+)-([0-9]+)/, d)) print d[3] "/" d[2] "/" d[1], length(d); print match("zz", /(a)|(z)/, d), (1 in d), d[2] }'
awk 'BEGIN { print gensub(/([^,]*),([^,]*)/, "\\2,\\1", 1, "a,b,c"); print gensub(/x/, "y", "G", "xx"); print gensub(/a/, "b", 3, "aaaa"); print gensub(/(.)/, "<\\1>", "g", "ab"); print gensub(/a/, "\\\\&", "g", "a") }'
awk 'BEGIN { s = "a.b*c"; gsub(/[.*]/, "\\\\&", s); print s; t = "x/y"; gsub("/", "_", t); print t; u = "tab\there"; gsub("\t", " ", u); print u }'
awk 'BEGIN { print "foo.txt" ~ /\.txt$/, "footxt" ~ "\.txt$", "a(b" ~ /\(/, "a)b" ~ /)/, "a^b" ~ /a\^b/, "^" ~ /[\^]/, "a^" ~ /[^a]/ }' 2>/dev/null
awk 'BEGIN { print "A1" ~ /^[[:upper:]][[:digit:]]$/, " " ~ /[[:space:]]/, "_" ~ /[[:punct:]]/, "é" ~ /[[:alpha:]]/, "ab" ~ /[^[:alnum:]]/ }'
awk '$0 ~ pat' pat='^f' words.txt
awk -v pat='\\.' '$0 ~ pat {print "dot"; exit}' README.md
awk -v pat='[0-9]+ ?ERROR' '$0 ~ pat {print "found"}' log.txt
awk '/a/ && /p/ || /f/' words.txt
awk '/^(pear|fig)$/ {print NR}' words.txt
awk 'BEGIN { r = @/^a/; print "abc" ~ r }'
awk 'BEGIN { n = split("a1b2c3", p, /[0-9]/); print n, p[1] p[2] p[3] "[" p[4] "]"; n = split("2024-01-02T03:04", q, /[-T:]/); print n, q[4] }'
awk 'BEGIN { n = patsplit("a1bb22", p, /[0-9]+/, s); print n, p[1], p[2], s[0], s[1] }'
### arrays of arrays and order
awk 'BEGIN { a["x"]["y"] = 1; a["x"]["z"] = 2; a["w"]["y"] = 3; PROCINFO["sorted_in"] = "@ind_str_asc"; for (i in a) for (j in a[i]) print i, j, a[i][j]; if ("y" in a["x"]) print "in"; print length(a), length(a["x"]) }'
awk 'function show(t,  k) { for (k in t) if (isarray(t[k])) show(t[k]); else s += t[k] } BEGIN { a[1] = 5; a[2][1] = 6; a[2][2] = 7; show(a); print s }'
awk 'BEGIN { split("b a c", x); PROCINFO["sorted_in"] = "@val_str_asc"; for (i in x) printf "%s ", x[i]; PROCINFO["sorted_in"] = "@ind_num_desc"; for (i in x) printf "%s ", i; print "" }'
awk 'BEGIN { a[10]; a[9]; a["x"]; PROCINFO["sorted_in"] = "@ind_num_asc"; for (k in a) printf "%s ", k; PROCINFO["sorted_in"] = "@ind_str_asc"; for (k in a) printf "%s ", k; print "" }'
awk 'BEGIN { a[1] = "10"; a[2] = 9; a[3] = "abc"; a[4] = 1; n = asort(a); for (i = 1; i <= n; i++) printf "%s ", a[i]; print "" }'
