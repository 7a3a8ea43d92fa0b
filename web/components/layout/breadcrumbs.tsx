import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';

type Crumb = {
  label: string;
  to: NonNullable<LinkProps['to']>;
  search?: Record<string, string>;
};

type BreadcrumbsProps = {
  /** The screens above this page, outermost first. */
  trail: readonly Crumb[];
  /** This page. */
  current: string;
};

export function Breadcrumbs({ trail, current }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumb" className="mb-2 text-sm text-muted print:hidden">
      <ol className="flex flex-wrap items-center gap-x-1">
        {trail.map(({ label, to, search }) => (
          <li key={label} className="flex items-center gap-1">
            <Link
              to={to}
              search={search ?? {}}
              className="-mx-1 inline-flex min-h-11 min-w-11 items-center rounded-xs px-1 underline decoration-transparent underline-offset-4 hover:text-ink hover:decoration-accent sm:min-h-8"
            >
              {label}
            </Link>
            <ChevronRight aria-hidden="true" className="size-4" />
          </li>
        ))}
        <li key={current} aria-current="page" className="min-w-0 text-ink [overflow-wrap:anywhere]">
          {current}
        </li>
      </ol>
    </nav>
  );
}
