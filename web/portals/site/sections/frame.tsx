import type { ReactNode } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';

const link =
  'site-link inline-flex min-h-11 items-center rounded-sm px-2 text-sm font-medium whitespace-nowrap text-white/85 hover:text-white sm:px-4';

/** The name after its first, better known part. */
const rest = company.name.replace(company.shortName, '').trim();

export function TopBar() {
  return (
    <header className="site-bar sticky top-0 z-20 border-b border-white/10 text-white print:static">
      <div className="site-width flex h-16 items-center justify-between gap-2">
        <a href="/" className="flex min-w-0 items-center gap-2.5 rounded-sm py-1.5 sm:gap-3">
          <CompanyMark className="h-9 shrink-0" />
          <span className="font-display leading-tight sm:text-xl">
            <span className="block text-[1.0625rem] sm:inline sm:text-xl">{company.shortName}</span>{' '}
            <span className="block text-[0.6875rem] sm:inline sm:text-xl">{rest}</span>
          </span>
        </a>
        <nav aria-label="Portals" className="-mr-2 flex shrink-0 items-center print:hidden">
          <a href="/staff" className={link}>
            Staff Login
          </a>
          <a href="/admin" className={link}>
            Admin Login
          </a>
        </nav>
      </div>
    </header>
  );
}

export function Footer() {
  return (
    <footer className="site-night border-t border-white/10 bg-navy-950 text-white">
      <div className="site-width flex flex-col gap-6 py-12 sm:flex-row sm:items-center sm:justify-between">
        <div className="flex items-center gap-4">
          <CompanyMark className="h-12 shrink-0" />
          <p className="font-display text-lead">{company.tagline}</p>
        </div>
        <p className="text-sm text-white/75">
          &copy; {company.copyrightYear} {company.name}. All rights reserved.
        </p>
      </div>
    </footer>
  );
}

type Props = { id: string; title: string; children?: ReactNode };

export function SectionHeading({ id, title, children }: Props) {
  return (
    <div className="grid gap-x-10 gap-y-4 md:grid-cols-12 md:items-end">
      <h2
        id={id}
        className="font-display text-title before:mb-5 before:block before:h-0.5 before:w-14 before:bg-accent-fill md:col-span-7 md:only:col-span-12"
      >
        {title}
      </h2>
      {children && (
        <p className="max-w-[34rem] text-muted md:col-span-5 md:justify-self-end">{children}</p>
      )}
    </div>
  );
}
