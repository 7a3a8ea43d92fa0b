import { Link } from '@tanstack/react-router';
import { maySeePeople } from '#shared/screens.ts';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';

type PersonLinkProps = {
  /** Id of the account, or of a staff record without one. Without it, or the permission, the name is plain text. */
  id: string | null | undefined;
  name: string;
  className?: string;
  /** -1 in a grid, which has one tab stop. */
  tabIndex?: number;
};

/** A person's name in the admin portal; opens their page. */
export function PersonLink({ id, name, className, tabIndex }: PersonLinkProps) {
  const { roles } = useAuth();
  if (!id || !maySeePeople(roles)) return name;
  return (
    <Link
      to="/admin/people/$id"
      params={{ id }}
      tabIndex={tabIndex}
      className={cn(
        // 44 px for a finger; the negative margin keeps the line as high as text.
        'relative -my-2.5 inline-flex min-h-11 min-w-11 items-center underline decoration-accent/35 underline-offset-4 hover:decoration-accent print:no-underline',
        className,
      )}
    >
      {name}
    </Link>
  );
}
