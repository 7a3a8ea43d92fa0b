// Downloads the list as a CSV file.
import { useMutation } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';

export function ExportButton({ exportRecords }: { exportRecords: () => Promise<void> }) {
  const { mutate, isPending } = useMutation({
    mutationFn: exportRecords,
    onError: (error) => showError('Error', messageOf(error)),
  });
  return (
    <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
      {!isPending && <FileDown aria-hidden="true" className="size-4.5" />}
      Export CSV
    </Button>
  );
}
