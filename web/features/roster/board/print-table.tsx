// The whole board on paper: the grid on screen has only the rows that are in view.
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { BoardRow } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';

type PrintTableProps = { store: RosterStore; rows: readonly BoardRow[] };

/** Rendered while the browser prints. */
export function PrintTable(props: PrintTableProps) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes its picture right after the event.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting && <Pages {...props} />;
}

function Pages({ store, rows }: PrintTableProps) {
  const { days, shifts, sites } = store.index;
  const textsOf = (row: BoardRow): string[] => {
    if (row.kind === 'seat') {
      return row.shifts.map((id) => {
        if (id === undefined) return '';
        const userId = store.seatsOf(id)[row.seat];
        return userId === undefined ? 'OPEN' : store.seatState(id, userId).name;
      });
    }
    if (row.kind === 'site') return days.map(() => '');
    const texts = days.map(() => '');
    for (const id of store.effective.shiftsOf(row.person.id)) {
      const shift = shifts.get(id);
      if (shift) texts[shift.column] = `${shift.hours} ${shift.site.name}`;
    }
    return texts;
  };
  const headOf = (row: BoardRow) => {
    if (row.kind === 'guard') return row.person.name;
    return row.kind === 'site' ? (sites.get(row.siteId)?.name ?? '') : `${row.post}, ${row.hours}`;
  };
  return (
    <table className="hidden w-full border-collapse text-left text-[7pt] print:table">
      <caption className="text-left font-semibold">
        Roster, {formatPeriod(store.input.from, store.input.to)}
      </caption>
      <thead>
        <tr>
          <th scope="col">{rows[0]?.kind === 'guard' ? 'Guard' : 'Post'}</th>
          {days.map((day) => (
            <th key={day} scope="col" className="border border-line p-0.5">
              {formatDayOfWeek(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} className={row.kind === 'site' ? 'font-semibold' : undefined}>
            <th scope="row" className="border border-line p-0.5 font-normal">
              {headOf(row)}
            </th>
            {textsOf(row).map((text, column) => (
              <td key={days[column]} className="border border-line p-0.5">
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
