import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { printedRate } from '#shared/documents/printed-invoice.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { contractsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

type Correction = Database['public']['Functions']['billing_corrections']['Returns'][number];

async function fetchCorrections(contractId: string) {
  const { data } = await supabase()
    .rpc('billing_corrections', { p_contract_id: contractId })
    .throwOnError();
  return data;
}

type Decision = { ids: string[]; status: 'accepted' | 'waived' | 'proposed'; reason?: string };

async function decide({ ids, status, reason }: Decision) {
  await requireUserId();
  await supabase()
    .rpc('decide_billing_corrections', {
      p_ids: ids,
      p_status: status,
      ...(reason ? { p_reason: reason } : {}),
    })
    .throwOnError();
}

const waiverSchema = z.object({ reason: reasonField });

const nameOf = ({ number, description }: Correction) => `${number}, ${description}`;

function stateOf({ status, reason, decided_by_name, billed_on_number, billed_on }: Correction) {
  const by = decided_by_name ? ` by ${decided_by_name}` : '';
  if (status === 'waived') return `Waived${by}: ${reason}`;
  if (status === 'proposed') return 'Not decided yet.';
  if (billed_on_number) return `Billed on ${billed_on_number}.`;
  return billed_on ? 'On a draft.' : `Accepted${by}: it is on the next invoice that is drafted.`;
}

/** Lines of issued invoices whose rate was changed afterwards; nothing without any. */
export function CorrectionsPanel({ contractId }: { contractId: string }) {
  const { data = [] } = useQuery({
    queryKey: [...contractsKey, 'corrections', contractId],
    queryFn: () => fetchCorrections(contractId),
  });
  const { mutateAsync, isPending } = useChange(contractsKey, decide);
  const [waived, setWaived] = useState<Correction>();
  if (data.length === 0) return null;

  async function change(correction: Correction, status: 'accepted' | 'proposed', done: string) {
    try {
      await mutateAsync({ ids: [correction.id], status });
      showSuccess(done);
    } catch (error) {
      showError('Correction not changed', describeError(error));
    }
  }

  return (
    <Panel title="Corrections of Issued Invoices">
      <p className="mb-3 text-sm text-muted">
        A rate was dated back into days that are invoiced. Bill the difference, or waive it.
      </p>
      <ul className="divide-y divide-line">
        {data.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-56 flex-1">
              <p className="font-semibold">{nameOf(row)}</p>
              <p className="text-sm text-muted">
                {formatPeriod(row.first_day, row.last_day)}: {formatHours(row.minutes)} at{' '}
                {printedRate(row.rate, row.currency)}, and{' '}
                {printedRate(row.billed_rate, row.currency)} was billed. {stateOf(row)}
              </p>
            </div>
            <p className="font-semibold tabular-nums">{formatMoney(row.amount, row.currency)}</p>
            <div className="flex flex-wrap gap-2">
              {row.status !== 'accepted' && (
                <Button
                  variant="secondary"
                  disabled={isPending}
                  onClick={() => change(row, 'accepted', 'It is on the next invoice')}
                >
                  Bill it<span className="sr-only">: {nameOf(row)}</span>
                </Button>
              )}
              {row.status === 'proposed' && (
                <Button variant="secondary" disabled={isPending} onClick={() => setWaived(row)}>
                  Waive...<span className="sr-only">: {nameOf(row)}</span>
                </Button>
              )}
              {row.status !== 'proposed' && !row.billed_on_number && (
                <Button
                  variant="secondary"
                  disabled={isPending}
                  onClick={() => change(row, 'proposed', 'The correction is open again')}
                >
                  Reopen<span className="sr-only">: {nameOf(row)}</span>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {waived && (
        <EntryDialog
          title="Waive Correction"
          description={`${formatMoney(waived.amount, waived.currency)} of ${nameOf(waived)} will not be billed.`}
          schema={waiverSchema}
          defaultValues={{ reason: '' }}
          submitLabel="Waive"
          success="Correction waived"
          failure="Correction not waived"
          save={({ reason }) => mutateAsync({ ids: [waived.id], status: 'waived', reason })}
          onClose={() => setWaived(undefined)}
        >
          {(form) => createFields(form).text('reason', 'Reason')}
        </EntryDialog>
      )}
    </Panel>
  );
}
