// All payslips of the filtered list as one PDF, with progress.
import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { download } from '#web/lib/download.ts';
import { messageOf } from '#web/lib/errors.ts';
import { everyPayroll } from '../api/every-payroll.ts';
import type { PayrollFilters } from '../api/list-payroll.ts';

export function PayslipsButton({ filters }: { filters: PayrollFilters }) {
  const [progress, setProgress] = useState('');
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      setProgress('Loading...');
      const [rows, { payslipsPdf }] = await Promise.all([
        everyPayroll(filters),
        import('../payslip-pdf.ts'),
      ]);
      if (rows.length === 0) throw new Error('No payroll records found');
      const file = await payslipsPdf(rows, (done) => setProgress(`${done} of ${rows.length}`));
      download('payslips.pdf', file);
      return rows.length;
    },
    onSuccess: (count) => showSuccess(`${count} ${count === 1 ? 'payslip' : 'payslips'} ready`),
    onError: (error) => showError('Error', messageOf(error)),
  });
  return (
    <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
      {!isPending && <FileText aria-hidden="true" className="size-4.5" />}
      {isPending ? progress : 'Payslips PDF'}
    </Button>
  );
}
