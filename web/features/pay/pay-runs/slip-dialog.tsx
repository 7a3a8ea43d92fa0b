import { PrintButton } from '#web/components/list/list-buttons.tsx';
import { PayslipSheet } from '#web/components/payslip/payslip-sheet.tsx';
import { SlipLines } from '#web/components/payslip/slip-lines.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { usePayslip } from './api.ts';

export function SlipDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={usePayslip(id)}
      title="Payslip"
      missing="This payslip does not exist."
      onClose={onClose}
    >
      {(slip) =>
        slip.payroll ? (
          <PayslipSheet payslip={{ ...slip.payroll, staff: slip.staff, payslips: slip }} />
        ) : (
          <div data-print className="grid gap-5">
            <p className="text-lg font-semibold">{slip.staff.full_name}</p>
            <SlipLines slip={slip} />
            <div className="flex justify-end print:hidden">
              <PrintButton />
            </div>
          </div>
        )
      }
    </DetailDialog>
  );
}
