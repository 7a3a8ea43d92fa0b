import { Decision } from '#web/components/form/decision-form.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatDateTime, formatPeriod } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { OTHER_PEOPLE_MANAGERS } from '#web/lib/vocabulary/deciders.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { useBalance, useLeaveRequest } from './api.ts';
import { LeaveConflicts } from './leave-conflicts.tsx';
import { CancelLeave, LeaveDecision } from './leave-decision.tsx';
import type { LeaveRow } from './schema.ts';

function BalanceGuide({ request }: { request: LeaveRow }) {
  const query = useBalance(request);
  return (
    <Loaded query={query} loadingText="Loading the balance...">
      {(balance) =>
        balance && (
          <section aria-label="Balance" className="border-t border-line pt-5 text-[0.9375rem]">
            <h3 className="mb-1 font-semibold">
              {LEAVE_TYPE_LABELS[request.type]} leave, as a guide
            </h3>
            {balance.entitled === null || balance.left === null ? (
              <p>
                Can’t be calculated: no staff record with a hire date is linked to this account.
              </p>
            ) : (
              <p>
                {balance.entitled} days a year, {balance.used} taken:{' '}
                <strong>{balance.left} left</strong>
                {balance.requested > 0 && `, of which ${balance.requested} requested,`} before this
                request of {request.days}
                {request.days > balance.left && ', which exceeds it'}.
              </p>
            )}
            <p className="mt-1 text-sm text-muted">
              {balance.rule}.
              {balance.year &&
                ` Counted over ${formatPeriod(balance.year.start_date, balance.year.end_date)}.`}{' '}
              Not legal advice.
            </p>
          </section>
        )
      }
    </Loaded>
  );
}

function LeaveDetails({ request, onClose }: { request: LeaveRow; onClose: () => void }) {
  const { user } = useAuth();
  const { id, type, start_date, end_date, days, reason, status, created_at, user_id } = request;
  const { entered_by_name } = request;
  const isOwn = user_id === user?.id;
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <dl className="grid gap-4 sm:grid-cols-3">
        <Item name="Person">
          <PersonLink id={user_id} name={request.person_name} />
        </Item>
        <Item name="Type">{LEAVE_TYPE_LABELS[type]}</Item>
        <Item name="Dates">{formatPeriod(start_date, end_date)}</Item>
        <Item name="Days">{days}</Item>
        <Item name="Status">
          <StatusBadge status={status} />
        </Item>
        <Item name="Requested">
          <time dateTime={created_at}>{formatDateTime(created_at)}</time>
        </Item>
        {entered_by_name && <Item name="Entered by">{entered_by_name}</Item>}
      </dl>
      <blockquote className="border-l-4 border-accent-fill bg-sunken px-5 py-4 [overflow-wrap:anywhere] whitespace-pre-line">
        {reason}
      </blockquote>
      {status !== 'pending' && (
        <Decision
          status={status}
          by={request.decided_by_name}
          at={request.decided_at}
          note={request.decision_note}
        />
      )}
      <BalanceGuide request={request} />
      <LeaveConflicts id={id} status={status} />
      {status === 'pending' && isOwn && (
        <Alert title="This is your own request">It is decided by {OTHER_PEOPLE_MANAGERS}.</Alert>
      )}
      {status === 'pending' && !isOwn && <LeaveDecision id={id} onClose={onClose} />}
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
