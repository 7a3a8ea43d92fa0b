import type { Factor } from '@supabase/supabase-js';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, MessageSquare, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { usableFactors } from '#web/lib/session/stored-session.ts';
import { AccountSection } from './account-section.tsx';
import { AddAppDialog, AddPasskeyDialog } from './add-factor-dialogs.tsx';
import { devicesQuery, recoveryCodesQuery, removeFactor } from './api.ts';
import { canMakePasskeys, factorName, kindLabel } from './factors.ts';
import { RecoveryCodes, RecoveryCodesDialog } from './recovery-codes.tsx';

const ICONS = { totp: Smartphone, webauthn: KeyRound, phone: MessageSquare } as const;

function FactorRow({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const Icon = ICONS[factor.factor_type];
  const name = factorName(factor);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
      <div className="min-w-40 flex-1">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-sm text-muted">
          {name !== kindLabel(factor) && <>{kindLabel(factor)}, </>}added{' '}
          {formatLongDateTime(factor.created_at)}
        </p>
      </div>
      <Button
        variant="danger-ghost"
        className="max-sm:-my-1 max-sm:ml-9 max-sm:px-0"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </li>
  );
}

type RemoveFactorDialogProps = { factor: Factor; isLast: boolean; onClose: () => void };

function RemoveFactorDialog({ factor, isLast, onClose }: RemoveFactorDialogProps) {
  return (
    <ConfirmDialog
      title={`Remove “${factorName(factor)}”?`}
      confirmLabel="Remove"
      success="Removed"
      onConfirm={() => removeFactor(factor.id)}
      onClose={onClose}
    >
      {isLast
        ? 'This is your only factor. Without it two-step verification is off, and your password alone opens your account.'
        : 'You will no longer be able to sign in with it. Your other factors are not affected.'}
    </ConfirmDialog>
  );
}

export function TwoStepSection() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'app' | 'passkey' | 'codes' | Factor | null>(null);
  const factors = user ? usableFactors(user) : [];
  const isOn = factors.length > 0;
  const close = () => setOpen(null);

  // `isOn` is the state before the change: after the first factor the first recovery codes are created.
  function onAdded() {
    void queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
    setOpen(isOn ? null : 'codes');
  }
  function closeCodes() {
    void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery().queryKey });
    close();
  }

  return (
    <AccountSection
      title="Two-step verification"
      text="Keeps others out even if they know your password. After it you enter a code from an app on your phone, or use a passkey: your fingerprint, your face or your device's PIN."
    >
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={isOn ? 'green' : 'grey'}>{isOn ? 'On' : 'Off'}</Badge>
        {isOn ? 'Required at every sign-in.' : 'A password alone opens your account.'}
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
          Passkeys can't be added here. They need an up-to-date browser, and the site opened by its
          name instead of a number.
        </p>
      )}
      {isOn && <RecoveryCodes onRenew={() => setOpen('codes')} />}

      {open === 'app' && <AddAppDialog onAdded={onAdded} onClose={close} />}
      {open === 'passkey' && <AddPasskeyDialog onAdded={onAdded} onClose={close} />}
      {open === 'codes' && <RecoveryCodesDialog onClose={closeCodes} />}
      {open !== null && typeof open === 'object' && (
        <RemoveFactorDialog factor={open} isLast={factors.length === 1} onClose={close} />
      )}
    </AccountSection>
  );
}
