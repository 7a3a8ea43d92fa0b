import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx';
import { DraftNotice } from '#web/components/form/draft-notice.tsx';
import { createFields } from '#web/components/form/fields.tsx';
import { Options } from '#web/components/form/inputs.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { type OpenDraft, SaveDraft, useDraft } from '#web/lib/drafts/use-draft.tsx';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Attachment } from '../attachment.ts';
import { AttachmentsField } from './attachments-field.tsx';
import { submitReport } from './report-api.ts';
import { HAPPENED, WITNESSES } from './report-fields.ts';
import { parseDraft, type ReportForm, reportSchema } from './report-schema.ts';
import { SendingReport } from './sending-report.tsx';
import { useOwnSite, useSiteChoice, useSiteChoices } from './site-choices.ts';
import { TemplateChips } from './template-chips.tsx';
import { useAttachments } from './use-attachments.ts';

const SEVERITY_DOTS = {
  low: 'bg-info',
  medium: 'bg-caution-fill',
  high: 'bg-warning',
  critical: 'bg-danger',
};

function ReportFields({ form }: { form: UseFormReturn<ReportForm> }) {
  const { register, control: fields, formState, watch } = form;
  const { errors } = formState;
  const site = useSiteChoice(watch('site_id'));
  const field = createFields(form);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Site" error={errors.site_id?.message} className="sm:col-span-2">
        {(control) => (
          <Controller
            name="site_id"
            control={fields}
            render={({ field }) => (
              <Picker
                {...control}
                ref={field.ref}
                searchLabel="Search sites"
                placeholder="Choose a site"
                value={site}
                onChange={(choice) => field.onChange(choice?.id ?? '')}
                useChoices={useSiteChoices}
              />
            )}
          />
        )}
      </Field>
      <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label="Category" error={errors.category?.message} className="sm:col-span-2">
        {(control) => (
          <Select {...control} {...register('category')}>
            <option value="">Choose a category</option>
            <Options values={INCIDENTS_CATEGORY} labels={INCIDENT_CATEGORY_LABELS} />
          </Select>
        )}
      </Field>
      <ChoiceButtons
        legend="Severity"
        error={errors.severity?.message}
        field={register('severity')}
        values={INCIDENTS_SEVERITY}
        labels={STATUS_LABELS}
        dots={SEVERITY_DOTS}
        className="sm:col-span-2"
      />
      <Field
        label="Description"
        hint="What happened, who was there, what you did"
        error={errors.description?.message}
        className="sm:col-span-2"
      >
        {(control) => <Textarea {...control} {...register('description')} rows={5} />}
      </Field>
      {field.text('happened_at', 'Happened at', HAPPENED)}
      {field.notes('witnesses', 'Witnesses', WITNESSES)}
    </div>
  );
}

type Props = {
  /** What is known already; a draft that the guard has begun wins. */
  start?: Partial<Pick<ReportForm, 'title' | 'category' | 'description'>>;
  onClose: () => void;
};

type SubmittedReport = Awaited<ReturnType<typeof submitReport>> & { files: Attachment[] };

function NewReportForm({ draft, start, onClose }: Props & { draft: OpenDraft }) {
  const queryClient = useQueryClient();
  const attachments = useAttachments(draft);
  const stored = parseDraft(draft.values);
  const opened = stored.title || stored.description ? stored : { ...stored, ...start };
  const ownSite = useOwnSite();
  const submitted = useRef<SubmittedReport>(undefined);
  const [sending, setSending] = useState<SubmittedReport>();

  function close(note?: string) {
    void queryClient.invalidateQueries({ queryKey: incidentsKey });
    showSuccess('Incident Reported', note);
    onClose();
  }
  if (sending) {
    return (
      <SendingReport
        {...sending}
        onSent={() => close()}
        onClose={() => close(waitingText(sending.outcome))}
      />
    );
  }
  return (
    <RecordForm
      schema={reportSchema}
      defaultValues={{ ...opened, site_id: opened.site_id || (ownSite?.id ?? '') }}
      stickyActions
      submitLabel="Submit Report"
      savingLabel="Submitting..."
      invalid="Validation Error"
      save={async (form) => {
        const files = await attachments.whenReady();
        submitted.current = { ...(await submitReport(draft.id, form, files)), files };
        await draft.forget();
      }}
      onSaved={() => {
        const { outcome, files } = submitted.current ?? {};
        if (outcome?.state !== 'sent' && files?.length && navigator.onLine) {
          setSending(submitted.current);
        } else close(waitingText(outcome));
      }}
      onCancel={onClose}
    >
      {(form) => (
        <div className="grid gap-6">
          <DraftNotice draft={draft} />
          <AttachmentsField attachments={attachments} />
          <TemplateChips form={form} />
          <ReportFields form={form} />
          <SaveDraft draft={draft} form={form} />
        </div>
      )}
    </RecordForm>
  );
}

export function ReportIncidentDialog({ start, onClose }: Props) {
  const draft = useDraft('incident');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Report Incident"
      keepsDraft={draft?.isVolatile === false}
    >
      {draft ? (
        <NewReportForm key={draft.id} draft={draft} start={start} onClose={onClose} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
