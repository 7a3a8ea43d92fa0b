// /staff/payslips: one's own, to read.
import { MyPayslips } from '#web/features/payroll/own/my-payslips.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { RecordColumn } from './record-column.tsx';

export function PayslipsScreen() {
  const { user } = useAuth();
  usePageTitle('My Payslips');
  return (
    user && (
      <RecordColumn>
        <MyPayslips userId={user.id} />
      </RecordColumn>
    )
  );
}
