import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const ROWS = 10_000;
const GATES = 5;
/** Maximum rows of one insert. */
const BATCH = 5000;
const HOUR = 3_600_000;
/** Far from the demo company's shifts. */
const FIRST = Date.parse('2034-01-01T06:00:00Z');

test('ten thousand shifts can be sorted, filtered, paged to the end and exported', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const database = await databaseOf('ops');
  // Without the digit searched for below.
  const name = `Long ${randomUUID().slice(0, 8).replaceAll('3', 'x')}`;
  const { data: site } = await database
    .from('sites')
    .insert({ name, client_name: 'Harbour Trading', address: 'Freeport' })
    .select('id')
    .single()
    .throwOnError();
  const at = (row: number) => new Date(FIRST + row * HOUR).toISOString();
  const shifts = Array.from({ length: ROWS }, (_, row) => ({
    site_id: site.id,
    start_time: at(row),
    end_time: at(row + 8),
    notes: `Gate ${row % GATES}`,
  }));
  for (let from = 0; from < ROWS; from += BATCH) {
    await database
      .from('shifts')
      .insert(shifts.slice(from, from + BATCH))
      .throwOnError();
  }

  const page = await openAs('ops');
  const rows = page.getByRole('table', { name: 'Upcoming Shifts' }).locator('tbody tr');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await page.goto(`/admin/shifts?site=${site.id}`);
  await expect(page.getByText('10,000 shifts, 0 of 10,000 guards assigned')).toBeVisible();
  await expect(rows).toHaveCount(20);
  await expect(rows.first()).toContainText('Jan 1, 2034, 6:00 AM');
  await expect(pages).toContainText('1–20 of 10,000');

  const heading = page.getByRole('columnheader', { name: 'Date & Time' });
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(rows.first()).toContainText('Feb 21, 2035, 9:00 PM');
  await page.getByLabel('Search shifts').fill('gate 3');
  await page.getByLabel('Status', { exact: true }).selectOption('Unstaffed');
  await expect(page.getByText('2,000 shifts, 0 of 2,000 guards assigned')).toBeVisible();
  await page.getByRole('button', { name: 'Last page' }).click();
  await expect(pages).toContainText('1,981–2,000 of 2,000');
  await expect(rows).toHaveCount(20);
  await expect(rows.last()).toContainText('Jan 1, 2034, 9:00 AM');

  // Chosen while the list still showed the total of all rows.
  await page.goto(page.url().replace('page=100', 'page=500'));
  await expect(pages).toContainText('1,981–2,000 of 2,000');
  await expect(rows.last()).toContainText('Jan 1, 2034, 9:00 AM');
  await expect(page.getByLabel('Search shifts')).toHaveValue('gate 3');
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('none');
  await expect(heading).toHaveAttribute('aria-sort', 'descending');

  const download = await exportFile(page, 'CSV');
  const [headings, ...lines] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(headings).toContain('Start,End,Time Zone,Site');
  expect(lines).toHaveLength(ROWS / GATES);
  expect(lines[0]).toContain('2035-02-21 20:00');
  expect(lines.at(-1)).toContain('2034-01-01 09:00');
  expect(lines.every((line) => line.includes('Gate 3'))).toBe(true);

  await database.from('shifts').delete().eq('site_id', site.id).throwOnError();
  await database.from('sites').delete().eq('id', site.id).throwOnError();
});
