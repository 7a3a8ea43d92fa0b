import { lazy, useState } from 'react';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { SessionNotice } from './session-notice.tsx';
import { SignInForm } from './sign-in-form.tsx';

// Loaded on demand: most users only sign in, some over a slow connection.
const SignUpForm = lazy(async () => ({ default: (await import('./sign-up-form.tsx')).SignUpForm }));
const ForgotPassword = lazy(async () => ({
  default: (await import('./forgot-password.tsx')).ForgotPassword,
}));

export function PortalSignIn() {
  const [tab, setTab] = useState('login');
  const [email, setEmail] = useState('');
  const [isResetting, setResetting] = useState(false);
  usePageTitle('Sign in');

  if (isResetting) {
    return (
      <AuthLayout
        title="Forgot password"
        subtitle="We will email you a link to set a new one"
        notice={<SessionNotice className="mb-5" />}
      >
        <div className="p-6 sm:p-8">
          <LazyPart fallback={<Loading />}>
            <ForgotPassword defaultEmail={email} onBack={() => setResetting(false)} />
          </LazyPart>
        </div>
      </AuthLayout>
    );
  }

  const login = (
    <SignInForm
      submitLabel="Login"
      defaultEmail={email}
      success={['Welcome back!', 'Logged in successfully']}
      failure="Error"
      onForgotten={(address) => {
        setEmail(address);
        setResetting(true);
      }}
    />
  );
  return (
    <AuthLayout
      title="Security Portal"
      subtitle="Sign in to access your dashboard"
      notice={<SessionNotice className="mb-5" />}
    >
      {backend.offersSignUp ? (
        <Tabs value={tab} onValueChange={setTab}>
          <TabsList aria-label="Sign in or create an account" data-sign-up>
            <TabsTrigger value="login">Login</TabsTrigger>
            <TabsTrigger value="sign-up">Sign Up</TabsTrigger>
          </TabsList>
          <TabsContent value="login" className="p-6 sm:p-8">
            {login}
          </TabsContent>
          <TabsContent value="sign-up" className="p-6 sm:p-8">
            <LazyPart fallback={<Loading />}>
              <SignUpForm
                success="Account created! You can now log in."
                failure="Error"
                onCreated={(address) => {
                  setEmail(address);
                  setTab('login');
                }}
              />
            </LazyPart>
          </TabsContent>
        </Tabs>
      ) : (
        <div className="p-6 sm:p-8">{login}</div>
      )}
    </AuthLayout>
  );
}
