import type { ReactNode } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { Drawing } from '../art/drawing.tsx';
import phone from '../art/phone.svg?raw';
import whatsappIcon from '../art/whatsapp.svg?raw';

/** Digits and plus sign only, as in tel: links. */
export const dialled = company.hotline.replace(/[^\d+]/g, '');

/** @returns the address that opens a conversation in WhatsApp */
export const chatUrl = (whatsapp: string) => `https://wa.me/${whatsapp.replace(/\D/g, '')}`;

const link =
  'site-link inline-flex min-h-11 items-center rounded-sm px-2 text-sm font-medium whitespace-nowrap text-white/85 hover:text-white lg:px-3';

/** The name after its first, better known part. */
const rest = company.name.replace(company.shortName, '').trim();

export function TopBar() {
  return (
    <header className="site-bar sticky top-0 z-20 border-b border-white/10 text-white print:static">
      <div className="site-width flex min-h-16 items-center justify-between gap-x-2 cramped:flex-wrap">
        <a href="/" className="flex min-w-0 items-center gap-2.5 rounded-sm py-1.5 sm:gap-3">
          <CompanyMark className="h-9 shrink-0" />
          <span className="font-display leading-tight lg:text-xl">
            <span className="block text-[1.0625rem] lg:inline lg:text-xl">{company.shortName}</span>{' '}
            <span className="block text-[0.6875rem] lg:inline lg:text-xl">{rest}</span>
          </span>
        </a>
        <div className="flex shrink-0 items-center max-md:-mr-2 lg:gap-1 cramped:-ml-2 cramped:shrink print:hidden">
          <a href={`tel:${dialled}`} className={`${link} gap-2 max-md:hidden`}>
            <Drawing svg={phone} className="size-4 text-brass-400" />
            <span className="max-xl:sr-only">24/7 hotline</span>
            <span className="font-semibold text-white">{company.hotline}</span>
          </a>
          <nav aria-label="Portals" className="flex items-center cramped:flex-wrap">
            <a href="/staff" className={link}>
              Staff Login
            </a>
            <a href="/admin" className={link}>
              Admin Login
            </a>
          </nav>
          <a
            href="#contact-form"
            data-action="request-protection"
            className="ml-2 inline-flex min-h-11 items-center rounded-sm bg-brass-400 px-4 text-sm font-semibold whitespace-nowrap text-navy-950 hover:bg-brass-300 max-md:hidden"
          >
            Request Protection
          </a>
        </div>
      </div>
    </header>
  );
}

const call =
  'inline-flex min-h-12 flex-1 items-center justify-center gap-2 rounded-sm px-2 text-[0.9375rem] font-semibold whitespace-nowrap cramped:text-center cramped:whitespace-normal';

/** At the bottom of a phone's window until the contact section begins: sticky, so that it covers nothing there. */
export function CallBar({ whatsapp }: { whatsapp?: string }) {
  return (
    <nav
      aria-label="Contact"
      className="site-call-bar sticky bottom-0 z-10 flex gap-2 border-t border-white/15 px-3 py-2 text-white md:hidden print:hidden"
    >
      <a href={`tel:${dialled}`} className={`${call} bg-brass-400 text-navy-950`}>
        <Drawing svg={phone} className="size-4.5" />
        Call<span className="sr-only"> the hotline</span>
      </a>
      {whatsapp && (
        <a href={chatUrl(whatsapp)} className={`${call} border border-white/40`}>
          <Drawing svg={whatsappIcon} className="size-4.5 text-brass-400" />
          WhatsApp
        </a>
      )}
      <a
        href="#contact-form"
        data-action="request-protection"
        className={`${call} grow-2 border border-white/40`}
      >
        Request Protection
      </a>
    </nav>
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
