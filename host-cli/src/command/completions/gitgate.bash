# Completes gitgate's commands, options and values: gitgate itself says what fits.
_gitgate() {
    # Bash has split words at colons, which are parts of targets: what no blank precedes goes on.
    local rest=${COMP_LINE:0:COMP_POINT} words=() word i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && [[ $rest != *[![:space:]]* ]] && word=
        if [[ $i -gt 0 && $rest != [[:space:]]* ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        rest=${rest#"$word"}
    done
    local last=$((${#words[@]} - 1))
    local current=${words[last]} before=
    case $current in
        *[\'\"\\]*) current=$2 ;;
        *) before=${current%"$2"} ;;
    esac
    words[last]=$current
    COMPREPLY=()
    local candidate help quoted
    while IFS=$'\t' read -r candidate help; do
        # A name is a name, whatever a shell would make of it.
        printf -v quoted %q "${candidate#"$before"}"
        COMPREPLY+=("$quoted")
    done < <(gitgate __complete "${words[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=#:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o nosort -F _gitgate gitgate 2>/dev/null || complete -F _gitgate gitgate
