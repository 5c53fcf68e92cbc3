import { Counts, Status } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { Name } from '../../parts/plain.js';
import { visible } from '../../parts/stand-in.js';
import type { RowProps } from '../../parts/virtual.js';
import type { ReviewFile, ReviewModel } from './model.js';
import { isOpen } from './noted.js';
import { OnlyIn } from './only-in.js';
import type { FileRow as Row } from './tree.js';

/** Indentation of a row below its folder, in pixels. */
export const INDENT = 12;

interface FileRowProps {
  model: ReviewModel;
  file: ReviewFile;
  row: Row;
  props: RowProps;
}

/** How much of it the person has seen. */
function Seen({ isOpened, isReviewed }: { isOpened: boolean; isReviewed: boolean }) {
  const [look, said] = isReviewed ? ['on', 'reviewed'] : isOpened ? ['opened', 'opened'] : ['', 'unopened'];
  return (
    <span class={`seen-mark ${look}`} title={`${said} (v marks it as reviewed)`}>
      {isReviewed && <Icon name="check" />}
      <span class="hidden">{said}</span>
    </span>
  );
}

export function FileRow({ model, file, row, props }: FileRowProps) {
  const isReviewed = model.isReviewed(file);
  const comments = file.listed === undefined ? 0 : model.noted.on(file.listed).filter(isOpen).length;
  const [worst] = file.risks;
  const left = model.left(file);
  const said = file.risks.map(({ sentence }) => sentence).join('\n');
  return (
    <div
      {...props}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={model.selected.value === row.at}
      data-file={row.at}
      class={`file-row ${left === 'all' ? 'out' : ''} ${isReviewed ? 'seen' : ''}`}
      onClick={() => model.open(row.at)}
    >
      <span class="indent" style={{ width: `${row.depth * INDENT}px` }} />
      <Status of={model.renamed.value.has(file.key) ? 'R' : file.change.status} />
      <span class="path" title={visible(file.path.slice(0, 2000), 'name')}>
        <Name text={row.name} />
      </span>
      {worst && (
        <span class={`flag ${worst.severity}`} title={said}>
          <Icon name="warn" />
          <span class="hidden">{worst.severity} risk</span>
        </span>
      )}
      {comments > 0 && (
        <span class="tag" title={`${comments} open ${comments === 1 ? 'comment' : 'comments'}`}>
          {comments}
          <span class="hidden"> open {comments === 1 ? 'comment' : 'comments'}</span>
        </span>
      )}
      {file.commit ? (
        <OnlyIn commit={file.commit} />
      ) : left ? (
        <span class="tag warning">{left === 'all' ? 'out' : 'cut'}</span>
      ) : (
        <Counts added={file.change.added} deleted={file.change.deleted} />
      )}
      <Seen isOpened={model.opened.value.has(file.key)} isReviewed={isReviewed} />
    </div>
  );
}
