// /staff/payslips: one's own, to read.
import { MyPayslips } from '#web/features/payroll/own/my-payslips.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';

export function PayslipsScreen() {
  const { user } = useAuth();
  usePageTitle('My Payslips');
  return user && <MyPayslips userId={user.id} />;
}
