import { FileDown } from 'lucide-react';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { downloadPerson } from '#web/lib/files/person-export.ts';

type DownloadDataProps = {
  /** Id of the account or staff record; undefined for the user's own. */
  id?: string;
  label: string;
};

export function DownloadData({ id, label }: DownloadDataProps) {
  const { save, busy } = useSave();
  const start = () =>
    save(async () => {
      const cut = await downloadPerson(id);
      showSuccess(
        'Data downloaded',
        cut.length > 0 ? 'Very long lists are cut to the newest 3,000 entries.' : undefined,
      );
    });
  return (
    <Button variant="secondary" busy={busy} onClick={() => void start()}>
      {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
      {label}
    </Button>
  );
}
