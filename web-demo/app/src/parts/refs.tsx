import type { Ref } from '../state/log.js';
import { Icon } from './icon.js';
import { Name } from './plain.js';
import { visible } from './stand-in.js';

const ORDER: Ref['kind'][] = ['branch', 'tag'];
const KINDS: { [kind in Ref['kind']]: string } = {
  branch: 'Branch',
  tag: 'Tag',
};

interface RefTagsProps {
  refs: Ref[];
  /** The number that fits. */
  most?: number;
}

/** The refs of a commit. HEAD's branch comes first. */
export function RefTags({ refs, most = refs.length }: RefTagsProps) {
  const inOrder = refs.toSorted(
    (a, b) => Number(b.isHead) - Number(a.isHead) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
  );
  return (
    <>
      {inOrder.slice(0, most).map(({ name, kind, isHead }) => (
        <span
          key={`${kind} ${name}`}
          class={`tag ref ${kind} ${isHead ? 'head' : ''}`}
          title={isHead ? 'HEAD' : KINDS[kind]}
        >
          <Icon name={kind === 'tag' ? 'tag' : 'branch'} />
          <span class="hidden">{isHead ? 'HEAD, branch ' : `${KINDS[kind]} `}</span>
          <Name text={name} />
        </span>
      ))}
      {inOrder.length > most && (
        <span
          class="muted small"
          title={visible(
            inOrder
              .slice(most)
              .map(({ name }) => name)
              .join(', '),
            'name',
          )}
        >
          +{inOrder.length - most}
        </span>
      )}
    </>
  );
}
