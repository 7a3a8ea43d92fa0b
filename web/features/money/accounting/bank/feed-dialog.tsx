import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { readTable } from '#web/lib/files/read-table.ts';
import type { Option } from '#web/lib/vocabulary/options.ts';
import { type Feed, useBankAccounts } from './api.ts';
import { useSaveFeed } from './changes.ts';
import { type FeedForm, feedSchema, guessHeadings, toFeedForm } from './feed-schema.ts';

const LEDGERS: readonly Option[] = [
  ['bank', 'Bank'],
  ['mobile_money', 'Mobile money'],
];
const AMOUNTS: readonly Option[] = [
  ['one', 'One column with a sign'],
  ['two', 'Money in and money out'],
];
const DAY_ORDERS: readonly Option[] = [
  ['day_month_year', 'Day, month, year'],
  ['month_day_year', 'Month, day, year'],
  ['year_month_day', 'Year, month, day'],
];

/** Without them, a file with semicolons would be one column. */
const COMMON = 'Date,Description,Details,Narration,Reference,Amount,Debit,Credit,Balance'
  .split(',')
  .map((heading) => ({ heading }));

async function readHeadings(file: File): Promise<string[]> {
  const { columns, ignored } = await readTable(file, COMMON, () => ({ record: {} }));
  return [...columns, ...ignored];
}

type HeadingsProps = { form: UseFormReturn<FeedForm> };

/** Fills the names of the columns in from a file of the bank. */
function HeadingsFile({ form }: HeadingsProps) {
  const [result, setResult] = useState<{ found?: string[]; problem?: string }>({});
  function choose(file: File | undefined) {
    setResult({});
    if (!file) return;
    readHeadings(file)
      .then((found) => {
        setResult({ found });
        const guess = guessHeadings(found);
        for (const name of [
          'day_heading',
          'description_heading',
          'reference_heading',
          'amounts',
          'amount_heading',
          'in_heading',
          'out_heading',
          'balance_heading',
        ] as const)
          form.setValue(name, guess[name], { shouldDirty: true, shouldValidate: true });
      })
      .catch((error: unknown) => setResult({ problem: describeError(error) }));
  }
  const hint = result.found
    ? `Its columns: ${result.found.join(', ')}. Check them below.`
    : 'Optional: fills in the columns below. Headings are in its first row.';
  return (
    <Field
      label="A File of This Account"
      hint={hint}
      error={result.problem}
      className="col-span-full"
    >
      {(control) => (
        <Input
          {...control}
          type="file"
          accept=".xlsx,.csv,text/csv"
          className="p-1.5"
          onChange={({ target }) => choose(target.files?.[0])}
        />
      )}
    </Field>
  );
}

function Columns({ form }: HeadingsProps) {
  const field = createFields(form);
  const amounts = useWatch({ control: form.control, name: 'amounts' });
  return (
    <FieldGrid>
      <HeadingsFile form={form} />
      {field.text('day_heading', 'Column of the Date')}
      {field.select('day_order', 'Order of the Date', DAY_ORDERS)}
      {field.text('description_heading', 'Column of the Description')}
      {field.text('reference_heading', 'Column of the Reference', { optional: true })}
      {field.select('amounts', 'Amounts', AMOUNTS)}
      {amounts === 'one' ? (
        field.text('amount_heading', 'Column of the Amount')
      ) : (
        <>
          {field.text('in_heading', 'Column of Money In')}
          {field.text('out_heading', 'Column of Money Out')}
        </>
      )}
      {field.text('balance_heading', 'Column of the Balance', {
        optional: true,
        hint: 'Without it, you enter the last balance with each file.',
      })}
    </FieldGrid>
  );
}

type FeedDialogProps = {
  /** Null: an account is added. */
  feed: Feed | null;
  /** Accounts that have settings already. */
  feeds: readonly Feed[];
  onSaved: (account: string) => void;
  onClose: () => void;
};

/** How the files of a bank account are read. */
export function FeedDialog({ feed, feeds, onSaved, onClose }: FeedDialogProps) {
  const { mutateAsync } = useSaveFeed();
  const { data = [] } = useBankAccounts();
  const known = new Set(feeds.map(({ bank_account_id }) => bank_account_id));
  const accounts = data
    .filter(
      ({ id, status }) => id === feed?.bank_account_id || (!known.has(id) && status === 'ACTIVE'),
    )
    .map(
      ({ id, bank_name, account_title, account_number, currency }): Option => [
        id,
        `${bank_name}, ${account_title}, …${account_number.slice(-4)}, ${currency}`,
      ],
    );
  return (
    <EntryDialog
      title={feed ? 'Statement Settings' : 'Add Account'}
      description="How the statements of this account are read. Each bank has its own columns; they are saved for the next file."
      schema={feedSchema}
      defaultValues={toFeedForm(feed ?? undefined)}
      submitLabel={feed ? 'Save Settings' : 'Add Account'}
      success={feed ? 'Settings saved' : 'Account added'}
      failure={feed ? 'Settings not saved' : 'Account not added'}
      stickyActions
      save={async (form) => {
        await mutateAsync(form);
        onSaved(form.account);
      }}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <>
            {!feed && (
              <FieldGrid>
                {field.select('account', 'Bank Account', accounts, {
                  empty: 'Choose a bank account',
                  isSearched: true,
                  hint: 'Accounts in USD and LRD; add others under Bank Accounts.',
                })}
                {field.select('ledger', 'Account of the Books', LEDGERS)}
              </FieldGrid>
            )}
            <Columns form={form} />
            <LabelledCheckbox
              label="Bank Accounts shows its balance"
              hint="The current balance of the account follows its statements."
              {...form.register('follows_balance')}
            />
          </>
        );
      }}
    </EntryDialog>
  );
}
