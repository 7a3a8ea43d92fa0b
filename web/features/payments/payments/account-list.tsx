import { Settings2, ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import { company } from '#company';
import type { Column } from '#web/components/list/columns.tsx';
import { FileImport } from '#web/components/list/file-import.tsx';
import { choice } from '#web/components/list/filters.tsx';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { OTHER_PAYERS } from '#web/lib/vocabulary/deciders.ts';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { accountList, tryAccounts, useImportAccounts, verifyAccounts } from './account-api.ts';
import { shownNumber } from './account-dialogs.tsx';
import { IMPORT_COLUMNS, MOST_ACCOUNTS, readAccount } from './account-import.ts';
import type { ListedAccount } from './account-schema.ts';
import type { AccountSearch } from './account-search.ts';
import { FormatsDialog } from './formats-dialog.tsx';

const columns: Column<ListedAccount>[] = [
  {
    header: 'Person',
    card: 'title',
    className: 'font-semibold',
    cell: ({ staff, staff_id }) => (
      <PersonLink id={staff.user_id ?? staff_id} name={staff.full_name} />
    ),
  },
  {
    header: 'Paid By',
    cell: ({ channel, bank_name }) => (
      <>
        {PAY_CHANNEL_LABELS[channel]}
        <SecondLine>{bank_name}</SecondLine>
      </>
    ),
  },
  { header: 'Name on the Account', cell: ({ account_name }) => account_name },
  {
    header: 'Account Number',
    className: 'tabular-nums whitespace-nowrap',
    cell: (account) => shownNumber(account) ?? '-',
  },
  {
    header: 'Verified',
    card: 'aside',
    cell: ({ verified_at }) =>
      verified_at === null ? (
        <Badge tone="orange">Not verified</Badge>
      ) : (
        <Badge tone="green">Verified</Badge>
      ),
  },
];

const FILTERS = [
  choice('state', 'Verified', 'All accounts', [
    ['unverified', 'Not verified'],
    ['verified', 'Verified'],
  ]),
];

/** @param me id of the user, who can't verify what they entered, nor their own account */
const verifying = (me: string | undefined): BulkActions<ListedAccount> => ({
  noun: ['pay account', 'pay accounts'],
  nameOf: ({ staff }) => `pay account of ${staff.full_name}`,
  actions: [
    {
      label: 'Verify',
      icon: ShieldCheck,
      appliesTo: ({ verified_at, changed_by, staff }) =>
        verified_at === null && changed_by !== me && staff.user_id !== me,
      leftOut: `verified already, or for ${OTHER_PAYERS}: entered by you, or your own`,
      consequence: () =>
        'Pay is sent to these numbers from now on. Compare each with what the person gave in person or in writing.',
      run: async (rows) => ({ changed: await verifyAccounts(rows) }),
      done: 'verified',
    },
  ],
});

type AccountListProps = { search: AccountSearch; onChange: ChangeSearch<AccountSearch> };

/** Where everybody's pay goes, and who has checked it. */
export function AccountList({ search, onChange }: AccountListProps) {
  const { user } = useAuth();
  const { mutateAsync: importRows } = useImportAccounts();
  const bulk = useMemo(() => verifying(user?.id), [user?.id]);
  return (
    <>
      <ListScreen
        {...accountList.useScreen(search, onChange)}
        title="Pay Accounts"
        subtitle="Where pay is sent. A second person verifies each account before its first use."
        buttons={
          <>
            <Button
              variant="secondary"
              onClick={() => onChange({ formats: company.currencies[0] })}
            >
              <Settings2 aria-hidden="true" className="size-4.5" />
              Payment Formats
            </Button>
            <FileImport
              title="Import Pay Accounts"
              records="Pay Accounts"
              columns={IMPORT_COLUMNS}
              most={MOST_ACCOUNTS}
              hint="A person is a name, phone number or email address."
              readRow={readAccount}
              checkRows={tryAccounts}
              importRows={(rows, numbers) => importRows({ rows, numbers })}
            />
          </>
        }
        filters={FILTERS}
        noMatch="No pay accounts match"
        Table={TableRows}
        columns={columns}
        bulk={bulk}
      />
      {search.formats && (
        <FormatsDialog
          currency={search.formats}
          onCurrency={(formats) => onChange({ formats })}
          onClose={() => onChange({ formats: undefined })}
        />
      )}
    </>
  );
}
