import { signal } from '@preact/signals';

/** Whether the page is visible, and not in a background tab. */
export const isLookedAt = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => (isLookedAt.value = document.visibilityState === 'visible'));
