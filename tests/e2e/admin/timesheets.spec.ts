// A guard's own hours: disputing a day and reading the answer.
import { monthOfHours } from '#tests/e2e/support/month-of-hours.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { roughLine } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const DAY = { day: 4, in: 6, out: 18 };

test('a guard disputes a day without a signal, once, and reads the answer', async ({
  browser,
  openAs,
  url,
  dataDir,
}) => {
  const line = await roughLine(url, /timesheet_disputes/);
  const { siteId, first, guards } = await monthOfHours(
    url,
    dataDir,
    { year: 2024, month: 5 },
    {
      short: [DAY, { ...DAY, day: 6, out: 16 }],
    },
  );
  const guard = guards.short;
  if (!guard) throw new Error('The guard is missing.');
  const phone = await pageIn(browser, line.url, guard.session, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await phone.goto('/staff/payslips');
  await phone.getByRole('link', { name: /^My Timesheet/ }).tap();
  await expect(phone.getByText('Clocked out 2 h before the end of the shift.')).toBeVisible();
  const dispute = phone.getByRole('button', { name: 'Dispute Mon, May 6' });
  expect((await dispute.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await dispute.tap();
  const dialog = phone.getByRole('dialog', { name: 'Dispute Mon, May 6' });
  await dialog.getByRole('button', { name: 'Send Dispute' }).tap();
  await expect(dialog.getByText('Write what is wrong')).toBeVisible();
  await dialog.getByLabel('What is wrong?').fill('My relief came, I left at six.');
  line.becomes('down');
  await dialog.getByRole('button', { name: 'Send Dispute' }).tap();
  await expect(phone.getByText('Dispute sent')).toBeVisible();
  const day = phone
    .getByRole('list', { name: 'Days' })
    .getByRole('listitem')
    .filter({
      has: phone.getByRole('heading', { name: 'Mon, May 6' }),
    });
  await expect(day).toContainText('Waiting to send');
  // The request arrives now, but its answer is lost: the phone sends it again.
  line.becomes('loses answers');
  const backend = await service(url, dataDir);
  const stored = async () =>
    (
      await backend
        .from('timesheet_disputes')
        .select('note, status')
        .eq('user_id', guard.session.user.id)
        .throwOnError()
    ).data;
  await expect.poll(stored, { timeout: 30_000 }).toHaveLength(1);
  line.becomes('good');
  await expect(day).toContainText('Sent. No answer yet.', { timeout: 60_000 });
  expect(await stored()).toHaveLength(1);

  const office = await openAs('hr');
  await office.goto(`/admin/timesheets?day=${first}&site=${siteId}`);
  await expect(office.getByText('My relief came, I left at six.')).toBeVisible();
  await office.getByRole('button', { name: /^Answer: / }).click();
  await office.getByLabel('Answer').fill('The relief confirms it, your hours are corrected.');
  await office.getByRole('button', { name: 'Send Answer' }).click();
  await expect(office.getByText('Answer sent')).toBeVisible();

  await phone.reload();
  await expect(phone.getByText('The relief confirms it, your hours are corrected.')).toBeVisible();
  await phone.getByRole('button', { name: 'This looks right' }).tap();
  await expect(phone.getByText(/^You said that this looks right/)).toBeVisible();
  await phone.context().close();
  await line.close();
});
