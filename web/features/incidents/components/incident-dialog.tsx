// Incident Details: what happened, the evidence, how it goes on, and what can be handed to the client.
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { useIncident } from '../api/get-incident.ts';
import { IncidentView } from './incident-view.tsx';

export function IncidentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={useIncident(id)}
      title="Incident Details"
      missing="This incident does not exist, or you may not see it."
      onClose={onClose}
    >
      {(incident) => <IncidentView incident={incident} />}
    </DetailDialog>
  );
}
