import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { Rosette } from '#web/assets/guilloche.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ThemeMenu } from './theme-menu.tsx';

export function BackHome() {
  return (
    <a href="/" className={buttonStyles({ variant: 'link' })}>
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to Home
    </a>
  );
}

type AuthLayoutProps = {
  title: string;
  subtitle: string;
  /** Above the card, for example why the user has to sign in again. */
  notice?: ReactNode;
  /** Link below the card; to the public site by default. */
  wayOut?: ReactNode;
  children: ReactNode;
};

export function AuthLayout({ title, subtitle, notice, wayOut, children }: AuthLayoutProps) {
  return (
    <div className="relative grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(24rem,5fr)_7fr] lg:grid-rows-1">
      <aside className="relative flex items-center overflow-hidden bg-navy-950 py-3 pr-16 pl-4 text-[#f1efe8] lg:flex-col lg:items-start lg:justify-between lg:p-12">
        <Rosette className="absolute top-1/2 left-1/2 hidden w-[min(34rem,58dvh)] max-w-none -translate-1/2 text-brass-500/25 lg:block" />
        <p className="relative flex items-center gap-3 font-display leading-tight sm:text-lg lg:gap-4 lg:text-xl">
          <CompanyMark className="h-10 w-auto shrink-0 lg:h-14" />
          {company.name}
        </p>
        <p className="relative hidden max-w-md font-display text-4xl leading-[1.15] text-balance lg:block">
          {company.mission}
        </p>
      </aside>
      <main className="flex flex-col items-center px-4 py-10 sm:justify-center sm:px-8 sm:py-16">
        <div className="w-full max-w-md">
          <h1 className="font-display text-3xl leading-tight sm:text-4xl">{title}</h1>
          <p className="mt-2 mb-7 text-muted">{subtitle}</p>
          {notice}
          <Card>{children}</Card>
          <div className="-ml-1.5 mt-4">{wayOut ?? <BackHome />}</div>
        </div>
      </main>
      <ThemeMenu className="absolute top-2.5 right-3 max-lg:text-[#f1efe8] max-lg:hover:bg-white/10" />
    </div>
  );
}
