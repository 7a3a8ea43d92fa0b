// The map's background: Liberia's outline, counties, towns and graticule, which work offline, and tiles if configured. Where a
// tile fails to load, the outline stays visible.
import { memo } from 'react';
import {
  COUNTIES,
  COUNTRY_LINE,
  OUTLINE_ORIGIN,
  OUTLINE_ZOOM,
} from '#web/assets/liberia-outline.ts';
import { PLACES } from '#web/assets/liberia-places.ts';
import { positionAt, project, type Size, TILE_SIZE, toPoint, type View } from './projection.ts';

type BaseMapProps = { view: View; size: Size };

/** Zoom range with county names. */
const COUNTY_NAME_ZOOM = { from: 6.8, to: 10.5 };
/** Minimum distance of graticule lines, pixels. */
const GRATICULE_PX = 90;

const halo = 'fill-muted stroke-raised [paint-order:stroke] select-none';

const Land = memo(function Land() {
  return (
    <>
      {COUNTIES.map(({ name, area }) => (
        <path
          key={name}
          d={area}
          vectorEffect="non-scaling-stroke"
          className="fill-raised stroke-line"
        />
      ))}
      <path
        d={COUNTRY_LINE}
        vectorEffect="non-scaling-stroke"
        strokeWidth={1.5}
        className="fill-none stroke-line-strong"
      />
    </>
  );
});

/** @returns multiples of a round step between two values; the step is at least `least` */
function marks(from: number, to: number, least: number): number[] {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, index) => (first + index) * step,
  );
}

function Graticule({ view, size }: BaseMapProps) {
  const northWest = positionAt({ x: 0, y: 0 }, view, size);
  const southEast = positionAt({ x: size.width, y: size.height }, view, size);
  const degrees = ((southEast.longitude - northWest.longitude) * GRATICULE_PX) / size.width;
  const at = (latitude: number, longitude: number) => toPoint({ latitude, longitude }, view, size);
  const lines = [
    ...marks(northWest.longitude, southEast.longitude, degrees).map((longitude) => {
      const { x } = at(view.centre.latitude, longitude);
      return `M${x.toFixed(1)} 0V${size.height}`;
    }),
    ...marks(southEast.latitude, northWest.latitude, degrees).map((latitude) => {
      const { y } = at(latitude, view.centre.longitude);
      return `M0 ${y.toFixed(1)}H${size.width}`;
    }),
  ];
  return <path d={lines.join('')} className="fill-none stroke-line opacity-60" />;
}

export function BaseMap({ view, size }: BaseMapProps) {
  const middle = project(view.centre, view.zoom);
  const scale = 2 ** (view.zoom - OUTLINE_ZOOM);
  const left = OUTLINE_ORIGIN.x * scale - middle.x + size.width / 2;
  const top = OUTLINE_ORIGIN.y * scale - middle.y + size.height / 2;
  const isIn = ({ x, y }: { x: number; y: number }) =>
    x > -80 && x < size.width + 80 && y > -20 && y < size.height + 20;
  return (
    <g className="pointer-events-none">
      <g transform={`translate(${left} ${top}) scale(${scale})`}>
        <Land />
      </g>
      <Graticule view={view} size={size} />
      {view.zoom >= COUNTY_NAME_ZOOM.from &&
        view.zoom < COUNTY_NAME_ZOOM.to &&
        COUNTIES.map(({ name, x, y }) => (
          <text
            key={name}
            x={x * scale + left}
            y={y * scale + top}
            textAnchor="middle"
            strokeWidth={3}
            className={`${halo} text-[10px] tracking-widest uppercase opacity-70`}
          >
            {name}
          </text>
        ))}
      {PLACES.filter(({ zoom }) => view.zoom >= zoom)
        .map((place) => ({ ...place, ...toPoint(place, view, size) }))
        .filter(isIn)
        .map(({ name, x, y }) => (
          <g key={name}>
            <circle cx={x} cy={y} r={2} className="fill-muted" />
            <text
              x={x + 5}
              y={y + 4}
              strokeWidth={3}
              className={`${halo} text-[11px] font-semibold`}
            >
              {name}
            </text>
          </g>
        ))}
    </g>
  );
}

type TilesProps = {
  /** Contains {z}, {x} and {y}. */
  url: string;
  view: View;
  size: Size;
};

/** Highest zoom of most tile servers. */
const NEAREST = 18;

/** @returns tile numbers between two pixels of the world */
function between(from: number, to: number, side: number, last: number): number[] {
  const first = Math.max(0, Math.floor(from / side));
  const count = Math.min(last, Math.floor(to / side)) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index);
}

export function Tiles({ url, view, size }: TilesProps) {
  const zoom = Math.min(NEAREST, Math.round(view.zoom));
  const side = TILE_SIZE * 2 ** (view.zoom - zoom);
  const middle = project(view.centre, view.zoom);
  const left = middle.x - size.width / 2;
  const top = middle.y - size.height / 2;
  const last = 2 ** zoom - 1;
  const columns = between(left, left + size.width, side, last);
  const rows = between(top, top + size.height, side, last);
  return columns.flatMap((x) =>
    rows.map((y) => (
      <image
        key={`${zoom}/${x}/${y}`}
        href={url.replace('{z}', `${zoom}`).replace('{x}', `${x}`).replace('{y}', `${y}`)}
        x={x * side - left}
        y={y * side - top}
        width={side}
        height={side}
        preserveAspectRatio="none"
        className="pointer-events-none"
      />
    )),
  );
}
