// Ties each clock event to the one before it. The server computes the same hash (migration record_clock_event).
import type { ClockEvent } from './clock-event.ts';

/** @returns SHA-256 in hex; null where the browser can't compute one, which the server only notes */
export async function hashOf(event: Omit<ClockEvent, 'hash'>): Promise<string | null> {
  const fields = [
    event.id,
    event.kind,
    event.assignmentId,
    event.deviceAt,
    event.offsetMs,
    event.enteredAt,
    event.gps,
    event.previousHash,
  ];
  const text = fields.map((field) => field ?? '').join('|');
  try {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch (error) {
    console.warn('The clock event is not tied to the one before:', error);
    return null;
  }
}
