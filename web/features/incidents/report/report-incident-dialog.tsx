// Report Incident: the form with its photos and documents. What is written stays when the dialog is closed.
import { useQueryClient } from '@tanstack/react-query';
import { KeptDraft } from '#web/components/form/kept-draft.tsx';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { KeepDraft } from '#web/lib/drafts/keep-draft.tsx';
import { type OpenDraft, useDraft } from '#web/lib/drafts/use-draft.ts';
import { submitReport } from './api/submit-report.ts';
import { useAttachments } from './attachments/use-attachments.ts';
import { AttachmentsField } from './components/attachments-field.tsx';
import { ReportFields } from './components/report-fields.tsx';
import { formOfDraft, reportSchema } from './schema.ts';

type Props = { onClose: () => void };

function ReportForm({ draft, onClose }: Props & { draft: OpenDraft }) {
  const queryClient = useQueryClient();
  const attachments = useAttachments(draft);
  return (
    <RecordForm
      schema={reportSchema}
      defaultValues={formOfDraft(draft.values)}
      submitLabel="Submit Report"
      savingLabel="Submitting..."
      invalid="Validation Error"
      save={async (form) => {
        await submitReport(draft.id, form, await attachments.ready());
        await draft.forget();
      }}
      onSaved={() => {
        void queryClient.invalidateQueries({ queryKey: ['incidents'] });
        showSuccess('Incident Reported');
        onClose();
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
    <Dialog open onOpenChange={onClose} title="Report Incident">
      {draft ? <ReportForm key={draft.id} draft={draft} onClose={onClose} /> : <Loading />}
    </Dialog>
  );
}
