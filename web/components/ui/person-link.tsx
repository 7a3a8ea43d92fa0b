import { Link } from '@tanstack/react-router';
import { maySeePeople } from '#shared/screens.ts';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { NAME_LINK } from './name-link.ts';

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
      className={cn(NAME_LINK, className)}
    >
      {name}
    </Link>
  );
}
