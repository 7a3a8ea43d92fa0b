import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TableName } from '#shared/permissions.ts';
import { maySee } from '#shared/screens.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import type { toPeriods } from '#web/lib/data/dated-versions.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';

const STATES: Record<'now' | 'later' | 'past', [label: string, tone: Tone]> = {
  now: ['In force', 'green'],
  later: ['Later', 'blue'],
  past: ['Replaced', 'grey'],
};

type Version = {
  id: string;
  name: string;
  effective_from: string;
  updated_at: string;
  author: { full_name: string | null; email: string | null } | null;
};

export type ShownVersion<Row extends { effective_from: string }> = {
  period: ReturnType<typeof toPeriods<Row>>[number];
  /** Undefined for users who may only read the rules. */
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
};

type VersionPanelProps<Row extends Version> = ShownVersion<Row> & {
  /** For the history of the rows. */
  table: Exclude<TableName, 'audit_log'>;
  children: ReactNode;
};

export function VersionPanel<Row extends Version>(props: VersionPanelProps<Row>) {
  const { period, table, onEdit, onDelete, children } = props;
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
                search={{ table, row: row.id }}
                className={buttonStyles({ variant: 'ghost' })}
              >
                History
              </Link>
            )}
            {onEdit && (
              <IconButton title="Edit" label={`Edit ${row.name}`} Icon={Pencil} onClick={onEdit} />
            )}
            {onDelete && (
              <IconButton
                variant="danger-ghost"
                title="Delete"
                label={`Delete ${row.name}`}
                Icon={Trash2}
                onClick={onDelete}
              />
            )}
          </div>
        </div>
        {children}
      </section>
    </Card>
  );
}

type FigureRowProps = { label: string; value: ReactNode; source?: string | undefined };

/** A figure of the rules, in a `dl`. `source` only for figures that have one. */
export function FigureRow({ label, value, source }: FigureRowProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 py-2">
      <dt>{label}</dt>
      <dd className="text-right font-semibold tabular-nums">{value}</dd>
      {source !== undefined && <dd className="col-span-2 text-sm text-muted">{source}</dd>}
    </div>
  );
}
