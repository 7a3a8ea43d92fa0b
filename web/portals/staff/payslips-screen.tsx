import { PayslipList } from '#web/features/payroll/guard/payslip-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { RecordColumn } from './record-column.tsx';

export function PayslipsScreen() {
  const { user } = useAuth();
  usePageTitle('My Payslips');
  return (
    user && (
      <RecordColumn>
        <PayslipList userId={user.id} />
      </RecordColumn>
    )
  );
}
