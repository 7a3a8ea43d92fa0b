import { formatCount } from '#shared/count.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { today } from '#web/lib/format/dates.ts';
import { findPeriod, stepPeriod } from '#web/lib/format/pay-periods.ts';
import { useDraftInvoices } from './api.ts';
import { useBilledContracts } from './billing-due-api.ts';
import { DueList } from './due-list.tsx';
import { type DraftForm, draftSchema } from './schema.ts';

/** Due today; users who choose days instead mostly want those of last month. */
function dueToday(): DraftForm {
  const { start, end } = findPeriod('monthly', stepPeriod('monthly', today(), -1));
  return { what: 'due', on: today(), from: start, to: end, client: '', contract: '' };
}

type DraftDialogProps = {
  /** Proposed by the form; due today without it. */
  period?: DraftForm | undefined;
  onClose: () => void;
  /** Opens a draft that is the only one; several are a list. */
  onOnlyOne?: (id: string) => void;
};

const emptyText = (contracts: number): string =>
  `Nothing can be billed yet for ${contracts === 1 ? '1 contract' : `${formatCount(contracts)} contracts`}: see the reasons in Unbilled Hours.`;

/** Drafts again what is drafted already, so pressing it twice does no harm. */
export function DraftDialog({ period = dueToday(), onClose, onOnlyOne }: DraftDialogProps) {
  const { mutateAsync } = useDraftInvoices();
  const { data: clients = [] } = useClientOptions();
  const { data: contracts = [] } = useBilledContracts();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Draft Invoices"
      description="One draft for each contract with hours or amounts to bill. Existing drafts for these days are recalculated; lines that you added stay."
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
            drafted.length === 1
              ? '1 invoice drafted'
              : `${formatCount(drafted.length)} invoices drafted`,
            empty === 0 ? undefined : emptyText(empty),
          );
          onClose();
          const [first, second] = drafted;
          if (first && !second) onOnlyOne?.(first);
        }}
        onCancel={onClose}
      >
        {(form) => {
          const field = createFields(form);
          const [what, on, client, contract] = form.watch(['what', 'on', 'client', 'contract']);
          const ofClient = contracts.filter(
            (each) => client === '' || each.client_id === client || each.id === contract,
          );
          return (
            <div className="grid gap-6">
              <FieldGrid>
                {field.select('what', 'What to draft', [
                  ['due', 'All that is due'],
                  ['days', 'Days that you choose'],
                ])}
                {what === 'due' ? (
                  field.day('on', 'Due by', {
                    hint: 'With a later day, hours to come are estimated.',
                  })
                ) : (
                  <>
                    {field.day('from', 'From')}
                    {field.day('to', 'To', { hint: 'Last day, inclusive.' })}
                  </>
                )}
                {field.select(
                  'client',
                  'Client',
                  clients.map(({ id, name }) => [id, name]),
                  {
                    empty: 'All clients',
                    isSearched: true,
                    wide: true,
                    register: { onChange: () => form.setValue('contract', '') },
                  },
                )}
                {what === 'days' &&
                  field.select(
                    'contract',
                    'Contract',
                    ofClient.map(({ id, title, clients: { name } }) => [id, `${name}, ${title}`]),
                    {
                      empty: 'By their billing cycles',
                      isSearched: true,
                      wide: true,
                      hint: contract
                        ? 'It is billed for exactly these days.'
                        : 'Monthly contracts are billed for these days; quarterly and yearly ones in full if their period ends in them. Choose a contract to bill it on demand.',
                    },
                  )}
              </FieldGrid>
              {what === 'due' && (
                <DueList
                  {...{ on, client }}
                  onChoose={(row) => {
                    form.setValue('what', 'days');
                    form.setValue('client', row.client_id);
                    form.setValue('contract', row.contract_id);
                    form.setValue('from', row.period_start);
                    form.setValue('to', row.period_end);
                  }}
                />
              )}
            </div>
          );
        }}
      </RecordForm>
    </Dialog>
  );
}
