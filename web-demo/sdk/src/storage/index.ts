// The storages of a sandbox: files of this origin, or memory.

export type { Blob, Kept, Mark, Next, Storage } from './types.js';
export { openMemory } from './memory.js';
export { copyOpfs, listOpfs, openOpfs, removeOpfs } from './opfs.js';
