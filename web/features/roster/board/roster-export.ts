import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableFormat } from '#web/lib/files/write-table.ts';
import { formatCsvTime } from '#web/lib/format/dates.ts';
import type { BoardShift } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';

type Line = { shift: BoardShift; guard: string; state: string };

const timeOf = (minute: number, zone: string) =>
  formatCsvTime(new Date(minute * 60_000).toISOString(), zone);

/** One line for each seat, with the gaps. */
export async function exportRoster(
  store: RosterStore,
  isShown: (shift: BoardShift) => boolean,
  format: TableFormat,
) {
  const lines: Line[] = [...store.index.shifts.values()].filter(isShown).flatMap((shift) =>
    store.seatsOf(shift.id).map((userId): Line => {
      if (userId === undefined) return { shift, guard: '', state: 'Open' };
      const { name, isDraft } = store.seatState(shift.id, userId);
      return { shift, guard: name, state: isDraft ? 'Draft' : 'Published' };
    }),
  );
  await downloadTable(
    format,
    `roster-${store.input.from}`,
    [
      { heading: 'Site', value: ({ shift }) => shift.site.name },
      { heading: 'Client', value: ({ shift }) => shift.site.client },
      { heading: 'Post', value: ({ shift }) => shift.post },
      {
        heading: 'Start',
        kind: 'time',
        value: ({ shift }) => timeOf(shift.start, shift.site.zone),
      },
      { heading: 'End', kind: 'time', value: ({ shift }) => timeOf(shift.end, shift.site.zone) },
      { heading: 'Time Zone', value: ({ shift }) => shift.site.zone },
      { heading: 'Guard', value: ({ guard }) => guard },
      { heading: 'Status', value: ({ state }) => state },
    ],
    lines,
  );
}
