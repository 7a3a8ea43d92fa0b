import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#shared/count.ts';
import { Letterhead } from '#web/components/layout/letterhead.tsx';
import { PrintButton } from '#web/components/list/list-buttons.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { attendanceKey } from '#web/lib/data/keys.ts';
import { formatDay, formatMinutes, formatTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { attendanceList } from './api.ts';
import { exceptionsText, findPresence, STATE_LABELS } from './attendance-states.ts';
import type { AttendanceRow } from './schema.ts';
import { type AttendanceFilters, shownDay } from './search.ts';

const HEADINGS = ['Guard', 'Site', 'Shift', 'In', 'Out', 'Late', 'State', 'Exceptions'];

function cellsOf(row: AttendanceRow): string[] {
  const time = (at: string | null) => (at === null ? '-' : formatTime(at, row.timezone));
  return [
    row.guard_name,
    row.site_name,
    formatTimeRange(row.start_time, row.end_time, row.timezone),
    time(row.clock_in_at),
    time(row.clock_out_at),
    row.late_minutes > 0 ? formatMinutes(row.late_minutes) : '',
    findPresence(row).label,
    exceptionsText(row),
  ];
}

/** Every page of the list on company letterhead, for printing. */
type DaySheetProps = { filters: AttendanceFilters; onClose: () => void };

export function DaySheet({ filters, onClose }: DaySheetProps) {
  const query = useQuery({
    queryKey: [...attendanceKey, 'sheet', filters],
    queryFn: () => attendanceList.fetchAll(filters),
  });
  const day = shownDay(filters);
  const title = ['Attendance', day && formatDay(day), filters.state && STATE_LABELS[filters.state]]
    .filter(Boolean)
    .join(', ');
  return (
    <Dialog open onOpenChange={onClose} title="Day Sheet" className="sm:max-w-5xl">
      <Loaded query={query} loadingText="Loading attendance..." failure="Error">
        {(rows) => (
          <div data-print className="grid gap-5 print:block print:[&_section]:overflow-visible">
            <Letterhead />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="font-semibold">
                {title}: {formatCount(rows.length)} {rows.length === 1 ? 'guard' : 'guards'}
              </p>
              <div className="print:hidden">
                <PrintButton />
              </div>
            </div>
            <ScrollRegion label="Day sheet">
              <table className="w-full border-collapse text-left text-sm print:text-[8pt]">
                <thead>
                  <tr>
                    {HEADINGS.map((heading) => (
                      <th key={heading} scope="col" className="border-b border-line-strong p-1.5">
                        {heading}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.attendance_id ?? row.assignment_id} className="break-inside-avoid">
                      {cellsOf(row).map((text, index) => (
                        <td key={HEADINGS[index]} className="border-b border-line p-1.5 align-top">
                          {text}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
