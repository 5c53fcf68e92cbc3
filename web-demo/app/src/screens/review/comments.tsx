// The comments on a file, or on the whole push. An agent's answer is foreign text.

import type { ReviewProps } from './acts.js';
import { Button, day } from '../../parts/bits.js';
import { Name, Plain } from '../../parts/plain.js';
import type { ReviewModel } from './model.js';
import { isOpen } from './noted.js';
import type { Placed } from './noted.js';
import { words } from './place.js';

type Acts = ReviewProps['acts'];

/** The place, which leads to the lines where they are now. */
function Where({ model, comment }: { model: ReviewModel; comment: Placed }) {
  const { place, spot } = comment;
  const now = spot && place.on === 'lines' ? { ...place, ...spot } : place;
  if (!spot) return <Name text={words(now)} mono />;
  return (
    <button type="button" class="link" title="Show the lines" onClick={() => model.goToComment(comment)}>
      <Name text={words(now)} mono />
    </button>
  );
}

/** The lines that a comment was about, if this file does not have them. */
function Before({ model, comment: { place, spot } }: { model: ReviewModel; comment: Placed }) {
  if (place.on !== 'lines' || !place.lines?.length) return null;
  if (spot && spot.file === model.file.value?.listed) return null;
  return (
    <>
      <p class="muted small">
        {spot ? 'These lines are only in an earlier commit now:' : 'These lines are not in the push any more:'}
      </p>
      <pre class="thread-lines">
        <Plain text={place.lines.join('\n')} clip={false} />
      </pre>
    </>
  );
}

function Thread({ model, acts, comment }: { model: ReviewModel; acts: Acts; comment: Placed }) {
  const { id, by, at, text, weight, sent, replies, settled } = comment;
  const change = (what: 'settle' | 'reopen' | 'withdraw') => () => model.noted.change(id, { change: what });
  return (
    <li class={`thread ${settled ? 'settled' : ''}`} data-comment={id}>
      <div class="thread-head small">
        <Where model={model} comment={comment} />
        <span class={weight === 'must' && !settled ? 'tag warning' : 'tag'}>{weight}</span>
        <span class="muted">
          <Plain text={by} />, {day(at * 1000)}
          {!settled && (sent ? ', the agent has it' : ', not sent yet')}
        </span>
      </div>
      <Before model={model} comment={comment} />
      <div class="thread-text">
        <Plain text={text} clip={false} />
      </div>
      {replies.map((reply, index) => (
        <div class={`thread-reply ${reply.agent ? 'agent-said' : ''}`} key={index}>
          <span class="small muted">
            <Plain text={reply.by} />, {day(reply.at * 1000)}
          </span>
          <div class="thread-text">
            <Plain text={reply.text} clip={false} />
          </div>
        </div>
      ))}
      <div class="thread-acts">
        {settled ? (
          <>
            <span class="small muted grow">
              Settled by <Plain text={settled.by} />
            </span>
            <Button kind="quiet" onClick={change('reopen')}>
              Open again
            </Button>
          </>
        ) : (
          <>
            <Button kind="quiet" onClick={() => acts.reply(id)}>
              Answer…
            </Button>
            {!sent && (
              <Button kind="quiet" onClick={change('withdraw')}>
                Withdraw
              </Button>
            )}
            <Button kind="quiet" icon="check" onClick={change('settle')}>
              Settle
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

interface CommentsProps {
  model: ReviewModel;
  acts: Acts;
  comments: Placed[];
  label: string;
}

export function Comments({ model, acts, comments, label }: CommentsProps) {
  const [open, settled] = [comments.filter(isOpen), comments.filter((one) => !isOpen(one))];
  if (comments.length === 0) return null;
  const threads = (some: Placed[]) => some.map((one) => <Thread key={one.id} model={model} acts={acts} comment={one} />);
  return (
    <section class="threads" aria-label={label} tabIndex={0}>
      <ul>{threads(open)}</ul>
      {settled.length > 0 && (
        <details>
          <summary class="muted small">{settled.length} settled</summary>
          <ul>{threads(settled)}</ul>
        </details>
      )}
    </section>
  );
}

/** All open comments, each leading to its place. */
export function CommentList({ model, acts }: { model: ReviewModel; acts: Acts }) {
  const { noted } = model;
  if (!model.canComment.value) return null;
  const open = noted.open.value;
  const onPush = noted.comments.value.filter((one) => model.fileOf(one) === undefined);
  return (
    <details class="comment-list" open={open.length > 0}>
      <summary>
        {open.length === 0 ? 'No open comments' : `${open.length} open ${open.length === 1 ? 'comment' : 'comments'}`}
      </summary>
      <ul>
        {open.map((comment) => {
          const at = model.fileOf(comment);
          if (at === undefined) return null;
          return (
            <li key={comment.id}>
              <button type="button" class="link" onClick={() => model.goToComment(comment)}>
                <Name text={words(comment.place)} mono />
                <span class="muted small comment-text">
                  <Plain text={comment.text.split('\n')[0] ?? ''} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <Comments model={model} acts={acts} comments={onPush} label="Comments on the push" />
      <Button kind="quiet" keys="Shift+C" onClick={() => model.write({ on: 'push' })}>
        Comment on the push…
      </Button>
    </details>
  );
}
