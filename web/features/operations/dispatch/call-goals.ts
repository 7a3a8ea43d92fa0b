// Which goal of a call runs, and how close it is.
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import type { Call } from './dispatch-api.ts';

export type RunningGoal = {
  label: string;
  /** Milliseconds until it is missed; negative once it is. */
  leftMs: number;
  /** Amber in the last third of the time, red when it is over. */
  tone: Extract<Tone, 'green' | 'orange' | 'red'>;
};

type Times = Pick<
  Call,
  | 'state'
  | 'received_at'
  | 'answered_at'
  | 'en_route_at'
  | 'on_scene_at'
  | 'answer_due_at'
  | 'en_route_due_at'
  | 'on_scene_due_at'
>;

const DONE: readonly Call['state'][] = ['clear', 'closed', 'cancelled'];

/** @param now milliseconds by the server's clock @returns undefined once a unit is on scene, or the call is over */
export function runningGoal(call: Times, now: number): RunningGoal | undefined {
  if (DONE.includes(call.state)) return undefined;
  const goals = [
    ['Answer', call.answered_at, call.answer_due_at],
    ['On the way', call.en_route_at, call.en_route_due_at],
    ['On scene', call.on_scene_at, call.on_scene_due_at],
  ] as const;
  const next = goals.find(([, at]) => at === null);
  if (!next) return undefined;
  const [label, , due] = next;
  const leftMs = Date.parse(due) - now;
  const span = Date.parse(due) - Date.parse(call.received_at);
  return { label, leftMs, tone: leftMs < 0 ? 'red' : leftMs < span / 3 ? 'orange' : 'green' };
}

/** @returns for example "2:05", or "+0:40" once it is over */
export function clockOf(leftMs: number): string {
  const seconds = Math.floor(Math.abs(leftMs) / 1000);
  const minutes = Math.floor(seconds / 60);
  const text =
    minutes < 60
      ? `${minutes}:${String(seconds % 60).padStart(2, '0')}`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return leftMs < 0 ? `+${text}` : text;
}
