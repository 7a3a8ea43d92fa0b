import { expect, it } from 'vitest';
import { reportFacts, reportMessage } from './report-message.ts';

const facts = {
  from: '2026-11-21T06:00:00+00:00',
  to: '2026-11-22T06:00:00+00:00',
  shifts: 3,
  seats: 4,
  assigned: 4,
  attended: 3,
  late: 1,
  incidents: [
    { title: 'Broken fence', severity: 'low', site: 'Depot', at: '2026-11-21T22:10:00+00:00' },
  ],
  alerts: [
    {
      title: 'Guard missing',
      detail: 'Main Gate: Prince Dolo',
      site: 'Port',
      at: '2026-11-21T18:10:00+00:00',
      outcome: 'covered',
      acknowledged_after: 2,
      closed_after: 21,
    },
    {
      title: 'SOS',
      detail: null,
      site: 'Depot',
      at: '2026-11-22T05:59:00+00:00',
      outcome: null,
      acknowledged_after: null,
      closed_after: null,
    },
  ],
};

it('reports coverage, incidents, and how long each alert took', () => {
  const message = reportMessage(reportFacts.parse(facts), 'https://x.example', 'Africa/Monrovia');
  expect(message.subject).toBe('Daily report, Sunday, Nov 22, 2026');
  expect(message.paragraphs).toEqual([
    'Coverage: 3 shifts with 4 seats began. Planned: 4 guards (100 %). Came: 3 (75 %), 1 of them late.',
    'Incidents: 1.',
    '10:10 PM, low, Depot: Broken fence',
    'Alerts: 2, 1 of them still open.',
    '6:10 PM, Guard missing, Port (Main Gate: Prince Dolo): acknowledged after 2 min, covered after 21 min.',
    '5:59 AM, SOS, Depot: acknowledged never, still open.',
  ]);
});

it('shows thirty lines, and how many there are besides', () => {
  const [alert] = facts.alerts;
  const many = { ...facts, incidents: [], alerts: Array.from({ length: 33 }, () => alert) };
  const { paragraphs } = reportMessage(reportFacts.parse(many), 'https://x.example', 'UTC');
  expect(paragraphs).toHaveLength(34);
  expect(paragraphs.at(-1)).toBe('And 3 more.');
});
