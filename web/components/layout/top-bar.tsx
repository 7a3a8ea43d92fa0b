import { Link } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { cn } from '#web/lib/cn.ts';
import { ThemeMenu } from './theme-menu.tsx';

type AccountLinkProps = {
  email: string | undefined;
  /** Shown where the address has no room. */
  name?: string | null | undefined;
  className?: string;
};

export function AccountLink({ email, name, className }: AccountLinkProps) {
  return (
    <Link
      to="/account"
      title="Account"
      className={buttonStyles({
        variant: 'ghost',
        className: cn('min-w-11 px-3 font-normal text-muted', className),
      })}
    >
      <CircleUserRound aria-hidden="true" className="size-5" />
      <span className="sr-only">Account of </span>
      {name && (
        <>
          <span className="truncate text-ink md:hidden">{name}</span>{' '}
        </>
      )}
      <span className={cn('truncate', name && 'max-md:sr-only')}>{email}</span>
    </Link>
  );
}

type TopBarProps = Pick<AccountLinkProps, 'email' | 'name'> & {
  /** On phones the theme is chosen elsewhere, which leaves room for the name. */
  compact?: boolean;
  children: ReactNode;
};

export function TopBar({ email, name, compact = false, children }: TopBarProps) {
  return (
    <header className="border-b border-line bg-raised">
      <div className="mx-auto flex min-h-16 max-w-7xl items-center gap-2 px-4 py-2 sm:px-8">
        <CompanyMark className="h-9 w-auto shrink-0" />
        <span className="ml-1 font-display text-lg leading-tight max-md:sr-only">
          {company.shortName}
        </span>
        <AccountLink email={email} name={name} className="ml-auto shrink" />
        <ThemeMenu className={cn('shrink-0', compact && 'max-sm:hidden')} />
        {children}
      </div>
    </header>
  );
}
