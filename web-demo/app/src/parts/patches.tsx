// Files that have changed, and the diff of one of them.

import { useState } from 'preact/hooks';

import { Counts, Status } from './bits.js';
import { Diff } from './diff/diff.js';
import type { FilePatch } from './diff/patch.js';
import { LayoutSwitch } from './layout-switch.js';
import { Loaded } from './loaded.js';
import { Name, Path } from './plain.js';
import type { Diff as Changes } from '../state/diffs.js';
import { layout } from '../state/prefs.js';

function One({ patch }: { patch: FilePatch }) {
  const { path, escaped, head, hunks } = patch;
  return (
    <>
      {patch.isCut && <p class="code-note">The file is too large to show all of its changes.</p>}
      <Diff isSplit={layout.value === 'split'} path={path} escaped={escaped} head={head} hunks={hunks} />
    </>
  );
}

export function Patches({ patches, missing }: Changes) {
  const [path, setPath] = useState('');
  const shown = patches.find((one) => one.path === path) ?? patches[0];
  if (!shown) return <p class="muted pad">No file has changed.</p>;
  return (
    <div class="patches-frame">
      <div class="patches">
        <div class="patches-files" role="group" aria-label="Changed files">
          {patches.map((one) => (
            <button
              type="button"
              key={one.path}
              class="file-row"
              aria-current={one === shown ? 'true' : undefined}
              onClick={() => setPath(one.path)}
            >
              <Status of={one.status} />
              <Path text={one.path} />
              {/* Of a file that is read later they may not be known. */}
              {!(one.load && one.added + one.deleted === 0) && <Counts added={one.added} deleted={one.deleted} />}
            </button>
          ))}
          {missing > 0 && <p class="muted small pad">{missing} more files are not listed: the change is too large.</p>}
        </div>
        <div class="patches-diff">
          <div class="bar-row">
            <Name text={shown.path} mono />
            <span class="grow" />
            <LayoutSwitch layout={layout.value} onLayout={(to) => (layout.value = to)} />
          </div>
          {shown.load ? (
            <Loaded key={shown.path} load={shown.load} by={[shown]} what="Reading the changes">
              {(patch) => <One patch={patch} />}
            </Loaded>
          ) : (
            <One patch={shown} />
          )}
        </div>
      </div>
    </div>
  );
}
