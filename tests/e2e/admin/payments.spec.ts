import { createHash, randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ask } from '#tests/e2e/support/owner.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** A locked run of three people, with a month of its own, long ago. @returns its id */
async function lockedRun(dataDir: string, names: readonly string[]): Promise<string> {
  const month = `${2001 + randomInt(18)}-${String(1 + randomInt(12)).padStart(2, '0')}-01`;
  const [run] = await ask(
    dataDir,
    `insert into pay_runs (pay_group, currency, period_start, period_end)
     values ('monthly', 'LRD', $1::date, ($1::date + interval '1 month - 1 day')::date) returning id`,
    [month],
  );
  await ask(
    dataDir,
    `with people as (
       insert into staff (full_name, salary_amount) select unnest($1::text[]), 143 returning id
     ), records as (
       insert into payroll (staff_id, period_start, period_end, base_amount)
       select p.id, r.period_start, r.period_end, 26312.50 from people p, pay_runs r where r.id = $2
       returning id, staff_id
     ), slips as (
       insert into payslips (pay_run_id, staff_id, currency, gross, deductions, net, payroll_id)
       select $2, staff_id, 'LRD', 26312.50, 0, 26312.50, id from records returning id
     )
     insert into payslip_lines (payslip_id, position, kind, label, amount)
     select id, 1, 'salary', 'Salary', 26312.50 from slips`,
    [names, run.id],
  );
  return run.id;
}

const lock = async (dataDir: string, run: string) => {
  for (const status of ['calculated', 'approved', 'locked']) {
    await ask(dataDir, 'update pay_runs set status = $2 where id = $1', [run, status]);
  }
};

/** A CSV as a network sends it back, from the references in our file. */
const resultOf = (content: string, statuses: readonly string[]) => ({
  name: 'result.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    `Reference,Status,Amount,Transaction ID,Date,Reason\n${content
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line, index) => `${line.split(',')[0]},${statuses[index]},26312.50,TX${index},,`)
      .join('\n')}`,
  ),
});

async function recordByHand(page: Page, file: number): Promise<void> {
  await page.getByRole('button', { name: `Record Result of file ${file}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Record Result' });
  await dialog.getByRole('tab', { name: 'Line by Line' }).click();
  await dialog.getByLabel(/^All \d+ without a result$/).press('Space');
  // Past the lines, of which there may be hundreds.
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('link', { name: 'Skip the lines' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('Paid On')).toBeFocused();
  await dialog.getByRole('button', { name: /^Paid: \d+$/ }).click();
  await expect(dialog).toBeHidden();
}

test('a run is paid by file: a second person verifies an account, and a failed line is paid again', async ({
  openAs,
  databaseOf,
  dataDir,
}) => {
  const key = randomUUID().slice(0, 8);
  const names = ['Akoi', 'Bendu', 'Cole'].map((name) => `${name} ${key}`);
  const run = await lockedRun(dataDir, names);
  const finance = await databaseOf('finance');
  const { data: staff } = await finance
    .from('staff')
    .select('id, full_name')
    .in('full_name', names)
    .order('full_name')
    .throwOnError();
  const digits = () => `+23188${1_000_000 + randomInt(9_000_000)}`;
  const { data: accounts } = await finance
    .from('pay_accounts')
    .insert(
      staff.map(({ id, full_name }, index) => ({
        staff_id: id,
        channel: index === 2 ? ('cash' as const) : ('mtn_momo' as const),
        account_name: full_name,
        account_number: index === 2 ? null : digits(),
      })),
    )
    .select('id, account_name, account_number')
    .order('account_name')
    .throwOnError();
  const admin = await databaseOf('admin');
  for (const { id, account_number } of accounts.slice(1)) {
    await admin
      .rpc('verify_pay_account', { p_id: id, ...(account_number && { p_number: account_number }) })
      .throwOnError();
  }
  await lock(dataDir, run);

  const page = await openAs('finance');
  await page.goto(`/admin/payruns/${run}?tab=payments`);
  const blocked = page.getByRole('status').filter({ hasText: '1 payment can’t be made yet' });
  await expect(blocked).toBeVisible();
  // A short list does not scroll by itself: a focused link would scroll it and cut its first line.
  const hidden = (list: Element) => list.scrollHeight - list.clientHeight;
  expect(await blocked.getByRole('list').evaluate(hidden)).toBe(0);
  const office = await openAs('admin');
  await office.goto(`/admin/people/${staff[0]?.id}`);
  await office.getByRole('button', { name: 'Verify' }).click();
  const question = office.getByRole('dialog', { name: 'Verify Pay Account' });
  await expect(question).toContainText('+231 88');
  await question.getByRole('button', { name: 'Verify' }).click();
  await expect(office.getByText('Pay account verified')).toBeVisible();
  // The page of finance learns it by itself.
  await expect(page.getByText('1 payment can’t be made yet')).toBeHidden();

  await page.getByRole('button', { name: 'Make File for MTN MoMo' }).click();
  const first = page.getByRole('listitem', { name: 'File 1, MTN MoMo' });
  await expect(first).toContainText('L$52,625.00 in 2 payments');
  const downloading = page.waitForEvent('download');
  await first.getByRole('button', { name: 'Download CSV' }).click();
  const content = await readFile(await (await downloading).path(), 'utf8');
  await expect(first).toContainText(createHash('sha256').update(content).digest('hex'));

  await page.getByRole('button', { name: 'Record Result of file 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record Result' });
  const choose = dialog.getByLabel('Result', { exact: true });
  await choose.setInputFiles(resultOf(content, ['Success', 'Pending']));
  await expect(dialog.getByText('"Pending" means neither paid nor failed')).toBeVisible();
  // On a short screen, as with hundreds of lines: why nothing was recorded is beside the button, until the next file.
  await page.setViewportSize({ width: 1280, height: 420 });
  await choose.setInputFiles(
    resultOf(content.replaceAll(/\r\n(?=.)/g, '\r\nNONE'), ['Paid', 'Paid']),
  );
  await dialog.getByRole('button', { name: 'Record 2' }).click();
  const refusal = dialog.getByRole('alert').filter({ hasText: 'Result not recorded' });
  await expect(refusal).toBeInViewport({ ratio: 1 });
  await choose.setInputFiles(resultOf(content, ['Success', 'Failed']));
  await expect(refusal).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 720 });
  await dialog.getByRole('button', { name: 'Record 2' }).click();
  await expect(page.getByText('1 payment paid, 1 failed')).toBeVisible();
  await expect(page.getByText('1 payment has failed and must be paid again')).toBeVisible();

  await page.getByRole('button', { name: 'Make File for MTN MoMo' }).click();
  await recordByHand(page, 2);
  // By keyboard: the button disappears with the last payment of its channel.
  await page.getByRole('button', { name: 'Make File for Cash' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'By Channel' })).toBeFocused();
  const cash = page.getByRole('listitem', { name: 'File 3, Cash' });
  const listing = page.waitForEvent('download');
  await cash.getByRole('button', { name: 'Signature List' }).click();
  expect((await readFile(await (await listing).path())).subarray(0, 5).toString()).toBe('%PDF-');
  await recordByHand(page, 3);
  await expect(cash).toContainText('Paid');

  const { data: paid } = await finance
    .from('payroll')
    .select('payment_status, payment_date')
    .in(
      'staff_id',
      staff.map(({ id }) => id),
    )
    .throwOnError();
  expect(paid.map(({ payment_status }) => payment_status)).toEqual(['paid', 'paid', 'paid']);
  const statusOfRun = async () =>
    (await ask(dataDir, 'select status from pay_runs where id = $1', [run]))[0]?.status;
  expect(await statusOfRun()).toBe('paid');

  // Days later the network sends one payment back.
  await page.getByRole('button', { name: 'Record Return of file 2' }).click();
  const returning = page.getByRole('dialog', { name: 'Record Result' });
  await returning.getByLabel(/^All 1 recorded as paid$/).press('Space');
  await returning.getByLabel('Reason').fill('Wallet closed');
  await returning.getByRole('button', { name: 'Returned: 1' }).click();
  await expect(page.getByText('1 payment returned')).toBeVisible();
  await expect(page.getByText('1 payment came back and must be paid again')).toBeVisible();
  await expect(page.getByRole('listitem', { name: 'File 2, MTN MoMo' })).toContainText(
    '1 returned',
  );
  await expect(page.getByRole('button', { name: 'Make File for MTN MoMo' })).toBeVisible();
  expect(await statusOfRun()).toBe('locked');
});
