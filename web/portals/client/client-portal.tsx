// The portal of clients: signs a contact in by a link, and shows who is no contact where to go.
import { useEffect, useState } from 'react';
import { company } from '#company';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { Failure } from '#web/components/layout/screen.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import {
  needsSecondStep,
  openSession,
  useSession,
} from '#web/features/portal/client-portal/session.ts';
import { SignOut } from '#web/features/portal/client-portal/sign-out.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { isClientContact } from '#web/lib/session/client-contact.ts';
import { lacksSecondStep, type StoredSession } from '#web/lib/session/stored-session.ts';
import { ClientShell } from './client-shell.tsx';
import { ClientSignIn } from './client-sign-in.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';

const loading = <Loading className="min-h-dvh" />;

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
          <SignOut />
        </div>
      </div>
    </AuthLayout>
  );
}

/** The app asks for the second step, wherever it is opened, and then leads back. */
function SecondStepElsewhere({ session }: { session: StoredSession }) {
  useEffect(() => {
    needsSecondStep(session)
      .catch(() => true)
      .then((isNeeded) => isNeeded && location.replace('/staff'));
  }, [session]);
  return loading;
}

function Portal() {
  const session = useSession();
  if (!session) return <ClientSignIn />;
  if (lacksSecondStep(session)) return <SecondStepElsewhere session={session} />;
  return isClientContact(session.user) ? <ClientShell /> : <NotForYou />;
}

/** @returns what became of reading the session, and another try */
function useOpening() {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try runs the effect again.
  useEffect(() => {
    openSession().then(() => setOpen(true), setFailure);
  }, [tries]);
  const retry = () => {
    setFailure(undefined);
    setTries((count) => count + 1);
  };
  return { isOpen, failure, retry };
}

export function ClientPortal() {
  const { isOpen, failure, retry } = useOpening();
  if (failure !== undefined) {
    return (
      <Failure
        title="The portal could not be opened"
        message={describeError(failure)}
        onRetry={retry}
      />
    );
  }
  if (!isOpen) return loading;
  return (
    <ScreenBoundary>
      <Portal />
    </ScreenBoundary>
  );
}
