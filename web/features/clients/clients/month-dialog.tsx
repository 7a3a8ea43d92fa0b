// The monthly report of a client: figures, the PDF, and whether it is mailed.

import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import {
  type ClientMonth,
  printedCoverage,
  printedInTime,
  printedMedian,
  sumOf,
} from '#shared/documents/client-month.ts';
import { Bars } from '#web/components/charts/bars.tsx';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { CallTimesTable, TimesTable } from '#web/components/reports/times-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDayShort, formatMinutes, today } from '#web/lib/format/dates.ts';
import { downloadClientMonth, monthName, recentMonths } from '#web/lib/reports/client-month.ts';
import { clients } from './api.ts';
import { useClientMonth, useSaveReportEmail } from './month-api.ts';
import type { Client } from './schema.ts';

const COVERAGE = [
  { name: 'Covered', colour: 'var(--success)' },
  { name: 'Uncovered', colour: 'var(--danger)' },
];

const HEADINGS = ['Severity', 'Incidents', 'Response in time', 'Median', 'Resolved in time'];

function SeverityTable({ severities }: Pick<ClientMonth, 'severities'>) {
  const reported = severities.filter(({ incidents }) => incidents > 0);
  if (reported.length === 0) return <p className="text-muted">No incident in this month.</p>;
  return (
    <TimesTable
      caption="Incidents by severity"
      headings={HEADINGS}
      rows={reported.map((row) => ({
        id: row.severity,
        name: <StatusBadge status={row.severity} />,
        cells: [
          String(row.incidents),
          printedInTime(row.response_in_time, row.response_late),
          printedMedian(row.response_minutes),
          printedInTime(row.resolution_in_time, row.resolution_late),
        ],
      }))}
    />
  );
}

function Month({ month }: { month: ClientMonth }) {
  const { save, busy } = useSave({ success: 'Report downloaded' });
  const required = sumOf(month.sites, 'required');
  const uncovered = sumOf(month.sites, 'uncovered');
  return (
    <div className="grid gap-5">
      {month.not_reviewed > 0 && (
        <Alert title="Some reports are not reviewed yet">
          The figures leave out {month.not_reviewed}{' '}
          {month.not_reviewed === 1 ? 'incident' : 'incidents'} of this month.
        </Alert>
      )}
      <Figures
        figures={[
          ['Covered', printedCoverage(required, uncovered)],
          ['Required', formatMinutes(required)],
          ['Uncovered', formatMinutes(uncovered)],
          ['Incidents', String(sumOf(month.severities, 'incidents'))],
        ]}
      />
      {month.days.length > 0 && (
        <Bars
          caption="Hours of guards by day"
          layout="stacked"
          series={COVERAGE}
          groups={month.days.map((row) => ({
            id: row.day,
            name: formatDayShort(row.day),
            values: [(row.required - row.uncovered) / 60, row.uncovered / 60],
          }))}
          format={(hours) => formatMinutes(Math.round(hours * 60))}
        />
      )}
      <SeverityTable severities={month.severities} />
      <CallTimesTable calls={month.calls} />
      <Button
        busy={busy}
        className="justify-self-start"
        onClick={() => void save(() => downloadClientMonth(month))}
      >
        {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
        Download PDF
      </Button>
    </div>
  );
}

const emailSchema = z.object({
  email: textField('Email', limits.CLIENTS_REPORT_EMAIL_MAX).pipe(
    z.union([z.literal(''), z.email('Invalid email address')]),
  ),
});

function MailForm({ client, onClose }: { client: Client; onClose: () => void }) {
  const { mutateAsync } = useSaveReportEmail();
  return (
    <RecordForm
      schema={emailSchema}
      defaultValues={{ email: client.report_email ?? '' }}
      submitLabel="Save"
      cancelLabel="Close"
      save={async ({ email }) => {
        await mutateAsync({ id: client.id, email });
        return email;
      }}
      onSaved={(email) =>
        showSuccess(email === '' ? 'The report is not mailed' : 'The report is mailed each month')
      }
      onCancel={onClose}
    >
      {(form) =>
        createFields(form).text('email', 'Mail it on the first day of each month to', {
          type: 'email',
          optional: true,
          hint: 'Empty: it is not mailed.',
        })
      }
    </RecordForm>
  );
}

function ClientReport({ client, onClose }: { client: Client; onClose: () => void }) {
  const months = recentMonths(today());
  // The last whole month.
  const [chosen, setChosen] = useState(months[1] ?? today());
  const query = useClientMonth(client.id, chosen);
  return (
    <div className="grid gap-6">
      <Field label="Month" className="sm:max-w-56">
        {(control) => (
          <Select {...control} value={chosen} onChange={({ target }) => setChosen(target.value)}>
            {months.map((month) => (
              <option key={month} value={month}>
                {monthName(month)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Loaded query={query} loadingText="Adding up the month...">
        {(month) => <Month month={month} />}
      </Loaded>
      <section aria-label="By mail" className="border-t border-line pt-5">
        <MailForm client={client} onClose={onClose} />
      </section>
    </div>
  );
}

type MonthDialogProps = { id: string; onClose: () => void };

export function MonthDialog({ id, onClose }: MonthDialogProps) {
  const query = clients.useOne(id, undefined);
  const name = query.data?.name;
  return (
    <DetailDialog
      query={query}
      title={name ? `Monthly report of ${name}` : 'Monthly Report'}
      description="Coverage, incidents and how soon we responded."
      missing="This client no longer exists."
      onClose={onClose}
    >
      {(client) => <ClientReport client={client} onClose={onClose} />}
    </DetailDialog>
  );
}
