import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as limits from '#shared/database.limits.ts';
import { LEAVE_REQUESTS_TYPE } from '#shared/database.values.ts';
import { DraftNotice } from '#web/components/form/draft-notice.tsx';
import { Options } from '#web/components/form/inputs.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { guardLeaveKey } from '#web/lib/data/keys.ts';
import { type OpenDraft, SaveDraft, useDraft } from '#web/lib/drafts/use-draft.tsx';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { submitRequest } from './api.ts';
import { OwnRequests } from './own-requests.tsx';
import { RequestEffect } from './request-effect.tsx';
import { earliestStart, parseDraft, type RequestForm, requestSchema } from './request-schema.ts';

function RequestFields({ form }: { form: UseFormReturn<RequestForm> }) {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const [type, start, end] = watch(['type', 'start_date', 'end_date']);
  const earliest = earliestStart(type);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Leave Type" error={errors.type?.message} className="sm:col-span-2">
        {(control) => (
          <Select {...control} {...register('type')}>
            <option value="">Choose a type</option>
            <Options values={LEAVE_REQUESTS_TYPE} labels={LEAVE_TYPE_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Start Date"
        error={errors.start_date?.message}
        hint={type === 'sick' ? `Up to ${limits.SICK_LEAVE_DAYS_BACK} days back` : undefined}
      >
        {(control) => <Input {...control} {...register('start_date')} type="date" min={earliest} />}
      </Field>
      <Field label="End Date" error={errors.end_date?.message} hint="The last day of leave">
        {(control) => (
          <Input {...control} {...register('end_date')} type="date" min={start || earliest} />
        )}
      </Field>
      <div className="grid gap-3 empty:hidden sm:col-span-2">
        <RequestEffect type={type} start={start} end={end} />
      </div>
      <Field label="Reason" error={errors.reason?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('reason')} rows={3} />}
      </Field>
    </div>
  );
}

type Props = { onClose: () => void };

function NewRequestForm({ draft, onClose }: Props & { draft: OpenDraft }) {
  const queryClient = useQueryClient();
  const outcome = useRef<SubmitOutcome>(undefined);
  return (
    <RecordForm
      schema={requestSchema}
      defaultValues={parseDraft(draft.values)}
      submitLabel="Submit Request"
      savingLabel="Submitting..."
      invalid="Error"
      stickyActions
      save={async (form) => {
        outcome.current = await submitRequest(draft.id, form);
        await draft.forget();
      }}
      onSaved={() => {
        void queryClient.invalidateQueries({ queryKey: guardLeaveKey });
        showSuccess('Leave Request Submitted', waitingText(outcome.current));
        onClose();
      }}
      onCancel={onClose}
    >
      {(form) => (
        <div className="grid gap-5">
          <DraftNotice draft={draft} />
          <RequestFields form={form} />
          <SaveDraft draft={draft} form={form} />
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
      keepsDraft={draft?.isVolatile === false}
    >
      <Tabs defaultValue="new">
        <TabsList className="-mt-3 mb-6">
          <TabsTrigger value="new">New Request</TabsTrigger>
          <TabsTrigger value="mine">My Requests</TabsTrigger>
        </TabsList>
        <TabsContent value="new">
          {draft ? <NewRequestForm key={draft.id} draft={draft} onClose={onClose} /> : <Loading />}
        </TabsContent>
        <TabsContent value="mine">
          <OwnRequests />
        </TabsContent>
      </Tabs>
    </Dialog>
  );
}
