// Beside the grid: guards or open shifts, to be dragged or assigned by a press.
import type { Selection } from './board-grid.tsx';
import { CandidateList } from './candidate-list.tsx';
import type { Candidate } from './candidates.ts';
import { OpenShifts } from './open-shifts.tsx';
import type { Plan } from './roster-moves.ts';
import type { BoardRow, BoardShift } from './roster-rows.ts';
import type { RosterSession } from './roster-session.ts';

type SidePanelProps = {
  session: RosterSession;
  /** Whether the rows are guards. */
  isGuards: boolean;
  selection: Selection;
  rows: readonly BoardRow[];
  isShown: (shift: BoardShift) => boolean;
  onRefused: (plan: Plan) => void;
};

export function SidePanel(props: SidePanelProps) {
  const { session, isGuards, selection, rows, isShown, onRefused } = props;
  const { store } = session;
  const [cell] = selection.cells;
  if (isGuards) return <OpenShifts store={store} column={cell?.column} isShown={isShown} />;
  const [shift_id] = selection.shiftIds;

  function assign({ userId, name, problems }: Candidate) {
    if (shift_id === undefined) return;
    const row = rows.find(({ key }) => key === cell?.row);
    const there = row?.kind === 'seat' ? store.seatsOf(shift_id)[row.seat] : undefined;
    const moves = [
      ...(there === undefined ? [] : [{ shift_id, user_id: there, on: false }]),
      { shift_id, user_id: userId, on: true },
    ];
    const edit = { label: `Assign ${name}`, moves };
    if (problems.length > 0) onRefused({ edit, problems });
    else void session.edit(edit);
  }
  return (
    <aside
      aria-label="Guards to assign"
      className="w-64 shrink-0 overflow-y-auto rounded-sm border border-line bg-raised p-3 shadow-panel print:hidden"
    >
      <CandidateList store={store} shiftId={shift_id} isPanel onAssign={assign} />
    </aside>
  );
}
