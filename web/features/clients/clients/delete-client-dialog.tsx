import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { clients, useClientLinks } from './api.ts';
import type { Client } from './schema.ts';

type DeleteClientDialogProps = { client: Client; onClose: () => void };

type Links = { sites: number; deployments: number };

/** @returns for example "2 sites and 1 deployment"; empty when nothing is linked */
function describeLinks({ sites, deployments }: Links): string {
  return [
    sites > 0 && `${sites} ${sites === 1 ? 'site' : 'sites'}`,
    deployments > 0 && `${deployments} ${deployments === 1 ? 'deployment' : 'deployments'}`,
  ]
    .filter((part) => part !== false)
    .join(' and ');
}

function consequenceOf(name: string, links: Links | undefined): string {
  const linked = links && describeLinks(links);
  if (linked === '') return `${name} leaves the list and the totals.`;
  return `${name} leaves the list and the totals. ${linked ?? 'Sites and deployments'} linked to it will keep the name, but not the link.`;
}

export function DeleteClientDialog({ client, onClose }: DeleteClientDialogProps) {
  const { data: links } = useClientLinks(client.id);
  const remove = clients.useDelete();
  const restore = clients.useRestore();
  // Restoring the client would not restore the links.
  const canUndo = links !== undefined && describeLinks(links) === '';
  return (
    <DeleteDialog
      title="Delete Client"
      question="Are you sure you want to delete this client?"
      consequence={consequenceOf(client.name, links)}
      remove={() => remove.mutateAsync(client.id)}
      deleted="Client deleted successfully"
      undo={canUndo ? { restore: restore.mutateAsync, restored: 'Client restored' } : undefined}
      onClose={onClose}
    />
  );
}
