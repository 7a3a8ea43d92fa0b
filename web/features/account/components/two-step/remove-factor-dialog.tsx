// Takes a factor off the account, after saying what that means.
import type { Factor } from '@supabase/supabase-js';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { removeFactor } from '../../api/factors.ts';
import { nameOf } from '../../factor-words.ts';

type RemoveFactorDialogProps = { factor: Factor; isLast: boolean; onClose: () => void };

export function RemoveFactorDialog({ factor, isLast, onClose }: RemoveFactorDialogProps) {
  return (
    <ConfirmDialog
      title={`Remove “${nameOf(factor)}”?`}
      confirmLabel="Remove"
      success="Removed"
      onConfirm={() => removeFactor(factor.id)}
      onClose={onClose}
    >
      {isLast
        ? 'It is your only one: two-step verification is then off, and your password alone opens your account.'
        : 'You can no longer sign in with it. Your other factors stay.'}
    </ConfirmDialog>
  );
}
