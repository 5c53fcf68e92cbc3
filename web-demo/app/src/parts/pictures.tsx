// An image before and after a change. An image element runs no script of an SVG and loads none of its
// references, and a data URL needs no network.

import { useState } from 'preact/hooks';

import { picture } from '../state/picture.js';
import type { Picture } from '../state/picture.js';
import { size } from './bits.js';
import type { FilePatch } from './diff/patch.js';
import { Loaded } from './loaded.js';

/** The revisions to compare. Without a revision: the working folder. */
export interface Versions {
  old: string | undefined;
  fresh: string | undefined;
}

function Shown({ found: { bytes, url, why }, label }: { found: Picture; label: string }) {
  const [pixels, setPixels] = useState('');
  const [isBroken, setBroken] = useState(false);
  return (
    <>
      {url !== undefined && !isBroken ? (
        <img
          src={url}
          alt={label}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setPixels(`${naturalWidth} × ${naturalHeight} px, `)
          }
          onError={() => setBroken(true)}
        />
      ) : (
        <p class="muted">{isBroken ? 'The browser cannot read this image.' : why}</p>
      )}
      <figcaption class="muted small">
        {label}: {pixels}
        {size(bytes)}
      </figcaption>
    </>
  );
}

type Load = (() => Promise<Picture>) | undefined;

function Side({ load, by, label }: { load: Load; by: unknown[]; label: string }) {
  if (!load) return null;
  return (
    <figure class="picture">
      <Loaded load={load} by={by} what="Reading the image">
        {(found) => <Shown key={found.url} found={found} label={label} />}
      </Loaded>
    </figure>
  );
}

/** Both images, or the only one. Loads again whenever one of `by` changes. */
export function PicturePair({ old, fresh, by }: { old: Load; fresh: Load; by: unknown[] }) {
  return (
    <div class="pictures" role="group" aria-label="Image" tabIndex={0}>
      <Side load={old} by={by} label="Before" />
      <Side load={fresh} by={by} label="After" />
    </div>
  );
}

export function Pictures({ patch, versions }: { patch: FilePatch; versions: Versions }) {
  const { path, from, status } = patch;
  const hasOld = status !== 'A' && versions.old !== undefined;
  return (
    <PicturePair
      old={hasOld ? () => picture(from ?? path, versions.old) : undefined}
      fresh={status === 'D' ? undefined : () => picture(path, versions.fresh)}
      by={[path, from, versions.old, versions.fresh]}
    />
  );
}
