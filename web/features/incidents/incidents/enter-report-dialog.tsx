import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { useMatchingSites, usePeople } from '#web/lib/data/lookups.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { HAPPENED, WITNESSES } from './guard/report-fields.ts';
import { useEnterReport } from './office-api.ts';
import { type PhonedReport, phonedReportSchema } from './office-schema.ts';

const EMPTY: PhonedReport = {
  site_id: '',
  person_id: '',
  caller: '',
  happened_at: '',
  title: '',
  category: '',
  severity: '',
  description: '',
  witnesses: '',
};

const CATEGORIES = toOptions(INCIDENTS_CATEGORY, INCIDENT_CATEGORY_LABELS);

function ReportFields({ form }: { form: UseFormReturn<PhonedReport> }) {
  const field = createFields(form);
  return (
    <FieldGrid>
      <PickerField
        control={form.control}
        name="site_id"
        storesId
        label="Site"
        className="sm:col-span-2"
        searchLabel="Search sites"
        placeholder="Choose a site"
        useChoices={useMatchingSites}
      />
      <PickerField
        control={form.control}
        name="person_id"
        storesId
        label="Reported by"
        hint="Sees the report in the staff portal"
        searchLabel="Search people"
        placeholder="Choose a person"
        useChoices={usePeople}
      />
      {field.text('caller', 'Or a caller without an account', {
        hint: 'Name and number',
        disabled: form.watch('person_id') !== '',
      })}
      {field.text('title', 'Title', { wide: true })}
      {field.select('category', 'Category', CATEGORIES, { empty: 'Choose a category' })}
      {field.select('severity', 'Severity', toOptions(INCIDENTS_SEVERITY, STATUS_LABELS), {
        empty: 'Choose a severity',
      })}
      {field.text('happened_at', 'Happened at', HAPPENED)}
      {field.notes('description', 'Description', {
        optional: false,
        hint: 'What happened, who was there, what was done',
        rows: 5,
      })}
      {field.notes('witnesses', 'Witnesses', WITNESSES)}
      <p className="text-sm text-muted sm:col-span-2">
        What guards are asked for:{' '}
        <Link to="/admin/incidents/templates" className={PAGE_LINK}>
          Report Templates
        </Link>
      </p>
    </FieldGrid>
  );
}

export function EnterReportDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useEnterReport();
  // Sent again after a lost answer, it is stored once.
  const [id] = useState(() => crypto.randomUUID());
  return (
    <EntryDialog
      title="Enter Report"
      description="For incidents reported by telephone."
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
