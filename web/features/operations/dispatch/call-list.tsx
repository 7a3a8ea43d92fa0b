import { ChevronRight } from 'lucide-react';
import { Badge } from '#web/components/ui/badge.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime, formatTime } from '#web/lib/format/dates.ts';
import {
  CALL_KIND_LABELS,
  CALL_OUTCOME_LABELS,
  CALL_PRIORITY_LABELS,
  CALL_PRIORITY_TONES,
  CALL_STATE_LABELS,
} from '#web/lib/vocabulary/dispatch.ts';
import { clockOf, type RunningGoal, runningGoal } from './call-goals.ts';
import { type Call, placeOf } from './dispatch-api.ts';

const GOAL_TONES: Record<RunningGoal['tone'], string> = {
  green: 'text-muted',
  orange: 'text-warning',
  red: 'text-danger',
};

/** Time left to the next goal. The words say it too: "late" where it is over. */
export function GoalTimer({ call, now }: { call: Call; now: number | undefined }) {
  const goal = now === undefined ? undefined : runningGoal(call, now);
  if (!goal) return null;
  return (
    <span className={cn('font-semibold whitespace-nowrap tabular-nums', GOAL_TONES[goal.tone])}>
      {goal.label} {goal.leftMs < 0 ? 'late' : 'in'} {clockOf(goal.leftMs)}
    </span>
  );
}

const unitsOf = ({ units, state }: Call): string =>
  units.length === 0
    ? CALL_STATE_LABELS[state]
    : `${CALL_STATE_LABELS[state]}: ${units.map(({ call_sign }) => call_sign).join(', ')}`;

type RowProps = { call: Call; onOpen: () => void };

const ROW =
  'flex w-full items-center gap-3 px-3 py-2.5 text-left -outline-offset-2 hover:bg-sunken sm:px-4';

function OpenCall({ call, now, onOpen }: RowProps & { now: number | undefined }) {
  return (
    <li
      className={cn('border-l-4', call.priority === 'danger' ? 'border-l-danger' : 'border-l-line')}
    >
      <button type="button" className={ROW} onClick={onOpen}>
        <span className="grid min-w-0 flex-1 grid-cols-1 gap-x-6 gap-y-1 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={CALL_PRIORITY_TONES[call.priority]}>
                {CALL_PRIORITY_LABELS[call.priority]}
              </Badge>
              <span className="font-semibold [overflow-wrap:anywhere]">
                {CALL_KIND_LABELS[call.kind]}, {placeOf(call)}
              </span>
            </span>
            {call.details && (
              <span className="mt-0.5 line-clamp-1 text-sm text-muted">{call.details}</span>
            )}
          </span>
          <span className="flex flex-wrap gap-x-3 text-sm lg:block lg:text-right">
            <span className="block empty:hidden">
              <GoalTimer call={call} now={now} />
            </span>
            <span className="block text-muted">
              {unitsOf(call)} · {formatTime(call.received_at)}
            </span>
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
      </button>
    </li>
  );
}

function ClosedCall({ call, onOpen }: RowProps) {
  return (
    <li>
      <button type="button" className={ROW} onClick={onOpen}>
        <span className="min-w-0 flex-1 text-sm">
          <span className="font-semibold">
            {CALL_KIND_LABELS[call.kind]}, {placeOf(call)}
          </span>
          <span className="block text-muted">
            {call.outcome ? CALL_OUTCOME_LABELS[call.outcome] : CALL_STATE_LABELS[call.state]}
            {call.closed_at && `, ${formatDateTime(call.closed_at)}`}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
      </button>
    </li>
  );
}

const LIST = 'divide-y divide-line overflow-hidden rounded-sm border border-line bg-raised';

type CallListProps = {
  open: readonly Call[];
  closed: readonly Call[];
  now: number | undefined;
  onOpen: (id: string) => void;
};

export function CallList({ open, closed, now, onOpen }: CallListProps) {
  return (
    <div className="grid grid-cols-1 gap-7">
      <section aria-label="Open calls">
        <h3 className="mb-2 font-display text-lg leading-tight">Open</h3>
        {open.length === 0 ? (
          <p className="text-sm text-muted">No open call.</p>
        ) : (
          <ul className={LIST}>
            {open.map((call) => (
              <OpenCall key={call.id} call={call} now={now} onOpen={() => onOpen(call.id)} />
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Closed calls">
        <h3 className="mb-2 font-display text-lg leading-tight">Closed last</h3>
        {closed.length === 0 ? (
          <p className="text-sm text-muted">No call was closed yet.</p>
        ) : (
          <ul className={LIST}>
            {closed.map((call) => (
              <ClosedCall key={call.id} call={call} onOpen={() => onOpen(call.id)} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
