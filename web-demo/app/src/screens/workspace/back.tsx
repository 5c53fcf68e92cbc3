import { Button } from '../../parts/bits.js';
import { go } from '../../state/route.js';

/** In a single column, it leads from a file back to the tree. */
export const Back = () => (
  <Button kind="quiet" icon="chevron" label="Back to the files" title="Back to the files" onClick={() => go('files')} />
);
