import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import { MapCanvas, useSize } from '#web/components/map/map-canvas.tsx';
import {
  fitView,
  metresPerPixel,
  type Point,
  type Position,
  positionAt,
  type Size,
  toPoint,
  type View,
  zoomFor,
} from '#web/components/map/projection.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import type { SiteOnMap } from './api.ts';

/** Bounding box of the country, degrees. */
const COUNTRY = [
  { latitude: 8.56, longitude: -11.49 },
  { latitude: 4.34, longitude: -7.36 },
] as const;

type SiteMapProps = {
  pin: Position | undefined;
  /** Metres; undefined while the typed radius is invalid. */
  radius: number | undefined;
  others: readonly SiteOnMap[];
  onPick: (position: Position) => void;
};

/** Zooms so that the geofence fills about 60% of the shorter side. */
function around(pin: Position, radius: number | undefined, size: Size): View {
  const pixels = Math.min(size.width, size.height) * 0.3;
  return { centre: pin, zoom: Math.min(17, zoomFor(radius ?? 200, pixels, pin.latitude)) };
}

function isShown(pin: Position, view: View, size: Size): boolean {
  const { x, y } = toPoint(pin, view, size);
  return x >= 0 && y >= 0 && x <= size.width && y <= size.height;
}

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value));
/** Keeps a dragged pin inside the visible map. */
const clampTo = ({ x, y }: Point, size: Size): Point => ({
  x: clamp(x, size.width),
  y: clamp(y, size.height),
});

function Pin({ x, y }: Point) {
  return (
    <g data-pin transform={`translate(${x} ${y})`} className="cursor-grab active:cursor-grabbing">
      {/* Touch target. */}
      <circle cy={-14} r={22} className="fill-transparent" />
      <path
        d="M0 0C-4-9-11-13-11-22a11 11 0 0 1 22 0C11-13 4-9 0 0Z"
        className="fill-accent-fill stroke-accent-ink"
        strokeWidth={1.25}
      />
      <circle cy={-22} r={4} className="fill-accent-ink" />
    </g>
  );
}

export function SiteMap({ pin, radius, others, onPick }: SiteMapProps) {
  const { ref, size } = useSize<HTMLDivElement>();
  const [view, setView] = useState<View>();
  const [shown, setShown] = useState(pin);
  const isSame = shown?.latitude === pin?.latitude && shown?.longitude === pin?.longitude;
  if (size && !view) setView(pin ? around(pin, radius, size) : fitView(COUNTRY, size));
  if (size && view && !isSame) {
    setShown(pin);
    // The position was typed or came from the device: move the map there.
    if (pin && !isShown(pin, view, size)) setView(around(pin, radius, size));
  }

  function findMe() {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        if (size) setView(around({ latitude, longitude }, radius, size));
        onPick({ latitude, longitude });
      },
      () =>
        showError(
          'Location Error',
          'Could not get your location. Please enable location services.',
        ),
      { enableHighAccuracy: true, timeout: 20_000 },
    );
  }
  if (!size || !view) return <div ref={ref} className="h-72 rounded-sm bg-sunken sm:h-80" />;
  const place = pin && toPoint(pin, view, size);
  return (
    <div ref={ref} className="relative h-72 rounded-sm border border-line-strong sm:h-80">
      <MapCanvas
        label="Map of the site"
        size={size}
        view={view}
        onView={(change) => setView((now) => now && change(now))}
        onPick={onPick}
        pin={
          place && { at: place, onMove: (to) => onPick(positionAt(clampTo(to, size), view, size)) }
        }
        onWhole={() => setView(fitView(COUNTRY, size))}
        buttons={
          <Button
            variant="secondary"
            size="icon"
            aria-label="Use my location"
            title="Use my location"
            onClick={findMe}
          >
            <LocateFixed aria-hidden="true" className="size-4.5" />
          </Button>
        }
      >
        {others.map(({ id, name, ...position }) => {
          const { x, y } = toPoint(position, view, size);
          return (
            <circle key={id} cx={x} cy={y} r={4} className="fill-info opacity-45">
              <title>{name}</title>
            </circle>
          );
        })}
        {place && pin && radius !== undefined && (
          <circle
            data-radius
            cx={place.x}
            cy={place.y}
            r={radius / metresPerPixel(pin.latitude, view.zoom)}
            className="pointer-events-none fill-accent-fill/15 stroke-accent-fill"
            strokeWidth={1.5}
          />
        )}
        {place && <Pin {...place} />}
      </MapCanvas>
    </div>
  );
}
