import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { maySee } from '#shared/permissions.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { formatClock, formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import type { ListedRuleSet } from './api.ts';
import {
  FIGURE_NAMES,
  FIGURES,
  type periodsOf,
  type RuleSet,
  sourcesOf,
  WISH_NAMES,
  WISHES,
} from './schema.ts';

const STATES: Record<'now' | 'later' | 'past', [label: string, tone: Tone]> = {
  now: ['In force', 'green'],
  later: ['Later', 'blue'],
  past: ['Replaced', 'grey'],
};

function Figures({ row }: { row: RuleSet }) {
  const sources = sourcesOf(row);
  return (
    <dl className="divide-y divide-line border-y border-line">
      {FIGURE_NAMES.map((name) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 py-2">
          <dt>{FIGURES[name].label}</dt>
          <dd className="text-right font-semibold tabular-nums">
            {row[name]} {FIGURES[name].unit}
          </dd>
          <dd className="col-span-2 text-sm text-muted">{sources[name] ?? 'No source given'}</dd>
        </div>
      ))}
      <div className="grid grid-cols-[1fr_auto] gap-x-4 py-2">
        <dt>A night is worked at</dt>
        <dd className="text-right font-semibold tabular-nums">{formatClock(row.night_at)}</dd>
      </div>
    </dl>
  );
}

function Weights({ row }: { row: RuleSet }) {
  return (
    <dl className="divide-y divide-line border-y border-line">
      {WISH_NAMES.map((name) => {
        const weight = row[`weight_${name}`];
        return (
          <div key={name} className="grid grid-cols-[1fr_5rem_2rem] items-center gap-x-3 py-2">
            <dt>{WISHES[name]}</dt>
            <dd aria-hidden="true" className="h-1.5 rounded-full bg-sunken">
              <div className="h-full rounded-full bg-accent-fill" style={{ width: `${weight}%` }} />
            </dd>
            <dd className="text-right font-semibold tabular-nums">{weight}</dd>
          </div>
        );
      })}
      {(['bids', 'swaps'] as const).map((what) => (
        <div key={what} className="grid grid-cols-[1fr_auto] gap-x-3 py-2">
          <dt>{what === 'bids' ? 'Bids for open shifts' : 'Swaps'}</dt>
          <dd className="font-semibold">
            {row[`${what}_approve_themselves`] ? 'Approved by themselves' : 'Approved by a planner'}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type RuleSetPanelProps = {
  period: ReturnType<typeof periodsOf<ListedRuleSet>>[number];
  /** Undefined for users who may only read the rules. */
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
};

export function RuleSetPanel({ period, onEdit, onDelete }: RuleSetPanelProps) {
  const { row, lastDay, state } = period;
  const { roles } = useAuth();
  const [label, tone] = STATES[state];
  const author = row.author?.full_name || row.author?.email;
  return (
    <Card className="p-5 sm:p-6">
      <section aria-label={row.name}>
        <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
          <div className="min-w-0">
            <h3 className="flex flex-wrap items-center gap-3 font-display text-xl leading-tight">
              {row.name}
              <Badge tone={tone} className="font-sans">
                {label}
              </Badge>
            </h3>
            <p className="mt-1 text-sm text-muted">
              From {formatDay(row.effective_from)}
              {lastDay && ` to ${formatDay(lastDay)}`}. {author ? `Added by ${author}. ` : ''}
              Last changed {formatDateTime(row.updated_at)}.
            </p>
          </div>
          <div className="flex items-center gap-1 max-sm:-ml-4">
            {maySee(roles, 'activity') && (
              <Link
                to="/admin/activity"
                search={{ table: 'rule_sets', row: row.id }}
                className={buttonStyles({ variant: 'ghost' })}
              >
                History
              </Link>
            )}
            {onEdit && (
              <Button
                variant="ghost"
                size="icon"
                title="Edit"
                aria-label={`Edit ${row.name}`}
                onClick={onEdit}
              >
                <Pencil aria-hidden="true" className="size-4" />
              </Button>
            )}
            {onDelete && (
              <Button
                variant="danger-ghost"
                size="icon"
                title="Delete"
                aria-label={`Delete ${row.name}`}
                onClick={onDelete}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </Button>
            )}
          </div>
        </div>
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
          <div>
            <h4 className="mb-2 font-semibold">Hard rules</h4>
            <Figures row={row} />
          </div>
          <div>
            <h4 className="mb-2 font-semibold">Wishes</h4>
            <Weights row={row} />
          </div>
        </div>
      </section>
    </Card>
  );
}
