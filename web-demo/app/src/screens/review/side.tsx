import { Plain } from '../../parts/plain.js';
import type { ReviewProps } from './acts.js';
import { CommentList } from './comments.js';
import { Files } from './files.js';
import type { ReviewModel } from './model.js';

function Commits({ model }: { model: ReviewModel }) {
  const push = model.asked.value?.push;
  if (!push) return null;
  const { commits, supplied } = push.review;
  const hasSteps = (model.asked.value?.steps ?? []).length > 1;
  const last = commits.findIndex(({ id }) => id === model.upto.value);
  return (
    <details class="commits" open={commits.length < 4}>
      <summary>
        {commits.length} {commits.length === 1 ? 'commit' : 'commits'}
        {supplied > 0 && <span class="muted"> and {supplied} earlier</span>}
      </summary>
      <ol>
        {commits.map((commit, at) => {
          const isLast = commit.id === model.lastCommit.value?.id;
          const edited = isLast ? model.message.value : undefined;
          const [subject = '', ...body] = (edited ?? commit.message).trim().split('\n');
          const title = <Plain text={subject || '(no message)'} clip={false} />;
          const isLeft = last >= 0 && at > last;
          return (
            <li key={commit.id} class={isLeft ? 'out' : ''}>
              {hasSteps ? (
                <button
                  type="button"
                  class="link"
                  title="Show what this commit changes"
                  aria-pressed={model.step.value === at}
                  onClick={() => model.stepTo(model.step.value === at ? undefined : at)}
                >
                  {title}
                </button>
              ) : (
                title
              )}
              {isLeft && <span class="tag warning">left out</span>}
              {edited !== undefined && <span class="tag warning">edited</span>}
              <div class="muted small">
                <span class="mono">{commit.id.slice(0, 8)}</span> <Plain text={commit.author} />
              </div>
              {body.join('\n').trim() && (
                <div class="muted small body">
                  <Plain text={body.join('\n').trim()} clip={false} />
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </details>
  );
}

/** What the person saw in an earlier push and this one does not have. */
function Gone({ model }: { model: ReviewModel }) {
  const paths = [...new Set(model.asked.value?.gone)];
  if (paths.length === 0) return null;
  return (
    <p class="gone muted small">
      Seen before, and not in this push any more:{' '}
      {paths.slice(0, 5).map((path) => (
        <span key={path}>
          <Plain text={path} mono />{' '}
        </span>
      ))}
      {paths.length > 5 && `and ${paths.length - 5} more`}
    </p>
  );
}

export function Side({ model, acts }: Pick<ReviewProps, 'model' | 'acts'>) {
  return (
    <aside class="review-side" aria-label="What leaves">
      <Commits model={model} />
      <CommentList model={model} acts={acts} />
      <Gone model={model} />
      <Files model={model} />
    </aside>
  );
}
