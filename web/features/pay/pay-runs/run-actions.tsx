import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { OTHER_PAYERS } from '#web/lib/vocabulary/deciders.ts';
import {
  useApproveRun,
  useCalculateRun,
  useLockRun,
  useProposeCorrections,
  useReturnRun,
  useVoidRun,
} from './api.ts';
import { isOpen, listWarnings, type PayRun, type Problem, voidSchema } from './schema.ts';

const peopleOf = (count: number) => (count === 1 ? '1 person' : `${formatCount(count)} people`);

function CalculateButton({ run }: { run: PayRun }) {
  const { mutateAsync } = useCalculateRun();
  const { save, busy } = useSave({
    success: 'Pay run calculated',
    failure: 'Pay run not calculated',
  });
  const isFirst = run.status === 'draft';
  return (
    <Button
      variant={isFirst ? 'primary' : 'secondary'}
      busy={busy}
      onClick={() => void save(() => mutateAsync(run.id))}
    >
      {busy ? 'Calculating...' : isFirst ? 'Calculate' : 'Calculate Again'}
    </Button>
  );
}

/** Takes an approval back, so that the run can be calculated again. */
function ReturnButton({ run }: { run: PayRun }) {
  const { mutateAsync } = useReturnRun();
  const { save, busy } = useSave({
    success: 'Pay run returned to be calculated',
    failure: 'Pay run not returned',
  });
  return (
    <Button variant="secondary" busy={busy} onClick={() => void save(() => mutateAsync(run.id))}>
      {busy ? 'Returning...' : 'Return'}
    </Button>
  );
}

/** Looks for what a closed period would pay today, and makes adjustments of the differences. */
function ProposeButton({ run }: { run: PayRun }) {
  const { mutateAsync } = useProposeCorrections();
  const { save, busy } = useSave({ failure: 'No corrections proposed' });
  const navigate = useNavigate();
  async function propose() {
    const count = await mutateAsync(run.id);
    if (count === 0) {
      showSuccess('Nothing to correct', 'Today’s records give the same pay.');
      return;
    }
    showSuccess(
      count === 1 ? '1 correction proposed' : `${formatCount(count)} corrections proposed`,
      'Decide them under Adjustments.',
    );
    void navigate({ to: '/admin/payruns/adjustments', search: { status: 'to_decide' } });
  }
  return (
    <Button variant="secondary" busy={busy} onClick={() => void save(propose)}>
      {busy ? 'Comparing...' : 'Propose Corrections'}
    </Button>
  );
}

type DialogProps = { run: PayRun; problems: readonly Problem[]; onClose: () => void };

function ApproveDialog({ run, problems, onClose }: DialogProps) {
  const approve = useApproveRun();
  const { user } = useAuth();
  // Why the user can't approve it; the database decides.
  const isOwn = run.calculated_by === user?.id;
  return (
    <ConfirmDialog
      title="Approve Pay Run"
      obstacle={
        isOwn
          ? `Someone else must approve the run: you calculated it. That is ${OTHER_PAYERS}.`
          : undefined
      }
      question={`Approve ${formatMoney(run.net, run.currency)} net for ${peopleOf(run.people)}?`}
      confirmLabel="Approve"
      busyLabel="Approving..."
      variant="primary"
      success="Pay run approved"
      failure="Pay run not approved"
      onConfirm={() => approve.mutateAsync(run.id)}
      onClose={onClose}
    >
      {problems.length > 0 &&
        `${problems.length === 1 ? '1 point is' : `${formatCount(problems.length)} points are`} open under Review.`}
    </ConfirmDialog>
  );
}

function LockDialog({ run, problems, onClose }: DialogProps) {
  const lock = useLockRun();
  const { isBeforeEnd, notApproved } = listWarnings(run, problems, today());
  const [isSure, setSure] = useState(false);
  return (
    <ConfirmDialog
      title="Lock Pay Run"
      question={`Lock the pay of ${peopleOf(run.people)}?`}
      confirmLabel="Lock and Publish"
      busyLabel="Locking..."
      success="Pay run locked"
      failure="Pay run not locked"
      isDisabled={isBeforeEnd && !isSure}
      onConfirm={() => lock.mutateAsync(run.id)}
      onClose={onClose}
    >
      <div className="grid gap-4">
        {notApproved > 0 && (
          <Alert
            tone="danger"
            title={`${notApproved === 1 ? '1 timesheet of the period is' : `${formatCount(notApproved)} timesheets of the period are`} not approved`}
          >
            This run pays none of {notApproved === 1 ? 'its' : 'their'} hours. To pay them now,
            approve them, return the run and calculate it again.
          </Alert>
        )}
        {isBeforeEnd && (
          <Alert
            tone="danger"
            title={`The period is not over: it ends on ${formatDay(run.period_end)}`}
          >
            What is worked until then can only be paid as adjustments in the next run.
          </Alert>
        )}
        <p>
          The timesheets of the period are locked with it, payslips reach the guards’ phones, and
          nothing in the period can be changed any more. Later corrections become adjustments in the
          next run.
        </p>
        {isBeforeEnd && (
          <LabelledCheckbox
            label="Lock before the period is over"
            hint="It can’t be unlocked, only voided until its first payment."
            checked={isSure}
            onChange={({ target }) => setSure(target.checked)}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

function VoidDialog({ run, onClose }: DialogProps) {
  const { mutateAsync } = useVoidRun();
  return (
    <EntryDialog
      title="Void Pay Run"
      description="Its payslips no longer count, its corrections end, and the period can be paid by another run. It can be voided only until its first payment."
      schema={voidSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Void Pay Run"
      submitVariant="danger"
      success="Pay run void"
      failure="Pay run not voided"
      save={({ reason }) => mutateAsync({ id: run.id, reason })}
      onClose={onClose}
    >
      {(form) => <FieldGrid>{createFields(form).text('reason', 'Reason')}</FieldGrid>}
    </EntryDialog>
  );
}

const DIALOGS = { approve: ApproveDialog, lock: LockDialog, void: VoidDialog };

export function RunActions({ run, problems }: Pick<DialogProps, 'run' | 'problems'>) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS>();
  const Opened = opened && DIALOGS[opened];
  const isCalculated = run.status === 'calculated' || run.status === 'in_review';
  return (
    <>
      {run.status !== 'paid' && run.status !== 'void' && (
        <Button variant="danger-ghost" onClick={() => setOpened('void')}>
          Void
        </Button>
      )}
      {isOpen(run.status) && <CalculateButton run={run} />}
      {isCalculated && <Button onClick={() => setOpened('approve')}>Approve</Button>}
      {run.status === 'approved' && <ReturnButton run={run} />}
      {run.status === 'approved' && <Button onClick={() => setOpened('lock')}>Lock</Button>}
      {(run.status === 'locked' || run.status === 'paid') && <ProposeButton run={run} />}
      {Opened && <Opened run={run} problems={problems} onClose={() => setOpened(undefined)} />}
    </>
  );
}
