import { useDeferredValue, useMemo, useState } from 'react';
import { MapCanvas, useSize } from '#web/components/map/map-canvas.tsx';
import {
  fitView,
  limitZoom,
  type Point,
  type Position,
  type Size,
  toPoint,
  type View,
} from '#web/components/map/projection.ts';
import { cn } from '#web/lib/cn.ts';
import type { BoardRow } from './board-rows.ts';
import type { SeatState } from './seat-states.ts';
import { groupSites, type PlacedSite, placedSites, type SiteGroup } from './site-groups.ts';
import { MARKS } from './state-marks.tsx';

/** Radius around a mark in which a press counts, CSS pixels. */
const REACH_PX = 22;
/** Steps of a press on several sites. */
const CLOSER = 2;
/** A single site does not fill the map. */
const NEAREST_FIT = 13;
/** Around the outermost sites: room for their marks, numbers and the buttons, CSS pixels. */
const EDGE_PX = 34;
/** Bounding box of the country, degrees. */
const COUNTRY = [
  { latitude: 8.56, longitude: -11.49 },
  { latitude: 4.34, longitude: -7.36 },
] as const;

/** Each state's shape, around its middle: danger has corners, what is well is round. */
const SHAPES: Record<SeatState, string> = {
  sos: 'M0-12L3-4L11-4L5 2L7 11L0 6L-7 11L-5 2L-11-4L-3-4Z',
  missing: 'M0-9L9 7H-9Z',
  empty: 'M0-9L9 0L0 9L-9 0Z',
  left_early: 'M-7-7H7V7H-7Z',
  no_signal: 'M-7-7L0-3L7-7L3 0L7 7L0 3L-7 7L-3 0Z',
  late: 'M0-8L8 6H-8Z',
  unconfirmed: 'M-7 0L0-7L7 0L0 7ZM-3 0L0 3L3 0L0-3Z',
  due: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M-3 0a3 3 0 1 1 6 0a3 3 0 1 1-6 0',
  on_post: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
  done: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
};

function Mark({ group, isChosen }: { group: SiteGroup; isChosen: boolean }) {
  const { at, sites, state } = group;
  const [first] = sites;
  const others = sites.length > 1 ? ` and ${sites.length - 1} more` : '';
  return (
    <g transform={`translate(${at.x} ${at.y})`} className="cursor-pointer">
      <circle r={REACH_PX} className="fill-transparent" />
      {isChosen && <circle r={14} className="fill-accent-fill/25 stroke-accent-fill" />}
      <path
        d={SHAPES[state]}
        className={cn(MARKS[state].fill, 'stroke-raised')}
        strokeWidth={1.5}
      />
      {sites.length > 1 && (
        <text
          x={-9}
          y={-5}
          textAnchor="end"
          strokeWidth={3}
          className="fill-ink stroke-raised text-[11px] font-semibold [paint-order:stroke] select-none"
        >
          {sites.length}
        </text>
      )}
      <title>{`${first?.site.name ?? ''}${others}: ${MARKS[state].label}`}</title>
    </g>
  );
}

function viewAround(sites: readonly PlacedSite[], size: Size): View {
  const [first] = sites;
  if (!first) return fitView(COUNTRY, size);
  const latitudes = sites.map(({ position }) => position.latitude);
  const longitudes = sites.map(({ position }) => position.longitude);
  const fitted = fitView(
    [
      { latitude: Math.max(...latitudes), longitude: Math.min(...longitudes) },
      { latitude: Math.min(...latitudes), longitude: Math.max(...longitudes) },
    ],
    {
      width: Math.max(1, size.width - 2 * EDGE_PX),
      height: Math.max(1, size.height - 2 * EDGE_PX),
    },
  );
  return { ...fitted, zoom: Math.min(NEAREST_FIT, fitted.zoom) };
}

type OperationsMapProps = {
  rows: readonly BoardRow[];
  chosen: readonly string[];
  onChoose: (siteIds: string[]) => void;
};

/** Where the sites are and how they are, drawn from data of the app alone. */
export function OperationsMap({ rows, chosen, onChoose }: OperationsMapProps) {
  const { ref, size: measured } = useSize<HTMLDivElement>();
  // Drawn after the posts.
  const size = useDeferredValue(measured);
  const [view, setView] = useState<View>();
  const sites = useMemo(() => placedSites(rows), [rows]);
  if (size && !view && sites.length > 0) setView(viewAround(sites, size));
  const frame = 'relative h-72 overflow-hidden rounded-sm border border-line 2xl:h-[26rem]';
  if (!size || !view) return <div ref={ref} className={cn(frame, 'bg-sunken')} />;

  const groups = groupSites(sites, view, size);
  function pick(position: Position) {
    if (!size || !view) return;
    const at: Point = toPoint(position, view, size);
    const [near] = groups
      .map((group) => ({ group, away: Math.hypot(group.at.x - at.x, group.at.y - at.y) }))
      .filter(({ away }) => away <= REACH_PX)
      .sort((a, b) => a.away - b.away);
    const [first] = near?.group.sites ?? [];
    if (!near || !first) return onChoose([]);
    if (near.group.sites.length > 1) {
      setView({ centre: first.position, zoom: limitZoom(view.zoom + CLOSER) });
    }
    return onChoose(near.group.sites.map(({ site }) => site.id));
  }
  return (
    <div ref={ref} className={frame}>
      <MapCanvas
        label="Map of the sites"
        size={size}
        view={view}
        onView={(change) => setView((now) => now && change(now))}
        onPick={pick}
        onWhole={() => setView(fitView(COUNTRY, size))}
        enterHelp="Enter shows the posts of the site in the middle."
        hasTiles={false}
      >
        {groups.map((group) => (
          <Mark
            key={group.sites[0]?.site.id}
            group={group}
            isChosen={group.sites.some(({ site }) => chosen.includes(site.id))}
          />
        ))}
      </MapCanvas>
    </div>
  );
}
