import { PAY_ACCOUNTS_CHANNEL } from '#shared/database.values.ts';
import { formatPhone } from '#shared/phone.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useSavePayAccount, useVerifyPayAccount } from './account-api.ts';
import { accountSchema, isMobile, type PayAccount, toForm } from './account-schema.ts';

type FormProps = { staffId: string; name: string; account: PayAccount | null; onClose: () => void };

export function AccountFormDialog({ staffId, name, account, onClose }: FormProps) {
  const { mutateAsync } = useSavePayAccount();
  return (
    <EntryDialog
      title={account ? 'Change Pay Account' : 'Add Pay Account'}
      description={`Where ${name} is paid. A second person has to verify the account before its first use.`}
      schema={accountSchema}
      defaultValues={toForm(account, name)}
      submitLabel={account ? 'Save Changes' : 'Add Pay Account'}
      success={account ? 'Pay account changed' : 'Pay account added'}
      failure="Pay account not saved"
      save={(form) => mutateAsync({ staffId, id: account?.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        const channel = form.watch('channel');
        return (
          <FieldGrid>
            {field.select(
              'channel',
              'Paid By',
              toOptions(PAY_ACCOUNTS_CHANNEL, PAY_CHANNEL_LABELS),
            )}
            {field.text('account_name', 'Name on the Account')}
            {channel === 'bank' && field.text('bank_name', 'Bank')}
            {channel === 'bank' && field.text('account_number', 'Account Number')}
            {isMobile(channel) &&
              field.text('account_number', 'Phone Number', { type: 'tel', hint: '0770 123 456' })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

/** A number as people compare it. */
export function shownNumber({
  channel,
  account_number,
}: Pick<PayAccount, 'channel' | 'account_number'>) {
  if (account_number === null) return null;
  return isMobile(channel)
    ? formatPhone(account_number)
    : account_number.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

type VerifyProps = { name: string; account: PayAccount; onClose: () => void };

export function VerifyDialog({ name, account, onClose }: VerifyProps) {
  const verify = useVerifyPayAccount();
  const number = shownNumber(account);
  return (
    <ConfirmDialog
      title="Verify Pay Account"
      question={
        number === null
          ? `Is ${name} to be paid in cash, against a signature?`
          : `Does this match what ${name} gave you in person or in writing?`
      }
      confirmLabel="Verify"
      busyLabel="Verifying..."
      variant="primary"
      success="Pay account verified"
      failure="Pay account not verified"
      onConfirm={() => verify.mutateAsync(account)}
      onClose={onClose}
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-sm bg-sunken px-4 py-3">
        <dt className="text-muted">Paid by</dt>
        <dd>{PAY_CHANNEL_LABELS[account.channel]}</dd>
        {account.bank_name && (
          <>
            <dt className="text-muted">Bank</dt>
            <dd>{account.bank_name}</dd>
          </>
        )}
        <dt className="text-muted">Name</dt>
        <dd>{account.account_name}</dd>
        {number && (
          <>
            <dt className="text-muted">Number</dt>
            <dd className="text-lg font-semibold tabular-nums">{number}</dd>
          </>
        )}
      </dl>
    </ConfirmDialog>
  );
}
