// The portal of clients: signs a contact in by a link, and shows who is no contact where to go.
import { lazy, Suspense } from 'react';
import { company } from '#company';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { RequireIdentity } from '#web/features/auth/require-session.tsx';
import { SignOutButton } from '#web/features/auth/sign-out-button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { isClientContact } from '#web/lib/session/client-contact.ts';

const ClientSignIn = lazy(async () => ({
  default: (await import('./client-sign-in.tsx')).ClientSignIn,
}));
const ClientShell = lazy(async () => ({
  default: (await import('./client-shell.tsx')).ClientShell,
}));

function NotForYou() {
  usePageTitle('Client Portal');
  return (
    <AuthLayout title="This is our clients’ portal" subtitle={company.name}>
      <div className="grid justify-items-start gap-5 p-6 sm:p-8">
        <p className="text-pretty">
          You are signed in as someone who works for the company. Contacts of our clients see their
          own sites here.
        </p>
        <div className="flex flex-wrap gap-3">
          <a href="/staff" className={buttonStyles({ variant: 'primary' })}>
            Go to the staff portal
          </a>
          <SignOutButton label="Sign Out" />
        </div>
      </div>
    </AuthLayout>
  );
}

export function ClientPortal() {
  const { user } = useAuth();
  return (
    <RequireIdentity
      signIn={
        <LazyPart fallback={<Loading className="min-h-dvh" />}>
          <ClientSignIn />
        </LazyPart>
      }
    >
      {isClientContact(user) ? (
        <Suspense fallback={<Loading className="min-h-dvh" />}>
          <ClientShell />
        </Suspense>
      ) : (
        <NotForYou />
      )}
    </RequireIdentity>
  );
}
