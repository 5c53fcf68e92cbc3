import { layout } from '../state/prefs.js';

export function LayoutSwitch() {
  return (
    <div class="segments" role="group" aria-label="How the diff is shown">
      {(['split', 'unified'] as const).map((one) => (
        <button type="button" key={one} aria-pressed={layout.value === one} onClick={() => (layout.value = one)}>
          {one === 'split' ? 'Side by side' : 'Unified'}
        </button>
      ))}
    </div>
  );
}
