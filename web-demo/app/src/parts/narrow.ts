import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 760px)');

/** Whether there is room for only one column, as in style/narrow.css. */
export const isNarrow = signal(query.matches);
query.addEventListener('change', ({ matches }) => (isNarrow.value = matches));
