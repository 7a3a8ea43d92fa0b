// The guard's own records, one screen each, and the list of unsent entries.
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { WaitingList } from '#web/components/outbox/waiting-list.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { GuardAttendance } from '#web/features/clocking/attendance/guard/guard-attendance.tsx';
import { GuardReports } from '#web/features/incidents/incidents/guard/guard-reports.tsx';
import { PayslipList } from '#web/features/pay/payroll/guard/payslip-list.tsx';
import { GuardCertifications } from '#web/features/people/certifications/guard/guard-certifications.tsx';
import { useGuardShifts } from '#web/features/shifts/shifts/guard/api.ts';
import { GuardShiftsCard } from '#web/features/shifts/shifts/guard/guard-shifts-card.tsx';
import { SwapButton } from '#web/features/shifts/shifts/guard/swap-button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { CallHotline } from './first-day.tsx';
import { PortalLink } from './portal-link.tsx';

type OwnRecordProps = { title: string; children: (userId: string) => ReactNode };

function OwnRecord({ title, children }: OwnRecordProps) {
  const { user } = useAuth();
  usePageTitle(title);
  // Limits the width, so that the figure at the end of a row stays near its label.
  return user && <div className="max-w-4xl">{children(user.id)}</div>;
}

function OwnShifts({ userId }: { userId: string }) {
  return (
    <>
      <GuardShiftsCard
        userId={userId}
        isScreen
        moreActions={(shift) => <SwapButton shift={shift} />}
      />
      <Below queries={[useGuardShifts(userId)]}>
        <ul className="mt-6 grid gap-4">
          <PortalLink
            to="/staff/open-shifts"
            title="Open shifts and swaps"
            text="Shifts you can ask for, and the status of your requests."
          />
          <PortalLink
            to="/staff/attendance"
            title="My Attendance"
            text="Hours of this week, overtime and past shifts."
          />
        </ul>
      </Below>
    </>
  );
}

export const ShiftsScreen = () => (
  <OwnRecord title="My Shifts">{(userId) => <OwnShifts userId={userId} />}</OwnRecord>
);

export const ReportScreen = () => (
  <OwnRecord title="Report">{(userId) => <GuardReports userId={userId} />}</OwnRecord>
);

export const AttendanceScreen = () => (
  <OwnRecord title="My Attendance">{(userId) => <GuardAttendance userId={userId} />}</OwnRecord>
);

export const CertificationsScreen = () => (
  <OwnRecord title="My Certifications">
    {(userId) => <GuardCertifications userId={userId} />}
  </OwnRecord>
);

const payslipsRoute = getRouteApi('/staff/payslips');

/** The open payslip is in the address, for the notice of a new one. */
function OpenedPayslips({ userId }: { userId: string }) {
  const { open } = payslipsRoute.useSearch();
  const navigate = payslipsRoute.useNavigate();
  return (
    <PayslipList
      userId={userId}
      open={open}
      onOpen={(id) => void navigate({ search: { open: id }, resetScroll: false })}
    />
  );
}

export const PayslipsScreen = () => (
  <OwnRecord title="My Payslips">
    {(userId) => (
      <>
        <ul className="mb-6 grid gap-4">
          <PortalLink
            to="/staff/timesheet"
            title="My Timesheet"
            text="The hours you are paid for, day by day."
          />
        </ul>
        <OpenedPayslips userId={userId} />
      </>
    )}
  </OwnRecord>
);

export const WaitingScreen = () => (
  <OwnRecord title="Waiting to send">{() => <WaitingList help={<CallHotline />} />}</OwnRecord>
);
