// The destination of a push. A person can change that of their own push.

import { Icon } from '../../parts/icon.js';
import { Name } from '../../parts/plain.js';
import type { ReviewProps } from './acts.js';

export function Destination({ model, changeDestination }: Pick<ReviewProps, 'model' | 'changeDestination'>) {
  const push = model.asked.value?.push;
  if (!push) return null;
  return (
    <>
      {model.isBundle.value ? (
        <strong>Download a bundle</strong>
      ) : (
        <>
          <strong>Push</strong>
          <span class="muted">to</span>
          <Name text={push.target.replace(/^github:/, '')} mono />
        </>
      )}
      <span class="tag branch">
        <Icon name="branch" />
        <Name text={push.branch} />
      </span>
      {changeDestination && !model.isBundle.value && (
        <button type="button" class="link small change" title="Push somewhere else" onClick={changeDestination}>
          Change…
        </button>
      )}
    </>
  );
}
