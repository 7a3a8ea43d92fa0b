import { CheckCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useApproveSheets } from './timesheet-api.ts';

type OneProps = { sheet: { id: string; open_issues: number } };

export function ApproveButton({ sheet: { id, open_issues } }: OneProps) {
  const { mutateAsync } = useApproveSheets();
  const { save, busy } = useSave({ failure: 'Not approved' });
  const approve = () =>
    save(async () => {
      const { refused } = await mutateAsync([id]);
      if (refused) throw new Error(refused);
      showSuccess('Timesheet approved');
    });
  const reasonId = useId();
  const isOpen = open_issues > 0;
  return (
    <>
      {isOpen && (
        <p id={reasonId} className="self-center text-sm text-muted">
          Decide what is open first
        </p>
      )}
      <Button
        busy={busy}
        variant={isOpen ? 'secondary' : 'primary'}
        disabled={isOpen}
        aria-describedby={isOpen ? reasonId : undefined}
        onClick={() => void approve()}
      >
        <CheckCheck aria-hidden="true" className="size-4.5" />
        Approve
      </Button>
    </>
  );
}

const people = (count: number) => `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`;

type AllProps = { ids: readonly string[]; period: string };

/** Approves everybody without exceptions at once. */
export function ApproveAll({ ids, period }: AllProps) {
  const { mutateAsync } = useApproveSheets();
  // The list may grow while the question is open: only what was asked about is approved.
  const [asked, setAsked] = useState<readonly string[]>();
  return (
    <>
      <Button
        className="max-sm:w-full max-sm:min-w-0 max-sm:px-2 max-sm:py-2"
        onClick={() => setAsked(ids)}
      >
        <CheckCheck aria-hidden="true" className="size-4.5" />
        <span className="min-w-0 whitespace-normal">
          Approve {people(ids.length)} without exceptions
        </span>
      </Button>
      {asked && (
        <ConfirmDialog
          title={`Approve ${people(asked.length)}?`}
          confirmLabel={`Approve ${people(asked.length)}`}
          variant="primary"
          failure="Nothing was approved"
          onConfirm={async () => {
            const { approved, refused } = await mutateAsync([...asked]);
            showSuccess(
              `${formatCount(approved)} ${approved === 1 ? 'timesheet' : 'timesheets'} approved`,
              refused ?? 'The next pay run pays their hours.',
            );
          }}
          onClose={() => setAsked(undefined)}
        >
          Their hours of {period} go into the next pay run as they are. Until it is locked, each can
          be reopened with a reason.
        </ConfirmDialog>
      )}
    </>
  );
}
