import { useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Options } from '#web/components/form/inputs.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { type Choice, Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useMatchingSites, usePeople } from '#web/lib/data/lookups.ts';
import { INCIDENT_CATEGORIES, INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { SEVERITIES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useEnterReport } from './office-api.ts';
import { type PhonedReport, phonedReportSchema } from './office-schema.ts';

const EMPTY: PhonedReport = {
  site_id: '',
  person_id: '',
  caller: '',
  title: '',
  category: '',
  severity: '',
  description: '',
};

function ReportFields({ form }: { form: UseFormReturn<PhonedReport> }) {
  const { register, control: fields, formState, watch } = form;
  const { errors } = formState;
  const [site, setSite] = useState<Choice>();
  const [person, setPerson] = useState<Choice>();
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
                onChange={(choice) => {
                  setSite(choice);
                  field.onChange(choice?.id ?? '');
                }}
                useChoices={useMatchingSites}
              />
            )}
          />
        )}
      </Field>
      <Field
        label="Reported by"
        hint="Sees the report in the staff portal"
        error={errors.person_id?.message}
      >
        {(control) => (
          <Controller
            name="person_id"
            control={fields}
            render={({ field }) => (
              <Picker
                {...control}
                ref={field.ref}
                searchLabel="Search people"
                placeholder="Choose a person"
                value={person}
                onChange={(choice) => {
                  setPerson(choice);
                  field.onChange(choice?.id ?? '');
                }}
                useChoices={usePeople}
              />
            )}
          />
        )}
      </Field>
      <Field
        label="Or a caller without an account"
        hint="Name and number"
        error={errors.caller?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...register('caller')}
            autoComplete="off"
            disabled={watch('person_id') !== ''}
          />
        )}
      </Field>
      <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label="Category" error={errors.category?.message}>
        {(control) => (
          <Select {...control} {...register('category')}>
            <option value="">Choose a category</option>
            <Options values={INCIDENT_CATEGORIES} labels={INCIDENT_CATEGORY_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Severity" error={errors.severity?.message}>
        {(control) => (
          <Select {...control} {...register('severity')}>
            <option value="">Choose a severity</option>
            <Options values={SEVERITIES} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Description"
        hint="What happened, who was there, what was done"
        error={errors.description?.message}
        className="sm:col-span-2"
      >
        {(control) => <Textarea {...control} {...register('description')} rows={5} />}
      </Field>
    </div>
  );
}

/** The report of somebody who phones in. */
export function EnterReportDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useEnterReport();
  // Sent again after a lost answer, it is refused and not stored twice.
  const [id] = useState(() => crypto.randomUUID());
  return (
    <EntryDialog
      title="Enter Report"
      description="For somebody who reports an incident by telephone."
      schema={phonedReportSchema}
      defaultValues={EMPTY}
      submitLabel="Enter Report"
      savingLabel="Entering..."
      success="Incident Reported"
      save={(form) => mutateAsync({ form, id })}
      onClose={onClose}
    >
      {(form) => <ReportFields form={form} />}
    </EntryDialog>
  );
}
