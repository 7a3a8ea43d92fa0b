import { ChevronRight } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { GuardIncident } from './own-incident.ts';

const GuardIncidentDialog = lazy(async () => ({
  default: (await import('./guard-incident-dialog.tsx')).GuardIncidentDialog,
}));

type Row = Pick<GuardIncident, 'id' | 'title' | 'severity' | 'status' | 'created_at'> &
  // Known of the guard's own reports.
  Partial<Pick<GuardIncident, 'written_at' | 'review_state'>>;

export function IncidentRows({ label, incidents }: { label: string; incidents: Row[] }) {
  const [opened, setOpened] = useState<string>();
  const close = () => setOpened(undefined);
  return (
    <>
      <ul aria-label={label} className="divide-y divide-line">
        {incidents.map(({ id, title, severity, status, created_at, written_at, review_state }) => (
          <li key={id}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpened(id)}
              className="flex w-full items-center gap-2 py-1.5 pr-4 pl-4 sm:py-3.5 sm:pr-2.5 text-left hover:bg-sunken/60 focus-visible:-outline-offset-3 sm:pl-5"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-semibold break-words">{title}</span>
                <span className="mt-0.5 flex flex-wrap gap-x-2 text-sm sm:mt-1 text-muted">
                  <span>{STATUS_LABELS[status]}</span>
                  <span aria-hidden="true">·</span>
                  {/* Guards look for the time they wrote it. */}
                  <time dateTime={written_at ?? created_at}>
                    {formatDateTime(written_at ?? created_at)}
                  </time>
                </span>
                {review_state === 'returned' && (
                  <span className="mt-1 block text-sm font-semibold text-accent">
                    Your supervisor has a question
                  </span>
                )}
              </span>
              <StatusBadge status={severity} />
              <ChevronRight
                aria-hidden="true"
                className="size-5 shrink-0 text-muted max-sm:hidden"
              />
            </button>
          </li>
        ))}
      </ul>
      {opened && (
        <LazyPart key={opened} fallback={<Opening title="the incident" />} onClose={close}>
          <GuardIncidentDialog id={opened} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
