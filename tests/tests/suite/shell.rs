//! `gitgate sh`, as a person types into it.

use tests::terminal::{Size, Terminal};

use crate::pushing::staged;

#[test]
fn a_person_works_in_the_sandbox_line_by_line_and_calls_one_off() {
    let staged = staged();
    let mut command = staged.cli.command(&["sh"]);
    let mut shell = Terminal::start(command.env("TERM", "xterm"), Size { columns: 80, rows: 24 });
    shell.sees("Ctrl-D leaves");
    shell.sees(":~$ ");
    shell.types("cd sr\t");
    shell.sees("src/");
    shell.types("&& pwd\r");
    shell.sees("/workspace/src\r\n");
    shell.sees(":~/src$ ");
    shell.types("for i in 1 2; do\r");
    shell.types("echo \"<$i>\"; done; false\r");
    shell.sees("<1>\r\n<2>\r\n");
    shell.sees("[1] ");
    shell.types("echo kept > kept; while :; do :; done\r");
    shell.sees("Running bash");
    shell.interrupt();
    shell.sees("interrupted; nothing has changed");
    shell.sees("[130] ");
    shell.types("ls kept; echo made > made\r");
    shell.sees("ls: cannot access 'kept': No such file or directory");
    shell.sees(":~/src$ ");
    shell.types("\x04");
    assert_eq!(shell.ends().0, 0);
    assert!(staged.cli.run(&["undo"]).ok().stdout.starts_with("Undid bash"));
    let history = std::fs::read_to_string(staged.cli.home().join("shell-history")).unwrap();
    assert!(history.contains("cd src/") && history.contains("echo made > made"), "{history}");
}

#[test]
fn a_shell_needs_a_terminal() {
    let staged = staged();
    let refused = staged.cli.run(&["sh"]).exits(2);
    assert!(refused.stderr.contains("a shell needs a terminal"), "{refused:?}");
}
