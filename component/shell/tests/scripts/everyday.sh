### d8
p=$(tr -dc 'a-z0-9' < /dev/urandom | head -c 16); echo ${#p}
### d9
head -c 3000000 /dev/urandom | tr -dc 0-9 | fold -w 8 | head -n 2 | wc -c
### d10
cat /dev/urandom | head -c 100000 | wc -c
