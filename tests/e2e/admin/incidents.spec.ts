import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import { letters } from 'supabase-in-node/testing/mailbox';
import { picture } from 'supabase-in-node/testing/samples';
import type { Database } from '#shared/database.types.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { failing } from '#tests/e2e/support/failing.ts';
import { codeIsLoaded } from '#tests/e2e/support/loaded-code.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

type Client = SupabaseClient<Database>;

/** The demo supervisor's site, or another one. */
async function siteOf(database: Client, whose: 'supervised' | 'other') {
  const { data: roles } = await database
    .from('user_roles')
    .select('site_id, profiles!user_id!inner(email)')
    .eq('profiles.email', 'supervisor@statesman.example')
    .throwOnError();
  const supervised = roles[0]?.site_id ?? '';
  const sites = database.from('sites').select('id, name').limit(1);
  const chosen =
    whose === 'supervised' ? sites.eq('id', supervised) : sites.neq('id', supervised).order('name');
  return (await chosen.single().throwOnError()).data;
}

/** Reported by a guard, as the staff portal does. */
async function report(guard: Client, site_id: string, severity: 'critical' | 'low') {
  const title = `Fence cut ${randomUUID().slice(0, 8)}`;
  const { data } = await guard
    .from('incidents')
    .insert({
      site_id,
      title,
      category: 'security',
      severity,
      description: 'The fence behind the generator was cut during the night.',
    })
    .select('id, title')
    .single()
    .throwOnError();
  return data;
}

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const details = (page: Page) => page.getByRole('dialog', { name: 'Incident Details' });

test('an incident is followed from report to client letter', { tag: '@everyday' }, async ({
  openAs,
  databaseOf,
}) => {
  const admin = await databaseOf('admin');
  const guard = await databaseOf('guard');
  const site = await siteOf(admin, 'supervised');
  const page = await openAs('supervisor');
  await page.goto('/admin/incidents?status=active&sort=-reported');
  await expect(page.getByRole('heading', { name: 'Incident Management' })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();

  // It appears live; an incident at another site does not.
  const elsewhere = await report(guard, (await siteOf(admin, 'other')).id, 'low');
  const incident = await report(guard, site.id, 'critical');
  await expect(row(page, incident.title)).toContainText('Critical');
  await expect(row(page, elsewhere.title)).toHaveCount(0);
  await row(page, incident.title).getByRole('button', { name: 'Escalate' }).click();
  await expect(page.getByText('Status Updated')).toBeVisible();
  await expect(row(page, incident.title)).toContainText('Investigating');

  await page.getByLabel('Search incidents').fill(`${incident.title.slice(10)} ${site.name}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  const download = await exportFile(page, 'CSV');
  const file = await readFile(await download.path(), 'utf8');
  expect(file.trim().split('\n')).toHaveLength(2);
  expect(file).toContain(`${incident.title},${site.name},Security,Critical,Investigating`);

  await row(page, incident.title).getByRole('button', { name: 'View' }).click();
  const dialog = details(page);
  await expect(dialog).toContainText('The fence behind the generator was cut');
  await expect(dialog).toContainText('No evidence was attached.');
  await dialog.getByLabel('Add photos or documents').setInputFiles([
    { name: 'fence.jpg', mimeType: 'image/jpeg', buffer: await picture('jpeg') },
    {
      name: 'statement.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
    },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ]);
  await expect(dialog).toContainText('“tool.exe” can’t be attached');
  await dialog.getByRole('button', { name: /^Show .*fence\.jpg large/ }).click();
  const photo = page.getByRole('img', { name: 'Evidence 1 of 1' });
  await expect(photo).toBeVisible();
  expect(await photo.evaluate((image: HTMLImageElement) => image.decode().then(() => true))).toBe(
    true,
  );
  await page.keyboard.press('Escape');
  const link = dialog.getByRole('link', { name: /statement\.pdf/ });
  const answer = await page.request.get((await link.getAttribute('href')) ?? '');
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await dialog.getByRole('button', { name: /^Remove .*statement\.pdf/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Evidence removed')).toBeVisible();
  const { data: files } = await admin.storage.from('evidence').list(incident.id);
  expect(files?.map(({ name }) => name)).toEqual([expect.stringMatching(/fence\.jpg$/)]);

  // Someone else saves first: both versions are shown.
  const update = dialog.getByRole('button', { name: 'Update Status' });
  await expect(update).toBeHidden();
  await dialog.getByLabel('Status', { exact: true }).selectOption('Resolved');
  await dialog.getByLabel('Notes (optional)').fill('Fence mended, sensor added.');
  await expect(update).toBeVisible();
  await admin
    .from('incidents')
    .update({ status: 'closed', notes: 'Thought to be a duplicate.' })
    .eq('id', incident.id)
    .throwOnError();
  await expect(dialog).toContainText('This incident has changed since you opened it');
  await expect(dialog).toContainText('with the note “Thought to be a duplicate.”');
  await expect(update).toBeHidden();
  await dialog.getByRole('button', { name: 'Set to Resolved' }).click();
  await update.click();
  await expect(page.getByText('Status Updated')).toBeVisible();
  const steps = dialog.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await expect(steps).toHaveText([
    /^Reported/,
    /^Open.*Investigating/,
    /^Investigating.*Closed.*Thought to be a duplicate/,
    /^Closed.*Resolved.*Fence mended, sensor added/,
  ]);
  const { data: told } = await guard
    .from('incident_updates')
    .select('to_status, incident_notes(note)')
    .eq('incident_id', incident.id)
    .order('created_at')
    .throwOnError();
  expect(told.map(({ to_status }) => to_status)).toEqual(['investigating', 'closed', 'resolved']);
  expect(told.every(({ incident_notes }) => incident_notes === null)).toBe(true);

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await dialog.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect(page.locator('body[data-printed]')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const letter = page.locator('[data-print]');
  await expect(letter.getByRole('heading', { name: 'Incident Report' })).toBeVisible();
  await expect(letter.getByRole('img')).toBeVisible();
  await expect(letter).not.toContainText('Fence mended');
  await page.emulateMedia({ media: 'screen' });
  await dialog.getByLabel('Internal notes').selectOption('Included');
  await page.emulateMedia({ media: 'print' });
  await expect(letter).toContainText('Fence mended');
});

test('the dashboard counts what the lists show', async ({ openAs, databaseOf }) => {
  const guard = await databaseOf('guard');
  const admin = await databaseOf('admin');
  const page = await openAs('ops');
  await page.goto('/admin/dashboard');
  const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  /** What is shown minus what is stored: other journeys report incidents too. */
  const excess = async (shown: Locator) => {
    const { count } = await admin
      .from('incidents')
      .select('*', { count: 'exact', head: true })
      .in('status', ['open', 'investigating'])
      .throwOnError();
    const figure = /[\d,]+(?=\D*$)/.exec((await shown.textContent()) ?? '')?.[0];
    return Number(figure?.replaceAll(',', '') ?? Number.NaN) - (count ?? 0);
  };
  await expect.poll(() => excess(card('Active Incidents'))).toBe(0);

  const site = await siteOf(admin, 'other');
  const incident = await report(guard, site.id, 'low');
  const newest = page.getByRole('region', { name: 'Recent Incidents' }).getByRole('listitem');
  const own = newest.filter({ hasText: incident.title });
  await expect(own).toContainText(site.name);
  await expect(newest).toHaveCount(5);
  await expect.poll(() => excess(card('Active Incidents'))).toBe(0);
  const ends = page.getByRole('region', { name: 'Expiring Certifications' }).getByRole('listitem');
  await expect(ends.first()).toContainText(/\S · User [0-9a-f]{8}/);

  // An operations manager can't read staff records.
  await expect(card('Active Staff').getByRole('link')).toHaveCount(0);
  const coverage = page.getByRole('region', { name: 'Coverage Today' });
  await coverage.getByText('Figures as a table').click();
  await expect(coverage.getByRole('row')).toHaveCount(25);

  await card('Active Incidents').getByRole('link').click();
  await expect(page).toHaveURL(/\/admin\/incidents\?status=active$/);
  await expect.poll(() => excess(page.getByText(/^1–\d+ of [\d,]+$/))).toBe(0);
  await page.goBack();
  await page.getByRole('link', { name: incident.title }).click();
  await expect(details(page)).toContainText(incident.title);
});

test('a dashboard that fails to load shows an error, and loads on retry', async ({ openAs }) => {
  const page = await openAs('supervisor');
  const works = await failing(page, /rpc\/dashboard_figures/, 'The disk is full.');
  await page.goto('/admin/dashboard');
  const toast = page.getByRole('listitem').filter({ hasText: 'Error' }).first();
  await expect(toast).toContainText('Failed to load dashboard data.');
  await works();
  await page.getByRole('button', { name: 'Try again' }).first().click();
  const sites = page.getByRole('listitem').filter({ hasText: 'Active Sites' });
  await expect(sites).toContainText('1');
});

test('the office enters a report by telephone, owns it until a time, and mails the client a letter', async ({
  openAs,
  databaseOf,
  dataDir,
}) => {
  // Of the report, should the test end after midnight.
  const day = new Date().toISOString().slice(0, 10);
  const admin = await databaseOf('admin');
  const site = await siteOf(admin, 'other');
  const title = `Gate forced ${randomUUID().slice(0, 8)}`;
  const page = await openAs('ops');
  await page.goto('/admin/incidents');
  await page.getByRole('button', { name: 'Enter Report' }).click();
  const form = page.getByRole('dialog', { name: 'Enter Report' });
  await form.getByLabel('Site').click();
  await page.getByPlaceholder('Search sites').fill(site.name);
  await page.getByRole('option', { name: site.name }).first().click();
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Category').selectOption('Security');
  await form.getByLabel('Severity').selectOption('High');
  await form.getByLabel('Description').fill('The gate was forced open, and a lamp is broken.');
  await form.getByRole('button', { name: 'Enter Report' }).click();
  await expect(form.getByText(/Choose who reports it/)).toBeVisible();
  await form.getByLabel('Reported by').click();
  await page.getByPlaceholder('Search people').fill('guard2@statesman.example');
  await page.getByRole('option', { name: 'guard2@statesman.example' }).click();
  // The first answer is lost after the report was stored.
  let isLost = false;
  await page.route('**/rest/v1/incidents*', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await form.getByRole('button', { name: 'Enter Report' }).click();
  await expect(form.getByRole('alert')).toContainText('No connection to the server');
  await form.getByRole('button', { name: 'Enter Report' }).click();
  await expect(page.getByText('Incident Reported')).toBeVisible();
  const { data: reports } = await admin.from('incidents').select('id').eq('title', title);
  expect(reports).toHaveLength(1);
  const { data: guard } = await admin
    .from('profiles')
    .select('full_name')
    .eq('email', 'guard2@statesman.example')
    .single()
    .throwOnError();
  const name = guard.full_name ?? '';

  await page.getByLabel('Search incidents').fill(title.slice(12));
  await row(page, title).getByRole('button', { name: 'View' }).click();
  const dialog = details(page);
  await expect(dialog).toContainText(name);
  await expect(dialog).toContainText('Entered by');
  await dialog.getByRole('button', { name: 'Take it myself' }).click();
  await dialog.getByLabel('Due').fill('2026-01-05T09:00');
  await dialog.getByRole('button', { name: 'Save follow-up' }).click();
  await expect(page.getByText('Follow-up saved')).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Owner:' })).toContainText('Due Jan');

  await dialog.getByRole('link', { name: 'Write letter' }).click();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText(title);
  await page.getByLabel('Addressee').fill('Ann Cooper');
  await page.getByLabel('Summary for the client').fill(`${name} saw that the gate was forced.`);
  await page.getByLabel('Actions taken').fill('The gate is locked again.');
  await expect(page.getByRole('button', { name: 'Save letter' })).toBeVisible();
  await page.getByLabel('Send it by mail').check();
  const to = `${randomUUID().slice(0, 8)}@client.example`;
  await page.getByLabel('Client’s email address').fill(to);
  // A letter about a high report goes to the client once someone else has approved it.
  await expect(page.getByText('This letter waits for approval once you save it')).toBeVisible();
  await page.getByRole('button', { name: 'Save letter' }).click();
  await expect(page.getByText(`It names ${name}.`)).toBeVisible();
  await page.getByLabel('Summary for the client').fill('Our guard saw that the gate was forced.');
  await page.getByRole('button', { name: 'Save letter' }).click();
  await expect(page.getByText('It goes to the client once it is approved.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Letters' })).toContainText(
    'Version 1, to Ann Cooper',
  );
  await expect(dialog.getByText('Waits for approval')).toBeVisible();
  const incident = reports?.[0]?.id ?? '';
  await admin
    .rpc('review_incident', { p_incident_id: incident, p_decision: 'accepted' })
    .throwOnError();
  await expect(dialog.getByRole('region', { name: 'Review' })).toContainText('Reviewed');
  await dialog.getByRole('button', { name: 'Approve version 1' }).click();
  const approval = page.getByRole('dialog', { name: 'Approve letter' });
  await expect(approval).toContainText('Someone else must approve a letter of yours');
  await approval.getByRole('button', { name: 'Cancel' }).click();
  const { data: letter } = await admin
    .from('incident_letters')
    .select('id')
    .eq('incident_id', incident)
    .single()
    .throwOnError();
  await admin.rpc('approve_letter', { p_letter_id: letter.id }).throwOnError();
  await expect(dialog.getByText(`Mailed to ${to}`)).toBeVisible();
  const mailed = (await letters(dataDir)).find((letter) => letter.to === to);
  expect(mailed?.text).toContain('Our guard saw that the gate was forced.');
  expect(mailed?.text).not.toContain(name);

  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'PDF of version 1' }).click();
  const file = await readFile(await (await download).path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');

  // Filters by owner, due time, site and day find exactly it.
  await page.keyboard.press('Escape');
  await page.goto(`/admin/incidents?owner=me&due=overdue&site=${site.id}&from=${day}`);
  await expect(row(page, title)).toContainText('Overdue Jan 5');
  await choose(page.getByLabel('Owner'), 'Without an owner');
  await expect(page.getByText('No incidents match')).toBeVisible();
});

test('a report is sent back, answered on the phone without a signal, reviewed, and its letter approved by someone else', async ({
  openAs,
  databaseOf,
  dataDir,
}) => {
  const site = await siteOf(await databaseOf('admin'), 'supervised');
  const incident = await report(await databaseOf('guard'), site.id, 'critical');
  const supervisor = await openAs('supervisor');
  await supervisor.goto(`/admin/incidents?queue=review&q=${incident.title.slice(10)}`);
  await expect(row(supervisor, incident.title)).toContainText('Waiting for review');
  await row(supervisor, incident.title).getByRole('button', { name: 'View' }).click();
  const review = details(supervisor).getByRole('region', { name: 'Review' });
  await review.getByRole('button', { name: 'Send back' }).click();
  await expect(review.getByText('Enter a question for the guard')).toBeVisible();
  await review.getByLabel('Review note or question').fill('Which fence was it?');
  await review.getByRole('button', { name: 'Send back' }).click();
  await expect(supervisor.getByText('Sent back with your question')).toBeVisible();
  await expect(review).toContainText('Waiting for the guard’s answer.');

  const phone = await openAs('guard', { viewport: { width: 360, height: 740 } });
  await phone.goto('/staff/report');
  const reports = phone.getByRole('list', { name: 'My Reports' });
  const mine = reports.getByRole('listitem').filter({ hasText: incident.title });
  await expect(mine).toContainText('Your supervisor has a question');
  await mine.getByRole('button').click();
  const told = phone.getByRole('dialog', { name: 'Incident' });
  await expect(told.getByText('Which fence was it?')).toBeVisible();
  await codeIsLoaded(phone, 'toaster');
  await phone.context().setOffline(true);
  await told.getByLabel('Your answer').fill('The one behind the generator.');
  await told.getByRole('button', { name: 'Send Answer' }).click();
  await expect(told.getByText('Waiting to send')).toBeVisible();
  await phone.context().setOffline(false);
  await expect(told.getByText('Your supervisor asks')).toBeHidden();
  await expect(told.getByText('Waiting to send')).toHaveCount(0);

  await expect(
    details(supervisor).getByRole('region', { name: 'Added by the Reporter' }),
  ).toContainText('The one behind the generator.');
  await review.getByRole('button', { name: 'Mark reviewed' }).click();
  await expect(supervisor.getByText('Report reviewed')).toBeVisible();
  await details(supervisor).getByRole('link', { name: 'Write letter' }).click();
  const to = `${randomUUID().slice(0, 8)}@client.example`;
  await supervisor.getByLabel('Addressee').fill('Ann Cooper');
  await supervisor.getByLabel('Summary for the client').fill('Our guard saw that a fence was cut.');
  await supervisor.getByLabel('Send it by mail').check();
  await supervisor.getByLabel('Client’s email address').fill(to);
  await supervisor.getByRole('button', { name: 'Save letter' }).click();
  await expect(supervisor.getByText('It goes to the client once it is approved.')).toBeVisible();

  const ops = await openAs('ops');
  await ops.goto(`/admin/incidents?queue=approve&q=${incident.title.slice(10)}`);
  await row(ops, incident.title).getByRole('button', { name: 'View' }).click();
  await details(ops).getByRole('button', { name: 'Approve version 1' }).click();
  const approval = ops.getByRole('dialog', { name: 'Approve letter' });
  await expect(approval).toContainText('Our guard saw that a fence was cut.');
  await expect(approval).toContainText('It names none of our people.');
  await approval.getByRole('button', { name: 'Approve and send' }).click();
  await expect(ops.getByText('Letter approved')).toBeVisible();
  const sent = details(ops).getByRole('list', { name: 'Letters' });
  await expect(sent).toContainText('Approved for the client by');
  await expect(sent).toContainText(`Mailed to ${to}`);
  const mailed = (await letters(dataDir)).find((letter) => letter.to === to);
  expect(mailed?.text).toContain('Our guard saw that a fence was cut.');
});
