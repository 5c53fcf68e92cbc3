export type Layout = 'split' | 'unified';

export function LayoutSwitch({ layout, onLayout }: { layout: Layout; onLayout: (layout: Layout) => void }) {
  return (
    <div class="segments" role="group" aria-label="How the diff is shown">
      {(['split', 'unified'] as const).map((one) => (
        <button type="button" key={one} aria-pressed={layout === one} onClick={() => onLayout(one)}>
          {one === 'split' ? 'Split' : 'Unified'}
        </button>
      ))}
    </div>
  );
}
