import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { Hotline } from '#web/components/layout/hotline.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { SignOutButton } from '#web/features/rights/auth/sign-out-button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function AccessDenied() {
  usePageTitle('Access Denied');
  return (
    <div className="mx-auto max-w-md text-center">
      <ShieldAlert aria-hidden="true" className="mx-auto size-12 text-accent" strokeWidth={1.5} />
      <h1 className="mt-6 font-display text-3xl leading-tight sm:text-4xl">Access Denied</h1>
      <p className="mt-4 text-pretty text-muted">
        You do not have permission to access the admin portal. Please contact your administrator.
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/staff" className={buttonStyles()}>
          Go to Staff Portal
        </Link>
        <SignOutButton label="Logout" />
      </div>
      <p className="mt-4">
        <Link to="/account" className={buttonStyles({ variant: 'link' })}>
          Open my account
        </Link>
      </p>
      <Hotline />
    </div>
  );
}
