// Locks between tabs. A page that is gone holds none.

/** Returns a function that releases the lock, or nothing if it is taken and the caller does not wait. */
export function lock(name: string, ifAvailable: boolean): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    const grant = (got: Lock | null): Promise<void> | undefined => {
      if (got) return new Promise((free) => resolve(free));
      resolve(undefined);
      return undefined;
    };
    navigator.locks.request(name, { ifAvailable }, grant).catch(reject);
  });
}

export async function isLocked(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some((one) => one.name === name);
}

export const untilFree = (name: string): Promise<void> =>
  navigator.locks.request(name, { mode: 'shared' }, () => undefined);
