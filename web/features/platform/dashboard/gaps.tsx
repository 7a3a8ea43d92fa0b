import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { type Gap, type Start, useStart } from './api.ts';

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
      <Link
        to="/admin/shifts"
        search={{ open: gap.id }}
        className="group flex min-h-11 gap-2.5 py-1 text-sm leading-snug pointer-fine:min-h-8"
      >
        <span
          aria-hidden="true"
          className={cn(
            'my-1 w-1 shrink-0 rounded-full',
            isUncovered ? 'bg-danger' : 'bg-warning',
            !gap.is_running && isUncovered && 'bg-caution-fill',
          )}
        />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className="font-semibold underline-offset-4 group-hover:underline">
            {gap.site_name}
          </span>{' '}
          <span className="block text-xs text-muted tabular-nums">
            <span className={isUncovered && gap.is_running ? 'text-danger' : 'text-warning'}>
              {shortageOf(gap)}
            </span>{' '}
            of {formatCount(gap.required)} · {formatTime(gap.start_time, gap.timezone)} to{' '}
            {formatTime(gap.end_time, gap.timezone)}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Rows of each list. The link to all takes the place of the last one, so that many gaps make the screen no longer. */
const SHOWN = 3;

type GapListProps = {
  title: string;
  gaps: Gap[];
  /** In all, also those that are not shown. */
  total: number;
  covered: string;
  /** Leads to all of them. */
  all: ReactNode;
};

function GapList({ title, gaps, total, covered, all }: GapListProps) {
  return (
    <div className="mb-2 border-b border-line pb-2">
      <h4 className="text-sm font-semibold">{title}</h4>
      {gaps.length === 0 ? (
        <p className="flex items-center gap-2 py-1.5 text-sm text-muted">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
          {covered}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {gaps.slice(0, total > SHOWN ? SHOWN - 1 : SHOWN).map((gap) => (
            <GapRow key={gap.id} gap={gap} />
          ))}
        </ul>
      )}
      {total > SHOWN && <p className="text-sm">{all}</p>}
    </div>
  );
}

const LINK =
  'underline decoration-accent/45 underline-offset-4 hover:decoration-accent inline-flex min-h-11 items-center pointer-fine:min-h-8';

const LoadedGaps = ({ children }: { children: (start: Start) => ReactNode }) => (
  <Loaded
    query={useStart()}
    loadingText="Loading shifts..."
    missing="The shifts could not be loaded"
    placeholder={<Spinner className="mx-auto my-8 text-muted" />}
  >
    {children}
  </Loaded>
);

/** Running shifts that lack a guard. */
export const GapsNow = () => (
  <LoadedGaps>
    {({ gaps, gaps_now, required }) => (
      <GapList
        title="Shifts that run"
        gaps={gaps.filter(({ is_running }) => is_running)}
        total={gaps_now}
        covered={required === 0 ? 'No shift is running.' : 'Every post is covered.'}
        all={
          <Link to="/admin/operations" className={LINK}>
            All {formatCount(gaps_now)} shifts on the board
          </Link>
        }
      />
    )}
  </LoadedGaps>
);

/** Shifts of the next 12 hours that lack a guard. */
export const GapsNext = () => (
  <LoadedGaps>
    {({ gaps, gaps_next, next_missing, next_required }) => (
      <GapList
        title={
          next_missing > 0
            ? `Next 12 hours: ${formatCount(next_missing)} of ${formatCount(next_required)} seats open`
            : 'Next 12 hours'
        }
        gaps={gaps.filter(({ is_running }) => !is_running)}
        total={gaps_next}
        covered={
          next_required === 0 ? 'No shift starts.' : 'Every shift that starts has its guards.'
        }
        all={
          <Link to="/admin/shifts" search={{ staffing: 'open' }} className={LINK}>
            All open posts
          </Link>
        }
      />
    )}
  </LoadedGaps>
);
