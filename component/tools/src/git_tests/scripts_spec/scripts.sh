### status
git status; git status -s; git status --porcelain; git status -sb; git status --short | wc -l; git status -uno -s
### log
git log; git log --oneline; git log -1; git log -n 2 --format=%h; git log --oneline -2 | cat; git log --format='%h %an %s' | head -1
git log --oneline main..topic; git log --author=Thor --oneline; git log --grep=second --format=%s; git log --oneline -- README.md; git log --pretty=oneline
git log --oneline src/lib.rs; git log --oneline v1.0; git log -1 --format=%B v1.0; git log --reverse --oneline; git log --skip 1 --oneline
### log with changes
git log -1 --stat; git log -2 --name-only; git log --name-only --oneline; git log -1 -p; git log --oneline --name-status; git log --stat --oneline -2; git log --numstat --format=%h -2
### show
git show; git show --stat; git show v1.0; git show HEAD:README.md; git show HEAD~1 --name-only; git show -s --format=%s; git show --oneline; git show HEAD~1:src/lib.rs | head -1; git show topic --oneline --stat
### diff
git diff; git diff --stat; git diff --name-only; git diff --cached; git diff HEAD; git diff HEAD~1 HEAD; git diff v1.0..topic --stat; git diff main...topic --name-only; git diff --name-status HEAD~2; git diff --numstat HEAD~2; git diff --shortstat HEAD~2
git diff -U1 HEAD~1 -- README.md; git diff --quiet; echo $?; git diff --exit-code > /dev/null; echo $?; git diff --quiet HEAD -- README.md; echo $?; git diff README.md; git diff src
### add and commit
git add -A; git status -s; git commit -m 'fourth: change'; git log --oneline | head -1; git status; git commit -m nothing; echo $?
### commit all
git commit -am 'fourth: only tracked'; git status -s; git log -1 --format=%B
### commit of a message
git add src/main.rs; printf 'subject\n\nbody\n' | git commit -q -F -; git log -1 --format='%s|%b'; git commit -q -m one -m two; echo $?; git add .; git commit -q -m one -m two; git log -1 --format=%B
### branch
git branch; git branch -a; git branch --show-current; git branch new; git branch; git branch -d new; git branch -D topic; git branch; git branch -m trunk; git branch --list; git branch --format='%(refname:short)'
### checkout
git stash -q; git checkout topic; git branch --show-current; git checkout -; git checkout -b other; git branch; git checkout main -q; git switch topic; git switch -c more; git switch -; git checkout -q nosuch; echo $?
### checkout of files
git checkout -- src/main.rs; git status -s; echo x >> README.md; git checkout README.md; git status -s; echo y >> README.md; git add README.md; git checkout HEAD -- README.md; git status -s; git restore nosuch; echo $?
### restore and reset
git add -A; git status -s; git restore --staged 'new file.txt'; git status -s; git reset -q; git status -s; git restore .; git status -s; git add .; git reset; git reset --hard; git status -s
### detached
git stash -q -u; git checkout -q HEAD~1; git branch; git status | head -1; git rev-parse --abbrev-ref HEAD; git switch -q main; git stash pop -q; git status -s
### stash
git stash; git status -s; git stash list; git stash show; git stash pop; git stash push -m mine; git stash list; git stash drop; git stash list; git stash -u; git status -s; ls
### merge
git stash -q -u; git merge topic -m 'bring topic in'; git log --oneline | head -2; git log --format=%p -1; ls docs; git merge topic
### merge conflict
git checkout -q -f main 2>/dev/null || git restore .; git checkout -q topic; echo other > README.md; git commit -qam other; git checkout -q main; git merge topic; echo $?; git status -s | head -3; git merge --abort; git status -s
### cherry-pick
git restore .; git cherry-pick topic; git log --oneline -2; git revert HEAD; git log --format=%s -1; ls
### rm and mv
git rm -q README.md; git status -s; git mv src/lib.rs src/library.rs; git status -s; git rm src/main.rs; echo $?; git rm --cached src/main.rs; git status -s; git rm -r src; echo $?; git rm nosuch; echo $?
### tags
git tag; git tag v2; git tag -a v3 -m 'third version'; git tag -l 'v*'; git tag -d v2; git show -s --format=%s v3 | tail -1; git describe --tags; git describe; git tag v4 HEAD~1; git rev-parse v4 | cut -c1-4 | wc -c
### names
git rev-parse HEAD; git rev-parse --short HEAD; git rev-parse --abbrev-ref HEAD; git rev-parse --verify HEAD~1; git rev-parse --show-toplevel; git rev-parse --is-inside-work-tree; git rev-parse --git-dir; git rev-parse -q --verify nosuch; echo $?; git symbolic-ref HEAD; git symbolic-ref --short HEAD
cd src; git rev-parse --show-prefix; git rev-parse --show-toplevel; git status -s; git ls-files; git log --oneline -- lib.rs
### commits
git rev-list HEAD | wc -l; git rev-list --count HEAD; git rev-list --count v1.0..main; git merge-base main topic; git merge-base --is-ancestor v1.0 main; echo $?; git merge-base --is-ancestor topic main; echo $?; git show-ref --heads; git for-each-ref --format='%(refname:short) %(objecttype)' refs/heads; git show-ref --tags
### files
git ls-files; git ls-files src; git ls-files '*.rs'; git ls-files -m; git ls-files -o --exclude-standard; git ls-files -o; git ls-files -s; git ls-files | wc -l; git ls-files -z | tr '\0' ' '; echo; git ls-files --error-unmatch nosuch; echo $?
### trees and objects
git ls-tree HEAD; git ls-tree -r HEAD; git ls-tree -r --name-only HEAD src/; git ls-tree --name-only HEAD; git cat-file -t HEAD; git cat-file -p HEAD:README.md; git cat-file -p HEAD; git cat-file -s HEAD:README.md; git cat-file -e HEAD; echo $?; git cat-file -p 'HEAD^{tree}'
### grep
git grep -n hello; git grep -l fn; git grep -c 'fn '; git grep -i PROJECT; git grep -w add; git grep nosuch; echo $?; git grep -n 'a + b' -- src; git grep -E 'many|notes'; git grep -q hello && echo found; git grep -h fn -- '*.rs'
### blame
git blame README.md; git blame -L 1,2 README.md; git blame -L 1,+1 src/main.rs
### ignored
git check-ignore build.log; git check-ignore README.md; echo $?; git check-ignore -q build.log && echo yes
### who
git shortlog -sn HEAD; git config user.name; git config --get user.email; git config nosuch.key; echo $?; git remote; git shortlog -s HEAD | cat
### pipes
git log --format=%s | sort | head -2; git diff --name-only | xargs wc -l; for f in $(git ls-files '*.rs'); do echo "$f: $(grep -c fn "$f")"; done; git status --porcelain | awk '{print $1}' | sort | uniq -c
if git diff --quiet; then echo clean; else echo dirty; fi; test -z "$(git status --porcelain)" && echo clean || echo dirty; branch=$(git rev-parse --abbrev-ref HEAD); echo "on $branch"
### a whole job
git checkout -q -b fix; sed -i 's/hello, world/hello, you/' src/main.rs; git add src/main.rs && git commit -q -m "fix: greet you"; git log --oneline main..HEAD; git diff main --stat; git show --stat --format=%s HEAD
### errors
git nosuch 2>/dev/null; echo $?; git log nosuch; echo $?; git show nosuch; echo $?; git checkout nosuch; echo $?; git diff nosuch; echo $?; git add nosuch; echo $?; git branch -d nosuch; echo $?; git merge nosuch; echo $?; git -C nosuch status; echo $?
### elsewhere
cd /tmp && git status; echo $?
### -C
git -C src ls-files; git -C src status -s; git --no-pager log --oneline | head -1; git -c color.ui=never diff --stat
### commits are amended
git commit --amend -m 'third: say it better'; git log --oneline | head -2; git status -s
git add -A; git commit -q --amend --no-edit; git show --stat --format='%an %s' HEAD
echo more >> README.md; git commit -a --amend -qm 'third: whole'; git log -1 --format=%B; git log --oneline | wc -l
### the branch goes elsewhere
git reset --soft HEAD~1; git status -s; git log --oneline
git commit -qm again; git reset HEAD~1; git status -s; git log --oneline
git stash -q; git reset --hard v1.0; git status -s; git log --oneline; cat README.md
git reset -q --hard topic; git log --oneline; ls; git status -sb
### heads are left
git checkout -q --detach; git status | head -1; git switch -q main; git switch --detach -q; git branch --show-current | wc -l
### log of several
git log --oneline --all; git log --oneline --branches; git log --oneline main topic; git log --oneline topic ^main; git log --oneline --tags; git log --oneline --decorate; git log --oneline --decorate --all; git log -1 --decorate; git log --format='%h %s' --branches='to*'
git log --oneline -- README.md src/lib.rs; git log --oneline --all README.md src; git log --all --oneline -- README.md docs/notes.md; git log --oneline --all --stat -- docs; git log --reverse --oneline --all; git log --oneline --all --skip 1 -2
### log with dates
git log -1 --date=short; git log -1 --date=iso; git log -1 --date=iso-strict --format=%ad; git log -2 --format='%h %ad %an' --date=short; git log -1 --date=format:'%Y-%m-%d %H:%M:%S %j %a %b %e' --format=%cd; git log -1 --date=rfc; git log -1 --date=raw --format=%ad; git log -1 --date=unix --format=%ad; git log -1 --date=nosuch; echo $?
### log that searches
git log -S'It adds' --oneline; git log -Smany --oneline; git log -S'a + b' --oneline; git log -Gmany --oneline; git log -G'things|pub' --oneline; git log --oneline -i --grep=ADD; git log --oneline -E --grep='say|begin'; git log --oneline --grep=begin --grep=say; git log --oneline -F --grep='a.d'; git log -Smany --name-only --format=%h; git log -S'a + b' -p --oneline; git log -i --author=THOR --format=%s -1
### log that follows
git restore .; git mv src/lib.rs src/library.rs; git commit -qm 'move it'; echo '// end' >> src/library.rs; git commit -qam 'end it'; git log --oneline --follow src/library.rs; git log --oneline src/library.rs; git log --follow --format=%s --name-only -- src/library.rs; git log --follow --stat --oneline src/library.rs
### log with a graph
git restore .; git merge -q topic -m 'bring it in'; git log --graph --oneline; git log --graph --oneline --all --decorate; git log --graph; git log --graph --oneline --first-parent; git log --oneline --first-parent; git log --graph --format='%h %s' -2; git log --graph --stat; git log --graph --oneline --name-status; git log --graph --oneline -- README.md docs
git log --graph -p --oneline; git log --graph --format=format:%h%n%s; git log --graph --pretty=short --decorate; git log -p --oneline; git log --stat -p -1 --no-merges; git log --merges --oneline; git log --first-parent --stat --oneline
### a graph of lines side by side
git restore .; git checkout -q -b b1 main~1; echo 1 > f1; git add f1; git commit -qm 'on b1'; git checkout -q main; git merge -q b1 -m m1; git checkout -q -b b2; echo 2 > f2; git add f2; git commit -qm 'on b2'; git checkout -q main; git merge -q --no-ff b2 -m m2; git log --graph --oneline; git log --graph --oneline --all --decorate; git log --graph --stat --format=%s -3; git log --graph --format=%s --all -4
### a branch of a remote
git stash -q; git checkout -q topic; git checkout feature; git branch --show-current; git log -1 --format=%s; git checkout -q main; git switch fix; git branch; git checkout main; git branch -d fix; git checkout -q -b mine origin/feature; git status -sb; git checkout -b other v1.0; git log -1 --format=%s; git checkout nosuch; echo $?; git switch nosuch; echo $?; git checkout --track origin/fix; git switch -q -c more topic; git branch
git branch old v1.0; git branch theirs origin/feature; git branch -a; git branch old2 nosuch; echo $?; git branch old; echo $?; git rev-parse --abbrev-ref theirs@{u}; git checkout -q -b free --no-track origin/fix; git status -sb
### files of another commit
git checkout HEAD~2 -- README.md; git status -s; git diff --cached --stat; git checkout topic -- docs src/main.rs; git status -s; cat docs/notes.md; git checkout HEAD~2 -- nosuch; echo $?; git checkout HEAD -- .; git status -s; git checkout topic docs/notes.md; git status -s
git restore --source=HEAD~2 README.md; git status -s; git restore -s topic --staged docs; git status -s; git restore --source topic --staged --worktree -- docs; git status -s; git restore --source=HEAD~2 --staged --worktree .; git status -s; git restore --source=nosuch README.md; echo $?
### a side of a conflict
git restore .; git checkout -q topic; echo theirs > README.md; git commit -qam theirs; git checkout -q main; git merge topic; echo $?; git checkout --theirs README.md; cat README.md; git status -s; git checkout --ours -- README.md; cat README.md; git restore --theirs README.md; cat README.md; git add README.md; git status -s
### commits of all kinds
git commit -q --allow-empty -m 'nothing at all'; git log -1 --format=%s --stat; git commit --allow-empty -m 'again nothing'; git commit -am 'what is tracked'; git status -s; git commit -q -m empty; echo $?; git commit --no-edit -q; echo $?
git add build.log; echo $?; git add -f build.log; git status -s; git rm -q --cached build.log; mkdir -p target/x; echo x > target/x/y; git add -f target; git status -s; git commit -qm ignored; git log -1 --format= --name-only; cd target; echo z > z; git add -f z; git status -s
### a merge is ended
git restore .; git checkout -q topic; echo theirs > README.md; git commit -qam theirs; git checkout -q main; git merge -q topic; git checkout --theirs README.md; git add README.md; git commit -q --no-edit; git log --oneline --graph -3; git log -1 --format=%B
git reset -q --hard HEAD~1; git merge topic; git checkout --ours -- README.md; git add -A; git commit --no-edit; git status -s; git cherry-pick topic; echo picked > README.md; git add README.md; git commit -q --no-edit; git log -1 --format='%an %s%n%b'
### differences of all kinds
git diff -M HEAD~1 --stat; git mv src/lib.rs src/library.rs; git diff --cached -M --name-status; git diff --cached --summary; git diff --summary HEAD~2 topic; printf 'x  \n\ty\n \tz\nok\n' >> README.md; git diff --check; echo $?; git diff --check HEAD~1 HEAD; echo $?; git diff --cached --numstat; git stash -q; git stash show -p; git stash show
### a status of all
mkdir -p deep/er 'a b'; echo 1 > deep/er/one; echo 2 > deep/two; echo 3 > 'a b/three'; git status -s -uall; git status -uall; git status --porcelain -uall; git status -s deep; git status -s src README.md; git status --porcelain -- 'new file.txt'; cd deep; git status -s; git status -s .; git status; git status -uall -s; cd er; git status -s
### branches and tags at length
git stash -q; git checkout -q -b mine2 origin/feature; git commit -q --allow-empty -m more; git checkout -q -b fixed origin/main; git rev-parse --short HEAD topic; echo $?; git branch -vv; git branch -v; git tag -a v3 -m 'third version' -m 'with more'; git tag -n; git tag -n -l 'v3*'; git rev-parse --short HEAD main; git rev-parse HEAD --short main
git for-each-ref --format='%(refname:short)'; git show v1.0 -- src; git show HEAD~1 --stat -- src/lib.rs; git show --format=%s topic -- docs; git show topic -- README.md; git hash-object README.md; echo hi | git hash-object --stdin; git hash-object src/main.rs .gitignore
### a log of one side, and of refs in folders
git restore .; git merge -q topic -m 'bring it in'; git log --merges --first-parent --oneline; git log --no-merges --first-parent --format=%s; git log --remotes=origin --format=%s -2; git log --branches=main --format=%s -1; git log --tags='v*' --format=%s -1; git log -U0 -1 --no-merges --format=%h; git log -i -SMANY --oneline; git log -S a -G b; echo $?
git log --date=format:'%G-W%V-%-d %U %W %g %P %_d' --format=%ad -3; git log -3 --format=%s -- README.md docs
### untracked paths with odd names
git restore .; mkdir -p dö/inner 'a b' plain/deep; echo 1 > dö/f; echo 2 > 'dö/inner/g h'; echo 3 > 'a b/x'; echo 4 > plain/deep/new.txt; echo 5 > plain/other
git status -s; git status -s -uall; git status -uall; git status -s dö; git status -s plain/deep/new.txt; git status -s plain/deep; git status -s plain; git status -s 'a b/x' plain/other; git status --porcelain=v3; echo $?
(cd plain && git status -s deep/new.txt && git status -s . && git status -s -uall)
### a switch that would leave all branches
git restore .; git tag v9; git switch HEAD~1; echo $?; git switch v9; echo $?; git switch origin/feature; echo $?; git branch --show-current; git switch -q --detach HEAD~1; git branch --show-current; git switch -q -; git branch --show-current
### white space at the end, and a summary with more
git restore .; printf 'a\n\n\n' > eof.txt; printf 'b  \n++ x\n+++ y\t\n' > plus.txt; printf '\n' > 'sp äce'; git add .; git diff --cached --check; echo $?; git diff --cached --stat --summary; git diff --cached --summary -p; git diff --cached --stat -p; git commit -qm new; echo >> eof.txt; git diff --check; echo $?
### files that are ignored are added all the same
git restore .; printf '*.log\n' > .gitignore; echo 1 > x.log; mkdir -p d; echo 2 > d/y.log; git add -f -A; git status -s; git reset -q; git add -f -u; git status -s
