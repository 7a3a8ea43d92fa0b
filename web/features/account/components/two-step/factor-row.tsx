// One factor of the account.
import type { Factor } from '@supabase/supabase-js';
import { KeyRound, MessageSquare, Smartphone } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { kindOf, nameOf } from '../../factor-words.ts';

const ICONS = { totp: Smartphone, webauthn: KeyRound, phone: MessageSquare } as const;

export function FactorRow({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const Icon = ICONS[factor.factor_type];
  const name = nameOf(factor);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
      <div className="min-w-40 flex-1">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-sm text-muted">
          {name !== kindOf(factor) && <>{kindOf(factor)}, </>}added{' '}
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
