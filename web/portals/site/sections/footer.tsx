// The end of the page: whose it is, and the tagline.
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';

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
