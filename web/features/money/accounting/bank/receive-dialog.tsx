import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import {
  type SimilarReceipt,
  SimilarReceipts,
} from '#web/components/receipts/similar-receipts.tsx';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import type { BankLine, Feed } from './api.ts';
import { useReceiveLine } from './changes.ts';
import { receiveSchema } from './receive-schema.ts';

type ReceiveDialogProps = { line: BankLine; feed: Feed; onClose: () => void };

/** The line as a client's receipt, recorded and matched in one step. */
export function ReceiveDialog({ line, feed, onClose }: ReceiveDialogProps) {
  const { mutateAsync } = useReceiveLine();
  const { data: clients = [] } = useClientOptions();
  const [similar, setSimilar] = useState<SimilarReceipt[]>([]);
  const { currency } = feed.account;
  const text = line.reference ?? line.description ?? '';
  return (
    <EntryDialog
      title="Record Receipt"
      description={`${formatDay(line.day)}, ${formatMoney(line.amount, currency)}. It pays the client’s oldest invoices in ${currency}; what is left stays on the account.`}
      schema={receiveSchema}
      defaultValues={{
        id: crypto.randomUUID(),
        client: '',
        withheld: '',
        reference: text.slice(0, limits.RECEIPTS_REFERENCE_MAX),
        is_another: false,
      }}
      submitLabel="Record Receipt"
      success="Receipt recorded and matched"
      failure="Receipt not recorded"
      save={(form) => mutateAsync({ line, feed, form, onSimilar: setSimilar })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.select(
              'client',
              'Client',
              clients.map(({ id, name }) => [id, name]),
              { empty: 'Choose a client', isSearched: true },
            )}
            {field.amount('withheld', `Tax Withheld (${currency})`, {
              optional: true,
              hint: 'Kept by the client for the tax office.',
            })}
            {field.text('reference', 'Reference', { optional: true, wide: true })}
            <SimilarReceipts
              receipts={similar}
              currency={currency}
              another={form.register('is_another')}
            />
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}
