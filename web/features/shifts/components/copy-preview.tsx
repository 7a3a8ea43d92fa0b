// What copying shifts would come to, day by day: what is made, what is there already, which guards can't and why.
import { Ban, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatDayOfWeek } from '../shift-times.ts';

export type CopiedDay = {
  /** yyyy-MM-dd, by the site's clock. */
  day: string;
  made: number;
  existing: number;
  assigned: number;
  left_out: string[];
  warned: string[];
};

/** @returns how many shifts, existing ones and assignments there are on all days */
export function sumOf(days: CopiedDay[]) {
  const sum = (figure: 'made' | 'existing' | 'assigned') =>
    days.reduce((total, day) => total + day[figure], 0);
  return { made: sum('made'), existing: sum('existing'), assigned: sum('assigned') };
}

export const shiftCount = (count: number) =>
  count === 1 ? '1 shift' : `${formatCount(count)} shifts`;

type NotesProps = { icon: ReactNode; title: string; lines: string[] };

function Notes({ icon, title, lines }: NotesProps) {
  if (lines.length === 0) return null;
  return (
    <details className="border-t border-line pt-1 text-sm" open={lines.length <= 5}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
        {icon}
        {title}
      </summary>
      <ul className="grid gap-1 pb-2 text-muted">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

export function CopyPreview({ days }: { days: CopiedDay[] }) {
  const { made, existing, assigned } = sumOf(days);
  const leftOut = days.flatMap((day) => day.left_out);
  const warned = days.flatMap((day) => day.warned);
  return (
    <section aria-label="Preview" className="rounded-sm border border-line p-4">
      <p role="status" className="font-semibold">
        {made === 0 ? 'Nothing to create' : `${shiftCount(made)} to create`}
        {assigned > 0 &&
          `, with ${assigned === 1 ? '1 assignment' : `${formatCount(assigned)} assignments`}`}
        {existing > 0 &&
          `; ${formatCount(existing)} ${existing === 1 ? 'exists' : 'exist'} already`}
      </p>
      <ul className="my-3 grid max-h-56 grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-1 overflow-y-auto text-sm">
        {days.map(({ day, made: count, existing: there }) => (
          <li key={day} className="flex justify-between gap-2 border-b border-line py-1">
            <span className="whitespace-nowrap">{formatDayOfWeek(day)}</span>
            <span className="text-right text-muted">
              {[
                count > 0 && `${formatCount(count)} new`,
                there > 0 && (there === 1 ? 'exists' : `${formatCount(there)} exist`),
              ]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <Notes
        icon={<Ban aria-hidden="true" className="size-4 text-danger" />}
        title={`${formatCount(leftOut.length)} can't be assigned and will be left out`}
        lines={leftOut}
      />
      <Notes
        icon={<TriangleAlert aria-hidden="true" className="size-4 text-warning" />}
        title={`${formatCount(warned.length)} to think twice about`}
        lines={warned}
      />
    </section>
  );
}
