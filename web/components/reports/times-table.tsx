// How soon something was done, by severity or priority: the same table for the office and for clients.
import type { ReactNode } from 'react';
import { type CallTimes, printedInTime, printedMedian } from '#shared/documents/client-month.ts';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { CALL_PRIORITY_LABELS } from '#web/lib/vocabulary/dispatch.ts';
import { labelOf } from '#web/lib/vocabulary/label-of.ts';

type TimesTableProps = {
  caption: string;
  headings: readonly string[];
  rows: readonly { id: string; name: ReactNode; cells: readonly ReactNode[] }[];
};

export function TimesTable({ caption, headings, rows }: TimesTableProps) {
  return (
    <ScrollRegion label={caption}>
      <table className="w-full text-left text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line-strong">
            {headings.map((name) => (
              <th
                key={name}
                scope="col"
                className="py-2.5 pr-4 font-semibold not-first:text-right last:pr-0"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ id, name, cells }) => (
            <tr key={id} className="*:py-2.5 *:pr-4 *:not-first:text-right *:last:pr-0">
              <th scope="row" className="font-normal">
                {name}
              </th>
              {cells.map((cell, at) => (
                <td key={headings[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const HEADINGS = ['Priority', 'Calls', 'Answered in time', 'On scene in time'];

/** Below each other, so that a phone shows all columns. */
const timesOf = (inTime: number, late: number, median: number | null) => (
  <>
    {printedInTime(inTime, late)}
    {median !== null && <span className="block text-muted"> median {printedMedian(median)}</span>}
  </>
);

/** Nothing while no unit was called. */
export function CallTimesTable({ calls }: { calls: readonly CallTimes[] }) {
  const made = calls.filter((row) => row.calls > 0);
  if (made.length === 0) return null;
  return (
    <TimesTable
      caption="Calls for service by priority"
      headings={HEADINGS}
      rows={made.map((row) => ({
        id: row.priority,
        name: labelOf(CALL_PRIORITY_LABELS, row.priority),
        cells: [
          String(row.calls),
          timesOf(row.answered_in_time, row.answered_late, row.answer_minutes),
          timesOf(row.on_scene_in_time, row.on_scene_late, row.on_scene_minutes),
        ],
      }))}
    />
  );
}
