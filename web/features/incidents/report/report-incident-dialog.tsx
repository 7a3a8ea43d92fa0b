// Report Incident: the form with its photos and documents. What is written stays when the dialog is closed.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { KeptDraft } from '#web/components/form/kept-draft.tsx';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { KeepDraft } from '#web/lib/drafts/keep-draft.tsx';
import { type OpenDraft, useDraft } from '#web/lib/drafts/use-draft.ts';
import { waitsWords } from '#web/lib/outbox/words.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';
import { submitReport } from './api/submit-report.ts';
import type { Attachment } from './attachments/attachment.ts';
import { useAttachments } from './attachments/use-attachments.ts';
import { AttachmentsField } from './components/attachments-field.tsx';
import { ReportFields } from './components/report-fields.tsx';
import { SendingReport } from './components/sending-report.tsx';
import { formOfDraft, reportSchema } from './schema.ts';

type Props = { onClose: () => void };

type Handed = Awaited<ReturnType<typeof submitReport>> & { files: Attachment[] };

function ReportForm({ draft, onClose }: Props & { draft: OpenDraft }) {
  const queryClient = useQueryClient();
  const attachments = useAttachments(draft);
  const handed = useRef<Handed>(undefined);
  const [onItsWay, setOnItsWay] = useState<Handed>();

  function close(note?: string) {
    void queryClient.invalidateQueries({ queryKey: incidentsKey });
    showSuccess('Incident Reported', note);
    onClose();
  }
  if (onItsWay) {
    return (
      <SendingReport
        {...onItsWay}
        onSent={() => close()}
        onClose={() => close(waitsWords(onItsWay.outcome))}
      />
    );
  }
  return (
    <RecordForm
      schema={reportSchema}
      defaultValues={formOfDraft(draft.values)}
      submitLabel="Submit Report"
      savingLabel="Submitting..."
      invalid="Validation Error"
      save={async (form) => {
        const files = await attachments.ready();
        handed.current = { ...(await submitReport(draft.id, form, files)), files };
        await draft.forget();
      }}
      onSaved={() => {
        const { outcome, files } = handed.current ?? {};
        if (outcome?.state !== 'sent' && files?.length && navigator.onLine) {
          setOnItsWay(handed.current);
        } else close(waitsWords(outcome));
      }}
      onCancel={onClose}
    >
      {(form) => (
        <div className="grid gap-6">
          <KeptDraft draft={draft} />
          <ReportFields form={form} />
          <AttachmentsField attachments={attachments} />
          <KeepDraft draft={draft} form={form} />
        </div>
      )}
    </RecordForm>
  );
}

export function ReportIncidentDialog({ onClose }: Props) {
  const draft = useDraft('incident');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Report Incident"
      keepsDraft={draft?.isFleeting === false}
    >
      {draft ? <ReportForm key={draft.id} draft={draft} onClose={onClose} /> : <Loading />}
    </Dialog>
  );
}
