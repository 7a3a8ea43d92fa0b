import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as limits from '#shared/database.limits.ts';
import { LEAVE_REQUESTS_TYPE } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { usePeople } from '#web/lib/data/lookups.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useEnterLeave } from './api.ts';
import { earliestStart } from './guard/request-schema.ts';
import { type PhonedRequest, phonedRequestSchema } from './schema.ts';

const EMPTY: PhonedRequest = { person_id: '', type: '', start_date: '', end_date: '', reason: '' };

function RequestFields({ form }: { form: UseFormReturn<PhonedRequest> }) {
  const [type, start] = form.watch(['type', 'start_date']);
  const earliest = earliestStart(type);
  const field = createFields(form);
  return (
    <FieldGrid>
      <PickerField
        control={form.control}
        name="person_id"
        storesId
        label="For"
        className="sm:col-span-2"
        searchLabel="Search people"
        placeholder="Choose a person"
        useChoices={usePeople}
      />
      {field.select('type', 'Leave Type', toOptions(LEAVE_REQUESTS_TYPE, LEAVE_TYPE_LABELS), {
        empty: 'Choose a type',
        wide: true,
      })}
      {field.day('start_date', 'Start Date', {
        hint: type === 'sick' ? `Up to ${limits.SICK_LEAVE_DAYS_BACK} days back` : undefined,
        min: earliest,
      })}
      {field.day('end_date', 'End Date', { hint: 'The last day of leave', min: start || earliest })}
      {field.notes('reason', 'Reason', { optional: false })}
    </FieldGrid>
  );
}

export function EnterLeaveDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useEnterLeave();
  // Sent again after a lost answer, it is stored once.
  const [id] = useState(() => crypto.randomUUID());
  return (
    <EntryDialog
      title="Enter Request"
      description="For requests made by telephone. They still need a decision."
      schema={phonedRequestSchema}
      defaultValues={EMPTY}
      submitLabel="Enter Request"
      savingLabel="Entering..."
      success="Leave Request Submitted"
      save={(form) => mutateAsync({ id, form })}
      onClose={onClose}
    >
      {(form) => <RequestFields form={form} />}
    </EntryDialog>
  );
}
