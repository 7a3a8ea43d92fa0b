import { Download } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { importSample, type Samples } from '#web/lib/data/import-records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import type { ImportedRecord } from '#web/lib/files/read-table.ts';
import { backend } from '#web/lib/supabase/client.ts';

type QuestionProps = {
  title: string;
  samples: Samples;
  rows: ImportedRecord[];
  total: number;
  onClose: () => void;
};

const NAMED = 3;

function SampleQuestion({ title, samples, rows, total, onClose }: QuestionProps) {
  const { mutateAsync } = useChange(samples.key, () => importSample(samples, rows));
  const [one, many] = samples.nouns;
  const count = (number: number) => `${formatCount(number)} ${number === 1 ? one : many}`;
  const names = rows.slice(0, NAMED).map((row) => String(row[samples.nameColumn]));
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  return (
    <ConfirmDialog
      title={title}
      question={`Add ${count(rows.length)} to look at?`}
      variant="primary"
      confirmLabel={`Import ${rows.length}`}
      busyLabel="Importing..."
      onConfirm={() =>
        mutateAsync(undefined).then(
          (added) => showSuccess(samples.success(added)),
          (error: unknown) => showError('Error', describeError(error)),
        )
      }
      onClose={onClose}
    >
      <p>
        Names and figures are invented: {names.join(', ')}
        {more}.{' '}
        {total > 0 &&
          `They are added beside the ${count(total)} of the company and count in its totals.`}
      </p>
    </ConfirmDialog>
  );
}

type SampleImportProps = {
  label: string;
  samples: Samples;
  /** Records that the table has; undefined while that is not known. */
  total: number | undefined;
};

/** Adds invented records, after a question. Offered in the demo, and where there are no records yet. */
export function SampleImport({ label, samples, total }: SampleImportProps) {
  const [rows, setRows] = useState<ImportedRecord[]>();
  const isOffered = backend.config.isDemo || total === 0;
  if (!isOffered && rows === undefined) return null;

  function ask() {
    samples
      .load()
      .then(setRows)
      .catch((error: unknown) => showError('Error', describeError(error)));
  }
  return (
    <>
      <Button variant="secondary" aria-haspopup="dialog" onClick={ask}>
        <Download aria-hidden="true" className="size-4.5" />
        {label}
      </Button>
      {rows && (
        <SampleQuestion
          title={label}
          samples={samples}
          rows={rows}
          total={total ?? 0}
          onClose={() => setRows(undefined)}
        />
      )}
    </>
  );
}
