// The start screen accepts a bundle or a folder, dropped anywhere or chosen.

import { signal } from '@preact/signals';

import { dropped } from '../../state/create.js';
import { attempt } from '../../state/toast.js';
import { bundle, choose, folder } from './form.js';

/** Whether a drag is over the page. */
export const isOver = signal(false);

export function chooseBundle(file: File | undefined): void {
  choose('bundle');
  bundle.value = file;
}

async function take(transfer: DataTransfer): Promise<void> {
  const [only, ...more] = transfer.files;
  const [entry] = [...transfer.items].map((item) => item.webkitGetAsEntry());
  if (only && more.length === 0 && entry?.isFile && only.name.endsWith('.bundle')) return chooseBundle(only);
  choose('folder');
  folder.value = await dropped(transfer.items);
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

export const dropping = {
  onDragOver: (event: DragEvent): void => {
    // Text dragged into a field is not a file.
    if (!holdsFiles(event)) return;
    event.preventDefault();
    isOver.value = true;
  },
  onDragLeave: ({ relatedTarget }: DragEvent): void => {
    // The drag also moves from one element to the next.
    if (relatedTarget === null) isOver.value = false;
  },
  onDrop: (event: DragEvent): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    isOver.value = false;
    const { dataTransfer } = event;
    if (dataTransfer) attempt(() => take(dataTransfer));
  },
};

export function chooseFolder(input: HTMLInputElement): void {
  const files = [...(input.files ?? [])];
  folder.value = {
    name: files[0]?.webkitRelativePath.split('/')[0] || 'folder',
    files: files.map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file })),
  };
}
