// The company's own metrics: mails and notices that wait, alerts, and repeated jobs.
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type TestServer, testServer } from '#tests/support/server.ts';

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});

const metrics = async () => (await fetch(`${server.url}/metrics`)).text();

test('each queue says how much waits and what was given up', async () => {
  const { owner } = server.database;
  // One is sent tomorrow; the other's last attempt has failed.
  await owner.query(
    `with message as (
       insert into contact_messages (name, email, message)
       select 'Somebody', 'somebody@example.test', 'Guards for office ' || n from generate_series(1, 2) n returning id
     )
     insert into private.enquiry_mails (enquiry_id, next_at)
     select id, case when row_number() over () = 1 then now() + interval '1 day' end from message`,
  );
  const text = await metrics();
  expect(text).toContain('queue_waiting{queue="enquiry_mails"} 1');
  expect(text).toContain('queue_failed{queue="enquiry_mails"} 1');
  expect(text).toContain('queue_overdue_seconds{queue="enquiry_mails"} 0');
  for (const queue of ['letter_mails', 'invoice_mail_queue', 'daily_report_mails', 'notices_push'])
    expect(text).toContain(`queue_waiting{queue="${queue}"} 0`);
  expect(text).not.toContain('somebody@example.test');
});

test('jobs say when they last ended, how often they failed and how long they took, and alerts how many are open', async () => {
  await expect
    .poll(metrics)
    .toMatch(/job_last_run_timestamp_seconds\{job="private\.raise_due_alerts"\} \d{10}/);
  const text = await metrics();
  expect(text).toMatch(/job_runs_total\{job="private\.raise_due_alerts"\} [1-9]/);
  expect(text).toMatch(/job_failures_total\{job="private\.due_time"\} \d/);
  expect(text).toMatch(/job_run_seconds_total\{job="private\.raise_due_alerts"\} [\d.]*[1-9]/);
  expect(text).toMatch(/alerts_open \d/);
  expect(text).toMatch(/alerts_unacknowledged \d/);
});

test('the alert rules for Prometheus ask for metrics that exist', async () => {
  const file = new URL('../../deploy/prometheus/alerts.yml', import.meta.url);
  const { groups } = Rules.parse(parse(await readFile(file, 'utf8')));
  const rules = groups.flatMap((group) => group.rules);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const known = new Set(
    [...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => String(name)),
  );
  // A single server has no replica, and neither a backup nor saved changes yet.
  for (const name of ['up', 'backup_age_seconds', 'db_replication_lag_seconds']) known.add(name);
  for (const name of ['backup_wal_age_seconds', 'backup_wal_unsaved_bytes']) known.add(name);
  for (const { alert, expr } of rules) {
    const asked = [
      ...expr.matchAll(/\b((?:http|db|queue|job|alerts|process|backup)_\w+|up)\b(?=[{ )[])/g),
    ];
    expect(asked.length, alert).toBeGreaterThan(0);
    for (const [, name = ''] of asked)
      expect([...known], alert).toContain(name.replace(/_bucket$/, ''));
  }
});
