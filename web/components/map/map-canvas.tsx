// A map to move by pointer, wheel, buttons and keyboard, and to pick a point on. Callers render its contents.
import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { backend } from '#web/lib/supabase/client.ts';
import { BaseMap, Tiles } from './base-map.tsx';
import {
  dragged,
  type Position,
  positionAt,
  type Size,
  scaleBar,
  type View,
  zoomedAt,
} from './projection.ts';
import { type ChangeView, type Pin, useGestures } from './use-gestures.ts';

/** @returns a ref for the element, and its size in CSS pixels once known */
export function useSize<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, size };
}

type MapCanvasProps = {
  /** Accessible name. */
  label: string;
  size: Size;
  view: View;
  onView: ChangeView;
  /** The draggable child, if any. */
  pin?: Pin | undefined;
  onPick: (position: Position) => void;
  /** Shows the whole country. */
  onWhole: () => void;
  /** Help for Enter in the middle of the map; sets the pin unless given. */
  enterHelp?: string;
  /** Whether configured tiles are drawn. */
  hasTiles?: boolean;
  buttons?: ReactNode;
  /** SVG over the background, in pixels of the map. */
  children: ReactNode;
};

const STEP_PX = 40;
/** With Shift. */
const SMALL_STEP_PX = 4;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const longText = (metres: number) => (metres < 1000 ? `${metres} m` : `${metres / 1000} km`);

const control = 'border-line-strong bg-raised';

export function MapCanvas(props: MapCanvasProps) {
  const { label, size, view, onView, onPick, hasTiles = true } = props;
  const { enterHelp = 'Enter sets the pin in the middle.' } = props;
  const tiles = hasTiles ? backend.config.mapTiles : undefined;
  const helpId = useId();
  const [isByKey, setByKey] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const gestures = useGestures({
    ref,
    size,
    pin: props.pin,
    onView,
    onPick: (point) => onPick(positionAt(point, view, size)),
  });
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoomBy = (steps: number) => onView((now) => zoomedAt(now, now.zoom + steps, middle, size));
  const bar = scaleBar(view, Math.min(110, size.width / 3));

  function press(event: KeyboardEvent) {
    const arrow = ARROWS[event.key];
    const step = event.shiftKey ? SMALL_STEP_PX : STEP_PX;
    if (arrow) onView((now) => dragged(now, { x: arrow[0] * step, y: arrow[1] * step }));
    else if (event.key === '+' || event.key === '=') zoomBy(1);
    else if (event.key === '-') zoomBy(-1);
    else if (event.key === 'Enter' || event.key === ' ') onPick(view.centre);
    else return;
    event.preventDefault();
    setByKey(true);
  }
  return (
    <>
      <div
        ref={ref}
        role="application"
        aria-roledescription="map"
        aria-label={label}
        aria-describedby={helpId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it handles keys, as its role application announces.
        tabIndex={0}
        onKeyDown={press}
        {...gestures}
        onPointerEnter={() => setByKey(false)}
        className="group absolute inset-0 cursor-crosshair touch-none overflow-hidden rounded-sm bg-sunken focus-visible:-outline-offset-3"
      >
        <svg aria-hidden="true" width={size.width} height={size.height} className="block">
          <BaseMap view={view} size={size} />
          {tiles && <Tiles url={tiles.url} view={view} size={size} />}
          {props.children}
          <path
            d={`M${middle.x - 14} ${middle.y}h28M${middle.x} ${middle.y - 14}v28`}
            className="hidden stroke-ink stroke-[1.5] group-focus-visible:block"
          />
        </svg>
        <p className="pointer-events-none absolute bottom-2 left-2 text-xs text-muted">
          <span
            aria-hidden="true"
            className="mb-0.5 block h-1.5 border-x border-b border-ink/70"
            style={{ width: bar.pixels }}
          />
          <span className="sr-only">Scale: </span>
          {longText(bar.metres)}
          {tiles?.credit && <span className="ml-3">{tiles.credit}</span>}
        </p>
      </div>
      <div className="absolute top-2 right-2 grid gap-1.5">
        <Button
          variant="secondary"
          size="icon"
          className={control}
          aria-label="Zoom in"
          onClick={() => zoomBy(1)}
        >
          <Plus aria-hidden="true" className="size-4.5" />
        </Button>
        <Button
          variant="secondary"
          size="icon"
          className={control}
          aria-label="Zoom out"
          onClick={() => zoomBy(-1)}
        >
          <Minus aria-hidden="true" className="size-4.5" />
        </Button>
        <Button
          variant="secondary"
          size="icon"
          className={control}
          aria-label="Show the whole country"
          onClick={props.onWhole}
        >
          <Maximize aria-hidden="true" className="size-4.5" />
        </Button>
        {props.buttons}
      </div>
      <p id={helpId} className="sr-only">
        Arrow keys move the map, with Shift in small steps. Plus and minus zoom. {enterHelp}
      </p>
      <p role="status" className="sr-only">
        {/* Not while dragging, which would announce every pixel. */}
        {isByKey &&
          `Middle of the map: ${view.centre.latitude.toFixed(4)}, ${view.centre.longitude.toFixed(4)}`}
      </p>
    </>
  );
}
