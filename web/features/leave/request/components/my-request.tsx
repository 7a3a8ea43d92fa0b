// One request of one's own: what was asked for, what became of it, and a way to take it back while nobody has decided.
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { STATUS_LABELS, STATUS_TONES, TYPE_LABELS } from '../../labels.ts';
import type { MyRequest as Request } from '../api/my-requests.ts';

type MyRequestProps = { request: Request; onCancel: () => void };

export function MyRequest({ request, onCancel }: MyRequestProps) {
  const { type, start_date, end_date, reason, status, decision_note } = request;
  const period = formatPeriod(start_date, end_date);
  return (
    <li className="rounded-sm border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="font-semibold">{TYPE_LABELS[type]}</h3>
        <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
      </div>
      <p className="text-sm">{period}</p>
      <p className="mt-2 text-sm break-words whitespace-pre-line text-muted">{reason}</p>
      {decision_note && (
        <p className="mt-2 border-l-2 border-accent-fill pl-3 text-sm break-words whitespace-pre-line">
          <span className="font-semibold">Note: </span>
          {decision_note}
        </p>
      )}
      {status === 'pending' && (
        <div className="-mr-2 -mb-2 flex justify-end">
          <Button
            variant="danger-ghost"
            className="px-3.5"
            aria-label={`Cancel request for ${TYPE_LABELS[type]}, ${period}`}
            onClick={onCancel}
          >
            Cancel Request
          </Button>
        </div>
      )}
    </li>
  );
}
