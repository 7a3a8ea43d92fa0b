import { Link, type LinkProps } from '@tanstack/react-router';
import { maySeeClients, maySeeSites } from '#shared/screens.ts';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { PAGE_LINK } from './page-link.ts';

type PlaceLinkProps = {
  /** Without it, or the permission, the name is plain text. */
  id: string | null | undefined;
  name: string;
  className?: string;
};

type NamedLinkProps = Omit<PlaceLinkProps, 'id'> & Pick<LinkProps, 'to' | 'params'>;

const NamedLink = ({ name, className, ...link }: NamedLinkProps) => (
  <Link {...link} className={cn(PAGE_LINK, 'max-w-full', className)}>
    {name}
  </Link>
);

/** A site's name in the admin portal; opens its page. */
export function SiteLink({ id, ...link }: PlaceLinkProps) {
  const { roles } = useAuth();
  if (!id || !maySeeSites(roles)) return link.name;
  return <NamedLink to="/admin/sites/$id" params={{ id }} {...link} />;
}

/** A client's name in the admin portal; opens its page. */
export function ClientLink({ id, ...link }: PlaceLinkProps) {
  const { roles } = useAuth();
  if (!id || !maySeeClients(roles)) return link.name;
  return <NamedLink to="/admin/clients/$id" params={{ id }} {...link} />;
}
