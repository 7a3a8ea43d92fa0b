import { useState } from 'react';
import { AccountNumber } from '#web/components/text/account-number.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { usePayAccount, useRemovePayAccount } from './account-api.ts';
import { AccountFormDialog, shownNumber, VerifyDialog } from './account-dialogs.tsx';

type NamedAccount = NonNullable<ReturnType<typeof usePayAccount>['data']>;

function Facts({ account }: { account: NamedAccount }) {
  const { channel, account_name, bank_name, verified_at, verifier, changer } = account;
  const number = shownNumber(account);
  const changed = changer ? `Entered by ${formatName(changer)}` : 'Entered';
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 px-4 py-3 sm:px-5">
      <div className="min-w-0">
        <p className="font-semibold">
          {[PAY_CHANNEL_LABELS[channel], bank_name].filter(Boolean).join(', ')}
        </p>
        {number && <AccountNumber number={number} />}
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{account_name}</p>
        <p className="text-sm text-muted">
          {changed}
          {verified_at !== null &&
            `, verified by ${verifier ? formatName(verifier) : 'a former user'} on ${formatInstantDay(verified_at)}`}
        </p>
      </div>
      {verified_at === null ? (
        <Badge tone="orange">Not verified</Badge>
      ) : (
        <Badge tone="green">Verified</Badge>
      )}
    </div>
  );
}

type SectionProps = { staffId: string; name: string };

export function PayAccountSection({ staffId, name }: SectionProps) {
  const { user } = useAuth();
  const query = usePayAccount(staffId);
  const remove = useRemovePayAccount();
  const [dialog, setDialog] = useState<'form' | 'verify' | 'remove'>();
  const close = () => setDialog(undefined);
  const { data: account } = query;
  const isUnverified = account?.verified_at === null;
  return (
    <LoadedCard title="Pay Account" query={query} loadingText="Loading pay account...">
      {(found) => (
        <>
          {found === null ? (
            <p className="px-4 py-8 text-center text-muted">
              No pay account yet. Pay of {name} can’t be sent.
            </p>
          ) : (
            <Facts account={found} />
          )}
          <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-3 sm:px-5">
            {isUnverified &&
              (account?.changed_by === user?.id ? (
                <p className="text-sm text-muted">
                  A second person has to verify this account: an admin or someone of finance who did
                  not enter it, and whose own it is not.
                </p>
              ) : (
                <Button onClick={() => setDialog('verify')}>Verify</Button>
              ))}
            <Button variant="secondary" onClick={() => setDialog('form')}>
              {found === null ? 'Add Pay Account' : 'Change'}
            </Button>
            {found !== null && (
              <Button variant="danger-ghost" onClick={() => setDialog('remove')}>
                Remove
              </Button>
            )}
          </div>
          {dialog === 'form' && (
            <AccountFormDialog staffId={staffId} name={name} account={found} onClose={close} />
          )}
          {dialog === 'verify' && found && (
            <VerifyDialog name={name} account={found} onClose={close} />
          )}
          {dialog === 'remove' && found && (
            <ConfirmDialog
              title="Remove Pay Account"
              question={`Remove the pay account of ${name}?`}
              confirmLabel="Remove"
              busyLabel="Removing..."
              success="Pay account removed"
              onConfirm={() => remove.mutateAsync(found.id)}
              onClose={close}
            >
              Nothing can be paid to {name} until another account is entered and verified. Payments
              already made keep their account.
            </ConfirmDialog>
          )}
        </>
      )}
    </LoadedCard>
  );
}
