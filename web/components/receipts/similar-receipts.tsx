// Receipts that may be the payment that is being recorded: looked at before a second one is.
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { Database } from '#shared/database.types.ts';
import { formatMoney } from '#shared/money.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { RECEIPT_METHOD_LABELS, RECEIVED_BY } from '#web/lib/vocabulary/receipt-methods.ts';

export type SimilarReceipt = Database['public']['Functions']['similar_receipts']['Returns'][number];

type Payment = {
  /** Its own: a save that is repeated finds it. */
  id: string;
  client: string;
  currency: string;
  amount: number;
  receivedOn: string;
  reference: string;
};

/** @throws Error if there are receipts like it, after `onSimilar` was called with them */
export async function refuseSimilar(
  { id, client, currency, amount, receivedOn, reference }: Payment,
  onSimilar: (receipts: SimilarReceipt[]) => void,
): Promise<void> {
  const { data } = await supabase()
    .rpc('similar_receipts', {
      p_client_id: client,
      p_currency: currency,
      p_amount: amount,
      p_received_on: receivedOn,
      p_reference: reference,
    })
    .throwOnError();
  const similar = data.filter((each) => each.id !== id);
  if (similar.length === 0) return;
  onSimilar(similar);
  throw new Error('This payment may be recorded already. Look at the receipts below.');
}

const describeReceipt = (
  { received_on, amount, method, reference }: SimilarReceipt,
  currency: string,
) =>
  [
    formatDay(received_on),
    formatMoney(amount, currency),
    RECEIVED_BY.filter((each) => each === method).map((each) => RECEIPT_METHOD_LABELS[each])[0],
    reference,
  ]
    .filter(Boolean)
    .join(', ');

type SimilarReceiptsProps = {
  receipts: readonly SimilarReceipt[];
  currency: string;
  /** Of the field that says that it is another payment. */
  another: UseFormRegisterReturn;
};

export function SimilarReceipts({ receipts, currency, another }: SimilarReceiptsProps) {
  if (receipts.length === 0) return null;
  return (
    <div className="col-span-full grid gap-3">
      <Alert tone="warning" title="Recorded already?">
        <ul className="list-disc pl-5">
          {receipts.map((receipt) => (
            <li key={receipt.id}>{describeReceipt(receipt, currency)}</li>
          ))}
        </ul>
      </Alert>
      <LabelledCheckbox
        label="It’s another payment"
        hint="Then it is recorded beside these."
        {...another}
      />
    </div>
  );
}
