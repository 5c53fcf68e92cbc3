import { Counts, Status } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { Path, Plain } from '../../parts/plain.js';
import { Virtual } from '../../parts/virtual.js';
import type { RowProps } from '../../parts/virtual.js';
import type { ReviewFile, ReviewModel } from './model.js';
import { OnlyIn } from './only-in.js';

interface FileRowProps {
  model: ReviewModel;
  file: ReviewFile;
  at: number;
  props: RowProps;
}

function FileRow({ model, file, at, props }: FileRowProps) {
  const isSeen = model.marks.value.has(file.key);
  const [worst] = file.risks;
  const left = model.left(file);
  const said = file.risks.map(({ sentence }) => sentence).join('\n');
  return (
    <div
      {...props}
      role="option"
      aria-selected={model.selected.value === at}
      class={`file-row ${left === 'all' ? 'out' : ''} ${isSeen ? 'seen' : ''}`}
      onClick={() => model.open(at)}
    >
      <Status of={file.change.status} />
      <Path text={file.path} />
      {worst && (
        <span class={`flag ${worst.severity}`} title={said}>
          <Icon name="warn" />
          <span class="hidden">{worst.severity} risk</span>
        </span>
      )}
      {file.commit ? (
        <OnlyIn commit={file.commit} />
      ) : left ? (
        <span class="tag warning">{left === 'all' ? 'out' : 'cut'}</span>
      ) : (
        <Counts added={file.change.added} deleted={file.change.deleted} />
      )}
      <span class={`seen-mark ${isSeen ? 'on' : ''}`} title={isSeen ? 'reviewed (v)' : 'not reviewed (v)'}>
        {isSeen && <Icon name="check" />}
        <span class="hidden">{isSeen ? 'reviewed' : 'not reviewed'}</span>
      </span>
    </div>
  );
}

function Commits({ model }: { model: ReviewModel }) {
  const push = model.asked.value?.push;
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
          const edited = isLast ? model.message.value : undefined;
          const [subject = '', ...body] = (edited ?? commit.message).trim().split('\n');
          return (
            <li key={commit.id}>
              <Plain text={subject || '(no message)'} clip={false} />
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

export function Side({ model }: { model: ReviewModel }) {
  const files = model.files.value;
  const between = files.filter(({ commit }) => commit !== undefined).length;
  const seen = files.filter(({ key }) => model.marks.value.has(key)).length;
  return (
    <aside class="review-side" aria-label="What leaves">
      <Commits model={model} />
      <h2 class="section">
        <span class="grow">
          {files.length} {files.length === 1 ? 'file' : 'files'}
          {between > 0 && <span class="muted">, {between} in commits only</span>}
        </span>
        <span class="muted">{seen} reviewed</span>
      </h2>
      <Virtual
        count={files.length}
        height={32}
        label="Files that change"
        role="listbox"
        at={model.selected.value}
        move={(to) => model.select(to)}
        onKey={(key, at) => {
          if (key === ' ') model.toggleMark();
          else if (key === 'Enter') model.open(at);
          return key === ' ' || key === 'Enter';
        }}
        row={(at, props) => {
          const file = files[at];
          return file && <FileRow key={file.key} model={model} file={file} at={at} props={props} />;
        }}
      />
    </aside>
  );
}
