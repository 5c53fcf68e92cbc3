// Web Locks tell which tab has a sandbox, and which tab is gone. A lock ends with its tab or Worker,
// however that ends.

/** The used part of `navigator.locks`. */
export interface Locks {
  request<T>(name: string, options: LockOptions, callback: (lock: Lock | null) => Promise<T>): Promise<T>;
}

/** Releases a lock. */
export type Release = () => void;

/** The lock, once it is free. With `mustBeFree`, `undefined` at once if it is taken. */
function take(locks: Locks, name: string, options: LockOptions): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const held = locks.request(name, options, (lock) => {
      if (!lock) return Promise.resolve(resolve(undefined));
      return new Promise<void>((release) => resolve(release));
    });
    held.catch(reject);
  });
}

export function takeIfFree(locks: Locks, name: string): Promise<Release | undefined> {
  return take(locks, name, { ifAvailable: true });
}

/** Calls `then` with the lock as soon as it is free, unless `signal` fires first. */
export async function onceFree(
  locks: Locks,
  name: string,
  signal: AbortSignal,
  then: (release: Release) => void,
): Promise<void> {
  try {
    const release = await take(locks, name, { signal });
    if (release) then(release);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
