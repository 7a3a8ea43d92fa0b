// Asks before a site is deleted, and says what would be lost, or what will keep it from being deleted.
import { ConfirmDialog } from '#web/components/records/confirm-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useDeleteSite } from '../api/delete-site.ts';
import { useSiteLinks } from '../api/site-links.ts';
import type { Site } from '../schema.ts';

type SiteDeletionProps = { site: Site; onClose: () => void };

type Links = { shifts: number; incidents: number; supervisors: number };

const counted = (count: number, one: string, many: string) =>
  count > 0 ? [`${count.toLocaleString('en-US')} ${count === 1 ? one : many}`] : [];

function consequenceOf(name: string, links: Links | undefined): string {
  const lost = `${name} is removed with its coordinates and geofence.`;
  if (!links) return lost;
  const kept = [
    ...counted(links.shifts, 'shift', 'shifts'),
    ...counted(links.incidents, 'incident', 'incidents'),
  ];
  if (kept.length > 0) {
    return `${name} has ${kept.join(' and ')} on record. A site can only be deleted while it has none.`;
  }
  const [roles] = counted(links.supervisors, 'supervisor role', 'supervisor roles');
  return roles
    ? `${lost} So ${links.supervisors === 1 ? 'is' : 'are'} ${roles} for this site.`
    : lost;
}

export function SiteDeletion({ site, onClose }: SiteDeletionProps) {
  const { data: links } = useSiteLinks(site.id);
  const remove = useDeleteSite();
  return (
    <ConfirmDialog
      title="Delete Site"
      question="Are you sure you want to delete this site?"
      consequence={consequenceOf(site.name, links)}
      confirmLabel="Delete"
      failure="The site was not deleted"
      confirm={() => remove.mutateAsync(site.id)}
      onDone={() => {
        onClose();
        showSuccess('Site deleted successfully');
      }}
      onCancel={onClose}
    />
  );
}
