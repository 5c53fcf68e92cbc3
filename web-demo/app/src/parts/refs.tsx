import type { Ref } from '../state/log.js';
import { Icon } from './icon.js';
import { Name } from './plain.js';

const ORDER: Ref['kind'][] = ['branch', 'tag', 'remote'];
const KINDS: { [kind in Ref['kind']]: string } = {
  branch: 'Branch',
  remote: 'Remote branch',
  tag: 'Tag',
};

/** The names of a commit. The branch of HEAD stands first. */
export function RefTags({ refs }: { refs: Ref[] }) {
  const inOrder = refs.toSorted(
    (a, b) => Number(b.isHead) - Number(a.isHead) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
  );
  return (
    <>
      {inOrder.map(({ name, kind, isHead }) => (
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
    </>
  );
}
