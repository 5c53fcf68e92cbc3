//! `git_review`: what a person says about the pushes that were proposed.

pub mod comments;

use serde::{Deserialize, Serialize};

use self::comments::Shown;
use crate::answer::Answer;
use crate::approval::Annotations;
use crate::budget::is_zero;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::question::{CommentAnswer, Question};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// List the open comments of the user on your pushes, and answer some. Only the user settles them.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitReview {
    /// What you say to comments
    #[serde(default)]
    answers: Vec<Said>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Said {
    id: String,
    text: String,
}

/// The comments that are open.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Open {
    /// In the order in which they were made; if there is no room for all, the first ones.
    comments: Vec<Shown>,
    /// Comments that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    comments_omitted: usize,
    hint: String,
}

impl Call for GitReview {
    const NAME: &'static str = "git_review";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git, Toolset::Lean];
    // It asks nobody: what it says is for the person to read.
    const ANNOTATIONS: Annotations = Annotations::writes();
    const FILE: &'static str = schema_file!("git_review");
    type Result = Open;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let answered = self.answers.len();
        let answers = self.answers.into_iter().map(|Said { id, text }| CommentAnswer { comment: id, text });
        let Answer::Comments(open) = context.answers.get(Question::Comments(answers.collect()))? else {
            return Err(ToolError::failed("The host did not answer a question about comments with comments").into());
        };
        let most = context.session.options.git.max_bytes;
        let shown = comments::fitting(open, most);
        let omitted = open.len() - shown.len();
        let mut text = match (answered, open.len()) {
            (0, 0) => "No comment is open.\n".to_owned(),
            (0, _) => String::new(),
            (1, _) => "Noted 1 answer.\n".to_owned(),
            (many, _) => format!("Noted {many} answers.\n"),
        };
        text.push_str(&comments::text(&shown, omitted));
        let hint = match open.is_empty() {
            true => "Nothing is to be done.",
            false => comments::HINT,
        };
        let hint = hint.to_owned();
        Ok(Output::new::<GitReview>(text, Open { comments: shown, comments_omitted: omitted, hint }).max_bytes(most))
    }
}
