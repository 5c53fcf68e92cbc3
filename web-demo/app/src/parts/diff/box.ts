// The checkbox of a hunk, which says whether the hunk leaves.

export interface Choice {
  /** The number of hunks to choose from. */
  count: number;
  isOut: (hunk: number) => boolean;
  toggle: (hunk: number) => void;
}

export function box(hunk: number, choice: Choice, isOut: boolean): HTMLElement {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.checked = !isOut;
  input.dataset.hunk = String(hunk);
  input.addEventListener('change', () => choice.toggle(hunk));
  label.className = 'gg-box';
  label.title = 'Whether this hunk leaves';
  label.append(input, `Hunk ${hunk} of ${choice.count}`);
  return label;
}

/** Replacing it would lose the focus. Returns whether it is the box of that hunk. */
export function setBox(label: HTMLElement, hunk: number, isOut: boolean): boolean {
  const input = label.querySelector('input');
  if (input?.dataset.hunk !== String(hunk)) return false;
  input.checked = !isOut;
  return true;
}
