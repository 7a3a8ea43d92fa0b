import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { formatCount } from '#shared/count.ts';
import { Item } from '#web/components/ui/figures.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatTimeRange } from '#web/lib/format/dates.ts';
import { WORD_HINTS } from '#web/lib/vocabulary/duty-words.ts';
import type { Gap, Start } from './api.ts';

const LINK =
  'underline decoration-accent/45 underline-offset-4 hover:decoration-accent inline-flex min-h-11 items-center sm:min-h-8';

/** For example "1 uncovered, 2 not clocked in (Ann Doe, Sam Kollie)". */
function shortageOf({ missing, late, late_guards, is_running }: Gap): string {
  const parts = [
    missing > 0 && `${missing} ${is_running ? 'uncovered' : 'more needed'}`,
    late > 0 && `${late} not clocked in (${late_guards.join(', ')})`,
  ];
  return parts.filter(Boolean).join(', ');
}

function GapRow({ gap }: { gap: Gap }) {
  const isUncovered = gap.missing > 0;
  return (
    <li>
      <Link to="/admin/shifts" search={{ open: gap.id }} className="group flex gap-3 py-2">
        <span
          aria-hidden="true"
          className={cn(
            'my-1 w-1 shrink-0 rounded-full',
            isUncovered ? 'bg-danger' : 'bg-warning',
            !gap.is_running && isUncovered && 'bg-caution-fill',
          )}
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-semibold underline-offset-4 group-hover:underline">
              {gap.site_name}
            </span>{' '}
            <span className="text-sm text-muted tabular-nums">
              {formatTimeRange(gap.start_time, gap.end_time, gap.timezone)}
            </span>
          </span>{' '}
          <span
            className={cn(
              'block text-sm',
              isUncovered && gap.is_running ? 'text-danger' : 'text-warning',
            )}
          >
            {shortageOf(gap)} <span className="text-muted">of {formatCount(gap.required)}</span>
          </span>
        </span>
      </Link>
    </li>
  );
}

type GapListProps = {
  title: string;
  gaps: Gap[];
  /** In all, also those that are not shown. */
  total: number;
  covered: string;
};

function GapList({ title, gaps, total, covered }: GapListProps) {
  return (
    <div>
      <h4 className="font-semibold">{title}</h4>
      {gaps.length === 0 ? (
        <p className="flex items-center gap-2 py-2 text-muted">
          <CircleCheck aria-hidden="true" className="size-4.5 text-success" />
          {covered}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {gaps.map((gap) => (
            <GapRow key={gap.id} gap={gap} />
          ))}
        </ul>
      )}
      {total > gaps.length && (
        <p className="text-sm text-muted">and {formatCount(total - gaps.length)} more shifts</p>
      )}
    </div>
  );
}

type FigureProps = { name: string; hint: string; count: number; tone?: string | false };

function Figure({ name, hint, count, tone }: FigureProps) {
  return (
    <Item name={name} className={cn('text-3xl leading-tight font-semibold tabular-nums', tone)}>
      {formatCount(count)}
      <span className="block text-xs leading-snug font-normal text-muted sm:text-sm">{hint}</span>
    </Item>
  );
}

const BAR = [
  { key: 'on_post', colour: 'bg-success' },
  { key: 'late', colour: 'bg-warning' },
  { key: 'missing', colour: 'bg-danger/60' },
  { key: 'uncovered', colour: 'bg-danger' },
] as const;

/** Posts that should be staffed now, and what starts soon and is short. */
export function Coverage({ start }: { start: Start }) {
  const { required, on_post, late, missing, uncovered, next_required, next_missing, gaps } = start;
  const all = Math.max(on_post + late + missing + uncovered, 1);
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-5">
        <Figure name="Posts now" hint="Seats of running shifts" count={required} />
        <Figure name="On post" hint={WORD_HINTS.on_post} count={on_post} />
        <Figure name="Late" hint={WORD_HINTS.late} count={late} tone={late > 0 && 'text-warning'} />
        <Figure
          name="Missing"
          hint={WORD_HINTS.missing}
          count={missing}
          tone={missing > 0 && 'text-danger'}
        />
        <Figure
          name="Uncovered"
          hint={WORD_HINTS.uncovered}
          count={uncovered}
          tone={uncovered > 0 && 'text-danger'}
        />
      </dl>
      <div
        aria-hidden="true"
        className="mt-3 flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunken"
      >
        {BAR.map(({ key, colour }) => (
          <span key={key} className={colour} style={{ width: `${(start[key] / all) * 100}%` }} />
        ))}
      </div>
      <div className="mt-5 grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <GapList
          title="Now"
          gaps={gaps.filter(({ is_running }) => is_running)}
          total={start.gaps_now}
          covered={required === 0 ? 'No shift is running.' : 'Every post is covered.'}
        />
        <GapList
          title={
            next_missing > 0
              ? `Next 12 hours: ${formatCount(next_missing)} of ${formatCount(next_required)} seats open`
              : 'Next 12 hours'
          }
          gaps={gaps.filter(({ is_running }) => !is_running)}
          total={start.gaps_next}
          covered={
            next_required === 0 ? 'No shift starts.' : 'Every shift that starts has its guards.'
          }
        />
      </div>
      <p className="mt-3 flex flex-wrap gap-x-6 text-sm">
        <Link to="/admin/shifts" search={{ staffing: 'open' }} className={LINK}>
          All open posts
        </Link>
        <Link to="/admin/attendance" search={{ state: 'missing' }} className={LINK}>
          Everyone missing today
        </Link>
      </p>
    </>
  );
}
