import { z } from 'zod';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { useVoidReceipt } from './api.ts';

const voidSchema = z.object({ reason: reasonField });

export type VoidedReceipt = { id: string; payment: number };

type VoidReceiptDialogProps = {
  receipt: VoidedReceipt;
  currency: string;
  onClose: () => void;
};

export function VoidReceiptDialog({ receipt, currency, onClose }: VoidReceiptDialogProps) {
  const { mutateAsync } = useVoidReceipt();
  return (
    <EntryDialog
      title="Void Receipt"
      description={`Takes ${formatMoney(receipt.payment, currency)} back: the invoices it paid are owed again. A void receipt stays on the statement, and can’t be restored.`}
      schema={voidSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Void Receipt"
      submitVariant="danger"
      success="Receipt void"
      failure="Receipt not voided"
      save={({ reason }) => mutateAsync({ id: receipt.id, reason })}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>{createFields(form).text('reason', 'Reason', { wide: true })}</FieldGrid>
      )}
    </EntryDialog>
  );
}
