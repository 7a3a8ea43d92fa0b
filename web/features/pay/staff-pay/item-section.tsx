import { CalendarX2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { PAY_ITEMS_KIND, PAY_ITEMS_PER } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog, RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { PAY_ITEM_KIND_LABELS, PAY_ITEM_PER_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { itemsOf, useBases, useEndItem, useItems } from './api.ts';
import { DatedRow } from './dated-row.tsx';
import { currentBasis, endSchema, type ItemForm, type PayItem } from './schema.ts';

function stateOf({ effective_from, effective_to }: PayItem) {
  if (effective_to !== null && effective_to < today()) return <Badge tone="grey">Ended</Badge>;
  return effective_from > today() && <Badge tone="blue">Later</Badge>;
}

function describeItem({ amount, currency, per, kind, taxable }: PayItem): string {
  const signed = formatMoney(kind === 'deduction' ? -amount : amount, currency);
  const tax = kind === 'allowance' && (taxable ? ', taxed' : ', not taxed');
  return `${signed} ${PAY_ITEM_PER_LABELS[per].toLowerCase()}${tax || ''}`;
}

function ItemFields({ form }: { form: UseFormReturn<ItemForm> }) {
  const field = createFields(form);
  const isAllowance = form.watch('kind') === 'allowance';
  return (
    <FieldGrid>
      {field.select('kind', 'Kind', toOptions(PAY_ITEMS_KIND, PAY_ITEM_KIND_LABELS))}
      {field.text('name', 'Name', { placeholder: isAllowance ? 'Transport' : 'Union dues' })}
      {field.amount('amount', 'Amount')}
      {field.currency('currency', 'Currency')}
      {field.select('per', 'For', toOptions(PAY_ITEMS_PER, PAY_ITEM_PER_LABELS))}
      {isAllowance &&
        field.select('taxable', 'Income Tax', [
          ['yes', 'Taxed'],
          ['no', 'Not taxed'],
        ])}
      {field.day('effective_from', 'First Day')}
      {field.day('effective_to', 'Last Day', {
        optional: true,
        hint: 'Until further notice without one.',
      })}
    </FieldGrid>
  );
}

type EndDialogProps = { item: PayItem; onClose: () => void };

function EndDialog({ item, onClose }: EndDialogProps) {
  const { mutateAsync } = useEndItem();
  return (
    <EntryDialog
      title={`End ${PAY_ITEM_KIND_LABELS[item.kind]}`}
      description={`${item.name}, ${describeItem(item)}, since ${formatDay(item.effective_from)}.`}
      schema={endSchema(item.effective_from)}
      defaultValues={{ effective_to: today() }}
      submitLabel="End"
      success={`${PAY_ITEM_KIND_LABELS[item.kind]} ended`}
      failure="Not ended"
      save={({ effective_to }) => mutateAsync({ id: item.id, effective_to })}
      onClose={onClose}
    >
      {(form) => <FieldGrid>{createFields(form).day('effective_to', 'Last Day')}</FieldGrid>}
    </EntryDialog>
  );
}

type Opened = { id: string; action: 'edit' | 'end' | 'delete' };
type RowProps = { item: PayItem; onOpen: (opened: Opened) => void };

function ItemRow({ item, onOpen }: RowProps) {
  const { id, name, effective_from, effective_to } = item;
  const isBegun = effective_from <= today();
  return (
    <DatedRow
      heading={
        <>
          {name}
          {stateOf(item)}
        </>
      }
      detail={describeItem(item)}
      from={effective_from}
      to={effective_to}
      name={name}
      onEdit={() => onOpen({ id, action: 'edit' })}
      onDelete={!isBegun && (() => onOpen({ id, action: 'delete' }))}
    >
      {isBegun && effective_to === null && (
        <IconButton
          title="End"
          label={`End ${name}`}
          Icon={CalendarX2}
          onClick={() => onOpen({ id, action: 'end' })}
        />
      )}
    </DatedRow>
  );
}

export function ItemSection({ staffId }: { staffId: string }) {
  const query = useItems(staffId);
  const { data: bases = [] } = useBases(staffId);
  const current = currentBasis(bases);
  const records = useMemo(() => itemsOf(staffId, current), [staffId, current]);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const item = query.data?.find(({ id }) => id === opened?.id);
  return (
    <LoadedCard
      title="Allowances and Deductions"
      query={query}
      loadingText="Loading allowances and deductions..."
    >
      {(items) => (
        <>
          {items.length === 0 && (
            <p className="px-4 py-8 text-center text-muted">No allowances or deductions.</p>
          )}
          <ul className="divide-y divide-line">
            {items.map((each) => (
              <ItemRow key={each.id} item={each} onOpen={setOpened} />
            ))}
          </ul>
          <div className="border-t border-line px-4 py-3 sm:px-5">
            <Button variant="secondary" onClick={() => setOpened({ id: 'new', action: 'edit' })}>
              Add Allowance or Deduction
            </Button>
          </div>
          {opened?.action === 'edit' && (
            <RecordDialog
              open={opened.id}
              listed={items}
              records={records}
              addTitle="Add Allowance or Deduction"
              addLabel="Add"
              editTitle="Edit Allowance or Deduction"
              added="Added"
              updated="Changed"
              failedToAdd="Not added"
              failedToUpdate="Not changed"
              onClose={close}
            >
              {(form) => <ItemFields form={form} />}
            </RecordDialog>
          )}
          {opened?.action === 'end' && item && <EndDialog item={item} onClose={close} />}
          {opened?.action === 'delete' && item && (
            <DeleteRecordDialog
              records={records}
              id={item.id}
              consequence={`${item.name}, ${describeItem(item)}, from ${formatDay(item.effective_from)}.`}
              onClose={close}
            />
          )}
        </>
      )}
    </LoadedCard>
  );
}
