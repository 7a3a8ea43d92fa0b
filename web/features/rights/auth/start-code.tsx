import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { EmailField } from '#web/components/form/email-field.tsx';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { describeError, readErrorCode } from '#web/lib/errors/error-message.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { invokeFunction } from '#web/lib/supabase/functions.ts';

const sessionSchema = z.object({ access_token: z.string(), refresh_token: z.string() });

type StartForm = { login: string; code: string };

/** Signs in with a start code. The session opens nothing until a password is chosen, which the app asks for next. */
async function signInWithCode({ login, code }: StartForm): Promise<void> {
  const client = await backend.open();
  const answer = await invokeFunction('use-start-code', { login, code });
  const { error } = await client.auth.setSession(sessionSchema.parse(answer));
  if (error) throw error;
}

/** @returns what the QR code or the link of a message fills in */
function filledIn(): StartForm {
  const found = new URLSearchParams(location.hash.slice(1));
  const code = found.get('start') ?? '';
  return { login: found.get('login') ?? '', code: code.replace(/(\d{4})(?=\d)/g, '$1 ') };
}

export function StartCodeSignIn() {
  const [filled] = useState(filledIn);
  const { register, handleSubmit, setError, formState } = useForm<StartForm>({
    defaultValues: filled,
  });
  const { errors, isSubmitting } = formState;
  usePageTitle('Start code');
  useEffect(() => {
    // The code must not stay in the address, which others may see or share.
    if (location.hash) history.replaceState(history.state, '', location.pathname);
  }, []);
  const submit = handleSubmit((form) =>
    signInWithCode(form).catch((error: unknown) => {
      const message = describeError(error);
      if (readErrorCode(error) === 'wrong_code')
        setError('code', { message }, { shouldFocus: true });
      else showError('Error', message);
    }),
  );
  return (
    <AuthLayout
      title="Start code"
      subtitle="The code that your office gave you works once"
      wayOut={
        <Link to="/auth" className={buttonStyles({ variant: 'link' })}>
          <ArrowLeft aria-hidden="true" className="size-4" />
          Back to sign in
        </Link>
      }
    >
      <form onSubmit={submit} className="grid gap-5 p-6 sm:p-8">
        <EmailField registration={register('login')} label="Phone number or email" takesPhone />
        <Field label="Start code" hint="Twelve digits." error={errors.code?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('code')}
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9 \-]{8,16}"
              title="The twelve digits of the code"
              maxLength={16}
              className="text-xl tracking-[0.2em] tabular-nums"
            />
          )}
        </Field>
        <Button type="submit" busy={isSubmitting} className="mt-1 w-full">
          Continue
        </Button>
      </form>
    </AuthLayout>
  );
}
