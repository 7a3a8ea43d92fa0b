import type { Factor } from '@supabase/supabase-js';
import { ArrowLeft, Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '#web/components/form/credential-fields.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { showNotice } from '#web/lib/session/notice.ts';
import { answerWithPasskey } from '#web/lib/session/passkey.ts';
import { usableFactors } from '#web/lib/session/stored-session.ts';
import {
  enterAppCode,
  enterPhoneCode,
  redeemRecoveryCode,
  sendPhoneCode,
} from './second-step-api.ts';
import { SessionNotice } from './session-notice.tsx';
import { SignOutButton } from './sign-out-button.tsx';

function CodeStep({ factorId, success }: { factorId: string; success: string }) {
  const { save, busy } = useSave({ success });
  const { register, handleSubmit, setFocus } = useForm({ defaultValues: { code: '' } });
  useEffect(() => setFocus('code'), [setFocus]);
  const submit = handleSubmit(({ code }) =>
    save(() => enterAppCode(factorId, code.replaceAll(' ', ''))),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <CodeField
        registration={register('code')}
        label="Code"
        hint="The six digits that your authenticator app shows for this account."
      />
      <Button type="submit" busy={busy} className="w-full">
        Continue
      </Button>
    </form>
  );
}

function PasskeyStep({ factorId, success }: { factorId: string; success: string }) {
  const { save, busy } = useSave({ success });
  return (
    <div className="grid gap-5">
      <p className="text-pretty">
        Your device asks you to confirm with your fingerprint, your face, its PIN or a security key.
      </p>
      <Button
        busy={busy}
        onClick={() => save(() => answerWithPasskey(factorId))}
        className="w-full"
      >
        {!busy && <Fingerprint aria-hidden="true" className="size-5" />}
        Use my passkey
      </Button>
    </div>
  );
}

/** The code is sent on request, so that opening the screen costs no SMS. */
function PhoneStep({ factorId, success }: { factorId: string; success: string }) {
  const [challengeId, setChallengeId] = useState('');
  const sending = useSave({ success: challengeId ? 'New code sent' : undefined });
  const entering = useSave({ success });
  const { register, handleSubmit } = useForm({ defaultValues: { code: '' } });
  const send = () =>
    sending.save(() => sendPhoneCode(factorId).then((challenge) => setChallengeId(challenge)));

  if (!challengeId) {
    return (
      <div className="grid gap-5">
        <p>We send a code to the phone number of your account.</p>
        <Button busy={sending.busy} onClick={send} className="w-full">
          Send me a code
        </Button>
      </div>
    );
  }
  const submit = handleSubmit(({ code }) =>
    entering.save(() => enterPhoneCode(factorId, challengeId, code.replaceAll(' ', ''))),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <CodeField
        registration={register('code')}
        label="Code"
        hint="The code from our text message."
      />
      <Button type="submit" busy={entering.busy} className="w-full">
        Continue
      </Button>
      <Button variant="secondary" busy={sending.busy} onClick={send} className="w-full">
        Send a new code
      </Button>
    </form>
  );
}

function RecoveryStep() {
  const { save, busy } = useSave();
  const { register, handleSubmit } = useForm({ defaultValues: { code: '' } });
  const submit = handleSubmit(({ code }) =>
    save(async () => {
      await redeemRecoveryCode(code);
      showNotice({
        tone: 'info',
        title: 'Your second step is off',
        text: 'The recovery code removed it from your account. Set it up again under Account.',
      });
    }),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field
        label="Recovery code"
        hint="One of the codes that you saved. It works once. You then set up your second step again."
      >
        {(control) => (
          <Input
            {...control}
            {...register('code')}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" busy={busy} className="w-full">
        Continue
      </Button>
    </form>
  );
}

const SUCCESS = 'Logged in successfully';

const METHODS = {
  totp: { label: 'authenticator app', Step: CodeStep },
  webauthn: { label: 'passkey', Step: PasskeyStep },
  phone: { label: 'phone', Step: PhoneStep },
} as const;

function labelOf({ factor_type, friendly_name }: Factor): string {
  const { label } = METHODS[factor_type];
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
  const Step = current && METHODS[current.factor_type].Step;
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
            {labelOf(factor)}
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
