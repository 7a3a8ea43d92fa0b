import { useMemo } from 'react';
import {
  type BoardShift,
  filterGuardRows,
  filterSeatRows,
  guardRows,
  type SeatRow,
  seatRows,
} from './roster-rows.ts';
import type { RosterSearch } from './roster-schema.ts';
import type { RosterStore } from './roster-store.ts';
import { guardTotals } from './roster-totals.ts';
import { useTopics } from './topics.ts';

/** The rows that the filters leave. A row that is filled stays until the filters change. */
export function useBoardRows(store: RosterStore, search: RosterSearch) {
  const version = useTopics(store.topics, 'rows');
  const { q, site, client, supervisor, course, gaps, view } = search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store's rows change with their version.
  const seats = useMemo(
    () =>
      seatRows(store.index, ({ id, headcount }) => Math.max(headcount, store.seatsOf(id).length)),
    [store, version],
  );
  return useMemo(() => {
    const { index } = store;
    const filters = { q, site, client, supervisor, course };
    const hasGap = (row: SeatRow) =>
      row.shifts.some(
        (id) => id !== undefined && !store.seatsOf(id)[row.seat] && !store.isOver(id),
      );
    if (view === 'guards') {
      const worksAt = ({ id }: { id: string }) =>
        [...store.effective.shiftsOf(id)].flatMap(
          (shift) => index.shifts.get(shift)?.site_id ?? [],
        );
      const allowed = store.input.rules.week_hours * Math.ceil(index.days.length / 7);
      const rows = filterGuardRows(guardRows(store.input), index, filters, worksAt).filter(
        ({ person }) => gaps !== 'open' || guardTotals(store, person.id).hours < allowed,
      );
      const atSite = filterSeatRows(seats, index, { site, client, supervisor });
      return { rows, isShown: shiftsIn(atSite) };
    }
    const rows = filterSeatRows(seats, index, filters, gaps === 'open' ? hasGap : undefined);
    return { rows, isShown: shiftsIn(rows) };
  }, [store, seats, q, site, client, supervisor, course, gaps, view]);
}

function shiftsIn(rows: ReturnType<typeof filterSeatRows>) {
  const ids = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'seat') for (const id of row.shifts) if (id !== undefined) ids.add(id);
  }
  return ({ id }: Pick<BoardShift, 'id'>) => ids.has(id);
}
