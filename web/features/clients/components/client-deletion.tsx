// Asks before a client is deleted, and says which sites and deployments lose their link to it.
import { ConfirmDialog } from '#web/components/records/confirm-dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useClientLinks } from '../api/client-links.ts';
import { useDeleteClient } from '../api/delete-client.ts';
import { useRestoreClient } from '../api/restore-client.ts';
import type { Client } from '../schema.ts';

type ClientDeletionProps = { client: Client; onClose: () => void };

type Links = { sites: number; deployments: number };

/** @returns for example "2 sites and 1 deployment"; empty where nothing is linked */
function inWords({ sites, deployments }: Links): string {
  return [
    sites > 0 && `${sites} ${sites === 1 ? 'site' : 'sites'}`,
    deployments > 0 && `${deployments} ${deployments === 1 ? 'deployment' : 'deployments'}`,
  ]
    .filter((part) => part !== false)
    .join(' and ');
}

function consequenceOf(name: string, links: Links | undefined): string {
  const linked = links && inWords(links);
  if (linked === '') return `${name} leaves the list and the totals.`;
  return `${name} leaves the list and the totals. ${linked ?? 'Sites and deployments'} linked to it will keep the name, but not the link.`;
}

export function ClientDeletion({ client, onClose }: ClientDeletionProps) {
  const { data: links } = useClientLinks(client.id);
  const remove = useDeleteClient();
  const restore = useRestoreClient();

  function undo(row: Client) {
    restore
      .mutateAsync(row)
      .then(() => showSuccess('Client restored'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  async function confirm() {
    const row = await remove.mutateAsync(client.id);
    // Where links are lost with it, putting back the client alone would promise too much.
    const isWhole = row !== null && links !== undefined && inWords(links) === '';
    const action = isWhole ? { label: 'Undo', onPress: () => undo(row) } : undefined;
    showSuccess('Client deleted successfully', undefined, action);
  }
  return (
    <ConfirmDialog
      title="Delete Client"
      question="Are you sure you want to delete this client?"
      consequence={consequenceOf(client.name, links)}
      confirmLabel="Delete"
      confirm={confirm}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
