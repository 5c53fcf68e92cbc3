# Completes gitgate's commands, options and values: gitgate itself says what fits.
function __gitgate_complete
    set --local words (commandline --current-process --tokenize --cut-at-cursor)
    set --local current (commandline --current-token --cut-at-cursor)
    gitgate __complete $words[2..] "$current" 2>/dev/null
end
complete --command gitgate --no-files --keep-order --arguments '(__gitgate_complete)'
