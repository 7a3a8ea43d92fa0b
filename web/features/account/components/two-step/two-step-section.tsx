// The second step at sign-in: which factors there are, adding and removing them, and the codes for when they are lost.
import type { Factor } from '@supabase/supabase-js';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { usableFactors } from '#web/lib/session/assurance.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { devicesQuery } from '../../api/devices.ts';
import { recoveryCodesQuery } from '../../api/recovery-codes.ts';
import { canMakePasskeys } from '../../passkey-support.ts';
import { AccountSection } from '../account-section.tsx';
import { AddAppDialog } from './add-app-dialog.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { FactorRow } from './factor-row.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RemoveFactorDialog } from './remove-factor-dialog.tsx';

export function TwoStepSection() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'app' | 'passkey' | 'codes' | Factor | null>(null);
  const factors = user ? usableFactors(user) : [];
  const isOn = factors.length > 0;
  const close = () => setOpen(null);

  // `isOn` is still what it was when the dialog opened: the first factor brings the first codes.
  function added() {
    void queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
    setOpen(isOn ? null : 'codes');
  }
  function codesMade() {
    void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery().queryKey });
    close();
  }

  return (
    <AccountSection
      title="Two-step verification"
      text="After your password you show something that only you have: a code from an app, or a passkey."
    >
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={isOn ? 'green' : 'grey'}>{isOn ? 'On' : 'Off'}</Badge>
        {isOn ? 'Asked for at every sign-in.' : 'A password alone opens your account.'}
      </p>
      {isOn && (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} onRemove={() => setOpen(factor)} />
          ))}
        </ul>
      )}
      <div className="mt-5 grid gap-3 sm:flex sm:flex-wrap">
        <Button variant={isOn ? 'secondary' : 'primary'} onClick={() => setOpen('app')}>
          <Smartphone aria-hidden="true" className="size-4" />
          Add authenticator app
        </Button>
        {canMakePasskeys() && (
          <Button variant="secondary" onClick={() => setOpen('passkey')}>
            <KeyRound aria-hidden="true" className="size-4" />
            Add passkey
          </Button>
        )}
      </div>
      {!canMakePasskeys() && (
        <p className="mt-3 text-sm text-muted">
          Passkeys can't be added here: they need a newer browser, and this site opened by its name.
        </p>
      )}
      {isOn && <RecoveryCodes onRenew={() => setOpen('codes')} />}

      {open === 'app' && <AddAppDialog onAdded={added} onClose={close} />}
      {open === 'passkey' && <AddPasskeyDialog onAdded={added} onClose={close} />}
      {open === 'codes' && <RecoveryCodesDialog onClose={codesMade} />}
      {open !== null && typeof open === 'object' && (
        <RemoveFactorDialog factor={open} isLast={factors.length === 1} onClose={close} />
      )}
    </AccountSection>
  );
}
