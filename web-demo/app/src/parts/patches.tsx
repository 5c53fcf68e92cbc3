// Files that have changed, and the diff of one of them.

import { useState } from 'preact/hooks';

import { ChangedFiles } from './changed-files.js';
import { Diff } from './diff/diff.js';
import type { FilePatch } from './diff/patch.js';
import { LayoutSwitch } from './layout-switch.js';
import { Pictures } from './pictures.js';
import type { Versions } from './pictures.js';
import { Name } from './plain.js';
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
      {isPicture && <Pictures key={path} patch={patch} versions={versions} />}
      {isOnlyRenamed(patch) && <p class="muted pad">Renamed without changes.</p>}
      {!isOnlyRenamed(patch) && (!isPicture || hunks.length > 0) && (
        <Diff isSplit={layout.value === 'split'} path={path} escaped={escaped} head={head} hunks={hunks} />
      )}
    </>
  );
}

export function Patches({ patches, versions }: { patches: FilePatch[]; versions: Versions }) {
  const [path, setPath] = useState('');
  const shown = patches.find((one) => one.path === path) ?? patches[0];
  if (!shown) return <p class="muted pad">No files changed.</p>;
  return (
    <div class="patches-frame">
      <div class="patches">
        <ChangedFiles patches={patches} shown={shown} show={setPath} />
        <div class="patches-diff">
          <div class="bar-row">
            <Title patch={shown} />
            <span class="grow" />
            <LayoutSwitch layout={layout.value} onLayout={(to) => (layout.value = to)} />
          </div>
          <Content patch={shown} versions={versions} />
        </div>
      </div>
    </div>
  );
}
