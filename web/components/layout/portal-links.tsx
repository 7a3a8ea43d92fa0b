import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { mayEnterPortal } from '#shared/screens.ts';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';

/** The way back to the portals: the installed app has no browser back button. */
export function PortalLinks({ className }: { className?: string }) {
  const { roles } = useAuth();
  return (
    <nav aria-label="Portals" className={cn('-ml-1 flex flex-wrap gap-x-5', className)}>
      {mayEnterPortal(roles) && (
        <Link to="/admin" className={buttonStyles({ variant: 'link' })}>
          <ArrowLeft aria-hidden="true" className="size-4" />
          Admin Portal
        </Link>
      )}
      <Link to="/staff" className={buttonStyles({ variant: 'link' })}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Staff Portal
      </Link>
    </nav>
  );
}
