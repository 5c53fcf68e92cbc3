import { Button } from '../../parts/bits.js';
import { arrive } from '../../state/arrive.js';
import { download, move, remove } from '../../state/moving.js';
import { attempt } from '../../state/toast.js';

async function removeHere(path: string): Promise<void> {
  // The file's removal also removes the focused button.
  if (await remove({ path, isFolder: false })) arrive(() => undefined);
}

/** The actions on a whole file or link. */
export const FileActs = ({ path, isLink = false }: { path: string; isLink?: boolean }) => (
  <>
    {!isLink && (
      <Button
        kind="quiet"
        icon="down"
        label="Download"
        title="Download"
        onClick={() => attempt(() => download(path))}
      />
    )}
    <Button
      kind="quiet"
      icon="edit"
      label="Rename or move"
      title="Rename or move"
      onClick={() => attempt(() => move({ path, isFolder: false }))}
    />
    <Button kind="quiet" icon="bin" label="Delete" title="Delete" onClick={() => attempt(() => removeHere(path))} />
  </>
);
