// Two guards at one post: what the first leaves, the next one reads and takes over.
import { dutyCard } from '#tests/e2e/support/clock-dialog.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

test('a note left without a signal reaches the next guard, who takes over what is there', async ({
  browser,
  url,
  dataDir,
  openAs,
}) => {
  const outgoing = await guardOnShift(url, dataDir, -7, 1);
  // Their own shift is two days away.
  const incoming = await guardOnShift(url, dataDir, 48, 56);
  const backend = await service(url, dataDir);
  const site_id = outgoing.siteId;
  const next = await backend
    .from('shifts')
    .insert({ site_id, start_time: hoursFromNow(1), end_time: hoursFromNow(9) })
    .select('id')
    .single()
    .throwOnError();
  await backend
    .from('assignments')
    .insert({ shift_id: next.data.id, user_id: incoming.session.user.id })
    .throwOnError();
  await backend
    .from('equipment')
    .insert([
      { site_id, name: 'Radio', serial: 'R-104', quantity: 2 },
      { site_id, name: 'Gate key', quantity: 1 },
    ])
    .throwOnError();
  await outgoing.attends(hoursFromNow(-7));

  const first = await newPhone(browser, url, outgoing, { hasTouch: true });
  await first.goto('/staff');
  await expect(dutyCard(first)).toContainText(outgoing.siteName);
  const left = first.getByRole('region', { name: 'Handover', exact: true });
  await expect(left).toContainText('No notes of the last three days.');
  const second = await newPhone(browser, url, incoming, { hasTouch: true });
  await second.goto('/staff');
  const found = second.getByRole('region', { name: 'Handover', exact: true });
  await expect(found).toContainText(outgoing.siteName);
  await expect(found).toContainText('No notes of the last three days.');

  // Opened before the signal is gone, so that its code is there.
  await left.getByRole('heading', { name: 'Handover' }).tap();
  await left.getByRole('button', { name: 'Leave a note' }).tap();
  const note = first.getByRole('dialog', { name: 'Handover note' });
  await expect(note.getByLabel('Note')).toBeVisible();
  await first.context().setOffline(true);
  await note.getByLabel('Note').fill('The gate key sticks. A lorry is due at six.');
  await note.getByRole('button', { name: 'Leave Note' }).tap();
  await expect(left).toContainText('You, waiting to send');
  await expect(found).toContainText('No notes of the last three days.');
  await first.context().setOffline(false);
  await expect(found).toContainText('The gate key sticks. A lorry is due at six.');
  await expect(found).toContainText(outgoing.person.fullName);
  await expect(left).not.toContainText('waiting to send');

  // At the end of duty the card asks by itself.
  await backend
    .from('attendance')
    .update({ clock_out_at: new Date().toISOString() })
    .eq('assignment_id', outgoing.assignmentId)
    .throwOnError();
  await expect(left).toContainText('Before you go');
  await left.getByRole('button', { name: 'Hand over equipment' }).tap();
  const leaving = first.getByRole('dialog', { name: 'Hand over equipment' });
  await leaving.getByRole('checkbox', { name: 'Gate key' }).tap();
  await leaving.getByLabel('How many are there, Radio').selectOption('1 of 2');
  await leaving.getByRole('button', { name: 'Damaged, Radio' }).tap();
  await leaving.getByLabel('What is damaged, Radio').fill('Aerial is bent');
  await leaving.getByRole('button', { name: 'Hand Over, 1 Missing' }).tap();
  // A photo of the damage can be reported at once.
  const report = first.getByRole('dialog', { name: 'Report Incident' });
  await expect(report.getByLabel('Title')).toHaveValue('Damaged equipment');
  await expect(report.getByLabel('Description')).toHaveValue('Radio ×2 (R-104): Aerial is bent');
  await first.keyboard.press('Escape');
  await expect(left.getByRole('button', { name: 'Hand over equipment' })).toBeHidden();

  await found.getByRole('heading', { name: 'Handover' }).tap();
  await found.getByRole('button', { name: 'Take over equipment' }).tap();
  const dialog = second.getByRole('dialog', { name: 'Take over equipment' });
  await expect(dialog).toContainText(
    `${outgoing.person.fullName} left it: 1 there, Aerial is bent`,
  );
  await dialog.getByRole('checkbox', { name: 'Radio ×2 (R-104)' }).tap();
  await dialog.getByRole('button', { name: 'Take Over, 1 Missing' }).tap();
  await expect(found).toContainText('Equipment taken over');
  await expect(found.getByRole('button', { name: 'Take over equipment' })).toBeHidden();
  await first.context().close();
  await second.context().close();

  const planner = await openAs('ops');
  await planner.goto(`/admin/roster/posts/handovers?site=${site_id}`);
  const line = planner.getByRole('listitem').filter({ hasText: incoming.person.fullName });
  await expect(line).toContainText('Missing: Gate key');
  await expect(
    planner.getByRole('listitem').filter({ hasText: 'Missing: Radio ×2 (R-104) (1 there)' }),
  ).toContainText('Damaged: Radio ×2 (R-104): Aerial is bent');
  await expect(
    planner.getByRole('listitem').filter({ hasText: 'The gate key sticks.' }),
  ).toContainText(outgoing.person.fullName);
});
