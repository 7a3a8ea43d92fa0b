// Sites as marks on the map: those that would overlap at this zoom are one mark.
import {
  type Point,
  type Position,
  type Size,
  toPoint,
  type View,
} from '#web/components/map/projection.ts';
import type { BoardRow } from './board-rows.ts';
import type { Site } from './operations-schema.ts';
import { findWorst, gravity, type SeatState } from './seat-states.ts';

/** Nearer marks become one, CSS pixels. */
const APART_PX = 26;

export type PlacedSite = { site: Site; position: Position; state: SeatState };
export type SiteGroup = { at: Point; sites: PlacedSite[]; state: SeatState };

/** The sites of the rows that have a position, each with its worst state. */
export function placedSites(rows: readonly BoardRow[]): PlacedSite[] {
  const states = new Map<string, { site: Site; states: SeatState[] }>();
  for (const { site, state } of rows) {
    const known = states.get(site.id);
    if (known) known.states.push(state);
    else states.set(site.id, { site, states: [state] });
  }
  return [...states.values()].flatMap(({ site, states: all }) =>
    site.latitude === null || site.longitude === null
      ? []
      : [
          {
            site,
            position: { latitude: site.latitude, longitude: site.longitude },
            state: findWorst(all),
          },
        ],
  );
}

/** The gravest mark stays in its place; others join it. Sorted so that the gravest is drawn last, on top. */
export function groupSites(sites: readonly PlacedSite[], view: View, size: Size): SiteGroup[] {
  const groups: SiteGroup[] = [];
  const sorted = [...sites].sort((a, b) => gravity(a.state) - gravity(b.state));
  for (const one of sorted) {
    const at = toPoint(one.position, view, size);
    const near = groups.find(
      (group) => Math.hypot(group.at.x - at.x, group.at.y - at.y) < APART_PX,
    );
    if (near) near.sites.push(one);
    else groups.push({ at, sites: [one], state: one.state });
  }
  return groups.reverse();
}
