import { formatCount } from '#shared/count.ts';
import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { sites, useSiteDependents } from './api.ts';
import type { Site } from './schema.ts';

type DeleteSiteDialogProps = { site: Site; onClose: () => void };

type Dependents = { shifts: number; incidents: number; supervisors: number };

const counted = (count: number, one: string, many: string) =>
  count > 0 ? [`${formatCount(count)} ${count === 1 ? one : many}`] : [];

function obstacleOf(name: string, { shifts, incidents }: Dependents): string | undefined {
  const dependents = [
    ...counted(shifts, 'shift', 'shifts'),
    ...counted(incidents, 'incident', 'incidents'),
  ];
  if (dependents.length === 0) return undefined;
  return `${name} has ${dependents.join(' and ')} on record. A site can only be deleted while it has none.`;
}

function consequenceOf(name: string, supervisors: number): string {
  const loss = `${name} is removed with its coordinates and geofence.`;
  const [roles] = counted(supervisors, 'supervisor role', 'supervisor roles');
  return roles ? `${loss} So ${supervisors === 1 ? 'is' : 'are'} ${roles} for this site.` : loss;
}

export function DeleteSiteDialog({ site, onClose }: DeleteSiteDialogProps) {
  const { data: dependents } = useSiteDependents(site.id);
  const { isAdmin } = useAuth();
  const remove = sites.useDelete();
  const restore = sites.useRestore();
  // Undo can't restore supervisor roles, and only admins can read all of them.
  const canUndo = isAdmin && dependents?.supervisors === 0;
  return (
    <DeleteDialog
      title="Delete Site"
      question="Are you sure you want to delete this site?"
      consequence={consequenceOf(site.name, dependents?.supervisors ?? 0)}
      obstacle={dependents && obstacleOf(site.name, dependents)}
      remove={() => remove.mutateAsync(site.id)}
      deleted="Site deleted successfully"
      undo={canUndo ? { restore: restore.mutateAsync, restored: 'Site restored' } : undefined}
      onClose={onClose}
    />
  );
}
