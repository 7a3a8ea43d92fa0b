// One request: what was asked, what it collides with, what the person has left, and the decision.
import type { ReactNode } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { formatDateTime, formatPeriod } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { useLeaveRequest } from '../api/get-leave.ts';
import { STATUS_LABELS, STATUS_TONES, TYPE_LABELS } from '../labels.ts';
import type { LeaveRow } from '../schema.ts';
import { BalanceGuide } from './balance-guide.tsx';
import { CancelLeave } from './cancel-leave.tsx';
import { LeaveCollisions } from './collisions.tsx';
import { DecisionForm } from './decision-form.tsx';

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Outcome({ request }: { request: LeaveRow }) {
  const { status, decided_by_name, decided_at, decision_note } = request;
  if (status === 'pending') return null;
  const who = decided_by_name ? ` by ${decided_by_name}` : '';
  const when = decided_at ? `, ${formatDateTime(decided_at)}` : '';
  return (
    <Alert title={`${STATUS_LABELS[status]}${who}${when}`}>
      {decision_note && <p className="whitespace-pre-line">{decision_note}</p>}
    </Alert>
  );
}

function LeaveDetails({ request, onClose }: { request: LeaveRow; onClose: () => void }) {
  const { user } = useAuth();
  const { id, type, start_date, end_date, days, reason, status, created_at, user_id } = request;
  const isOwn = user_id === user?.id;
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <dl className="grid gap-4 sm:grid-cols-3">
        <Item name="Type">{TYPE_LABELS[type]}</Item>
        <Item name="Dates">{formatPeriod(start_date, end_date)}</Item>
        <Item name="Days">{days}</Item>
        <Item name="Status">
          <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
        </Item>
        <Item name="Asked">
          <time dateTime={created_at}>{formatDateTime(created_at)}</time>
        </Item>
      </dl>
      <blockquote className="border-l-4 border-accent-fill bg-sunken px-5 py-4 [overflow-wrap:anywhere] whitespace-pre-line">
        {reason}
      </blockquote>
      <Outcome request={request} />
      <BalanceGuide request={request} />
      <LeaveCollisions id={id} status={status} />
      {status === 'pending' && isOwn && (
        <Alert title="This is your own request">Somebody else decides it.</Alert>
      )}
      {status === 'pending' && !isOwn && <DecisionForm id={id} onClose={onClose} />}
      {status === 'approved' && !isOwn && <CancelLeave id={id} onClose={onClose} />}
    </div>
  );
}

export function LeaveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useLeaveRequest(id);
  return (
    <DetailDialog
      query={query}
      title={query.data ? `Leave of ${query.data.person_name}` : 'Leave'}
      missing="This leave request does not exist."
      onClose={onClose}
    >
      {(request) => <LeaveDetails request={request} onClose={onClose} />}
    </DetailDialog>
  );
}
