import type { UserIdentity } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { ProviderMark } from '#web/components/ui/provider-mark.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { providerLabel, signInOptionsQuery } from '#web/lib/session/sign-in-options.ts';
import { AccountSection, SectionState } from './account-section.tsx';
import { identitiesQuery, linkIdentity, unlinkIdentity } from './api.ts';

const addressOf = (identity: UserIdentity): string => {
  const email: unknown = identity.identity_data?.email;
  return typeof email === 'string' ? email : '';
};

export function IdentitiesSection() {
  const queryClient = useQueryClient();
  const identities = useQuery(identitiesQuery());
  const offers = useQuery(signInOptionsQuery);
  const [unlinking, setUnlinking] = useState<UserIdentity | null>(null);
  const { save, busy } = useSave();
  const { data } = identities;
  const linked = data?.map(({ provider }) => provider) ?? [];
  const unlinked = offers.data?.providers.filter((name) => !linked.includes(name)) ?? [];
  return (
    <AccountSection
      title="Ways to sign in"
      text="Besides your password, you can sign in with an account that you already have at another service."
    >
      {!data && <SectionState error={identities.error} onRetry={() => identities.refetch()} />}
      <ul className="-my-3 divide-y divide-line">
        {data?.map((identity) => (
          <li
            key={identity.identity_id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3"
          >
            {identity.provider === 'email' ? (
              <Mail aria-hidden="true" className="size-5 text-accent" />
            ) : (
              <ProviderMark name={identity.provider} />
            )}
            <div className="min-w-40 flex-1">
              <p className="font-semibold">{providerLabel(identity.provider)}</p>
              <p className="text-sm wrap-anywhere text-muted">{addressOf(identity)}</p>
            </div>
            {data.length > 1 && (
              <Button
                variant="secondary"
                aria-label={`Unlink ${providerLabel(identity.provider)}`}
                onClick={() => setUnlinking(identity)}
              >
                Unlink
              </Button>
            )}
          </li>
        ))}
        {data &&
          unlinked.map((name) => (
            <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <ProviderMark name={name} />
              <p className="min-w-40 flex-1">
                <span className="font-semibold">{providerLabel(name)}</span>
                <SecondLine wraps>Not linked</SecondLine>
              </p>
              <Button
                variant="secondary"
                busy={busy}
                aria-label={`Link ${providerLabel(name)}`}
                onClick={() => save(() => linkIdentity(name))}
              >
                Link
              </Button>
            </li>
          ))}
      </ul>
      {unlinking && (
        <ConfirmDialog
          title={`Unlink ${providerLabel(unlinking.provider)}?`}
          confirmLabel="Unlink"
          success="Unlinked"
          onConfirm={() =>
            unlinkIdentity(unlinking).then(() =>
              queryClient.invalidateQueries({ queryKey: identitiesQuery().queryKey }),
            )
          }
          onClose={() => setUnlinking(null)}
        >
          You will no longer be able to sign in this way. Your other ways to sign in are not
          affected.
        </ConfirmDialog>
      )}
    </AccountSection>
  );
}
