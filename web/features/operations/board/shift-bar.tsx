import { cn } from '#web/lib/cn.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import type { Bar } from './board-rows.ts';
import { outlookOf, type Seat } from './seat-states.ts';
import { MARKS } from './state-marks.tsx';
import { spanOn, type TimeScale } from './time-scale.ts';

/** More seats than this are drawn as one strip for each eighth. */
const MOST_STRIPS = 8;

const timeOf = (instant: string | null | undefined) => (instant ? Date.parse(instant) : undefined);

/** Time worked in a planned seat, or the time that it is or was empty; all of a shift that has not begun. */
function spanOfSeat(seat: Seat, { start, end }: Bar, now: number) {
  const { state, guard } = seat;
  if (outlookOf(seat, start, now)) return { from: start, to: end };
  const clockIn = timeOf(guard?.clock_in);
  const clockOut = timeOf(guard?.clock_out);
  if (clockIn !== undefined) return { from: clockIn, to: clockOut ?? Math.min(now, end) };
  if (state === 'empty') return { from: start, to: end };
  return { from: start, to: Math.min(now, end) };
}

/** No one worked an ended shift: shown apart from worked time. */
const isUnworked = ({ state, guard }: Seat) => state === 'done' && !guard?.clock_in;

const OUTLOOKS = {
  confirmed: { word: 'confirmed', bar: 'bg-info/25' },
  unconfirmed: { word: 'not confirmed', bar: 'border border-dashed border-warning' },
  cant_come: { word: 'can’t come', bar: MARKS.empty.bar },
  empty: { word: 'empty seat', bar: MARKS.empty.bar },
} as const;

/** The word and the look of a seat in its bar. */
function lookOf(seat: Seat, { start }: Pick<Bar, 'start'>, now: number) {
  const outlook = outlookOf(seat, start, now);
  if (outlook) return OUTLOOKS[outlook];
  if (isUnworked(seat)) return { word: 'not worked', bar: 'border border-dashed border-muted/60' };
  const { label, bar } = MARKS[seat.state];
  return { word: label.toLowerCase(), bar };
}

/** For example "2 on post, 1 missing". */
function summarizeSeats({ seats, start }: Pick<Bar, 'seats' | 'start'>, now: number): string {
  const counts = new Map<string, number>();
  for (const seat of seats) {
    const { word } = lookOf(seat, { start }, now);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

type ShiftBarProps = { bar: Bar; scale: TimeScale; now: number; onOpen: (shiftId: string) => void };

/** A shift: planned as an outline, one strip for each seat inside. */
export function ShiftBar({ bar, scale, now, onOpen }: ShiftBarProps) {
  const { shift, seats, start, end } = bar;
  const visible = Math.max(start, scale.from);
  const width = Math.max(1, Math.min(end, scale.to) - visible);
  const { left, width: length } = spanOn(scale, start, end);
  const shown = seats.slice(0, MOST_STRIPS);
  return (
    <button
      type="button"
      onClick={() => onOpen(shift.id)}
      aria-label={`${formatTime(shift.starts)} to ${formatTime(shift.ends)}: ${summarizeSeats(bar, now)}`}
      className="group pointer-events-auto absolute inset-y-0 min-w-(--least-bar) focus-visible:z-10 md:inset-y-2"
      style={{ left: `min(${left}, calc(100% - var(--least-bar, 0px)))`, width: length }}
    >
      <span
        aria-hidden="true"
        className="absolute inset-x-0 inset-y-1.5 flex flex-col gap-px overflow-hidden rounded-xs border border-line-strong bg-raised/60 p-0.5 group-hover:border-accent md:inset-y-0"
      >
        {shown.map((seat, index) => {
          const { from, to } = spanOfSeat(seat, bar, now);
          // Clocking in before the start, or before the axis, adds no length.
          const shownFrom = Math.max(from, visible);
          const offset = ((shownFrom - visible) / width) * 100;
          const worked = ((to - shownFrom) / width) * 100;
          return (
            <span key={seat.guard?.assignment_id ?? index} className="relative flex-1">
              <span
                className={cn('absolute inset-y-0 rounded-[1px]', lookOf(seat, bar, now).bar)}
                style={{ left: `${offset}%`, width: `${Math.max(0, worked)}%` }}
              />
            </span>
          );
        })}
      </span>
    </button>
  );
}
