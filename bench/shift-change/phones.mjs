// Load generator: guards' phones that clock in at Poisson times, with the app's own code, over connections that lose answers.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgrestClient } from '@supabase/postgrest-js';
import { hashOf } from '../../web/features/clocking/clock/clock-event.ts';
import { sendClockEvent } from '../../web/features/clocking/clock/send-clock-event.ts';
import { AT_THE_GATE } from './company.mjs';

/** Share of answers that are lost after the server has written. */
const LOST_ANSWERS = 0.05;
/** Share of connections that are cut at a random time of the request. */
const CUT = 0.02;
const CUT_WITHIN_MS = 30;
/** Before a phone sends again. */
const AGAIN_MS = [500, 2_000];

/** As a reverse proxy, which reuses its connections. */
const agent = new http.Agent({ keepAlive: true });

/** @returns a `fetch` for one request; notes in `timing` when its answer began, and in `counts` what happened to it */
function roughFetch(timing, counts) {
  return (input, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      counts.requests += 1;
      const luck = Math.random();
      const request = http.request(input, {
        ...{ agent, method, signal },
        headers: Object.fromEntries(new Headers(headers)),
      });
      const lose = (kind) => {
        counts[kind] += 1;
        request.destroy();
        reject(new TypeError('fetch failed'));
      };
      request.on('error', () => reject(new TypeError('fetch failed')));
      request.on('response', (answer) => {
        timing.answeredAt = performance.now();
        if (luck < LOST_ANSWERS) {
          lose('lostAnswers');
          return;
        }
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () =>
          resolve(new Response(Buffer.concat(parts), { status: answer.statusCode })),
        );
      });
      request.end(body);
      if (luck > 1 - CUT)
        setTimeout(() => {
          if (timing.answeredAt === undefined) lose('cut');
        }, Math.random() * CUT_WITHIN_MS);
    });
}

async function clockInOf(assignmentId) {
  const id = crypto.randomUUID();
  const event = {
    ...{ id, kind: 'in', assignmentId, attendanceId: id, deviceAt: Date.now(), offsetMs: 12 },
    ...{ enteredAt: null, gps: AT_THE_GATE, accuracyM: 12, fixAgeS: 3 },
    ...{ reason: null, previousHash: null },
  };
  return { ...event, hash: await hashOf(event) };
}

/** @returns {Promise<{ id: string, attempts: number[], tookMs?: number }>} the event, and the time of each answer from when its request was due */
async function clockIn({ userId, assignmentId, token }, { url, anonKey, counts, dueAt }) {
  const event = await clockInOf(assignmentId);
  const entry = { id: event.id, userId, kind: 'clock', title: 'in', payload: event };
  const attempts = [];
  for (let attemptDueAt = dueAt; ; ) {
    const timing = {};
    const connection = new PostgrestClient(`${url}/rest/v1`, {
      headers: { apikey: anonKey, authorization: `Bearer ${token}` },
      fetch: roughFetch(timing, counts),
    });
    const failure = await sendClockEvent(entry, { connection }).catch((error) => error);
    if (timing.answeredAt !== undefined) attempts.push(timing.answeredAt - attemptDueAt);
    if (failure === undefined) return { id: event.id, attempts, tookMs: timing.answeredAt - dueAt };
    if (failure.verdict === 'refused' || failure.verdict === undefined) {
      counts.refused += 1;
      console.error(failure);
      return { id: event.id, attempts };
    }
    const [least, most] = AGAIN_MS;
    const waitMs = least + Math.random() * (most - least);
    attemptDueAt = performance.now() + waitMs;
    await pause(waitMs);
  }
}

/** @param {{ guards: object[], perSecond: number }} input */
async function changeShifts({ guards, perSecond, ...server }) {
  const started = performance.now();
  const counts = { requests: 0, lostAnswers: 0, cut: 0, refused: 0 };
  const running = [];
  let due = 0;
  for (const guard of guards) {
    // Exponential gaps make a Poisson process.
    due += (-Math.log(1 - Math.random()) / perSecond) * 1000;
    const early = started + due - performance.now();
    if (early > 1) await pause(early);
    running.push(clockIn(guard, { ...server, counts, dueAt: started + due }));
  }
  const events = await Promise.all(running);
  return { events, counts, tookMs: performance.now() - started };
}

process.on('message', async ({ id, input }) => {
  process.send({ id, answer: await changeShifts(input) });
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
