import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { SecondLine } from '#web/components/ui/second-line.tsx';

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
};

export function PortalLink({ to, title, text }: PortalLinkProps) {
  return (
    <li>
      <Link
        to={to}
        className="flex items-center gap-4 rounded-sm border border-line bg-raised p-5 transition-[border-color] hover:border-accent-fill"
      >
        <span className="flex-1">
          <span className="block font-display text-lg leading-tight">{title}</span>
          <SecondLine wraps className="mt-1">
            {text}
          </SecondLine>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-accent" />
      </Link>
    </li>
  );
}
