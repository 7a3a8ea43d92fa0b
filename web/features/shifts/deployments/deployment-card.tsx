import { Building2, type LucideIcon, MapPin, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDuration, formatLongDateTime } from '#web/lib/format/dates.ts';
import { deploymentChanges } from './api.ts';
import type { Deployment } from './schema.ts';

type DeploymentCardProps = {
  deployment: Deployment;
  /** Buttons at the bottom. */
  actions: ReactNode;
  className?: string | undefined;
};

function Time({ label, at, note }: { label: string; at: string; note?: string }) {
  return (
    <div className="flex gap-2">
      <dt className="w-11 shrink-0 text-muted">{label}</dt>
      <dd>
        <time dateTime={at} className="whitespace-nowrap cramped:whitespace-normal">
          {formatLongDateTime(at)}
        </time>{' '}
        {note && (
          <span className="whitespace-nowrap text-muted cramped:whitespace-normal">({note})</span>
        )}
      </dd>
    </div>
  );
}

type LineProps = { label: string; Icon: LucideIcon; children: ReactNode };

function Line({ label, Icon, children }: LineProps) {
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden="true" className="mt-1 size-4 shrink-0 text-accent" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="sr-only">{label}: </span>
        {children}
      </span>
    </li>
  );
}

export function DeploymentCard({ deployment, actions, className }: DeploymentCardProps) {
  const { guard_name, location, client_name, shift_start, shift_end, status, notes } = deployment;
  return (
    <Card className={cn('flex h-full flex-col', className)}>
      <div className="flex-1 p-4 sm:p-5">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h3 className="min-w-0 font-display text-xl leading-tight [overflow-wrap:anywhere]">
            <PersonLink id={deployment.guard_id} name={guard_name} />
          </h3>
          <StatusBadge status={status} />
        </div>
        <ul className="mt-3 grid gap-1.5 text-[0.9375rem]">
          <Line label="Location" Icon={MapPin}>
            {location}
          </Line>
          {client_name && (
            <Line label="Client" Icon={Building2}>
              <ClientLink id={deployment.client_id} name={client_name} />
            </Line>
          )}
        </ul>
        <dl className="mt-4 grid gap-1 border-t border-line pt-4 text-sm">
          <Time label="Starts" at={shift_start} />
          <Time label="Ends" at={shift_end} note={formatDuration(shift_start, shift_end)} />
        </dl>
        {notes && (
          <p className="mt-4 text-sm break-words whitespace-pre-line text-muted">{notes}</p>
        )}
      </div>
      <div className="flex justify-end gap-1 border-t border-line px-2 py-1">{actions}</div>
    </Card>
  );
}

type DeleteDeploymentButtonProps = {
  deployment: Deployment;
  /** Title of the toast. */
  success: string;
};

/** Deletes without asking; the toast offers Undo. */
export function DeleteDeploymentButton({ deployment, success }: DeleteDeploymentButtonProps) {
  const { remove, deletingId } = useUndoableDelete(deploymentChanges, {
    deleted: success,
    failure: 'Error deleting deployment',
  });
  return (
    <Button
      variant="ghost"
      className="px-3.5 text-muted hover:text-danger"
      busy={deletingId !== undefined}
      onClick={() => remove(deployment.id)}
      aria-label={`Delete deployment of ${deployment.guard_name}`}
    >
      {deletingId === undefined && <Trash2 aria-hidden="true" className="size-4" />}
      Delete
    </Button>
  );
}
