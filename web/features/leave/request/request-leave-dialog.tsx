// Request Leave: the form, and beside it one's own requests with their outcome.
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { KeptDraft } from '#web/components/form/kept-draft.tsx';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { myRequestsKey } from '#web/lib/data/keys.ts';
import { KeepDraft } from '#web/lib/drafts/keep-draft.tsx';
import { type OpenDraft, useDraft } from '#web/lib/drafts/use-draft.ts';
import type { Submitted } from '#web/lib/outbox/submit.ts';
import { waitsWords } from '#web/lib/outbox/words.ts';
import { submitRequest } from './api/submit-request.ts';
import { BalanceGuide } from './components/balance-guide.tsx';
import { MyRequests } from './components/my-requests.tsx';
import { RequestFields } from './components/request-fields.tsx';
import { formOfDraft, requestSchema } from './schema.ts';

type Props = { onClose: () => void };

function RequestForm({ draft, onClose }: Props & { draft: OpenDraft }) {
  const queryClient = useQueryClient();
  const outcome = useRef<Submitted>(undefined);
  return (
    <RecordForm
      schema={requestSchema}
      defaultValues={formOfDraft(draft.values)}
      submitLabel="Submit Request"
      savingLabel="Submitting..."
      invalid="Error"
      save={async (form) => {
        outcome.current = await submitRequest(draft.id, form);
        await draft.forget();
      }}
      onSaved={() => {
        void queryClient.invalidateQueries({ queryKey: myRequestsKey });
        showSuccess('Leave Request Submitted', waitsWords(outcome.current));
        onClose();
      }}
      onCancel={onClose}
    >
      {(form) => (
        <div className="grid gap-5">
          <KeptDraft draft={draft} />
          <RequestFields form={form} />
          <BalanceGuide type={form.watch('type')} start={form.watch('start_date')} />
          <KeepDraft draft={draft} form={form} />
        </div>
      )}
    </RecordForm>
  );
}

export function RequestLeaveDialog({ onClose }: Props) {
  const draft = useDraft('leave');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Request Leave"
      keepsDraft={draft?.isFleeting === false}
    >
      <Tabs defaultValue="new">
        <TabsList className="-mt-3 mb-6">
          <TabsTrigger value="new">New Request</TabsTrigger>
          <TabsTrigger value="mine">My Requests</TabsTrigger>
        </TabsList>
        <TabsContent value="new">
          {draft ? <RequestForm key={draft.id} draft={draft} onClose={onClose} /> : <Loading />}
        </TabsContent>
        <TabsContent value="mine">
          <MyRequests />
        </TabsContent>
      </Tabs>
    </Dialog>
  );
}
