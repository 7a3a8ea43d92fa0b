// A call as it comes in by telephone: site, kind and priority are enough, by keyboard alone.
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { SERVICE_CALLS_KIND, SERVICE_CALLS_PRIORITY } from '#shared/database.values.ts';
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { useMatchingSites } from '#web/lib/data/lookups.ts';
import { pickedSchema, textField } from '#web/lib/form-fields/text-field.ts';
import { CALL_KIND_LABELS, CALL_PRIORITY_LABELS } from '#web/lib/vocabulary/dispatch.ts';
import { type Call, useSaveCall } from './dispatch-api.ts';

/** As the database reads it: degrees, latitude first. */
export const gpsField = z
  .string()
  .trim()
  .regex(/^$|^-?\d{1,2}(\.\d{1,15})?, ?-?\d{1,3}(\.\d{1,15})?$/, 'Write it like 6.3005, -10.7969');

const callSchema = z
  .object({
    site: pickedSchema.optional(),
    address: textField('Address', limits.SERVICE_CALLS_ADDRESS_MAX),
    gps: gpsField,
    kind: z.enum(SERVICE_CALLS_KIND, 'Choose what it is'),
    priority: z.enum(SERVICE_CALLS_PRIORITY, 'Choose the priority'),
    callerName: textField('Caller', limits.SERVICE_CALLS_CALLER_NAME_MAX),
    callerPhone: textField('Phone', limits.SERVICE_CALLS_CALLER_PHONE_MAX),
    details: textField('Details', limits.SERVICE_CALLS_DETAILS_MAX),
  })
  .refine(({ site, address }) => site !== undefined || address !== '', {
    path: ['address'],
    error: 'Choose a site, or write the address',
  });

const startOf = (call: Call | undefined): z.input<typeof callSchema> => ({
  site: call?.site_id ? { id: call.site_id, label: call.sites?.name ?? call.address } : undefined,
  address: call?.address ?? '',
  gps: call?.gps ?? '',
  kind: call?.kind ?? 'alarm',
  priority: call?.priority ?? 'urgent',
  callerName: call?.caller_name ?? '',
  callerPhone: call?.caller_phone ?? '',
  details: call?.details ?? '',
});

type CallFormProps = {
  /** Undefined for a new one. */
  call?: Call;
  onSaved?: (id: string) => void;
  onClose: () => void;
};

export function CallForm({ call, onSaved, onClose }: CallFormProps) {
  const save = useSaveCall();
  const [id] = useState(() => call?.id ?? crypto.randomUUID());
  const [seen] = useState(call?.updated_at);
  return (
    <EntryDialog
      title={call ? 'Change Call' : 'New Call'}
      schema={callSchema}
      defaultValues={startOf(call)}
      submitLabel={call ? 'Save Call' : 'Add Call'}
      success={call ? 'Call saved' : 'Call added'}
      failure="The call was not saved"
      stickyActions
      save={async ({ site, ...form }) => {
        await save.mutateAsync({ id, siteId: site?.id, seen, ...form });
        onSaved?.(id);
      }}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        const { errors } = form.formState;
        return (
          <div className="grid gap-5">
            <PickerField
              control={form.control}
              name="site"
              label="Site"
              optional
              searchLabel="Search sites"
              placeholder="Choose a site"
              useChoices={useMatchingSites}
            />
            <ChoiceButtons
              legend="Kind"
              values={SERVICE_CALLS_KIND}
              labels={CALL_KIND_LABELS}
              error={errors.kind?.message}
              field={form.register('kind')}
              className="[&>div]:grid-flow-row [&>div]:auto-cols-auto [&>div]:grid-cols-3"
            />
            <ChoiceButtons
              legend="Priority"
              values={SERVICE_CALLS_PRIORITY}
              labels={CALL_PRIORITY_LABELS}
              error={errors.priority?.message}
              field={form.register('priority')}
            />
            {field.notes('details', 'Details', { rows: 2 })}
            <FieldGrid>
              {field.text('callerName', 'Caller', { optional: true })}
              {field.text('callerPhone', 'Phone', { optional: true, inputMode: 'tel' })}
              {field.text('address', 'Address', {
                optional: true,
                hint: 'Empty: the site’s.',
              })}
              {field.text('gps', 'Coordinates', {
                optional: true,
                hint: 'Empty: the site’s.',
              })}
            </FieldGrid>
          </div>
        );
      }}
    </EntryDialog>
  );
}
