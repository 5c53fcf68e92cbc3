// The browser's storage for the page. If the browser stores nothing, values last as long as the page.

interface Kept extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  keys(): string[];
}

function inThisPage(): Kept {
  const all = new Map<string, string>();
  return {
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
    keys: () => [...all.keys()],
  };
}

/** A person may have blocked it: then even accessing it throws. */
function kept(find: () => Storage): Kept {
  try {
    const all = find();
    return {
      getItem: (key) => all.getItem(key),
      setItem: (key, value) => all.setItem(key, value),
      removeItem: (key) => all.removeItem(key),
      keys: () => Object.keys(all),
    };
  } catch {
    return inThisPage();
  }
}

export const local = kept(() => localStorage);
export const session = kept(() => sessionStorage);
