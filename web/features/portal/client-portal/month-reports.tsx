import { useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { sumOf } from '#shared/documents/client-month.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { CallTimesTable } from '#web/components/reports/times-table.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { today } from '#web/lib/format/dates.ts';
import { monthName, recentMonths } from '#web/lib/reports/client-month.ts';
import { callTimesQuery, myClientsQuery } from './api.ts';
import { portal } from './backend.ts';

async function downloadReport(clientId: string, month: string): Promise<void> {
  const [reports, { data }] = await Promise.all([
    import('#web/lib/reports/client-month.ts'),
    portal()
      .rpc('client_month', { p_client_id: clientId, p_month: month }, { get: true })
      .throwOnError(),
  ]);
  await reports.downloadClientMonth(reports.readClientMonth(data));
}

type ReportButtonProps = { clientId: string; name: string; month: string };

function ReportButton({ clientId, name, month }: ReportButtonProps) {
  const { save, busy } = useSave({ success: 'Report downloaded' });
  return (
    <Button
      variant="secondary"
      busy={busy}
      onClick={() => void save(() => downloadReport(clientId, month))}
    >
      {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
      PDF for {name}
    </Button>
  );
}

/** Nothing for a client who called no unit. */
function CallTimes({ clientId, name, month }: ReportButtonProps) {
  const query = useQuery(callTimesQuery(clientId, month));
  return (
    <Loaded query={query} loadingText="Loading calls for service...">
      {(calls) =>
        sumOf(calls, 'calls') > 0 && (
          <section aria-label={`Calls for service, ${name}`}>
            <h3 className="font-semibold">Calls for service, {name}</h3>
            <CallTimesTable calls={calls} />
          </section>
        )
      }
    </Loaded>
  );
}

/** Coverage and incidents of a month as a PDF, for each client that the contact belongs to. */
export function MonthReports() {
  const { data: clients = [] } = useQuery(myClientsQuery);
  const months = recentMonths(today());
  // The last whole month.
  const [month, setMonth] = useState(months[1] ?? today());
  return (
    <Card className="mt-6 grid gap-4 p-4 sm:p-6 print:hidden">
      <h2 className="font-display text-xl leading-tight">Monthly report</h2>
      <Field label="Month" className="sm:max-w-56">
        {(control) => (
          <Select {...control} value={month} onChange={({ target }) => setMonth(target.value)}>
            {months.map((first) => (
              <option key={first} value={first}>
                {monthName(first)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        {clients.map(({ client_id, client_name }) => (
          <ReportButton key={client_id} clientId={client_id} name={client_name} month={month} />
        ))}
      </div>
      {clients.map(({ client_id, client_name }) => (
        <CallTimes key={client_id} clientId={client_id} name={client_name} month={month} />
      ))}
    </Card>
  );
}
