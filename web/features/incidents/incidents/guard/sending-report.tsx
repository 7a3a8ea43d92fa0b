import { useEffect, useEffectEvent } from 'react';
import { FileState } from '#web/components/outbox/file-state.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { INCIDENT_KIND } from '#web/lib/outbox/kinds.ts';
import { retry } from '#web/lib/outbox/outbox.ts';
import { sendNow } from '#web/lib/outbox/sending.ts';
import { useEntryFiles } from '#web/lib/outbox/use-outbox.ts';
import type { Attachment } from '../attachment.ts';
import { AttachmentItem } from './attachments-field.tsx';
import { useReportProgress } from './report-api.ts';

type SendingReportProps = {
  id: string;
  userId: string;
  files: Attachment[];
  onSent: () => void;
  onClose: () => void;
};

export function SendingReport({ id, userId, files, onSent, onClose }: SendingReportProps) {
  const { state, reason, isStored } = useReportProgress(id, userId);
  const entryFiles = useEntryFiles(id);
  const sent = useEffectEvent(onSent);
  useEffect(() => {
    if (state === 'sent') sent();
  }, [state]);

  return (
    <div className="grid gap-5">
      {state === 'refused' ? (
        <Alert tone="danger" title="Not everything was accepted">
          {reason}
        </Alert>
      ) : (
        <div role="status" className="flex items-start gap-3">
          <Spinner className="mt-0.5 size-5 shrink-0" />
          <p>
            Sending your report. You can close this: sending continues in the background, or as soon
            as your phone is back online.
            {reason && (
              <SecondLine wraps className="mt-1">
                {reason}
              </SecondLine>
            )}
          </p>
        </div>
      )}
      <ul aria-label="Files being sent" className="grid grid-cols-1 gap-2">
        {files.map((file) => {
          const entryFile = entryFiles.find(({ name }) => name === file.id);
          const progress = entryFile && <FileState entryId={id} file={entryFile} />;
          return <AttachmentItem key={file.id} attachment={file} state={progress} />;
        })}
      </ul>
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {!(state === 'refused' && isStored) && (
          <Button
            variant="secondary"
            onClick={() => void (state === 'refused' ? retry(id) : sendNow(INCIDENT_KIND))}
          >
            Send again
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  );
}
