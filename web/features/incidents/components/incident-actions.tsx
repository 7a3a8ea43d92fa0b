// What may be done with an incident from its row: look at it, and lead it one step on.
import { ArrowUpRight, Check, Eye } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useUpdateStatus } from '../api/update-status.ts';
import type { Status } from '../labels.ts';
import type { IncidentRow } from '../schema.ts';

/** Specification, section 4. */
const STEPS: Partial<Record<Status, { label: string; to: Status; Icon: typeof Check }>> = {
  open: { label: 'Escalate', to: 'investigating', Icon: ArrowUpRight },
  investigating: { label: 'Resolve', to: 'resolved', Icon: Check },
};

type IncidentActionsProps = { incident: IncidentRow; onView: () => void };

export function IncidentActions({ incident, onView }: IncidentActionsProps) {
  const { mutateAsync, isPending } = useUpdateStatus();
  const step = STEPS[incident.status];

  function take(to: Status) {
    mutateAsync({ incident, change: { status: to, note: '' } })
      .then(() => showSuccess('Status Updated'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (
    <div className="relative flex justify-end">
      {step && (
        <Button
          variant="ghost"
          className="px-2 text-sm"
          busy={isPending}
          aria-label={`${step.label} ${incident.title}`}
          onClick={() => take(step.to)}
        >
          {!isPending && <step.Icon aria-hidden="true" className="size-4" />}
          {step.label}
        </Button>
      )}
      <Button
        variant="ghost"
        className="px-2 text-sm"
        aria-label={`View ${incident.title}`}
        onClick={onView}
      >
        <Eye aria-hidden="true" className="size-4" />
        View
      </Button>
    </div>
  );
}
