// Edits of the board: performed at once, saved in order, undone and redone.
import type { RosterPair } from '#shared/roster/input.ts';
import type { Edit, Move, RosterState, RosterStore } from './roster-store.ts';
import { createTopics } from './topics.ts';

/** A change that the server has refused. */
export type Conflict = RosterPair & { rule: string; message: string };

export class ConflictError extends Error {
  readonly conflicts: readonly Conflict[];
  constructor(message: string, conflicts: readonly Conflict[]) {
    super(message);
    this.conflicts = conflicts;
  }
}

type Backend = {
  save: (moves: readonly Move[]) => Promise<void>;
  pin: (pairs: readonly RosterPair[], pinned: boolean) => Promise<void>;
  load: () => Promise<RosterState>;
};

type Reports = {
  /** An edit was refused, and its cells went back. */
  onRefused: (edit: Edit, error: unknown) => void;
};

type History = { undos: Edit[]; redos: Edit[] };

export type RosterSession = ReturnType<typeof createRosterSession>;

/** Topics: `saving`, `history`. */
export function createRosterSession(
  store: RosterStore,
  backend: Backend,
  reports: Reports,
  history: History = { undos: [], redos: [] },
) {
  const topics = createTopics();
  let queue: Promise<void> = Promise.resolve();
  let { undos, redos } = history;
  let isStopped = false;
  /** Answers that were on their way when an edit was confirmed may lack it. */
  let confirmed = 0;

  function enqueue(task: () => Promise<void>) {
    queue = queue.then(task);
    return queue;
  }

  /** A guard who is taken off gets the same row back on Undo. */
  const withSeats = ({ label, moves }: Edit): Edit => ({
    label,
    moves: moves.map((move) => {
      if (move.on) return move;
      const seat = store.seatsOf(move.shift_id).indexOf(move.user_id);
      const override_reason = store.reasonOf(move);
      return { ...move, ...(seat >= 0 && { seat }), ...(override_reason && { override_reason }) };
    }),
  });

  /** Moves that are done already, or that another planner changed since, are left out. */
  const neededOf = ({ label, moves }: Edit): Edit => {
    const settled = new Map<string, boolean>();
    return {
      label,
      moves: moves.filter(({ shift_id, user_id, on }) => {
        const key = `${shift_id} ${user_id}`;
        const isOn = settled.get(key) ?? store.effective.peopleOn(shift_id).has(user_id);
        settled.set(key, on);
        return isOn !== on;
      }),
    };
  };

  function perform(edit: Edit, onRefused: () => void): Promise<boolean> {
    let isSaved = false;
    store.begin(edit);
    topics.touch('saving');
    topics.touch('history');
    return enqueue(async () => {
      try {
        await backend.save(edit.moves);
        confirmed += 1;
        isSaved = true;
        store.confirm(edit);
      } catch (error) {
        onRefused();
        store.refuse(edit);
        reports.onRefused(edit, error);
        // The cause is probably not on this board yet.
        await refresh().catch(() => undefined);
      } finally {
        topics.touch('saving');
        topics.touch('history');
      }
    }).then(() => isSaved);
  }

  const inverseOf = ({ label, moves }: Edit): Edit => ({
    label,
    moves: [...moves].reverse().map((move) => ({ ...move, on: !move.on })),
  });

  async function refresh(): Promise<void> {
    const before = confirmed;
    const state = await backend.load();
    if (isStopped) return;
    if (before === confirmed) store.receive(state);
    else await refresh();
  }

  return {
    store,
    topics,
    refresh,
    /** @returns whether it was saved, and not refused; undefined if there is nothing to do */
    edit(wanted: Edit): Promise<boolean> | undefined {
      const edit = withSeats(neededOf(wanted));
      if (edit.moves.length === 0) return undefined;
      undos = [...undos, edit].slice(-200);
      redos = [];
      return perform(edit, () => {
        undos = undos.filter((other) => other !== edit);
      });
    },
    undo(): Edit | undefined {
      const edit = undos.at(-1);
      if (!edit) return undefined;
      undos = undos.slice(0, -1);
      const needed = withSeats(neededOf(inverseOf(edit)));
      redos = [...redos, edit];
      if (needed.moves.length > 0) {
        void perform(needed, () => {
          redos = redos.filter((other) => other !== edit);
        });
      } else topics.touch('history');
      return edit;
    },
    redo(): Edit | undefined {
      const edit = redos.at(-1);
      if (!edit) return undefined;
      redos = redos.slice(0, -1);
      const needed = withSeats(neededOf(edit));
      undos = [...undos, edit];
      if (needed.moves.length > 0) {
        void perform(needed, () => {
          undos = undos.filter((other) => other !== edit);
        });
      } else topics.touch('history');
      return edit;
    },
    history: (): History => ({ undos, redos }),
    /** For the buttons. */
    nextUndo: () => undos.at(-1)?.label,
    nextRedo: () => redos.at(-1)?.label,
    /** After publishing or discarding: what came before can't be undone from here. */
    forget() {
      undos = [];
      redos = [];
      topics.touch('history');
    },
    pin(pairs: readonly RosterPair[], pinned: boolean) {
      store.setPins(pairs, pinned);
      return enqueue(async () => {
        try {
          await backend.pin(pairs, pinned);
        } catch (error) {
          store.setPins(pairs, !pinned);
          reports.onRefused({ label: pinned ? 'Pin' : 'Unpin', moves: [] }, error);
        }
      });
    },
    /** When everything begun so far is saved. */
    settled: () => queue,
    stop() {
      isStopped = true;
    },
  };
}
