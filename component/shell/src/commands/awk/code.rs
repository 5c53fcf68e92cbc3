//! A program as instructions for a machine with a stack. So functions may call themselves deeply, and reading may wait anywhere.

use super::value::Value;

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Among all variables of the program.
    Global(usize),
    /// Among those of the function that runs.
    Local(usize),
}

/// Where an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arr {
    /// In a variable.
    Slot(Slot),
    /// On the stack: it is an element of another.
    Stack,
}

/// What is assigned to. Its array and its key, if any, are on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `$0` and all that comes with a record.
    Record,
    /// A variable.
    Slot(Slot),
    /// An element.
    Elem(Arr),
    /// A field.
    Field,
    /// A value on the stack, which is forgotten.
    Nowhere,
}

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Math {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Less,
    LessEq,
    Eq,
    NotEq,
    Greater,
    GreaterEq,
}

/// Where is printed to. All but the first have a name on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    Stdout,
    File,
    Append,
    Pipe,
}

/// Where a line is taken from. All but the first have a name on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Main,
    File,
    Command,
}

/// A function that awk has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    And,
    Asort,
    Asorti,
    Atan2,
    Close,
    Compl,
    Cos,
    Exp,
    Fflush,
    Gensub,
    Index,
    Int,
    Isarray,
    Length,
    Log,
    Lshift,
    Match,
    Mktime,
    Or,
    Patsplit,
    Rand,
    Rshift,
    Sin,
    Split,
    Sprintf,
    Sqrt,
    Srand,
    Strftime,
    Strtonum,
    Substr,
    System,
    Systime,
    Tolower,
    Toupper,
    Typeof,
    Xor,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Num(f64),
    /// A text or an expression of the program.
    Const(usize),
    Unset,
    Pop,
    Load(Slot),
    /// Loads a variable that is assigned to before anybody reads it again.
    Take(Slot),
    /// A variable for a function, which may make it an array.
    Arg(Slot),
    Elem(Arr),
    /// An element for a function, which may be an array.
    ElemArg(Arr),
    Field,
    /// An element that is an array.
    SubArray(Arr),
    ArrayArg(Arr),
    In(Arr),
    Delete(Arr),
    DeleteAll(Arr),
    /// A key of several parts.
    Join(usize),
    Assign(Target),
    Modify(Target, Math),
    /// `++` and `--`. What is left is the value from before, if it is postfix.
    Step(Target, f64, bool),
    Math(Math),
    Compare(Order),
    Concat,
    /// Whether a text matches, or does not.
    Match(bool),
    /// Whether the record matches.
    MatchRecord,
    Neg,
    Plus,
    Not,
    Bool,
    Jump(usize),
    JumpFalse(usize),
    JumpTrue(usize),
    /// Jumps if the range has begun.
    InRange(usize, usize),
    SetRange(usize, bool),
    /// The keys of an array, to go through.
    Keys(Arr),
    /// The next key, or jumps if there is none.
    NextKey(usize),
    /// Compares what `switch` is about with a case, and leaves both that and the result.
    Case,
    Call(usize, usize),
    Return,
    Builtin(Builtin, usize),
    /// `sub`, or `gsub`.
    Replace(bool, Target),
    Print(usize, To),
    Printf(usize, To),
    Getline(From, Target),
    Next,
    NextFile,
    /// Ends the program, with a status on the stack if it is given.
    Exit(bool),
    End,
}

/// A function of the program.
#[derive(Debug, Default)]
pub struct Function {
    pub name: String,
    pub params: usize,
    pub entry: Option<usize>,
    /// The most arguments it is called with, and the line.
    pub called: (usize, usize),
}

/// A program.
#[derive(Debug, Default)]
pub struct Program {
    pub code: Vec<Op>,
    pub consts: Vec<Value>,
    pub functions: Vec<Function>,
    pub globals: Vec<String>,
    pub begin: Vec<usize>,
    pub rules: Vec<usize>,
    pub end: Vec<usize>,
    pub ranges: usize,
}

/// The variables that awk knows. Their places are those below.
pub const SPECIAL: &[&str] = &[
    "NF",
    "NR",
    "FNR",
    "FS",
    "OFS",
    "ORS",
    "RS",
    "SUBSEP",
    "CONVFMT",
    "OFMT",
    "RSTART",
    "RLENGTH",
    "FILENAME",
    "IGNORECASE",
    "FPAT",
    "FIELDWIDTHS",
    "RT",
    "ENVIRON",
    "ARGC",
    "ARGV",
    "PROCINFO",
    "ERRNO",
];
pub const NF: usize = 0;
pub const NR: usize = 1;
pub const FNR: usize = 2;
pub const FS: usize = 3;
pub const OFS: usize = 4;
pub const ORS: usize = 5;
pub const RS: usize = 6;
pub const SUBSEP: usize = 7;
pub const CONVFMT: usize = 8;
pub const OFMT: usize = 9;
pub const RSTART: usize = 10;
pub const RLENGTH: usize = 11;
pub const FILENAME: usize = 12;
pub const IGNORECASE: usize = 13;
pub const FPAT: usize = 14;
pub const FIELDWIDTHS: usize = 15;
pub const RT: usize = 16;
pub const ENVIRON: usize = 17;
pub const ARGC: usize = 18;
pub const ARGV: usize = 19;
pub const PROCINFO: usize = 20;
pub const ERRNO: usize = 21;
