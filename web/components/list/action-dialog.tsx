// The small form or the question of an action, and what the database refused.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { undoAction } from '#web/components/form/undo-action.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { type Refusal, readRefusals } from '#web/lib/data/many-rows.ts';
import { ActionFields, createSchema, initialValues } from './action-fields.tsx';
import type { ActionValues, ListAction, ListActions } from './list-actions.ts';
import { type Selection, useSelectionState } from './selection.ts';

/** Names of refused rows, for each reason. */
const NAMES_SHOWN = 8;

/** @returns runs the action on these rows, then clears the selection and shows the toast with Undo */
export function useRunAction<Row>(
  action: ListAction<Row>,
  list: ListActions<Row>,
  selection: Selection<Row>,
) {
  const queryClient = useQueryClient();
  const reload = () => void queryClient.invalidateQueries({ queryKey: list.key });
  const counted = (count: number) => `${formatCount(count)} ${list.noun[count === 1 ? 0 : 1]}`;
  return async (rows: Row[], values: ActionValues): Promise<void> => {
    try {
      const { changed, undo, note } = await action.run(rows, values);
      selection.clear();
      showSuccess(
        `${counted(changed)} ${action.done}`,
        note,
        undo && changed > 0
          ? undoAction(undo, {
              restored: `${counted(changed)} restored`,
              noteOf: (text) => text,
              reload,
            })
          : undefined,
      );
    } finally {
      // After a refusal too: the list shows why.
      reload();
    }
  };
}

/** @returns the names of the refused rows by reason */
function byReason(refused: Refusal[]): [reason: string, names: string][] {
  const names = new Map<string, string[]>();
  for (const { name, reason } of refused) names.set(reason, [...(names.get(reason) ?? []), name]);
  return [...names].map(([reason, all]) => {
    const more =
      all.length > NAMES_SHOWN ? ` and ${formatCount(all.length - NAMES_SHOWN)} more` : '';
    return [reason, all.slice(0, NAMES_SHOWN).join('; ') + more];
  });
}

type RefusalsProps = { refused: Refusal[]; onUnselect: () => void };

function Refusals({ refused, onUnselect }: RefusalsProps) {
  const isOne = refused.length === 1;
  return (
    <Alert
      tone="danger"
      title={`Nothing was changed, because of ${isOne ? 'one row' : `${formatCount(refused.length)} rows`}`}
      action={
        <Button variant="secondary" onClick={onUnselect}>
          {isOne ? 'Leave it out' : 'Leave them out'}
        </Button>
      }
    >
      <ul className="grid max-h-60 gap-2 overflow-y-auto">
        {byReason(refused).map(([reason, names]) => (
          <li key={reason}>
            {reason} <span className="text-ink">{names}</span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

type ActionDialogProps<Row> = {
  action: ListAction<Row>;
  list: ListActions<Row>;
  selection: Selection<Row>;
  rowId: (row: Row) => string;
  onClose: () => void;
};

/** Acts on the selected rows that the action applies to, and says how many it leaves out. */
export function ActionDialog<Row>(props: ActionDialogProps<Row>) {
  const { action, list, selection, rowId, onClose } = props;
  const chosen = useSelectionState(selection, (state) => state.chosen);
  const [refused, setRefused] = useState<Refusal[]>([]);
  const run = useRunAction(action, list, selection);
  const all = [...chosen.values()];
  const rows = all.filter((row) => action.appliesTo?.(row) ?? true);
  const others = all.length - rows.length;
  const title = `${action.label}: ${formatCount(rows.length)} ${list.noun[rows.length === 1 ? 0 : 1]}`;

  /** @returns whether it was done; if the database refused rows, the dialog stays open and lists them */
  async function act(values: ActionValues): Promise<boolean> {
    setRefused([]);
    try {
      await run(rows, values);
      return true;
    } catch (error) {
      const refusals = readRefusals(error);
      if (refusals.length === 0) throw error;
      setRefused(refusals);
      return false;
    }
  }
  function leaveOut() {
    const ids = refused.map(({ id }) => id);
    selection.remove(all.map(rowId).filter((id) => ids.includes(id)));
    setRefused([]);
  }
  const { fields = [] } = action;
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      {rows.length === 0 ? (
        <Alert title="None of the selected rows is left" />
      ) : (
        <RecordForm
          schema={createSchema(fields, (values) => action.check?.(values))}
          defaultValues={initialValues(fields)}
          submitLabel={action.label}
          submitVariant={action.isDanger ? 'danger' : 'primary'}
          failure={`Not ${action.done}`}
          save={act}
          onSaved={(isDone) => isDone && onClose()}
          onCancel={onClose}
        >
          {(form) => (
            <div className="grid gap-5">
              {others > 0 && (
                <p className="text-muted">
                  {formatCount(others)} of {formatCount(all.length)} left out: {action.leftOut}.
                </p>
              )}
              {action.consequence && <div className="text-pretty">{action.consequence(rows)}</div>}
              {refused.length > 0 && <Refusals refused={refused} onUnselect={leaveOut} />}
              {fields.length > 0 && <ActionFields fields={fields} form={form} />}
            </div>
          )}
        </RecordForm>
      )}
    </Dialog>
  );
}
