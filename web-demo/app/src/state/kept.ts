// What the browser keeps for the page. Where it keeps nothing, it is kept as long as the page.

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function inThisPage(): Kept {
  const all = new Map<string, string>();
  return {
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

/** A person may have forbidden it: then to name it is an error already. */
function kept(find: () => Storage): Kept {
  try {
    return find();
  } catch {
    return inThisPage();
  }
}

export const local = kept(() => localStorage);
export const session = kept(() => sessionStorage);
