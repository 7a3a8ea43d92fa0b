import { Plus } from 'lucide-react';
import { useState } from 'react';
import { RATES_KIND } from '#shared/database.values.ts';
import { printedRate } from '#shared/documents/printed-invoice.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { AMOUNT, actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { RATE_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { type OpenedContract, rates as rateRecords } from './api.ts';
import { nameOfPost } from './posts-panel.tsx';
import { type Contract, type ContractPost, type Rate, rateSchema, toRateForm } from './schema.ts';

const columnsOf = (contract: Contract, posts: ContractPost[]): Column<Rate>[] => [
  {
    header: 'Hours',
    card: 'title',
    className: 'font-semibold',
    cell: (rate) => RATE_KIND_LABELS[rate.kind],
  },
  {
    header: 'At',
    cell: (rate) => {
      const post = posts.find(({ id }) => id === rate.contract_post_id);
      return post ? nameOfPost(post) : 'Every post';
    },
  },
  {
    header: 'Rate an hour',
    className: AMOUNT,
    cell: (rate) => printedRate(rate.amount, contract.currency),
  },
  {
    header: 'From',
    className: 'whitespace-nowrap',
    cell: (rate) => (
      <>
        {formatDay(rate.effective_from)}
        {rate.effective_from > today() && (
          <Badge tone="blue" className="ml-2">
            Later
          </Badge>
        )}
      </>
    ),
  },
];

type RateDialogProps = {
  contract: Contract;
  posts: ContractPost[];
  rate: Rate | undefined;
  onClose: () => void;
};

function RateDialog({ contract, posts, rate, onClose }: RateDialogProps) {
  const { mutateAsync } = rateRecords.useSave();
  return (
    <EntryDialog
      title={rate ? 'Edit Rate' : 'Add Rate'}
      description="A rate counts until the next one of its kind begins: add a price change with its day, and leave the old rate as it is."
      schema={rateSchema}
      defaultValues={toRateForm(contract, rate)}
      submitLabel={rate ? 'Save' : 'Add Rate'}
      success={rate ? 'Rate updated' : 'Rate added'}
      failure="Rate not saved"
      save={(form) => mutateAsync({ id: rate?.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.select('kind', 'Hours', toOptions(RATES_KIND, RATE_KIND_LABELS), {
              hint: 'Kinds without a rate are billed at the regular rate.',
            })}
            {field.amount('amount', `Rate an hour (${contract.currency})`)}
            {field.select(
              'contract_post_id',
              'At',
              posts.map((post) => [post.id, nameOfPost(post)]),
              { empty: 'Every post' },
            )}
            {field.day('effective_from', 'From', {
              hint: 'A day that is invoiced already proposes a correction.',
            })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function RatesPanel({ contract, posts, rates }: OpenedContract) {
  const [edited, setEdited] = useState<Rate | 'new'>();
  const [removing, setRemoving] = useState<Rate>();
  const actions = actionsColumn((rate: Rate) => ({
    name: `${RATE_KIND_LABELS[rate.kind]} from ${formatDay(rate.effective_from)}`,
    onEdit: () => setEdited(rate),
    onDelete: () => setRemoving(rate),
  }));
  return (
    <Panel title="Rates">
      {rates.length === 0 ? (
        <EmptyNote>No rates yet. Hours can’t be billed without a regular rate.</EmptyNote>
      ) : (
        <DataTable
          label="Rates"
          columns={[...columnsOf(contract, posts), actions]}
          rows={rates}
          rowId={({ id }) => id}
          room={40}
        />
      )}
      <Button variant="secondary" className="mt-4" onClick={() => setEdited('new')}>
        <Plus aria-hidden="true" className="size-4.5" /> Add Rate
      </Button>
      {edited && (
        <RateDialog
          contract={contract}
          posts={posts}
          rate={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removing && (
        <DeleteRecordDialog
          records={rateRecords}
          id={removing.id}
          consequence="Hours from its day on are billed at the previous rate. A rate that an issued invoice has used stays."
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Panel>
  );
}
