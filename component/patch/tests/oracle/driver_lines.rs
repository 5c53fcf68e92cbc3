//! Lines of each language that a driver knows, and random mutations of them.

use fastrand::Rng;

/// A driver, and lines that reach nearly all of its rules and their alternatives.
pub const SAMPLES: &[(&str, &[&str])] = &[
    (
        "ada",
        &[
            "procedure Swap (A, B : in out Integer) is",
            "function Max return Integer renames Ada.Max;",
            "package Stack is new Generic_Stack (Integer);",
            "protected Buffer is separate",
            "task type Worker is",
            "with Ada.Text_IO; use Ada;",
            "x is renames y",
        ],
    ),
    (
        "bash",
        &[
            "main() {",
            "function main () {",
            "function main ( ) ((",
            "function _run2 [[ $1 ]]",
            "function go (",
            "name ( ) ( cd x )",
            "function x{",
            "if main() then",
        ],
    ),
    (
        "bibtex",
        &["@article{knuth84,", "@Book { key-1 , title", "author = \"A @misc{x} B\",", "@string(foo = 1)", "@a{b%c}"],
    ),
    (
        "cpp",
        &[
            "int main(int argc, char **argv)",
            "::std::string f()",
            ":: x::y",
            "label:",
            "public: // access",
            "default: /* no */",
            "case_1: x",
            "struct _s {",
        ],
    ),
    (
        "csharp",
        &[
            "public static void Main(string[] args)",
            "internal List<int, string> Get<T>(int a)",
            "return Foo(x);",
            "else if (x)",
            "public int Value { get; set; }",
            "public int Other => 1;",
            "sealed partial class Foo : Bar",
            "public record Point(int X)",
            "namespace A.B.C",
            "private unsafe struct S",
            "await foreach(var x)",
            "Task<T[]> @do (",
            "interface I",
            "enum E : byte",
        ],
    ),
    (
        "css",
        &[
            "a:hover {",
            ".class #id",
            "@media print",
            "color: red;",
            "#x,",
            "[attr]",
            ":root",
            "b::",
            "_x { y: z; }",
            "Div P",
        ],
    ),
    (
        "dts",
        &[
            "/ {",
            "/\t{",
            "&uart0 {",
            "node@1 {",
            "reg = <1>;",
            "status;",
            "/include/ \"x\"",
            "label: node {",
            "compatible",
        ],
    ),
    (
        "elixir",
        &[
            "def run(x) do",
            "defmodule A.B do",
            "defmacro m",
            "defp x",
            "defimpl P, for: X",
            "defprotocol Q",
            "test \"it\" do",
            "define x",
        ],
    ),
    (
        "fortran",
        &[
            "program hello",
            "end program hello",
            "module m",
            "module procedure x",
            "block data b",
            "pure elemental integer function f(x)",
            "end subroutine s",
            "SUBROUTINE S",
            "! subroutine x",
            "C function y",
            "* program z",
            "character(len=1) function g",
            "real 'x' function h",
        ],
    ),
    (
        "fountain",
        &[
            ".FORCED",
            "..not",
            "INT. HOUSE - DAY",
            "ext ROAD",
            "EST. x",
            "int./ext. CAR",
            "int/ext y",
            "I/E. z",
            "interior",
        ],
    ),
    (
        "golang",
        &[
            "func main() {",
            "func (r *T) M(x int) error",
            "type T struct {",
            "type I interface{}",
            "type structure int",
            "type a struct { b interface { }",
            "type F func()",
        ],
    ),
    ("html", &["<h1>Title</h1>", "<H3 class=\"x\">y", "<h7>", "<h2 id>", "<h2\tx", "<head>", "<h6 >a>b"]),
    (
        "java",
        &[
            "public class Foo extends Bar {",
            "enum E {",
            "non-sealed interface I",
            "record R(int x) {",
            "public static <T> List<T> of(T... x) {",
            "void f(int[] a, int b)",
            "return new Foo(x)",
            "throw x(y)",
            "int[] a(",
            "int x = f(1);",
            "doing it (x",
            "@Override public String s()",
        ],
    ),
    (
        "kotlin",
        &[
            "fun main() {",
            "private inline fun <T> f()",
            "data class P(val x: Int)",
            "interface I",
            "val fun x",
            "sealed class",
            "Fun x",
        ],
    ),
    ("markdown", &["# One", "  ## Two", "   ###### Six", "####### Seven", "    # Code", "#tag", "#\ttab"]),
    (
        "matlab",
        &[
            "function y = f(x)",
            "classdef A < B",
            "%% Section",
            "%%% Sub",
            "## Octave",
            "% no",
            "%%%% no",
            "functional",
            "%%\tx",
        ],
    ),
    (
        "objc",
        &[
            "- (void)viewDidLoad {",
            "+ ( NSString *) name:(int)x",
            "-(id) init",
            "static int f(int x)",
            "if (x) y(z)",
            "while x (y",
            "@implementation Foo",
            "@interface Foo : Bar",
            "@protocol P <Q>",
            "@property x",
            "return x (y)",
            "format x(y)",
        ],
    ),
    (
        "pascal",
        &[
            "procedure Foo;",
            "class function Bar: Integer;",
            "constructor Create",
            "destructor Destroy; override;",
            "interface",
            "implementation",
            "initialization",
            "finalization",
            "TFoo = class(TBar)",
            "R = record",
            "class var x",
            "unit u",
        ],
    ),
    (
        "perl",
        &[
            "package Foo::Bar;",
            "sub foo {",
            "sub bar($$) {",
            "sub baz ($x, $y) : lvalue { # comment",
            "sub declared;",
            "sub at:method(x) {",
            "sub a':b:(c) {",
            "BEGIN {",
            "END",
            "UNITCHECK { # x",
            "AUTOLOAD{",
            "INIT x",
            "=head1 NAME",
            "=head2",
            "sub x # y",
            "sub x() # y",
            "DESTROY #",
            "CHECK",
        ],
    ),
    (
        "php",
        &[
            "public static function f($x)",
            "function g()",
            "final class Foo",
            "abstract class Bar extends Foo",
            "enum E: string",
            "interface I",
            "trait T",
            "private $x;",
            "new class",
            "abstract  protected functional",
        ],
    ),
    ("python", &["def f(x):", "async def g():", "class A(B):", "defx = 1", "async  def\tx", "classes", "@x def y"]),
    ("ruby", &["def run", "class Foo < Bar", "module M", "define :x", "module", "class\tX", "end def x"]),
    (
        "rust",
        &[
            "pub fn f(x: u8) -> u8 {",
            "pub(crate) async fn g()",
            "un\x73afe impl<T> Send for X<T> {}",
            "extern \"C\" fn c()",
            "const fn k()",
            "struct S;",
            "macro_rules! m {",
            "enum E<T> {",
            "pub mod x {",
            "mod y;",
            "trait T",
            "union U {",
            "impl<T> X",
            "pub(in a\\b) fn q()",
            "extern fn z()",
            "pub un\x73afe extern \"C\" fn w()",
        ],
    ),
    (
        "scheme",
        &[
            "(define (f x)",
            "(define-syntax x",
            "(defstruct s",
            "(defmethod* m",
            "(library (a b)",
            "(module+ test",
            "(struct x (y))",
            "(class* y",
            "(def x",
            "(defproto/x",
            "(defalias- z",
            "(let x",
            "(definer x",
            "(defrules\tx",
        ],
    ),
    (
        "tex",
        &[
            "\\section{One}",
            "\\subsection*{Two}",
            "\\subsubsubsection{Three}",
            "\\chapter{Four}",
            "\\part*{Five}",
            "\\paragraph{Six}",
            "\\section **{x}",
            "\\subchapter{x}",
        ],
    ),
];

const INDENTATIONS: &[&str] = &["", "", "", " ", "   ", "    ", "\t", "\t ", " \t\t", "\x0b", "\x0c "];
const GLUE: &[&str] =
    &["", " ", " ", "  ", "\t", " \t ", ";", ":", "=", "(", ")", ",", "{", "\r", "\x0b", "#", "!", "\"", "\\"];
const KEYS: &[u8] = b"aZ09_ \t;:=,.(){}[]<>#!@&*/\\'\"%+-~^$|?\r\x0b\x0c\x01\x7f\x80\xc3\xff";
const TAILS: &[&str] = &["", "", "", " ", "\t ", "\r", "\r\r", " \r", "\x0c", " x{", " {", ";", "a long tail "];

/// A line like those of `samples`, without its newline. It may have a NUL.
pub fn line(random: &mut Rng, samples: &[&str]) -> Vec<u8> {
    let mut line = random.choice(INDENTATIONS).expect("there are some").as_bytes().to_vec();
    if random.usize(..3) == 0 {
        let words: Vec<&str> = samples.iter().flat_map(|sample| sample.split(' ')).collect();
        for _ in 0..=random.usize(..6) {
            line.extend_from_slice(random.choice(&words).expect("there are some").as_bytes());
            line.extend_from_slice(random.choice(GLUE).expect("there are some").as_bytes());
        }
    } else {
        line.extend_from_slice(random.choice(samples).expect("there are some").as_bytes());
    }
    for _ in 0..*random.choice(&[0, 0, 0, 1, 1, 2, 5]).expect("there are some") {
        type_at_random(random, &mut line);
    }
    let tail = random.choice(TAILS).expect("there are some");
    let times = if tail.len() > 5 { 12 } else { 1 };
    line.extend_from_slice(tail.repeat(times).as_bytes());
    line
}

fn type_at_random(random: &mut Rng, line: &mut Vec<u8>) {
    let at = random.usize(..=line.len());
    match random.usize(..6) {
        0 if at < line.len() => drop(line.remove(at)),
        1 if at < line.len() => line[at] ^= b' ' & if line[at].is_ascii_alphabetic() { 0xff } else { 0 },
        2 if at < line.len() => line.insert(at, line[at]),
        3 => drop(line.splice(at..at, vec![b' '; random.usize(..90)])),
        4 if random.usize(..6) == 0 => line.insert(at, 0),
        _ => line.insert(at, *random.choice(KEYS).expect("there are some")),
    }
}
