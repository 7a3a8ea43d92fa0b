import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { BOOK_ENTRIES_KIND, BOOK_ENTRY_LINES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { formatDay, formatInstantDay } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { BOOK_ENTRY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type Option, toOptions } from '#web/lib/vocabulary/options.ts';
import { useAccounts } from './api.ts';
import { type BookEntry, useAddEntry, useEntry, useVoidEntry } from './entries-api.ts';
import {
  differencesOf,
  type EntryForm,
  entrySchema,
  newEntry,
  newLine,
  REST,
  sidesOf,
} from './entry-schema.ts';

const CURRENCY_OPTIONS = BOOK_ENTRY_LINES_CURRENCY.map((each): Option => [each, each]);

type FormProps = { form: UseFormReturn<EntryForm> };

function Lines({ form, accounts }: FormProps & { accounts: readonly Option[] }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'lines' });
  const field = createFields(form);
  const [lines, kind] = useWatch({ control: form.control, name: ['lines', 'kind'] });
  const { error } = form.getFieldState('lines', form.formState);
  const message = error?.root?.message ?? error?.message;
  const differences = differencesOf(lines);
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">Lines</legend>
      {fields.map(({ id }, index) => (
        <div
          key={id}
          className="grid grid-cols-[5.5rem_1fr_1fr_auto] items-start gap-2 border-b border-line pb-4"
        >
          <div className="col-span-full">
            {field.select(`lines.${index}.account`, `Account ${index + 1}`, accounts, {
              empty: 'Choose an account',
              isSearched: true,
            })}
          </div>
          {field.select(`lines.${index}.currency`, 'Currency', CURRENCY_OPTIONS)}
          {field.amount(`lines.${index}.debit`, 'Debit')}
          {field.amount(`lines.${index}.credit`, 'Credit')}
          <IconButton
            variant="danger-ghost"
            label={`Remove line ${index + 1}`}
            title="Remove"
            Icon={Trash2}
            // Beside the inputs, below their labels.
            className="mt-7"
            onClick={() => remove(index)}
          />
        </div>
      ))}
      {message && (
        <p role="alert" className="text-sm font-medium text-danger">
          {message}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Button variant="secondary" onClick={() => append(newLine(lines.at(-1)?.currency))}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Line
        </Button>
        <output className="text-sm text-muted tabular-nums">
          {differences.length === 0
            ? 'Balanced'
            : differences
                .map(([currency, cents]) =>
                  cents > 0n
                    ? `${formatMoney(cents, currency)} more debits`
                    : `${formatMoney(-cents, currency)} more credits`,
                )
                .join(', ')}
        </output>
      </div>
      {REST[kind] && <p className="text-sm text-muted">{REST[kind]}</p>}
    </fieldset>
  );
}

/** Books what no other document books. */
export function AddEntryDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useAddEntry();
  const [id] = useState(() => crypto.randomUUID());
  const { data = [] } = useAccounts();
  const accounts = data.map(({ key, code, name }): Option => [key, `${code} ${name}`]);
  return (
    <EntryDialog
      title="Add Entry"
      description="For what no invoice, receipt, pay run or expense books. An entry is kept for good: a mistake is voided."
      schema={entrySchema}
      defaultValues={newEntry()}
      submitLabel="Add Entry"
      success="Entry added"
      failure="Entry not added"
      stickyActions
      save={(form) => mutateAsync({ id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <>
            <FieldGrid>
              {field.select('kind', 'Kind', toOptions(BOOK_ENTRIES_KIND, BOOK_ENTRY_LABELS))}
              {field.day('day', 'Day')}
              {field.text('description', 'Description', { wide: true })}
            </FieldGrid>
            <Lines form={form} accounts={accounts} />
          </>
        );
      }}
    </EntryDialog>
  );
}

const voidSchema = z.object({ reason: reasonField });

function VoidDialog({ entry, onClose }: { entry: BookEntry; onClose: () => void }) {
  const { mutateAsync } = useVoidEntry();
  return (
    <EntryDialog
      title="Void Entry"
      description={`${entry.description}, ${formatDay(entry.day)}, is booked back today. This can’t be undone.`}
      schema={voidSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Void Entry"
      submitVariant="danger"
      success="Entry voided"
      failure="Entry not voided"
      save={({ reason }) => mutateAsync({ id: entry.id, reason })}
      onClose={onClose}
    >
      {(form) => createFields(form).text('reason', 'Reason')}
    </EntryDialog>
  );
}

const FIGURE = 'py-2 pl-4 text-right whitespace-nowrap tabular-nums';

function EntryLines({ entry }: { entry: BookEntry }) {
  return (
    <ScrollRegion label="Lines of the entry">
      <table aria-label="Lines of the entry" className="w-full text-[0.9375rem]">
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="py-2 text-left">
              Account
            </th>
            <th scope="col" className={FIGURE}>
              Debit
            </th>
            <th scope="col" className={FIGURE}>
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {entry.lines.map(({ position, account, currency, amount }) => {
            const { debit, credit } = sidesOf(amount);
            return (
              <tr key={position} className="border-t border-line">
                <td className="py-2">
                  <span className="mr-2 text-muted tabular-nums">{account.code}</span>{' '}
                  {account.name}
                </td>
                <td className={FIGURE}>{debit > 0n && formatMoney(debit, currency)}</td>
                <td className={FIGURE}>{credit > 0n && formatMoney(credit, currency)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** An entry with its lines. */
export function ShowEntryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useEntry(id);
  const [isVoiding, setVoiding] = useState(false);
  if (isVoiding && query.data) return <VoidDialog entry={query.data} onClose={onClose} />;
  return (
    <DetailDialog
      query={query}
      title={query.data?.description ?? 'Entry'}
      missing="This entry no longer exists."
      onClose={onClose}
    >
      {(entry) => (
        <div className="grid gap-5">
          <p className="text-muted">
            {BOOK_ENTRY_LABELS[entry.kind]}, {formatDay(entry.day)}, by {formatName(entry.author)}
          </p>
          {entry.voided_at && (
            <Alert
              title={`Voided ${formatInstantDay(entry.voided_at)} by ${formatName(entry.voider)}`}
            >
              {entry.void_reason}
            </Alert>
          )}
          <EntryLines entry={entry} />
          {!entry.voided_at && (
            <Button
              variant="danger-ghost"
              className="justify-self-start"
              onClick={() => setVoiding(true)}
            >
              Void Entry
            </Button>
          )}
        </div>
      )}
    </DetailDialog>
  );
}
