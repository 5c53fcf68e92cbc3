### fields and items
jq . data.json
jq .items data.json
jq '.items[0]' data.json
jq '.items[].name' data.json
jq -r '.items[] | .name' data.json
### fields and items, part 2
jq -c '.items[-1], .items[1:], .missing, .ok' data.json
jq '.["items"][0]["name"]' data.json
jq '.items | length' data.json
jq -r '.items[] | "\(.id): \(.name)"' data.json
### select and map
jq '.items[] | select(.id == 2)' data.json
jq -r '.items[] | select(.name | test("^t")) | .id' data.json
jq -c '.items | map(.id * 10)' data.json
jq -c '[.items[] | {n: .name, i: .id}]' data.json
jq -c '.items | map(select(.id > 1 and .name != "one"))' data.json
jq -c '.items | map(select(.name | startswith("o"))) | length' data.json
### entries
echo '{"b":1,"a":2}' | jq -c 'to_entries, keys, keys_unsorted, (to_entries | map(.key))'
echo '{"b":1,"a":2}' | jq -c 'with_entries(.value += 1), with_entries(select(.value > 1)), with_entries(.key |= "x_" + .)'
echo '{"b":1,"a":2}' | jq -r 'to_entries[] | "\(.key)=\(.value)"'
jq -nc '[{"key":"a","value":1},{"key":"b","value":null}] | from_entries'
### groups
jq -nc '[{"t":"x","n":1},{"t":"y","n":2},{"t":"x","n":3}] | group_by(.t) | map({t: .[0].t, sum: map(.n) | add})'
jq -nc '[{"t":"x","n":1},{"t":"y","n":2},{"t":"x","n":3}] | unique_by(.t), min_by(.n), max_by(.n), sort_by(-.n), sort_by(.t, -.n)'
jq -nc '[3,1,2,1] | sort, unique, reverse, add, min, max, length'
jq -nc '[] | min, max, add, first, last'
jq -nc '[[2,1],[1,2],[1]] | sort, (map(add) | sort)'
### csv and tsv
jq -r '.items[] | [.id, .name] | @csv' data.json
jq -r '.items[] | [.id, .name] | @tsv' data.json
jq -nr '["a\tb","c\\d","e\nf",1.5,null,true,"q\"uote"] | @csv, @tsv'
jq -r '(.items[0] | keys_unsorted) as $k | $k, (.items[] | [.[$k[]]]) | @csv' data.json
### formats
jq -nr '"hello world" | @base64, (@base64 | @base64d), @uri, @html, @json, @text, @sh'
jq -nr '["a b", "it'"'"'s", 1, null, true] | @sh'
jq -nr '@base64 "x\("hi")y", @uri "?q=\("a b&c")", @sh "echo \("a b")", @json "v=\([1,"a"])", @html "<b>\("<&>")</b>"'
jq -nr '"aGk=", "aGk", "" | @base64d'
jq -nr '"ünï" | @uri, @base64, @json, utf8bytelength, length'
### regular expressions
jq -nc '"a\nb" | test("^b"), test("a$"), test("a.b"), test("a.b"; "p")'
jq -nc '"aéb😀c" | [match("b|c"; "g").offset], [match("."; "g").length] , .[1:3], .[-2:]'
jq -nc '"path/to/file.tar.gz" | split("/")[-1], (split("/")[:-1] | join("/")), sub("\\.[^.]*$"; ""), test("\\.gz$")'
jq -nc '"a,b;c" | [splits("[,;]")], gsub("[,;]"; " - "), gsub("(?<x>[a-z])"; "\(.x)\(.x)")'
jq -nc '"2024-01-15" | capture("(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})") | .y, (map_values(tonumber))'
jq -nc '"abc" | sub("b"; "1", "2")'
### regular expressions, part 2
jq -nc '"a\nb" | test("^b"), test("a$"), test("a.b"), test("a.b"; "p")'
jq -nc '"aéb😀c" | [match("b|c"; "g").offset], [match("."; "g").length] , .[1:3], .[-2:]'
jq -nc '"path/to/file.tar.gz" | split("/")[-1], (split("/")[:-1] | join("/")), sub("\\.[^.]*$"; ""), test("\\.gz$")'
jq -nc '"a,b;c" | [splits("[,;]")], gsub("[,;]"; " - "), gsub("(?<x>[a-z])"; "\(.x)\(.x)")'
jq -nc '"2024-01-15" | capture("(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})") | .y, (map_values(tonumber))'
jq -nc '"abc" | sub("b"; "1", "2")'
### strings
jq -nc '"abc" | startswith("a"), endswith("c"), ltrimstr("a"), rtrimstr("c"), explode, (explode | implode), length, .[1:], .[:-1], contains("b"), index("c"), ascii_upcase'
jq -nc '"a,b, c" | split(","), split(", "), (split(",") | join("|")), indices(","), index(","), rindex(",")'
jq -nc '"abc" * 2, "a" + "b", ("a,b" / ","), "x" * 0'
jq -nc '["a", 1, null, true] | join("-"), join(""), (map(tostring) | join(","))'
jq -nc '"a" | ltrimstr(1), ltrimstr("b")'
### strings, part 2
jq -nc '"1", "1.5", "-2e3" | tonumber'
jq -nc '[1, "1", [1], {"a":1}, null, true] | map(tostring), map(tojson), map(type), map(length?)'
jq -nc '"[1,{\"a\":2}]" | fromjson, (fromjson | .[1].a), tojson'
jq -nc '[65,128512] | implode'
jq -nc '"x" | "\(.) \(1+2) \([1,"a"]) \({a:null})"'
### arguments
jq -nc --arg x 1 --argjson y '{"a":[1,2]}' '$x, $y.a, $ARGS.named'
jq -nc --args '$ARGS.positional, $ARGS.positional[0]' a b "c d"
jq -nc '$ARGS' --jsonargs 1 '"x"' '{"a":null}'
name=two; jq -r --arg n "$name" '.items[] | select(.name == $n) | .id' data.json
jq --arg v new '.items[0].name = $v | .items[0]' -c data.json
jq -n --arg a 1 --arg b 2 '{$a, $b, c: ($a + $b)}' -c
### files as arguments
printf '1\n2\n' > numbers.json
jq -nc --slurpfile s numbers.json --rawfile r words.txt '$s, ($r | split("\n") | .[:2])'
jq -s -c . numbers.json data.json
jq -c . numbers.json data.json
echo '.items[] | .id # a comment' > p.jq
jq -f p.jq data.json
cat data.json | jq -f p.jq
printf '# first\ndef f(x): x * 2;\n.items | map(f(.id))\n' > q.jq
jq -c -f q.jq data.json
### raw input
jq -R . words.txt
jq -Rs . words.txt
jq -Rs 'split("\n") | map(select(length > 0)) | unique' -c words.txt
jq -Rn '[inputs]' -c words.txt
jq -R 'select(test("an"))' words.txt
jq -R -r 'ascii_upcase' noeol
jq -rR 'split(",") | .[1]' data.csv
jq -Rsc '[split("\n")[1:][] | select(. != "") | split(",") | {name: .[0], age: (.[1] | tonumber)}]' data.csv
jq -nRc 'input | split(","), [inputs | split(",")[0]]' data.csv
jq -nRc '[inputs | capture("^(?<d>\\S+) (?<l>\\w+) (?<m>.*)$")] | group_by(.l) | map({(.[0].l): length}) | add' log.txt
### slurp and inputs
printf '{"a":1}\n{"a":2}\n' | jq -c -s 'map(.a)'
printf '{"a":1}{"a":2}[3]"x"null' | jq -c .
printf '1\n\n2' | jq input_line_number
jq -n 'input' data.json -c
jq -s length empty
jq -c 'input_filename' data.json
### slurp and inputs, part 2
printf '{"a":1}\n{"a":2}\n' | jq -c -s 'map(.a)'
printf '{"a":1}{"a":2}[3]"x"null' | jq -c .
printf '1\n\n2' | jq input_line_number
jq -n 'input' data.json -c
jq -s length empty
jq -c 'input_filename' data.json
### output
jq -j '.items[].name' data.json; echo
jq --tab . data.json
jq --indent 1 .items data.json
jq --indent 0 .items data.json
jq -S -c . <<< '{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}'
### output, part 2
jq -S . <<< '{"b":{"d":1,"c":2},"a":[]}'
jq -a . <<< '"grüße 😀 \u007f"'
jq . <<< '"grüße \u00e9 \ud83d\ude00 \u0001 \t\n\" \\ \/ \b\f"'
jq -r . <<< '"a\nb\u00e9"'
jq -C . data.json
### output, part 3
jq -C -c . <<< '{"a":[1,"x",null,{"z":[]},{}],"b":{}}'
jq -M -c . data.json
jq . <<< '[[],{},[[]],{"a":{}},""]'
jq -n '[1,[2,{"a":[]}]]'
### numbers
jq -c . <<< '[1, 1.5, 100, 1e2, 0.1, -0, 1e17, 1e16, 1e15, 123456789012, 0.0001, 0.00001, 1.5e300, 3.14159265358979, 1e-7]'
jq -nc '0.1+0.2, 1/3, 10/2, 7%3, -7%3, 5%-3, 5.9%2, 2*3.5, 1-2, -(3), 1e1000, -1e1000, 100000000000000000000'
jq -nc '[3.7,-3.7,2.5] | map(floor), map(ceil), map(round), map(fabs), (map(sqrt? // 0) | map(floor))'
jq -nc 'pow(2;10), (8 | log2, exp2, cbrt, sqrt), (100 | log10), infinite, -infinite, (nan | isnan), ([nan] | sort), (nan < 1), (nan == nan)'
jq -nc '[.1, 1., 1e3, 1E-2, 12345678901234567890]'
### numbers, part 2
jq -nc '8 | significand, logb, frexp, ldexp(1; 2), scalb(1; 2), trunc'
jq -nc '[limit(5; range(0; 1; 0.3))], [range(5; 0; -2)], [range(3)], [range(2; 4)], [range(0,1; 3,4)]'
### paths
jq -c '[paths]' data.json
jq -c 'path(.items[0].name), [path(..)] , [paths(type == "number")], [leaf_paths | map(tostring) | join(".")]' data.json
jq -nc '{"a":{"b":1}} | getpath(["a","b"]), getpath(["x","y"]), setpath(["a","c"]; 2), delpaths([["a","b"]]), del(.a.b), (to_entries | length)'
jq -nc '[1,2,3,4] | del(.[0,2]), del(.[1:3]), del(.[-1]), del(.[] | select(. > 2)), del(.[9])'
jq -nc '{"a":1,"b":2,"c":3} | del(.a), del(.a, .b), del(.x.y), delpaths([])'
### paths, part 2
jq -nc '[[1,[2]]] | [..], [.. | numbers], [recurse(if type == "array" then .[] else empty end) | type]'
jq -c '[.. | strings]' data.json
jq -c '[.. | .name? // empty]' data.json
jq -c '.. |= (if type == "number" then . + 1 else . end)' data.json
jq -c 'tostream' data.json
### paths, part 3
jq -nc 'fromstream([1,[2,{"a":3}]] | tostream), [1,[2]] | [tostream]'
jq -nc '{"a":[1,{"b":2}]} | [paths(..)] , [paths | select(length == 1)]'
### updates
jq -nc '{"a":1} | .a = 5, .b = 2, .b.c.d = 1, .a += 1, .a -= 1, .a *= 3, .a /= 2, .a %= 2, (.a |= . + 5), (.c //= 3)'
jq -nc '{"a":[1,2]} | .a[] += 1, .a[0] = "x", .a += [3], (.a |= map(. * 2)), .a[1:] = ["y","z"], (.a[-1] |= . + 1), .a[3] = 9'
jq -c '.items[].id |= . + 100' data.json
jq -c '.items |= map(select(.id == 1))' data.json
jq -c '(.items[] | select(.name == "two") | .id) = 22' data.json
### updates, part 2
jq -nc '{"a":1,"b":2} | map_values(. + 1), map_values(select(. > 1)), map(. + 1)'
jq -nc '{"a":{"x":1}} * {"a":{"y":2},"b":3}, {"a":1} + {"a":2,"c":3}, [1,2,3] - [2], null + 1, {} + null'
jq -nc '[[1,2],[3]] | .[][0] |= . + 1, (first(.[] | select(length == 1)) |= . + ["new"])'
jq -nc '{"users":[{"n":"a"},{"n":"b"}]} | .users |= map(. + {"k": (.n | ascii_upcase)})'
jq -nc '.a = .b // 1, (.a // 1), (.a = (.b // 1))'
jq -nc '{"a":1} | .["b"] = 2 | .c = .a + .b | .d |= "x"'
### updates, part 3
jq -nc '{"a":1,"b":2} | map_values(. + 1), map_values(select(. > 1)), map(. + 1)'
jq -nc '{"a":{"x":1}} * {"a":{"y":2},"b":3}, {"a":1} + {"a":2,"c":3}, [1,2,3] - [2], null + 1, {} + null'
jq -nc '[[1,2],[3]] | .[][0] |= . + 1, (first(.[] | select(length == 1)) |= . + ["new"])'
jq -nc '{"users":[{"n":"a"},{"n":"b"}]} | .users |= map(. + {"k": (.n | ascii_upcase)})'
jq -nc '.a = .b // 1, (.a // 1), (.a = (.b // 1))'
jq -nc '{"a":1} | .["b"] = 2 | .c = .a + .b | .d |= "x"'
### reduce and foreach
jq -nc 'reduce range(5) as $i (0; . + $i), reduce range(3) as $i ([]; [$i] + .), [foreach range(5) as $i (0; . + $i)], [foreach range(3) as $i (0; . + $i; [$i, .])]'
jq -nc 'reduce ([1,2],[3,4]) as [$a,$b] (0; . + $a * $b), reduce ({"k":"a","v":1},{"k":"b","v":2}) as {k:$k,v:$v} ({}; .[$k] = $v), reduce empty as $x (7; 1)'
jq -nc 'reduce range(3) as $i (0; empty)'
jq -c 'reduce .items[] as $i ({}; .[$i.name] = $i.id)' data.json
jq -nc '[label $out | foreach (1,2,3) as $i (0; . + $i; if . > 2 then ., break $out else . end)]'
### limits of generators
jq -nc '[limit(3; range(10))], first(range(5; 9)), [first(empty)], [range(10)][2:4], nth(2; range(9)), isempty(empty), isempty(1, 2), ([limit(3; repeat(1))] | .[1:]), [.[]?]'
jq -nc '1 | [while(. < 50; . * 2)], [until(. > 50; . * 2)], [recurse(if . < 3 then . + 1 else empty end)], [limit(4; recurse(. * 2))]'
jq -nc '[1,2,3] | first, last, nth(1), first(.[]), last(.[]), any, all, any(. > 2), all(. > 0), any(.[]; . == 2), all(.[]; . < 3), (map(. > 1) | any, all)'
jq -nc '[1,[2,[3,[4]]]] | flatten, flatten(1), (flatten | add)'
jq -nc '[[1,2],[3,4]] | [combinations], transpose, map(add), (.[0] as [$a, $b] | {$a, $b})'
### limits of generators, part 2
jq -nc '[1,2] | combinations(2)?' | head -4
jq -nc '[1,2,3] | IN(2), (.[] | IN(2, 3)), index(2), indices(1), (.[1:] | length), bsearch(2), bsearch(5), contains([1]), inside([1,2,3,4])'
jq -nc 'INDEX({"id":1},{"id":2}; .id), ([{"id":"x"}] | INDEX(.id))'
### walk
jq -c 'walk(if type == "string" then ascii_upcase else . end)' data.json
jq -nc '[3,[1,{"b":2,"a":null}]] | walk(if type == "array" then reverse else . end), walk(if type == "object" then del(.a) else . end)'
jq -nc '{"b":1,"a":[{"d":1,"c":null}]} | walk(if type == "object" then with_entries(select(.value != null)) else . end)'
### conditions
jq -nc 'if true then 1 else 2 end, if null then 1 elif 0 then 2 else 3 end, [if (true, false) then 1 else 2 end], (true and false), (true or error), (null | not), (false and error)'
jq -nc '1 == 1.0, "a" != "b", [1] == [1], {"a":1,"b":2} == {"b":2,"a":1}, 1 < 2, "a" < "b", [] < {}, null < false, (false < true), (true < 0), ("z" < [])'
jq -nc '(null, false, 1) // 2, (null // "d"), (empty // 3), ([] | .[0] // "none"), (false // false), [(1, null, 2) // 9], (null // null // 4)'
jq -r '.missing // "default"' data.json
jq -r 'if .ok then "yes" else "no" end' data.json
### conditions, part 2
jq -r '.items[] | if .id > 1 then "big" else "small" end' data.json
jq -c '.items | has(0), has(5), (.[0] | has("id"), has("x")), (map(has("name")) | all)' data.json
### errors
jq -n 'error("x")'; echo $?
jq -nc 'try error("x") catch ., try error({"a":1}) catch .a, (error("x")?), [.[]?], (try (1, error("y"), 3) catch .), "end"'
jq '.a.b' <<< '{"a":5}'; echo $?
jq '.[0]' <<< '{"a":5}'; echo $?
jq -c '.a?' <<< '[1]'; echo $?
### errors, part 2
jq -c '[.[] | tonumber?]' <<< '["1","x","2"]'
jq -c '.[] | try tonumber catch "bad"' <<< '["1","x"]'
jq -c '.[] as $x | try ($x | keys) catch .' <<< '[5, {"a":1}]'
jq -nc 'try ({} + 1) catch ., try ([] - {}) catch ., try ("a" / 0) catch ., try (1 % 0) catch ., try (null | keys) catch ., try (5 | .[]) catch ., try ([] | implode) catch .'
jq -nc 'try ({"a":1} | .[0]) catch ., try ([1] | .a) catch ., try ("x" | .a) catch ., try (true | length) catch ., try ([1] | join(",") | .[0]) catch ., try ({} | has(1)) catch .'
### errors, part 3
jq -nc 'try ("abcdefghijklmnop" | .[]) catch ., try ({"aaaaaaaaaaaa":"bbbbbbbbbbbb"} | . - 1) catch .'
jq .a numbers.txt; echo $?
printf '{"a":1}\n5\n{"a":2}\n' | jq -c .a; echo $?
printf '{"a":1}\n5\n' | jq -c .a; echo $?
### status
jq -e .ok data.json; echo $?
jq -e .missing data.json; echo $?
jq -e '.items[] | select(.id == 9)' data.json; echo $?
jq -ne 'true, false'; echo $?
jq -n 'foo'; echo $?
### status, part 2
jq -n '.a |'; echo $?
jq -n 'if'; echo $?
jq -n '{'; echo $?
jq -n '$x'; echo $?
jq . missing.json; echo $?
### status, part 3
jq -e . empty; echo $?
printf '1 2' | jq -e 'select(. == 1)'; echo $?
printf '1 2' | jq -e 'if . == 1 then false else empty end'; echo $?
printf '1 2' | jq -e 'if . == 1 then error("x") else false end'; echo $?
printf '1 2' | jq -e 'if . == 2 then error("x") else false end'; echo $?
if jq -e '.items | length > 1' data.json > /dev/null; then echo many; fi
### status, part 4
jq -e . empty; echo $?
printf '1 2' | jq -e 'select(. == 1)'; echo $?
printf '1 2' | jq -e 'if . == 1 then false else empty end'; echo $?
printf '1 2' | jq -e 'if . == 1 then error("x") else false end'; echo $?
printf '1 2' | jq -e 'if . == 2 then error("x") else false end'; echo $?
if jq -e '.items | length > 1' data.json > /dev/null; then echo many; fi
### bad json
echo '{a:1}' | jq .; echo $?
echo '[1,2' | jq -c .; echo $?
echo '{"a":1} x' | jq -c .; echo $?
echo "{'a':1}" | jq . 2> /dev/null || echo invalid
jq empty data.json && echo valid
### bad json, part 2
printf '[1 2]' | jq .; echo $?
printf '{"a" 1}' | jq .; echo $?
printf '[1,]' | jq .; echo $?
printf '{"a":1,}' | jq .; echo $?
printf '1 ] 2' | jq -c .; echo $?
### bad json, part 3
printf '01 1. .5 -1' | jq -c .; echo $?
jq . README.md; echo $?
### bytes that are no text
printf '"a\xffb"' | jq .
printf 'x\xc3\n' | jq -R .
printf '\xef\xbb\xbf{"a":1}' | jq -c .
### environment
export NAME=value; jq -n 'env.NAME, $ENV.NAME, (env | type), env.MISSING'
OTHER=x jq -nr '$ENV.OTHER'
hidden=1; jq -n 'env.hidden'
### dates
jq -nc '0 | todate, (1425599621 | todate), ("2015-03-05T23:53:41Z" | fromdate, fromdateiso8601), (1425599621 | gmtime, (gmtime | mktime), (gmtime | todate))'
jq -nc '1425599621 | strftime("%Y-%m-%dT%H:%M:%SZ"), strftime("%A, %B %d, %Y"), strftime("%j %U %a %b %e %H%M"), (localtime | mktime), strflocaltime("%H:%M %Z")'
jq -nc '"10:20 2015-03-05" | strptime("%H:%M %Y-%m-%d"), (strptime("%H:%M %Y-%m-%d") | mktime)'
jq -nc '"2024-01-15T10:00:00Z" | fromdate | . + 86400 | todate, strftime("%d/%m/%y")'
jq -nc 'try ("x" | fromdate) catch ., (now | type), (now | floor | . > 1700000000), 1425599621.5 | gmtime? // .'
jq -nc '"Thu, 05 Mar 2015 23:51:47 +0000" | strptime("%a, %d %b %Y %H:%M:%S %z") | mktime'
### functions
jq -nc 'def f(x): x * 2; def g($a; $b): $a + $b; def h($a): a + 1; f(3), g(1; 2), h(1), ([1,2] | map(f(.)))'
jq -nc 'def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 10 | fac, ([range(5)] | map(fac))'
jq -nc 'def outer: def inner: 3; inner * 2; outer, (def l(f): [f, f]; l(1, 2))'
jq -nc 'def sum(f): reduce .[] as $x (0; . + ($x | f)); [{"a":1},{"a":2}] | sum(.a)'
jq -nc 'def zip(a; b): [a, b] | transpose; zip([1,2]; [3,4])'
### variables
jq -c '. as {items: [$first, {name: $n}]} | $first, $n' data.json
jq -c '.items as [$a, $b] | {a: $a.id, b: $b.id}' data.json
jq -nc '{"a":[1]} as {$a: [$x]} | $a, $x, ({"k":"b"} as {"k": $v} | $v), ([[1,2],[3,4]] | .[] as [$p, $q] | $p + $q)'
jq -nc '[[1,2]] | .[] as [$a] ?// $a | [$a]'
jq -nc '1 as $x | 2 as $y | [$x, $y, $x + $y], ([1,2,3] | . as $all | map(. / ($all | add)))' | head -1
### variables, part 2
jq -c '.items[] as $i | $i.name as $n | {($n): $i.id}' data.json
jq -nc '$__loc__, ("\($__loc__.line)")'
### objects
jq -c '.items[0] | {id, "name", n: .name, "x y": 1, ("k" + "1"): 2, (.name): .id}' data.json
jq -nc '"v" as $x | {$x, "z\(1)": 3, @base64 "k": 4, a: 1 | 2}' 2> /dev/null | head -0
jq -nc '[{a:(1,2), b:(3,4)}], [{("a","b"): (1,2)}], ([1,2] | {a: .[]})'
jq -nc '{"if": 1, "and": 2} | .if?, .["and"]' 2> /dev/null | head -0
jq -nc '{"a b":1} | ."a b", .["a b"], ."a b"?, has("a b")'
jq -nc '{a:1,b:2,c:3,d:4,e:5,f:6,g:7,h:8,i:9,j:10,k:11,l:12,m:13,n:14,o:15,p:16,q:17,r:18,s:19} | length, .s, .h, keys[0], (del(.c) | length), (. + {z:1} | keys | length)'
### order of results
jq -nc '[(1,2)+(10,20)], ["\(1,2) \(3,4)"], [([1,2],[3,4])[0,1]], [(1,2)==(1,2)], [(true,false) and (true,false)], [[1,2,3][0:1,2]], [[[1,2],[3,4]][0,1][0,1]], 5 * 3 % 2, 1 - 2 - 3, 2 * 3 + 4, -1 + 2'
jq -nc '1 as $x | 2, $x'
jq -nc '1, 2 | . + 1, . * 2'
jq -nc '[.a?, .b?, 1 | tostring]'
### in pipelines
for n in $(jq -r '.items[].name' data.json); do echo "<$n>"; done
jq -r '.items[] | "\(.id) \(.name)"' data.json | while read -r id name; do echo "$name is $id"; done
jq -c '.items[]' data.json | jq -s 'map(.id)' -c
count=$(jq '.items | length' data.json); echo $((count + 1))
jq '.ok = false' data.json > new.json && jq .ok new.json
jq -n --arg a "$(cat noeol)" '{text: $a}'
yes '{"a":1}' | jq -c .a | head -2
printf '%s\n' one two | jq -R . | jq -s -c .
cat <<X | jq -r '.a | keys | .[]'
{"a": {"y": 1, "x": 2}}
X
jq -r 'to_entries | map("\(.key)=\(.value | tostring)") | .[]' <<< '{"A":"1","B":true,"C":[1]}' | sort
### packages
cat > package.json <<X
{"name":"demo","version":"1.2.3","scripts":{"build":"tsc","test":"jest"},"dependencies":{"left-pad":"^1.0.0","react":"18"},"devDependencies":{}}
X
jq -r .version package.json
jq -r '.scripts | keys[]' package.json
jq -r '.dependencies // {} | to_entries[] | "\(.key)@\(.value)"' package.json
jq '.version |= (split(".") | .[2] = (.[2] | tonumber + 1 | tostring) | join("."))' package.json
jq 'del(.devDependencies) | .scripts.lint = "eslint ."' package.json
jq -r '[.name, .version] | join("-")' package.json
jq --arg n x '.dependencies[$n] = "1"' -c package.json
jq -r '.dependencies | length as $n | "\($n) dependencies"' package.json
jq -c '[.dependencies, .devDependencies] | add | keys' package.json
jq -c '{name, scripts: (.scripts | with_entries(.value |= length))}' package.json
jq -r 'paths(scalars) as $p | "\($p | join(".")): \(getpath($p))"' package.json
### stream
jq -c --stream . <<< '{"a":[1,{"b":2}],"c":[]}'
jq -nc --stream '[inputs | select(length == 2) | .[0] | join(".")]' <<< '{"a":{"b":1},"c":{"d":2}}'
jq -nc 'fromstream(inputs)' --stream <<< '[1,{"a":[2]}]'
### odds and ends
jq -nc '[1,null,2] | map(values), map(nulls), (map(numbers) | add)'
jq -nc '[1,"a",null,[],{},true] | map(scalars), map(iterables), map(booleans), map(strings), map(objects), map(arrays)'
jq -nc '[splits("a")?], ascii_downcase?, (try input catch "none"), ([1,2] | tojson | fromjson), input_line_number, ("a" | ascii_downcase | @json)'
jq -nc '"x" | debug | length' 2> /dev/null
jq -nc '{} | .a.b.c, .["x"], .a[0]?, .a[1:2]?'
### odds and ends, part 2
jq -nc '[1,2,3] | .[1:][0], .[-1:], .[:1], .[10:], .[-10:2], .[1.2:2.7], (.[1:] = ["x"]), ([range(10)] | .[2:4] |= map(. * 10))'
jq -nc '[.[]?] , ([[1,2],[3]] | .[0][1], .[1][0], .[][0]), ({"a":[{"b":1}]} | .a[0].b, .a[].b, .a[0]["b"])'
jq -n '[1,2,3]' | jq 'map(.+1)|add'
jq -nc '[1,[2]] | getpath([1,0]), getpath([5,0]), ([paths] | length), (tostream | length)' | head -3
jq '' data.json -c
### odds and ends, part 3
jq -c '. ' data.json
jq -nc '"\u00e9" == "é", ("é" | explode), ("\ud83d\ude00" | length)'
jq -nc '[recurse(if . < 2 then (. // 0) + 1 else empty end)]'
jq -nc '{"a":{"b":[1,2,{"c":3}]}} | [leaf_paths | join(".")], .a.b[2].c, (.a.b | map(numbers)), [.a.b[] | objects | .c]' 
jq -nc '[{"a":1,"b":2},{"a":3,"b":4}] | (map(keys) | add | unique) as $cols | map(. as $row | $cols | map($row[.])) as $rows | $cols, $rows[] | @csv' -r
### odds and ends, part 4
jq -nc '[3,1,2] | to_entries | sort_by(.value) | map(.key)'
jq -nc '{"a":1} | has("a") and (.a | . > 0), (keys - ["a"]), ([.[]] | add)'
jq -nc 'ltrimstr("x"), (1 | tojson | type), ([1] | contains([1])), ({"a":[1,2]} | contains({a:[1]})), ("foobar" | contains("bar"))'
