import { signal } from '@preact/signals';

/** Whether the page is in sight, and not behind another tab. */
export const isLookedAt = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => (isLookedAt.value = document.visibilityState === 'visible'));
