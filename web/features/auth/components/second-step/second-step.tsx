// What comes between signing in and any screen when the account has a second factor. The way back signs out.
import type { Factor } from '@supabase/supabase-js';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { usableFactors } from '#web/lib/session/assurance.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { SessionNotice } from '../session-notice.tsx';
import { SignOutButton } from '../sign-out-button.tsx';
import { CodeStep } from './code-step.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import { PhoneStep } from './phone-step.tsx';
import { RecoveryStep } from './recovery-step.tsx';

const SUCCESS = 'Logged in successfully';

const WAYS = {
  totp: { label: 'authenticator app', Step: CodeStep },
  webauthn: { label: 'passkey', Step: PasskeyStep },
  phone: { label: 'phone', Step: PhoneStep },
} as const;

function nameOf({ factor_type, friendly_name }: Factor): string {
  const { label } = WAYS[factor_type];
  return friendly_name ? `Use the ${label} “${friendly_name}”` : `Use my ${label}`;
}

export function SecondStep() {
  const { user } = useAuth();
  const factors = user ? usableFactors(user) : [];
  const [chosen, setChosen] = useState<string>();
  usePageTitle('Second step');

  const current =
    chosen === 'recovery' ? undefined : (factors.find(({ id }) => id === chosen) ?? factors[0]);
  const others = factors.filter((factor) => factor !== current);
  const Step = current && WAYS[current.factor_type].Step;
  return (
    <AuthLayout
      title="Second step"
      subtitle="Confirm that it is you"
      notice={<SessionNotice className="mb-5" />}
      wayOut={<SignOutButton label="Back to sign in" variant="link" Icon={ArrowLeft} />}
    >
      <div className="p-6 sm:p-8">
        {Step ? (
          <Step key={current.id} factorId={current.id} success={SUCCESS} />
        ) : (
          <RecoveryStep />
        )}
      </div>
      <div className="grid justify-items-start border-t border-line px-5 py-3 sm:px-7">
        {others.map((factor) => (
          <Button key={factor.id} variant="link" onClick={() => setChosen(factor.id)}>
            {nameOf(factor)}
          </Button>
        ))}
        {current && (
          <Button variant="link" onClick={() => setChosen('recovery')}>
            Use a recovery code
          </Button>
        )}
      </div>
    </AuthLayout>
  );
}
