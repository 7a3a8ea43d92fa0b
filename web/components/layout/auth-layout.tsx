// The frame of every sign-in: the company on a navy field, the card beside it (below it on a phone).
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { buttonStyles } from '#web/components/ui/button-styles.ts';
import { Card } from '#web/components/ui/card.tsx';
import { ThemeMenu } from './theme-menu.tsx';

type AuthLayoutProps = { title: string; subtitle: string; children: ReactNode };

export function AuthLayout({ title, subtitle, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(24rem,5fr)_7fr] lg:grid-rows-1">
      <aside className="flex items-center gap-3.5 bg-navy-950 px-5 py-4 text-[#f1efe8] lg:flex-col lg:items-start lg:justify-between lg:p-12">
        <p className="flex items-center gap-3.5 font-display text-lg leading-tight lg:text-xl">
          <CompanyMark className="h-11 w-auto shrink-0 lg:h-14" />
          {company.name}
        </p>
        <p className="hidden max-w-md border-t border-brass-500/50 pt-7 font-display text-4xl leading-[1.15] text-balance lg:block">
          {company.mission}
        </p>
      </aside>
      <main className="relative flex flex-col items-center justify-center px-4 py-10 sm:px-8 sm:py-16">
        <ThemeMenu className="absolute top-3 right-3" />
        <div className="w-full max-w-md">
          <h1 className="font-display text-3xl leading-tight sm:text-4xl">{title}</h1>
          <p className="mt-2 mb-7 text-muted">{subtitle}</p>
          <Card>{children}</Card>
          <a href="/" className={buttonStyles({ variant: 'link', className: 'mt-5' })}>
            <ArrowLeft aria-hidden="true" className="size-4" />
            Back to Home
          </a>
        </div>
      </main>
    </div>
  );
}
