//! What a program of `bc` is made of.

use std::rc::Rc;

/// What has a value that can be set.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A variable, or one of the special ones.
    Name(String),
    /// An element of an array.
    Element(String, Box<Expression>),
}

/// What has a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number.
    Number(String),
    /// What a place has.
    Place(Place),
    /// What a place is set to, perhaps by an operation on what it has.
    Assign(Place, Option<&'static str>, Box<Expression>),
    /// What a place has before or after a step.
    Step { place: Place, up: bool, before: bool },
    /// An operation.
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// The other sign.
    Negated(Box<Expression>),
    /// Whether it is zero.
    Not(Box<Expression>),
    /// A function of the user.
    Call(String, Vec<Argument>),
    /// A function of bc.
    Known(&'static str, Box<Expression>),
    /// Something in parentheses.
    Grouped(Box<Expression>),
}

/// What a function is called with.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A value.
    Value(Expression),
    /// A whole array.
    Array(String),
}

/// What `print` prints.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// A text.
    Text(Vec<u8>),
    /// A value.
    Value(Expression),
}

/// What is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A value is printed, unless it is an assignment.
    Value(Expression),
    /// A value is computed.
    Silent(Expression),
    /// A text is printed.
    Text(Vec<u8>),
    /// Several things are printed.
    Print(Vec<Printed>),
    /// One or the other.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A loop, with what is done after each turn.
    While(Option<Expression>, Option<Expression>, Vec<Statement>),
    /// Several.
    Block(Vec<Statement>),
    /// A loop ends.
    Break,
    /// A turn ends.
    Continue,
    /// A function ends.
    Return(Option<Expression>),
    /// All ends.
    Halt,
    /// A function is defined.
    Define(Rc<Function>),
}

/// A function. Names of arrays have a bracket behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it is called with.
    pub parameters: Vec<String>,
    /// Variables of its own.
    pub own: Vec<String>,
    /// What it does.
    pub body: Vec<Statement>,
}
