// A guard's phone: it makes clock events by its own clock, queues them, and sends them when it can, in the form of the app's
// outbox (web/features/clocking/clock/send-clock-event.ts).
import type { Random } from '#demo/random.ts';
import { hashEvent } from '#web/features/clocking/clock/clock-event.ts';
import { accepted, type Client, Refused } from './door.ts';
import { uuidFrom } from './lists.ts';

export interface Pressed {
  id: string;
  kind: 'in' | 'out';
  assignmentId: string;
  attendanceId: string;
  /** By the true clock, milliseconds since 1970. */
  at: number;
  /** Null with a time that the guard enters. */
  gps: string | null;
  /** When the guard says they left. */
  enteredAt?: number;
  previousHash: string | null;
  /** By the phone's clock. */
  deviceAt: number;
}

export interface Outcome {
  event: Pick<Pressed, 'kind' | 'at'>;
  /** Undefined: stored. */
  refusal?: string;
}

const PROMPT_MS = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

export class Phone {
  /** How far its clock is ahead, milliseconds. */
  aheadMs = 0;
  #lastHash: string | null = null;

  constructor(readonly random: Random) {}

  /** The guard presses the button. @param record undefined opens one */
  async press(
    kind: Pressed['kind'],
    at: number,
    assignmentId: string,
    gps: string | null,
    record?: string,
  ): Promise<Pressed> {
    const id = uuidFrom(this.random);
    const event: Pressed = {
      id,
      kind,
      assignmentId,
      attendanceId: record ?? id,
      at,
      gps,
      previousHash: this.#lastHash,
      deviceAt: at + this.aheadMs,
    };
    this.#lastHash = await hashOf(event);
    return event;
  }

  /**
   * @param at by the true clock
   * @returns whether the product has stored it; a refusal is final, the app drops the event then
   */
  async send(client: Client, event: Pressed, at = Date.now()): Promise<Outcome> {
    const now = at + this.aheadMs;
    try {
      accepted(
        await client
          .rpc('record_clock_event', {
            p_id: event.id,
            p_kind: event.kind,
            p_assignment_id: event.assignmentId,
            ...(event.attendanceId !== event.id && { p_attendance_id: event.attendanceId }),
            p_device_at: iso(event.deviceAt),
            // A phone that was offline has not measured the server's clock.
            ...(Math.abs(now - event.deviceAt) > PROMPT_MS || this.aheadMs !== 0
              ? { p_sent_at: iso(now) }
              : { p_server_offset_ms: 0 }),
            ...(event.enteredAt !== undefined && { p_entered_at: iso(event.enteredAt) }),
            ...(event.gps !== null && { p_gps: event.gps, p_accuracy_m: 12, p_fix_age_s: 3 }),
            ...(event.previousHash !== null && { p_previous_hash: event.previousHash }),
            p_hash: (await hashOf(event)) ?? '',
          })
          .select('kind'),
      );
      return { event };
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500) throw error;
      return { event, refusal: `${error.status} ${error.message}` };
    }
  }
}

const hashOf = ({
  id,
  kind,
  assignmentId,
  attendanceId,
  deviceAt,
  gps,
  enteredAt,
  previousHash,
}: Pressed) =>
  hashEvent({
    id,
    kind,
    assignmentId,
    attendanceId,
    deviceAt,
    offsetMs: null,
    enteredAt: enteredAt ?? null,
    gps,
    accuracyM: 12,
    fixAgeS: 3,
    reason: null,
    previousHash,
  });
