import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { useUnreadCount } from './api.ts';

/** Most that fit into the badge. */
const MOST = 9;

type NoticeBellProps = { to: '/staff/notices' | '/admin/notices' };

export function NoticeBell({ to }: NoticeBellProps) {
  const count = useUnreadCount();
  const { user } = useAuth();
  const session = user && `${user.id} ${user.last_sign_in_at}`;
  useEffect(() => {
    if (!session) return;
    void (async () => {
      try {
        await (await import('./push.ts')).renewPush(session);
      } catch (error) {
        // Tried again when the app is next opened.
        console.warn('Push messages could not be renewed:', error);
      }
    })();
  }, [session]);
  return (
    <Link
      to={to}
      title="Notices"
      className={buttonStyles({ variant: 'ghost', size: 'icon', className: 'relative text-muted' })}
    >
      <Bell aria-hidden="true" className="size-5" />
      <span className="sr-only">Notices{count > 0 && `, ${count} unread`}</span>
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-1 right-0.5 grid min-w-5 place-items-center rounded-full bg-danger px-1 text-xs leading-5 font-semibold text-danger-ink tabular-nums"
        >
          {count > MOST ? `${MOST}+` : count}
        </span>
      )}
    </Link>
  );
}
