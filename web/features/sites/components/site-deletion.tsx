// Asks before a site is deleted, and says what would be lost, or what will keep it from being deleted.
import { formatCount } from '#shared/count.ts';
import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { useDeleteSite } from '../api/delete-site.ts';
import { useRestoreSite } from '../api/restore-site.ts';
import { useSiteLinks } from '../api/site-links.ts';
import type { Site } from '../schema.ts';

type SiteDeletionProps = { site: Site; onClose: () => void };

type Links = { shifts: number; incidents: number; supervisors: number };

const counted = (count: number, one: string, many: string) =>
  count > 0 ? [`${formatCount(count)} ${count === 1 ? one : many}`] : [];

function obstacleOf(name: string, { shifts, incidents }: Links): string | undefined {
  const kept = [
    ...counted(shifts, 'shift', 'shifts'),
    ...counted(incidents, 'incident', 'incidents'),
  ];
  if (kept.length === 0) return undefined;
  return `${name} has ${kept.join(' and ')} on record. A site can only be deleted while it has none.`;
}

function consequenceOf(name: string, supervisors: number): string {
  const lost = `${name} is removed with its coordinates and geofence.`;
  const [roles] = counted(supervisors, 'supervisor role', 'supervisor roles');
  return roles ? `${lost} So ${supervisors === 1 ? 'is' : 'are'} ${roles} for this site.` : lost;
}

export function SiteDeletion({ site, onClose }: SiteDeletionProps) {
  const { data: links } = useSiteLinks(site.id);
  const { isAdmin } = useAuth();
  const remove = useDeleteSite();
  const restore = useRestoreSite();
  // Supervisor roles go with a site, and only admins are told of them all.
  const isWhole = isAdmin && links?.supervisors === 0;
  return (
    <DeleteDialog
      title="Delete Site"
      question="Are you sure you want to delete this site?"
      consequence={consequenceOf(site.name, links?.supervisors ?? 0)}
      obstacle={links && obstacleOf(site.name, links)}
      remove={() => remove.mutateAsync(site.id)}
      deleted="Site deleted successfully"
      undo={isWhole ? { restore: restore.mutateAsync, restored: 'Site restored' } : undefined}
      onClose={onClose}
    />
  );
}
