// The changed files, and the diff of one of them.

import { useState } from 'preact/hooks';

import { ChangedFiles } from './changed-files.js';
import { Diff } from './diff/diff.js';
import type { FilePatch } from './diff/patch.js';
import { LayoutSwitch } from './layout-switch.js';
import { Loaded } from './loaded.js';
import { Pictures } from './pictures.js';
import type { Versions } from './pictures.js';
import { Name } from './plain.js';
import type { Diff as Changes } from '../state/diffs.js';
import { pictureType } from '../state/picture.js';
import { layout } from '../state/prefs.js';

function Title({ patch: { path, from, similarity } }: { patch: FilePatch }) {
  if (from === undefined) return <Name text={path} mono />;
  return (
    <>
      <Name text={from} mono />
      <span class="muted" aria-label="renamed to" role="img">
        →
      </span>
      <Name text={path} mono />
      <span class="tag">{similarity}% similar</span>
    </>
  );
}

const isOnlyRenamed = ({ status, hunks, head }: FilePatch): boolean =>
  status === 'R' && hunks.length === 0 && !/^(?:Binary|old mode|new mode)/m.test(head);

function Content({ patch, versions }: { patch: FilePatch; versions: Versions }) {
  const { path, escaped, head, hunks } = patch;
  const isPicture = pictureType(path) !== undefined;
  return (
    <>
      {patch.isCut && <p class="code-note">The file is too large to show all of its changes.</p>}
      {isPicture && <Pictures key={path} patch={patch} versions={versions} />}
      {isOnlyRenamed(patch) && <p class="muted pad">Renamed without changes.</p>}
      {!isOnlyRenamed(patch) && (!isPicture || hunks.length > 0) && (
        <Diff isSplit={layout.value === 'split'} path={path} escaped={escaped} head={head} hunks={hunks} />
      )}
    </>
  );
}

interface PatchesProps extends Changes {
  versions: Versions;
}

export function Patches({ patches, missing, versions }: PatchesProps) {
  const [path, setPath] = useState('');
  const shown = patches.find((one) => one.path === path) ?? patches[0];
  if (!shown) return <p class="muted pad">No files changed.</p>;
  return (
    <div class="patches-frame">
      <div class="patches">
        <ChangedFiles patches={patches} missing={missing} shown={shown} show={setPath} />
        <div class="patches-diff">
          <div class="bar-row">
            <Title patch={shown} />
            <span class="grow" />
            <LayoutSwitch layout={layout.value} onLayout={(to) => (layout.value = to)} />
          </div>
          {shown.load ? (
            <Loaded key={shown.path} load={shown.load} by={[shown]} what="Reading the changes">
              {(patch) => <Content patch={patch} versions={versions} />}
            </Loaded>
          ) : (
            <Content patch={shown} versions={versions} />
          )}
        </div>
      </div>
    </div>
  );
}
