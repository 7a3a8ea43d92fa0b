// One payslip as a PDF: saved, or handed to another app where the phone can share files.
import { useMutation } from '@tanstack/react-query';
import { FileDown, Share2 } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import type { Payslip } from '#web/lib/data/payslips.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';

async function makeFile(payslip: Payslip): Promise<File> {
  const { payslipsPdf } = await import('./payslip-pdf.ts');
  const content = await payslipsPdf([payslip]);
  const name = `payslip-${payslip.period_start}-${payslip.period_end}.pdf`;
  return new File([content], name, { type: 'application/pdf' });
}

function canShareFiles(): boolean {
  const sample = new File([''], 'payslip.pdf', { type: 'application/pdf' });
  return 'canShare' in navigator && navigator.canShare({ files: [sample] });
}

async function share(file: File): Promise<void> {
  try {
    await navigator.share({ files: [file], title: 'Payslip' });
  } catch (error) {
    // The user closed the phone's share sheet.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    // The PDF took so long that the tap no longer counts: the file is still wanted.
    download(file.name, file);
  }
}

export function PayslipFileButtons({ payslip }: { payslip: Payslip }) {
  const onError = (error: Error) => showError('Error', describeError(error));
  const saving = useMutation({
    mutationFn: async () => {
      const file = await makeFile(payslip);
      download(file.name, file);
    },
    onError,
  });
  const sharing = useMutation({ mutationFn: async () => share(await makeFile(payslip)), onError });
  return (
    <>
      <Button variant="secondary" busy={saving.isPending} onClick={() => saving.mutate()}>
        {!saving.isPending && <FileDown aria-hidden="true" className="size-4.5" />} Save PDF
      </Button>
      {canShareFiles() && (
        <Button busy={sharing.isPending} onClick={() => sharing.mutate()}>
          {!sharing.isPending && <Share2 aria-hidden="true" className="size-4.5" />} Share
        </Button>
      )}
    </>
  );
}
