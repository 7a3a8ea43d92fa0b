// Says plainly whether one is clocked in, since when, and whether the server knows already.
import { CircleCheck, CircleDashed } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';
import type { Standing } from '../standing.ts';
import { timeOn } from '../times.ts';

const WAITS = ' — waiting to send';

function wordsFor(standing: Standing, now: number): [title: string, text: string | undefined] {
  if (standing.state === 'in') {
    const { clock_in_at, timezone, waiting } = standing.shift;
    const since = clock_in_at ? timeOn(clock_in_at, timezone, now) : '';
    return ['You are clocked in', `Clocked in at ${since}${waiting ? WAITS : ''}`];
  }
  const { last } = standing;
  if (!last?.clock_out_at) return ['You are not clocked in', undefined];
  const since = timeOn(last.clock_out_at, last.timezone, now);
  return ['You are not clocked in', `Clocked out at ${since}${last.waiting ? WAITS : ''}`];
}

export function ClockStatus({ standing, now }: { standing: Standing; now: number }) {
  const isIn = standing.state === 'in';
  const Icon = isIn ? CircleCheck : CircleDashed;
  const [title, text] = wordsFor(standing, now);
  return (
    <div
      role="status"
      className={cn(
        'flex items-start gap-3 rounded-sm border-l-4 bg-sunken px-4 py-3',
        isIn ? 'border-success' : 'border-line-strong',
      )}
    >
      <Icon
        aria-hidden="true"
        className={cn('mt-0.5 size-7 shrink-0', isIn ? 'text-success' : 'text-ink')}
      />
      <div className="min-w-0">
        <p className="font-display text-xl leading-snug">{title}</p>
        {text && <p className="text-lg font-semibold text-balance tabular-nums">{text}</p>}
      </div>
    </div>
  );
}
