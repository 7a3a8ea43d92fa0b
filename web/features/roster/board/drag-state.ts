import type { CellAt } from './grid-state.ts';
import type { Carried, Plan } from './roster-moves.ts';
import { createTopics } from './topics.ts';

export type Drag = {
  carried: Carried;
  /** Leaves the source as it is. */
  keeps: boolean;
  /** A keyboard has no pointer that the name could follow. */
  byKeyboard: boolean;
  target: CellAt | undefined;
  plan: Plan | undefined;
};

export type DragState = ReturnType<typeof createDragState>;

/** Kept outside React's state: only the marker and the name that follows the pointer show the drag. */
export function createDragState() {
  const topics = createTopics();
  let current: Drag | undefined;
  return {
    topics,
    get current() {
      return current;
    },
    set(drag: Drag | undefined) {
      current = drag;
      topics.touch('drag');
    },
  };
}
