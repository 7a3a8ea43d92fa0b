import { expect, test } from 'vitest';
import { toBoard, toBoardRows } from './board-rows.ts';
import type { BoardAnswer } from './operations-schema.ts';

const ANSWER: BoardAnswer = {
  at: '2026-03-02T04:30:00Z',
  sites: [
    {
      id: 'site',
      name: 'Harbour',
      client: 'Port',
      timezone: 'Africa/Monrovia',
      county: null,
      alert_after_minutes: 15,
      supervisors: [],
      latitude: null,
      longitude: null,
    },
  ],
  shifts: [
    {
      id: 'day',
      site_id: 'site',
      post_id: null,
      post: null,
      starts: '2026-03-01T07:00:00Z',
      ends: '2026-03-01T19:00:00Z',
      needed: 1,
      empty: 1,
      guards: [],
      alerts: [],
    },
  ],
};

const shownAt = (time: string) =>
  toBoardRows(toBoard(ANSWER, Date.parse(ANSWER.at)), Date.parse(time)).length;

test('an ended shift leaves the board once less than two hours of it are on the axis', () => {
  expect(shownAt('2026-03-02T04:59:00Z')).toBe(1);
  expect(shownAt('2026-03-02T05:59:00Z')).toBe(1);
  expect(shownAt('2026-03-02T06:00:00Z')).toBe(0);
});
