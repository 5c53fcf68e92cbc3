// Locks between the tabs. A page that is gone holds none.

/** Gives what frees the lock, or nothing if it is not free and nobody wants to wait. */
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
