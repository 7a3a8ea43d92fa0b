import { memo } from 'react';
import { cn } from '#web/lib/cn.ts';
import { formatMinutes, formatTime } from '#web/lib/format/dates.ts';
import { type BoardRow, barOfState, noticeOf, shiftOfRow } from './board-rows.ts';
import { gravity } from './seat-states.ts';
import { ShiftBar } from './shift-bar.tsx';
import { MARKS } from './state-marks.tsx';
import { percentAt, type TimeScale } from './time-scale.ts';

export const ROW_HEIGHT = 60;

const since = (from: number, now: number) =>
  formatMinutes(Math.max(0, Math.floor((now - from) / 60_000)));

/** For example "25 min, James Kollie": what is cut in a narrow column is the end of the name. */
export function detailOf(row: BoardRow, now: number): string {
  const notice = noticeOf(row);
  if (notice) return `${notice.name} ${notice.said}`;
  const found = barOfState(row);
  if (!found) return '';
  const { bar, seats } = found;
  const [seat] = seats;
  const same = seats.length;
  const more = same > 1 ? ` and ${same - 1} more` : '';
  const name = seat?.guard?.name ?? '';
  if (row.state === 'missing' || row.state === 'late') {
    return `${since(Date.parse(seat?.guard?.expected ?? bar.shift.starts), now)}, ${name}${more}`;
  }
  if (row.state === 'empty') {
    const when = bar.start > now ? `in ${since(now, bar.start)}` : since(bar.start, now);
    return `${when}, ${same} of ${bar.shift.needed}`;
  }
  if (row.state === 'due' && seat?.guard?.joins) {
    return `on the way, ${formatTime(seat.guard.joins, row.site.timezone)}, ${name}${more}`;
  }
  if (row.state === 'due' || row.state === 'unconfirmed')
    return `in ${since(now, bar.start)}, ${name}${more}`;
  return `${name}${more}`;
}

type RowProps = {
  row: BoardRow;
  scale: TimeScale;
  now: number;
  onOpen: (shiftId: string) => void;
};

/** A post: what its state is and why, beside or above its bars. */
export const PostRow = memo(function PostRow({ row, scale, now, onOpen }: RowProps) {
  const { label, Icon, text } = MARKS[row.state];
  const detail = detailOf(row, now);
  const place = [row.site.name, row.post].filter(Boolean).join(' · ');
  const shiftId = shiftOfRow(row, now);
  const isGrave = gravity(row.state) < gravity('late');
  return (
    <div className="relative grid border-b border-line hover:bg-sunken/60 md:h-15 md:grid-cols-(--columns)">
      {/* Pressed anywhere but on a bar, the row opens the shift that its words are about. */}
      <button
        type="button"
        onClick={() => shiftId !== undefined && onOpen(shiftId)}
        className={cn(
          'flex min-w-0 text-left after:absolute after:inset-0 focus-visible:-outline-offset-2 items-center gap-2.5 border-l-4 px-3 py-1 md:py-0 md:border-r md:border-r-line',
          isGrave
            ? 'border-l-danger'
            : row.state === 'late' || row.state === 'unconfirmed' || noticeOf(row)
              ? 'border-l-warning'
              : 'border-l-transparent',
        )}
      >
        <Icon aria-hidden="true" className={cn('size-5 shrink-0', text)} />
        <span className="min-w-0 flex-1 leading-tight" title={`${place}\n${label} ${detail}`}>
          <span className="line-clamp-2 leading-tight font-semibold md:text-sm md:leading-tight">
            {row.site.name}
            {row.post && (
              <>
                {' '}
                <span className="inline-block font-normal text-muted">{row.post}</span>
              </>
            )}
          </span>
          <span className="block truncate text-sm leading-tight">
            <span className={cn('font-semibold', text)}>{label}</span>{' '}
            <span className="text-muted">{detail}</span>
          </span>
        </span>
      </button>
      <div className="pointer-events-none relative [--least-bar:1.5rem] max-md:mx-3 max-md:mb-2 max-md:h-11 max-md:[--least-bar:2.75rem]">
        {row.bars.map((bar) => (
          <ShiftBar key={bar.shift.id} bar={bar} scale={scale} now={now} onOpen={onOpen} />
        ))}
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-px bg-accent-fill"
          style={{ left: `${percentAt(scale, now)}%` }}
        />
      </div>
    </div>
  );
});
