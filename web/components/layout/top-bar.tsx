// The bar at the top of a screen outside the admin portal: the company, the person, and what ends the session.
import type { ReactNode } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { AccountLink } from './account-link.tsx';
import { ThemeMenu } from './theme-menu.tsx';

type TopBarProps = { email: string | undefined; children: ReactNode };

export function TopBar({ email, children }: TopBarProps) {
  return (
    <header className="border-b border-line bg-raised">
      <div className="mx-auto flex min-h-16 max-w-7xl items-center gap-2 px-4 py-2 sm:px-8">
        <CompanyMark className="h-9 w-auto shrink-0" />
        <span className="ml-1 font-display text-lg leading-tight max-md:sr-only">
          {company.shortName}
        </span>
        <AccountLink email={email} className="ml-auto shrink" />
        <ThemeMenu className="shrink-0" />
        {children}
      </div>
    </header>
  );
}
