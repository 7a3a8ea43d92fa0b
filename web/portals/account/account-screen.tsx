import { PortalLinks } from '#web/components/layout/portal-links.tsx';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { DevicesSection } from '#web/features/rights/account/devices-section.tsx';
import { IdentitiesSection } from '#web/features/rights/account/identities-section.tsx';
import { PinSection } from '#web/features/rights/account/pin-section.tsx';
import { PrivacySection } from '#web/features/rights/account/privacy-section.tsx';
import {
  EmailSection,
  NameSection,
  PasswordSection,
} from '#web/features/rights/account/profile-sections.tsx';
import { TwoStepSection } from '#web/features/rights/account/two-step-section.tsx';
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { SignOutButton } from '#web/features/rights/auth/sign-out-button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';

function Account() {
  const { user } = useAuth();
  usePageTitle('Account');
  return (
    <>
      <TopBar email={signInName(user)}>
        <SignOutButton label="Logout" />
      </TopBar>
      <main className="mx-auto max-w-5xl px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
        <PortalLinks />
        <h1 className="mt-3 font-display text-3xl leading-tight sm:text-4xl">Account</h1>
        <p className="mt-2 mb-8 text-muted">
          How you sign in, and what your colleagues see of you. Only you can change it here.
        </p>
        <NameSection />
        <EmailSection />
        <PasswordSection />
        {user && <PinSection userId={user.id} />}
        <TwoStepSection />
        <DevicesSection />
        <IdentitiesSection />
        <PrivacySection />
      </main>
    </>
  );
}

export function AccountScreen() {
  return (
    <RequireSession>
      <Account />
    </RequireSession>
  );
}
