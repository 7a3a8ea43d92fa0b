// The actions of the selected rows. Loaded when the first row is selected.

import { X } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import * as limits from '#shared/database.limits.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { keepFocus } from '#web/components/ui/focus-places.ts';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { ActionDialog, useRunAction } from './action-dialog.tsx';
import type { ListAction, ListActions } from './list-actions.ts';
import { type Selection, useSelectionState } from './selection.ts';

export type SelectionBarProps<Row> = {
  selection: Selection<Row>;
  list: ListActions<Row>;
  rowId(row: Row): string;
  /** Rows of all pages. */
  total: number;
};

const isEnabled = (button: HTMLButtonElement) => !button.disabled;

type SelectEveryProps<Row> = SelectionBarProps<Row> & { chosen: number };

/** After the whole page is selected: selects the rows of the other pages too. */
function SelectEvery<Row>({ selection, list, rowId, total, chosen }: SelectEveryProps<Row>) {
  const { save, busy } = useSave();
  const isPageChosen = useSelectionState(selection, ({ page, chosen: all }) =>
    page.every(({ id }) => all.has(id)),
  );
  const most = Math.min(total, limits.MOST_ROWS);
  if (!isPageChosen || chosen >= most) return null;
  async function selectEvery() {
    const rows = await list.fetchAll();
    selection.replace(new Map(rows.slice(0, limits.MOST_ROWS).map((row) => [rowId(row), row])));
  }
  return (
    <Button
      variant="link"
      busy={busy}
      onClick={({ currentTarget }) => {
        const bar = currentTarget.closest('section');
        // By keyboard, the actions are next.
        keepFocus(currentTarget, () =>
          [...(bar?.querySelectorAll('button') ?? [])].filter(isEnabled),
        );
        void save(selectEvery);
      }}
    >
      {most < total
        ? `Select the first ${formatCount(most)} that match`
        : `Select all ${formatCount(total)} that match`}
    </Button>
  );
}

function ActionButton<Row>(props: {
  action: ListAction<Row>;
  rows: Row[];
  list: ListActions<Row>;
  selection: Selection<Row>;
  onOpen: () => void;
}) {
  const { action, rows, list, selection, onOpen } = props;
  const run = useRunAction(action, list, selection);
  const { save, busy } = useSave({ failure: `Not ${action.done}` });
  const fit = rows.filter((row) => action.appliesTo?.(row) ?? true);
  const isDirect = !action.fields && !action.consequence;
  const Icon = action.icon;
  return (
    <Button
      variant={action.isDanger ? 'danger-ghost' : 'secondary'}
      className="px-4 max-sm:flex-1 max-sm:flex-col max-sm:gap-1 max-sm:px-1 max-sm:py-1.5 max-sm:text-xs"
      disabled={fit.length === 0}
      busy={busy}
      onClick={() => (isDirect ? save(() => run(fit, {})) : onOpen())}
    >
      {!busy && <Icon aria-hidden="true" className="size-4.5" />}
      {action.label}
      {fit.length > 0 && fit.length < rows.length && ` (${formatCount(fit.length)})`}
    </Button>
  );
}

export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { selection, list, total } = props;
  const chosen = useSelectionState(selection, (state) => state.chosen);
  const [open, setOpen] = useState<ListAction<Row>>();
  const rows = [...chosen.values()];
  const count = formatCount(rows.length);
  const noun = list.noun[rows.length === 1 ? 0 : 1];
  return (
    <section
      aria-label={`Selected ${list.noun[1]}`}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-sm border border-l-4 border-line-strong border-l-accent-fill bg-raised px-3 py-2 shadow-overlay sm:px-4"
    >
      <p className="font-semibold tabular-nums max-sm:order-first max-sm:flex-1">
        {rows.length > 1 && rows.length === total ? `All ${count}` : count} {noun} selected
      </p>
      <SelectEvery {...props} chosen={rows.length} />
      <div className="flex gap-2 max-sm:w-full sm:ml-auto sm:flex-wrap">
        {list.actions.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            rows={rows}
            list={list}
            selection={selection}
            onOpen={() => setOpen(action)}
          />
        ))}
      </div>
      <IconButton
        className="max-sm:order-first max-sm:-mr-2 max-sm:ml-auto"
        label="Clear selection"
        title="Clear selection (Esc)"
        Icon={X}
        iconClass="size-4.5"
        onClick={() => selection.clear()}
      />
      {open && (
        <ActionDialog
          action={open}
          list={list}
          selection={selection}
          rowId={props.rowId}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}
