import { Link } from '@tanstack/react-router';
import { leaveDays } from '#shared/leave-entitlement.ts';
import { maySee } from '#shared/screens.ts';
import { IncidentRow } from '#web/components/records/incident-row.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { LoadedCard, LoadedList } from '#web/components/ui/loaded-card.tsx';
import { ITEM, ITEM_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import {
  formatDateTime,
  formatDay,
  formatPayPeriod,
  formatPeriod,
  toDay,
} from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import {
  useCertificatesOf,
  useDeploymentsOf,
  useIncidentsOf,
  useLeaveOf,
  useTimesheetsOf,
} from './sections-api.ts';

export function LeaveSection({ id }: { id: string }) {
  return (
    <LoadedCard title="Leave" query={useLeaveOf(id)} loadingText="Loading leave...">
      {({ requests, balance }) => (
        <>
          {typeof balance?.left === 'number' && (
            <p className="border-b border-line px-4 py-3 text-sm text-muted sm:px-5">
              Annual leave: {balance.entitled} days a year, {balance.used} taken,{' '}
              <strong className="text-ink tabular-nums">{balance.left} left</strong>
              {balance.requested > 0 && `, of which ${balance.requested} requested`}
            </p>
          )}
          {requests.length === 0 && (
            <p className="px-4 py-8 text-center text-muted">No leave requests.</p>
          )}
          <ul className="divide-y divide-line">
            {requests.map((request) => {
              const days = leaveDays(request);
              return (
                <li key={request.id}>
                  <Link to="/admin/leave" search={{ open: request.id }} className={ITEM_LINK}>
                    <SectionRow
                      title={formatPeriod(request.start_date, request.end_date)}
                      detail={`${LEAVE_TYPE_LABELS[request.type]}, ${days} ${days === 1 ? 'day' : 'days'}`}
                      badge={<StatusBadge status={request.status} />}
                    />
                  </Link>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </LoadedCard>
  );
}

export function CertificatesSection({ id }: { id: string }) {
  const { roles } = useAuth();
  const isLinked = maySee(roles, 'certifications');
  return (
    <LoadedList
      title="Certificates"
      query={useCertificatesOf(id)}
      loadingText="Loading certificates..."
      emptyText="No certificates on record."
    >
      {({ id: certificate, course, expires_at, validity, ...rest }) => {
        const expiry = `${validity === 'expired' ? 'Expired' : 'Expires'} ${formatDay(toDay(expires_at))}`;
        const number = rest.certificate_number && `No. ${rest.certificate_number}`;
        const row = (
          <SectionRow
            title={course.title}
            detail={[expiry, number].filter(Boolean).join(' · ')}
            badge={<StatusBadge status={validity} />}
          />
        );
        return (
          <li key={certificate}>
            {isLinked ? (
              <Link
                to="/admin/certifications"
                search={{ person: id, open: certificate }}
                className={ITEM_LINK}
              >
                {row}
              </Link>
            ) : (
              <div className={ITEM}>{row}</div>
            )}
          </li>
        );
      }}
    </LoadedList>
  );
}

export function IncidentsSection({ id }: { id: string }) {
  return (
    <LoadedList
      title="Incidents reported"
      query={useIncidentsOf(id)}
      loadingText="Loading incidents..."
      emptyText="No incidents reported."
    >
      {(incident) => (
        <IncidentRow
          key={incident.id}
          incident={incident}
          detail={[incident.site?.name, formatDateTime(incident.created_at)]
            .filter(Boolean)
            .join(' · ')}
        />
      )}
    </LoadedList>
  );
}

export function TimesheetsSection({ id }: { id: string }) {
  return (
    <LoadedList
      title="Timesheets"
      query={useTimesheetsOf(id)}
      loadingText="Loading timesheets..."
      emptyText="No hours yet."
    >
      {({ id: sheet, period_start, period_end, status, open_issues }) => (
        <li key={sheet}>
          <Link to="/admin/timesheets/$id" params={{ id: sheet }} className={ITEM_LINK}>
            <SectionRow
              title={formatPayPeriod(period_start, period_end)}
              detail={open_issues > 0 && `${open_issues} to decide`}
              badge={<StatusBadge status={status} />}
            />
          </Link>
        </li>
      )}
    </LoadedList>
  );
}

export function DeploymentsSection({ id }: { id: string }) {
  return (
    <LoadedList
      title="Deployments"
      query={useDeploymentsOf(id)}
      loadingText="Loading deployments..."
      emptyText="No deployments under this person's account."
    >
      {({ id: deployment, location, client_name, shift_start, status }) => (
        <li key={deployment} className={ITEM}>
          <SectionRow
            title={location}
            detail={[client_name, formatDateTime(shift_start)].filter(Boolean).join(' · ')}
            badge={<StatusBadge status={status} />}
          />
        </li>
      )}
    </LoadedList>
  );
}
