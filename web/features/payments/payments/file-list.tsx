// The files of a run: download, signature list, and recording what came of their lines.
import { useMutation } from '@tanstack/react-query';
import { FileDown, FileSignature } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { fetchContent, type RunPayments } from './api.ts';
import { ResultDialog } from './result-dialog.tsx';
import { countPayments, type PaymentFile } from './schema.ts';

const fileName = (run: RunPayments['run'], { number, channel, currency }: PaymentFile) =>
  `pay-${run.period_start}-${run.period_end}-${number}-${channel}-${currency}`;

function FileState({ file, payments }: { file: PaymentFile; payments: RunPayments['payments'] }) {
  const lines = payments.filter(({ payment_file_id }) => payment_file_id === file.id);
  const waiting = lines.filter(({ status }) => status === 'in_file').length;
  const failed = lines.filter(({ status }) => status === 'failed').length;
  const returned = lines.filter(({ status }) => status === 'returned').length;
  if (waiting > 0) return <Badge tone="orange">{waiting} without a result</Badge>;
  if (failed + returned > 0) {
    const parts = [failed > 0 && `${failed} failed`, returned > 0 && `${returned} returned`];
    return <Badge tone="red">{parts.filter(Boolean).join(', ')}</Badge>;
  }
  return <Badge tone="green">Paid</Badge>;
}

type ItemProps = RunPayments & { file: PaymentFile; onRecord: () => void };

function FileItem({ run, payments, file, onRecord }: ItemProps) {
  const onError = (error: Error) => showError('Error', describeError(error));
  const saving = useMutation({
    mutationFn: async () =>
      download(
        `${fileName(run, file)}.csv`,
        // The bytes that were hashed: no byte order mark.
        new Blob([await fetchContent(file.id)], { type: 'text/csv' }),
      ),
    onError,
  });
  const listing = useMutation({
    mutationFn: async () => {
      const { signatureListPdf } = await import('./signature-list-pdf.ts');
      download(`${fileName(run, file)}.pdf`, await signatureListPdf(file, { run, payments }));
    },
    onError,
  });
  const own = payments.filter(({ payment_file_id }) => payment_file_id === file.id);
  const isOpen = own.some(({ status }) => status === 'in_file');
  const canReturn = own.some(({ status }) => status === 'paid');
  const title = `File ${file.number}, ${PAY_CHANNEL_LABELS[file.channel]}`;
  return (
    <li aria-label={title} className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="font-semibold">{title}</p>
          <p className="tabular-nums">
            {formatMoney(file.control_total, file.currency)} in {countPayments(file.line_count)}
          </p>
          <p className="text-sm text-muted">
            {formatDateTime(file.created_at)}
            {file.author && `, ${formatName(file.author)}`}
          </p>
          <p className="text-sm break-all text-muted">
            SHA-256 <span className="font-mono text-xs">{file.sha256}</span>
          </p>
        </div>
        <FileState file={file} payments={payments} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" busy={saving.isPending} onClick={() => saving.mutate()}>
          {!saving.isPending && <FileDown aria-hidden="true" className="size-4.5" />} Download CSV
        </Button>
        {file.channel === 'cash' && (
          <Button variant="secondary" busy={listing.isPending} onClick={() => listing.mutate()}>
            {!listing.isPending && <FileSignature aria-hidden="true" className="size-4.5" />}{' '}
            Signature List
          </Button>
        )}
        {isOpen && (
          <Button onClick={onRecord} aria-label={`Record Result of file ${file.number}`}>
            Record Result
          </Button>
        )}
        {!isOpen && canReturn && (
          <Button
            variant="secondary"
            onClick={onRecord}
            aria-label={`Record Return of file ${file.number}`}
          >
            Record Return
          </Button>
        )}
      </div>
    </li>
  );
}

export function FileList({ run, payments, files }: RunPayments) {
  const [recording, setRecording] = useState<PaymentFile>();
  return (
    <Panel title="Files">
      <ul className="divide-y divide-line">
        {files.map((file) => (
          <FileItem
            key={file.id}
            {...{ run, payments, files, file }}
            onRecord={() => setRecording(file)}
          />
        ))}
      </ul>
      {recording && (
        <ResultDialog
          file={recording}
          payments={payments.filter(({ payment_file_id }) => payment_file_id === recording.id)}
          onClose={() => setRecording(undefined)}
        />
      )}
    </Panel>
  );
}
