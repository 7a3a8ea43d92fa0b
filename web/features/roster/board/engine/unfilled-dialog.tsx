import { Dialog } from '#web/components/ui/dialog.tsx';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { RosterStore } from '../roster-store.ts';
import type { LeftOpen } from '../shift-notes.ts';

type UnfilledDialogProps = {
  store: RosterStore;
  unfilled: readonly LeftOpen[];
  onClose: () => void;
};

export function UnfilledDialog({ store, unfilled, onClose }: UnfilledDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Left open" className="sm:max-w-2xl">
      <ul aria-label="Left open" className="divide-y divide-line">
        {unfilled.map(({ shift_id, seats, reason }) => {
          const shift = store.index.shifts.get(shift_id);
          return (
            shift && (
              <li key={shift_id} className="py-2.5">
                <p className="flex justify-between gap-3 font-semibold">
                  {shift.site.name}
                  <span className="shrink-0 text-sm text-danger">{seats} open</span>
                </p>
                <p className="text-sm text-muted">
                  {`${shift.post}, ${formatDayOfWeek(store.index.days[shift.column] ?? '')}, ${shift.hours}`}
                </p>
                <p className="text-sm">{reason}</p>
              </li>
            )
          );
        })}
      </ul>
    </Dialog>
  );
}
