// The way to one's own account, from the header of every portal. On a phone its icon.
import { Link } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { buttonStyles } from '#web/components/ui/button-styles.ts';
import { cn } from '#web/lib/cn.ts';

type AccountLinkProps = { email: string | undefined; className?: string };

export function AccountLink({ email, className }: AccountLinkProps) {
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
      <span className="truncate">{email}</span>
    </Link>
  );
}
