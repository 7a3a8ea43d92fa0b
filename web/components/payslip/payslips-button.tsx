import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import type { Payslip } from '#web/lib/data/payslips.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';

export const countPayslips = (count: number) =>
  `${formatCount(count)} ${count === 1 ? 'payslip' : 'payslips'}`;

type Payslips = (signal: AbortSignal) => Promise<Payslip[]>;

/** Makes one PDF of many payslips; it can be stopped. */
export function usePayslipsFile(fetchPayslips: Payslips) {
  const [progress, setProgress] = useState('');
  const stopper = useRef<AbortController>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      setProgress('Loading...');
      stopper.current = new AbortController();
      const { signal } = stopper.current;
      const [rows, { payslipsPdf }] = await Promise.all([
        fetchPayslips(signal),
        import('./payslip-pdf.ts'),
      ]);
      signal.throwIfAborted();
      if (rows.length === 0) throw new Error('No payroll records found');
      const onProgress = (done: number) =>
        setProgress(`${formatCount(done)} of ${formatCount(rows.length)}`);
      download('payslips.pdf', await payslipsPdf(rows, { onProgress, signal }));
      return rows.length;
    },
    onSuccess: (count) => showSuccess(`${countPayslips(count)} ready`),
    onError: (error) => {
      if (!stopper.current?.signal.aborted) showError('Error', describeError(error));
    },
  });
  return { make: () => mutate(), stop: () => stopper.current?.abort(), isPending, progress };
}

type PayslipsButtonProps = {
  file: ReturnType<typeof usePayslipsFile>;
  /** Instead of making the file at once. */
  onPress?: () => void;
};

export function PayslipsButton({ file, onPress = file.make }: PayslipsButtonProps) {
  const { isPending, progress, stop } = file;
  return (
    <>
      <Button variant="secondary" busy={isPending} onClick={onPress}>
        {!isPending && <FileText aria-hidden="true" className="size-4.5" />}
        <span className="tabular-nums">{isPending ? progress : 'Payslips PDF'}</span>
      </Button>
      {isPending && (
        <Button variant="ghost" aria-label="Stop making payslips" onClick={stop}>
          Stop
        </Button>
      )}
    </>
  );
}
