// Asks before a client is deleted, and says which sites and deployments lose their link to it.
import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
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
  const isWhole = links !== undefined && inWords(links) === '';
  return (
    <DeleteDialog
      title="Delete Client"
      question="Are you sure you want to delete this client?"
      consequence={consequenceOf(client.name, links)}
      remove={() => remove.mutateAsync(client.id)}
      deleted="Client deleted successfully"
      undo={isWhole ? { restore: restore.mutateAsync, restored: 'Client restored' } : undefined}
      onClose={onClose}
    />
  );
}
