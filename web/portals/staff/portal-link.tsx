import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { cn } from '#web/lib/cn.ts';

type PortalLinkProps = {
  to:
    | '/deployments'
    | '/admin'
    | '/staff/attendance'
    | '/staff/muster'
    | '/staff/open-shifts'
    | '/staff/timesheet';
  title: string;
  text: string;
  /** On a phone its text is for screen readers only. */
  isLow?: boolean;
};

export function PortalLink({ to, title, text, isLow = false }: PortalLinkProps) {
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-13 items-center gap-4 rounded-sm border border-line bg-raised px-4 py-3 sm:p-5 transition-[border-color] hover:border-accent-fill"
      >
        <span className="flex-1">
          <span className="block font-display text-lg leading-tight">{title}</span>
          <SecondLine wraps className={cn('mt-1', isLow && 'max-sm:sr-only')}>
            {text}
          </SecondLine>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-accent" />
      </Link>
    </li>
  );
}
