import { PayslipSheet } from '#web/components/payslip/payslip-sheet.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { usePayslip } from './api.ts';

export function PayslipDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={usePayslip(id)}
      title="Payslip"
      missing="This payroll record no longer exists."
      onClose={onClose}
    >
      {(payslip) => <PayslipSheet payslip={payslip} />}
    </DetailDialog>
  );
}
