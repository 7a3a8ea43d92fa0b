import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { type FormEvent, lazy, useLayoutEffect, useRef, useState } from 'react';
import { START_CODE_PATH } from '#shared/app-paths.ts';
import { PasswordField } from '#web/components/form/credential-fields.tsx';
import { EmailField } from '#web/components/form/email-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { ProviderMark } from '#web/components/ui/provider-mark.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { continueStaticForm } from '#web/lib/render/static-form.ts';
import { providerLabel, signInOptionsQuery } from '#web/lib/session/sign-in-options.ts';
import { type Credentials, signInWithProvider, useSignIn } from './sign-in-api.ts';

const CompanySignIn = lazy(async () => ({
  default: (await import('./company-sign-in.tsx')).CompanySignIn,
}));

function ProviderButtons() {
  // If the settings can't be loaded, only the password form is shown.
  const { data } = useQuery(signInOptionsQuery);
  const [asksCompany, setAsksCompany] = useState(false);
  const { save } = useSave();
  if (!data || (data.providers.length === 0 && !data.hasCompanySignIn)) return null;
  if (asksCompany) {
    return (
      <LazyPart fallback={<Loading className="py-6" />}>
        <CompanySignIn onBack={() => setAsksCompany(false)} />
      </LazyPart>
    );
  }
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {data.providers.map((name) => (
        <Button key={name} variant="secondary" onClick={() => save(() => signInWithProvider(name))}>
          <ProviderMark name={name} />
          Continue with {providerLabel(name)}
        </Button>
      ))}
      {data.hasCompanySignIn && (
        <Button variant="secondary" onClick={() => setAsksCompany(true)}>
          <Building2 aria-hidden="true" className="size-5 text-accent" />
          Sign in with your company
        </Button>
      )}
    </div>
  );
}

type SignInFormProps = {
  submitLabel: string;
  defaultEmail: string;
  /** Title and, if any, text of the toast. */
  success: readonly [string, string?];
  failure: string;
  /** Called with the email typed so far. */
  onForgotten: (email: string) => void;
};

export function SignInForm(props: SignInFormProps) {
  const { submitLabel, defaultEmail, success, failure, onForgotten } = props;
  const signIn = useSignIn();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => continueStaticForm(form.current), []);
  // FormData instead of react-hook-form, which would delay the first screen.
  const typed = (name: keyof Credentials) =>
    String(new FormData(form.current ?? undefined).get(name) ?? '');
  function submit(event: FormEvent) {
    event.preventDefault();
    signIn
      .mutateAsync({ email: typed('email'), password: typed('password') })
      // With a second factor the user is not signed in yet.
      .then(({ isComplete }) => isComplete && showSuccess(...success))
      .catch((error: unknown) => showError(failure, describeError(error)));
  }
  return (
    <div className="grid gap-5">
      <form
        ref={form}
        method="post"
        onSubmit={submit}
        onInput={() => signIn.isError && signIn.reset()}
        className="grid gap-5"
      >
        <EmailField
          registration={{ name: 'email', defaultValue: defaultEmail }}
          takesPhone
          hint="Or your phone number."
        />
        <PasswordField
          registration={{ name: 'password' }}
          error={signIn.isError ? describeError(signIn.error) : undefined}
        />
        <Button type="submit" busy={signIn.isPending} className="mt-1 w-full">
          {submitLabel}
        </Button>
      </form>
      <p className="-my-2 flex flex-wrap justify-center gap-x-4">
        <Button variant="link" onClick={() => onForgotten(typed('email'))}>
          Forgot password?
        </Button>
        {/* No router link: the static page has no router, and there it works before the app has loaded. */}
        <a href={START_CODE_PATH} className={buttonStyles({ variant: 'link' })}>
          I have a start code
        </a>
      </p>
      <ProviderButtons />
    </div>
  );
}
