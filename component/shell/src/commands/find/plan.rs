//! An expression as steps that follow each other, so that evaluating one is a loop.

use super::act::Action;
use super::test::Test;

/// What is done with an entry.
#[derive(Debug)]
pub enum Step {
    /// It is looked at.
    Test(Test),
    /// Something is done.
    Act(Action),
}

/// An expression as it is written.
#[derive(Debug)]
pub enum Node {
    /// A single step.
    Step(Step),
    /// `!`
    Not(Box<Node>),
    /// `-a`
    All(Vec<Node>),
    /// `-o`
    Either(Vec<Node>),
    /// `,`
    Each(Vec<Node>),
}

impl From<Test> for Node {
    fn from(test: Test) -> Node {
        Node::Step(Step::Test(test))
    }
}

impl From<Action> for Node {
    fn from(action: Action) -> Node {
        Node::Step(Step::Act(action))
    }
}

/// The number of the next step. None at the end.
pub type Next = Option<usize>;

/// An expression as steps.
#[derive(Debug, Default)]
pub struct Plan {
    /// Each with what follows if it holds, and if it does not. Steps lead only to those before them in this list.
    pub steps: Vec<(Step, Next, Next)>,
    /// The first step.
    pub begin: Next,
    /// How many commands collect arguments.
    pub batches: usize,
}

impl Plan {
    /// The steps of an expression.
    pub fn new(node: Node, batches: usize) -> Plan {
        let mut plan = Plan { batches, ..Plan::default() };
        plan.begin = plan.add(node, None, None);
        plan
    }

    /// Adds the steps of a part, and gives the first.
    fn add(&mut self, node: Node, yes: Next, no: Next) -> Next {
        match node {
            Node::Step(step) => {
                self.steps.push((step, yes, no));
                Some(self.steps.len() - 1)
            }
            Node::Not(node) => self.add(*node, no, yes),
            Node::All(nodes) => nodes.into_iter().rev().fold(yes, |next, node| self.add(node, next, no)),
            Node::Either(nodes) => nodes.into_iter().rev().fold(no, |next, node| self.add(node, yes, next)),
            Node::Each(nodes) => {
                let mut nodes = nodes.into_iter().rev();
                let last = nodes.next().and_then(|node| self.add(node, yes, no));
                nodes.fold(last, |next, node| self.add(node, next, next))
            }
        }
    }
}
