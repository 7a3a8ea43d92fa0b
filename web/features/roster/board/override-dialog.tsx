// Assigning against a rule: who may do it gives a reason, which the assignment keeps.

import { Ban } from 'lucide-react';
import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { maySee } from '#shared/screens.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import type { Problem } from './roster-moves.ts';

/** Those who oversee sites; dispatchers plan within the rules. */
export function useMayOverride(): boolean {
  return maySee(useAuth().roles, 'dashboard');
}

type OverrideFormProps = {
  name: string;
  problems: readonly Problem[];
  onConfirm: (reason: string) => void;
  onCancel: () => void;
};

export function OverrideForm({ name, problems, onConfirm, onCancel }: OverrideFormProps) {
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const mayOverride = useMayOverride();
  const error = isAsked && reason.trim() === '' ? 'Reason is required' : undefined;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (reason.trim() !== '') onConfirm(reason.trim());
      }}
    >
      <div>
        <p className="font-semibold">{name}</p>
        <ul>
          {problems.map(({ rule, message, shiftId }) => (
            <li key={`${rule}${shiftId}`} className="flex items-center gap-1.5 text-sm text-danger">
              <Ban aria-hidden="true" className="size-3.5 shrink-0" />
              {message}
            </li>
          ))}
        </ul>
      </div>
      {mayOverride ? (
        <Field label="Reason" error={error}>
          {(control) => (
            <Textarea
              {...control}
              data-first-focus
              rows={3}
              maxLength={limits.ROSTER_CHANGES_OVERRIDE_REASON_MAX}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      ) : (
        <Alert title="Only overseers can assign against a rule." />
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        {mayOverride && (
          <Button type="submit" variant="danger">
            Assign Anyway
          </Button>
        )}
      </div>
    </form>
  );
}

type OverrideDialogProps = Omit<OverrideFormProps, 'onCancel'> & { onClose: () => void };

export function OverrideDialog({ onClose, ...form }: OverrideDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Assign against a rule?" keepsDraft>
      <OverrideForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
