import { useState } from 'react';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { BackHome } from '#web/components/layout/auth-layout.tsx';
import { ThemeMenu } from '#web/components/layout/theme-menu.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ForgotPassword } from '#web/features/rights/auth/forgot-password.tsx';
import { SessionNotice } from '#web/features/rights/auth/session-notice.tsx';
import { SignInForm } from '#web/features/rights/auth/sign-in-form.tsx';
import { SignUpForm } from '#web/features/rights/auth/sign-up-form.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { backend } from '#web/lib/supabase/client.ts';

const TEXTS = {
  'sign-in': {
    title: 'Sign In',
    subtitle: 'Access the deployment tracker',
    link: "Don't have an account? Sign up",
  },
  'sign-up': {
    title: 'Sign Up',
    subtitle: 'Create an account to manage deployments',
    link: 'Already have an account? Sign in',
  },
  forgotten: {
    title: 'Forgot password',
    subtitle: 'We will email you a link to set a new one',
    link: undefined,
  },
} as const;

export function TrackerSignIn() {
  const [mode, setMode] = useState<keyof typeof TEXTS>('sign-in');
  const [email, setEmail] = useState('');
  const { title, subtitle, link } = TEXTS[mode];
  usePageTitle('Guard Deployment Tracker');

  return (
    <main className="relative grid min-h-dvh place-items-center px-4 py-16">
      <ThemeMenu className="absolute top-3 right-3" />
      <div className="w-full max-w-md">
        <SessionNotice className="mb-5" />
        <Card className="border-t-3 border-t-accent-fill px-6 pt-8 pb-6 sm:px-9 sm:pt-10">
          <div className="text-center">
            <CompanyMark className="mx-auto h-14 w-auto" />
            <h1 className="mt-5 font-display text-3xl leading-tight">{title}</h1>
            <p className="mt-1.5 mb-7 text-muted">{subtitle}</p>
          </div>
          {mode === 'forgotten' && (
            <ForgotPassword defaultEmail={email} onBack={() => setMode('sign-in')} />
          )}
          {mode === 'sign-in' && (
            <SignInForm
              submitLabel="Sign In"
              defaultEmail={email}
              success={['Signed in successfully']}
              failure="Error signing in"
              onForgotten={(address) => {
                setEmail(address);
                setMode('forgotten');
              }}
            />
          )}
          {mode === 'sign-up' && (
            <SignUpForm
              success="Account created successfully"
              failure="Error creating account"
              onCreated={(address) => {
                setEmail(address);
                setMode('sign-in');
              }}
            />
          )}
          {link && backend.offersSignUp && (
            <p className="mt-3 text-center" data-sign-up>
              <Button
                variant="link"
                onClick={() => setMode(mode === 'sign-in' ? 'sign-up' : 'sign-in')}
              >
                {link}
              </Button>
            </p>
          )}
        </Card>
        <p className="mt-4 text-center">
          <BackHome />
        </p>
      </div>
    </main>
  );
}
