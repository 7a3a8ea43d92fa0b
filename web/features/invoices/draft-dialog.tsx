import { formatCount } from '#shared/count.ts';
import { FieldGrid, fieldsOf } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { today } from '#web/lib/format/dates.ts';
import { periodOf, stepPeriod } from '#web/lib/format/pay-periods.ts';
import { useDraftInvoices } from './api.ts';
import { type DraftForm, draftSchema } from './schema.ts';

/** Most invoices are drafted when their month is over. */
function lastMonth() {
  const { start, end } = periodOf('monthly', stepPeriod('monthly', today(), -1));
  return { from: start, to: end, client: '' };
}

type DraftDialogProps = {
  /** What the form proposes; last month for all clients without it. */
  period?: DraftForm | undefined;
  onClose: () => void;
};

const emptyText = (contracts: number): string =>
  `Nothing can be billed yet for ${contracts === 1 ? '1 contract' : `${formatCount(contracts)} contracts`}: Unbilled Hours says why.`;

/** Drafts again what is drafted already, so pressing it twice does no harm. */
export function DraftDialog({ period = lastMonth(), onClose }: DraftDialogProps) {
  const { mutateAsync } = useDraftInvoices();
  const { data: clients = [] } = useClientOptions();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Draft Invoices"
      description="One draft for each contract with hours or amounts to bill. Drafts of the same days are drawn again; lines that you added to them stay."
    >
      <RecordForm
        schema={draftSchema}
        defaultValues={period}
        submitLabel="Draft Invoices"
        savingLabel="Drafting..."
        failure="Invoices not drafted"
        save={mutateAsync}
        onSaved={({ drafted, empty }) => {
          showSuccess(
            drafted === 1 ? '1 invoice drafted' : `${formatCount(drafted)} invoices drafted`,
            empty === 0 ? undefined : emptyText(empty),
          );
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => {
          const field = fieldsOf(form);
          return (
            <FieldGrid>
              {field.day('from', 'From')}
              {field.day('to', 'To', { hint: 'Last day, inclusive.' })}
              {field.select(
                'client',
                'Client',
                clients.map(({ id, name }) => [id, name]),
                { empty: 'All clients', isSearched: true, wide: true },
              )}
            </FieldGrid>
          );
        }}
      </RecordForm>
    </Dialog>
  );
}
