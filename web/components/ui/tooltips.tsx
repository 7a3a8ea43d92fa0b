import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';

type Shown = { text: string; left: number; top: number };

type TooltipsProps = {
  /** False while the names are visible anyway. */
  enabled: boolean;
  children: ReactNode;
};

/** Shows `data-tooltip` of the element inside that has the pointer or the focus, to the right of it. */
export function Tooltips({ enabled, children }: TooltipsProps) {
  const [shown, setShown] = useState<Shown>();
  const hide = () => setShown(undefined);
  const show = ({ target }: SyntheticEvent) => {
    const named = target instanceof Element ? target.closest('[data-tooltip]') : null;
    const text = named?.getAttribute('data-tooltip');
    if (!named || !text) return;
    const { right, top, height } = named.getBoundingClientRect();
    setShown({ text, left: right, top: top + height / 2 });
  };
  const isShown = shown !== undefined;
  useEffect(() => {
    if (!isShown) return undefined;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setShown(undefined);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isShown]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the elements inside.
    <div
      className="contents"
      onPointerOver={enabled ? show : undefined}
      onFocus={enabled ? show : undefined}
      onPointerLeave={hide}
      onBlur={hide}
      onPointerDown={hide}
      onScrollCapture={hide}
    >
      {children}
      {enabled &&
        shown &&
        createPortal(
          // The padding bridges the gap: the pointer may move onto the tooltip.
          <div
            className="fixed z-50 -translate-y-1/2 animate-[appear_0.1s_0.2s_both] pl-2 motion-reduce:animate-none"
            style={{ left: shown.left, top: shown.top }}
          >
            <span
              role="tooltip"
              className="block rounded-xs bg-ink px-2.5 py-1.5 text-sm font-medium whitespace-nowrap text-surface"
            >
              {shown.text}
            </span>
          </div>,
          document.body,
        )}
    </div>
  );
}
