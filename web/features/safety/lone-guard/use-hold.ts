import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';

const isPress = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' ';

type Hold = {
  /** Milliseconds. */
  holdMs: number;
  onStart: () => void;
  onHeld: () => void;
  /** Released too soon. */
  onShort: () => void;
  /** A screen reader's activation, which can't be held. */
  onActivate: () => void;
};

/** A button that acts only when it is held, by pointer or with Enter or Space. @returns whether it is held, and its handlers */
export function useHold({ holdMs, onStart, onHeld, onShort, onActivate }: Hold) {
  const [isHeld, setHeld] = useState(false);
  // The click that follows a press of ours is none of a screen reader.
  const isOurs = useRef(false);
  const finish = useEffectEvent(() => {
    setHeld(false);
    onHeld();
  });
  useEffect(() => {
    if (!isHeld) return;
    const timer = setTimeout(() => finish(), holdMs);
    return () => clearTimeout(timer);
  }, [isHeld, holdMs]);

  function press() {
    isOurs.current = true;
    setHeld(true);
    onStart();
  }
  function release() {
    if (!isHeld) return;
    setHeld(false);
    onShort();
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      if (event.button !== 0) return;
      // A finger that trembles leaves the button.
      event.currentTarget.setPointerCapture(event.pointerId);
      press();
    },
    onPointerUp: release,
    onPointerCancel: release,
    onKeyDown: (event: KeyboardEvent) => {
      if (!isPress(event)) return;
      event.preventDefault();
      if (!event.repeat && !isHeld) press();
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (!isPress(event)) return;
      event.preventDefault();
      release();
    },
    onBlur: release,
    onClick: () => {
      if (!isOurs.current) onActivate();
      isOurs.current = false;
    },
    // A long press opens a menu on phones.
    onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
  };
  return { isHeld, handlers };
}
