// A guard says from My Shifts that they are late or can't come, without a signal too, and the dispatcher acts on it.
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a guard is late and says so without a signal, once, then can’t come: the dispatcher finds another guard', async ({
  browser,
  url,
  dataDir,
}) => {
  test.slow();
  const line = await roughLine(url, /rpc\/report_duty_notice/);
  const guard = await guardOnShift(url, dataDir, 3, 11);
  const backend = await service(url, dataDir);
  await backend
    .from('user_roles')
    .insert({ user_id: guard.session.user.id, role: 'guard' })
    .throwOnError();
  const said = async () =>
    (
      await backend
        .from('duty_notices')
        .select('kind, minutes, reason, ended_at')
        .eq('assignment_id', guard.assignmentId)
        .order('received_at')
        .throwOnError()
    ).data;

  const phone = await newPhone(browser, line.url, guard, { hasTouch: true });
  await phone.goto('/staff');
  const shifts = phone.getByRole('region', { name: 'My Shifts' });
  const late = shifts.getByRole('button', { name: `I’m running late, ${guard.siteName}` });
  await expect(late).toBeVisible();
  expect((await late.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expect(shifts.getByRole('button', { name: /^Decline/ })).toHaveCount(0);
  line.becomes('down');
  await late.tap();
  const dialog = phone.getByRole('dialog', { name: 'I’m running late' });
  await dialog.getByRole('button', { name: 'Tell the Control Room' }).tap();
  await expect(dialog.getByText('Choose how late')).toBeVisible();
  await expect(dialog.getByText('Choose or write a reason')).toBeVisible();
  await dialog.getByRole('button', { name: '20 min' }).tap();
  await dialog.getByLabel('Reason in your words').fill('Bus broke down');
  await dialog.getByRole('button', { name: 'Tell the Control Room' }).tap();
  await expect(
    shifts.getByText('You said that you are 20 min late: Bus broke down.'),
  ).toBeVisible();
  await expect(shifts.getByText('Waiting to send.')).toBeVisible();
  expect(await said()).toEqual([]);
  // The request arrives now, but its answer is lost: the phone sends it again.
  line.becomes('loses answers');
  await expect.poll(async () => (await said()).length, SENT_AGAIN).toBe(1);
  line.becomes('good');
  await expect(shifts.getByText('Waiting to send.')).toHaveCount(0, SENT_AGAIN);
  expect(await said()).toEqual([
    { kind: 'running_late', minutes: 20, reason: 'Bus broke down', ended_at: null },
  ]);

  const office = await pageOf(browser, url, 'dispatcher', {
    viewport: { width: 1280, height: 800 },
  });
  await office.goto(`/admin/operations?q=${encodeURIComponent(guard.siteName)}`);
  const words = `${guard.person.fullName} says: 20 min late, Bus broke down`;
  const alert = office.getByRole('region', { name: 'Alerts' }).getByRole('listitem');
  await expect(alert.filter({ hasText: words })).toBeVisible();
  await expect(office.getByRole('region', { name: 'Posts' })).toContainText(words);

  await shifts.getByRole('button', { name: `I can’t come, ${guard.siteName}` }).tap();
  const cannot = phone.getByRole('dialog', { name: 'I can’t come' });
  await cannot.getByRole('button', { name: 'I am ill' }).tap();
  await cannot.getByRole('button', { name: 'Tell the Control Room' }).tap();
  const back = shifts.getByRole('button', { name: `I can come after all, ${guard.siteName}` });
  await expect(back).toBeVisible();
  await back.tap();
  await expect(back).toHaveCount(0);
  await shifts.getByRole('button', { name: `I can’t come, ${guard.siteName}` }).tap();
  await cannot.getByRole('button', { name: 'I am ill' }).tap();
  await cannot.getByRole('button', { name: 'Tell the Control Room' }).tap();
  await expect(back).toBeVisible();

  const gone = alert.filter({ hasText: `${guard.person.fullName} can't come: I am ill` });
  await gone.getByRole('button', { name: /^Find Replacement/ }).click();
  const detail = office.getByRole('dialog', { name: guard.siteName });
  await expect(detail.getByText(/^can't come: I am ill/)).toBeVisible();
  await expect(detail.getByText('1 post to fill')).toBeVisible();
  await detail
    .getByRole('list', { name: 'Guards who can come' })
    .getByRole('button', { name: /^Assign/ })
    .first()
    .click();
  await expect(office.getByText('Guard Assigned')).toBeVisible();
  await expect(detail.getByText('Every post of this shift is given')).toBeVisible();
  await office.context().close();

  await phone.reload();
  await expect(shifts.getByText('Cancelled')).toBeVisible();
  await expect(back).toHaveCount(0);
  expect((await said()).map(({ kind }) => kind)).toEqual([
    'running_late',
    'cant_come',
    'cant_come',
  ]);
  await phone.context().close();
  await line.close();
});
