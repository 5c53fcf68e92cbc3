import { Counts, Status } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { Plain } from '../../parts/plain.js';
import { asked, files, marks, message, out, select, selected, toggleMark } from '../../state/review.js';
import type { ReviewFile } from '../../state/review.js';
import { Virtual } from '../../parts/virtual.js';
import type { RowProps } from '../../parts/virtual.js';

function FileRow({ file, at, props }: { file: ReviewFile; at: number; props: RowProps }) {
  const isSeen = marks.value.has(file.key);
  const [worst] = file.risks;
  const isOut = out.value.get(file.change.path) === 'all';
  const said = file.risks.map(({ sentence }) => sentence).join('\n');
  return (
    <div
      {...props}
      role="option"
      aria-selected={selected.value === at}
      class={`file-row ${isOut ? 'out' : ''} ${isSeen ? 'seen' : ''}`}
      onClick={() => select(at)}
    >
      <Status of={file.change.status} />
      <Plain text={file.patch.path} />
      {worst && (
        <span class={`flag ${worst.severity}`} title={said}>
          <Icon name="warn" />
          <span class="hidden">{worst.severity} risk</span>
        </span>
      )}
      <Counts added={file.change.added} deleted={file.change.deleted} />
      <span class={`seen-mark ${isSeen ? 'on' : ''}`} title={isSeen ? 'reviewed (v)' : 'not reviewed (v)'}>
        {isSeen && <Icon name="check" />}
        <span class="hidden">{isSeen ? 'reviewed' : 'not reviewed'}</span>
      </span>
    </div>
  );
}

function Commits() {
  const push = asked.value?.push;
  if (!push) return null;
  const { commits, supplied } = push.review;
  return (
    <details class="commits" open={commits.length < 4}>
      <summary>
        {commits.length} {commits.length === 1 ? 'commit' : 'commits'}
        {supplied > 0 && <span class="muted"> and {supplied} earlier</span>}
      </summary>
      <ol>
        {commits.map((commit, at) => {
          const isLast = at === commits.length - 1;
          const edited = isLast ? message.value : undefined;
          const [subject = '', ...body] = (edited ?? commit.message).trim().split('\n');
          return (
            <li key={commit.id}>
              <Plain text={subject || '(no message)'} />
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

export function Side() {
  const seen = files.value.filter(({ key }) => marks.value.has(key)).length;
  return (
    <aside class="review-side" aria-label="What leaves">
      <Commits />
      <h2 class="section">
        <span class="grow">
          {files.value.length} {files.value.length === 1 ? 'file' : 'files'}
        </span>
        <span class="muted">{seen} reviewed</span>
      </h2>
      <Virtual
        count={files.value.length}
        height={32}
        label="Files that change"
        role="listbox"
        at={selected.value}
        move={select}
        onKey={(key) => (key === ' ' ? (toggleMark(), true) : false)}
        row={(at, props) => {
          const file = files.value[at];
          return file && <FileRow key={file.key} file={file} at={at} props={props} />;
        }}
      />
    </aside>
  );
}
