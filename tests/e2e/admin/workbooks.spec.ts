// Excel workbooks in and out: the template, the preview by row, the import, and an export opened again.
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { type CellValue, readXlsx, writeXlsx } from 'hucre/xlsx';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const MIME = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function sheetOf(download: Download): Promise<CellValue[][]> {
  const { sheets } = await readXlsx(await readFile(await download.path()));
  return sheets[0]?.rows ?? [];
}

async function openImport(page: Page, address: string) {
  await page.goto(address);
  await page.getByRole('button', { name: 'Import File' }).click();
  const dialog = page.getByRole('dialog');
  const choose = async (name: string, rows: CellValue[][]) => {
    const bytes = await writeXlsx({ sheets: [{ name: 'Filled in', rows }] });
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: MIME, buffer: Buffer.from(bytes) });
  };
  const template = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download Template' }).click();
  return { dialog, choose, template: await template };
}

test('guards are hired from the template, once the row that is wrong is corrected', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  const { dialog, choose, template } = await openImport(page, '/admin/people/new');
  expect(template.suggestedFilename()).toBe('guards-template.xlsx');
  const [headings = []] = await sheetOf(template);
  expect(headings.slice(0, 3)).toEqual(['Full Name', 'Phone', 'Email']);

  const tag = randomInt(1_000_000);
  const digits = () => 770_000_000 + randomInt(9_999_999);
  const row = (cells: Record<string, CellValue>) =>
    headings.map((heading) => cells[String(heading)] ?? null);
  const hawa = row({
    'Full Name': `Hawa ${tag}`,
    // As a spreadsheet keeps a number without its first zero.
    Phone: digits(),
    'Hire Date': new Date('2026-11-02'),
    'Salary (USD)': 180.5,
  });
  const saah = (phone: CellValue) =>
    row({ 'Full Name': `Saah ${tag}`, Phone: phone, Role: 'Supervisor', 'Salary (USD)': '200' });
  await choose('guards.xlsx', [headings, hawa, [], saah('12')]);
  await expect(dialog).toContainText('1 of 2 rows need a correction');
  const wrong = dialog.getByRole('row').filter({ hasText: 'Invalid phone number' });
  await expect(wrong.getByRole('cell').first()).toContainText('4');
  await expect(dialog.getByRole('button', { name: /^Import / })).toHaveCount(0);

  await choose('guards.xlsx', [headings, hawa, [], saah(`0${digits()}`)]);
  await expect(dialog).toContainText('2 rows are ready to be imported');
  await expect(dialog.getByRole('cell', { name: '2026-11-02' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await expect(page.getByRole('heading', { name: '2 people hired' })).toBeVisible();
  await page.getByRole('link', { name: `Saah ${tag}` }).click();
  await expect(page.getByText('Supervisor')).toBeVisible();

  await page.goto(`/admin/staff?q=${encodeURIComponent(`Hawa ${tag}`)}`);
  await expect(page.getByRole('link', { name: `Hawa ${tag}` })).toBeVisible();
  const exported = await exportFile(page, 'Excel');
  expect(exported.suggestedFilename()).toBe('staff.xlsx');
  const [names = [], ...people] = await sheetOf(exported);
  expect(people).toHaveLength(1);
  const cell = (heading: string) => people[0]?.[names.indexOf(heading)];
  expect([cell('Name'), cell('Hire Date'), cell('Salary')]).toEqual([
    `Hawa ${tag}`,
    new Date('2026-11-02'),
    180.5,
  ]);
  // The sign of a phone number begins no formula.
  expect(cell('Phone')).toMatch(/^\+23177\d{7}$/);
});

test('sites are imported with their client, and not twice', { tag: '@long' }, async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('admin');
  const { data: client } = await database
    .from('clients')
    .select('id, name')
    .eq('name', 'Cape Mesurado Terminals')
    .single()
    .throwOnError();
  const page = await openAs('admin');
  const { dialog, choose, template } = await openImport(page, '/admin/sites');
  const [headings = []] = await sheetOf(template);
  const name = `Depot ${randomInt(1_000_000)}`;
  const site = (cells: Record<string, CellValue>) =>
    headings.map(
      (heading) =>
        ({ 'Client Name': client.name, Address: 'Harper', ...cells })[String(heading)] ?? null,
    );
  const both = [
    headings,
    site({ 'Site Name': name, Latitude: 6.3005, Longitude: -10.7969, 'Geofence Radius (m)': 350 }),
    site({ 'Site Name': `${name} II`, 'Client Name': 'Not on the list', County: 'maryland' }),
  ];
  await choose('sites.xlsx', [...both, site({ 'Site Name': name, Latitude: 6.3 })]);
  await expect(dialog).toContainText('Enter both coordinates, or neither');
  await choose('sites.xlsx', both);
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await expect(page.getByText('2 records imported successfully')).toBeVisible();
  try {
    const { data } = await database
      .from('sites')
      .select('name, client_id, longitude, geofence_radius_m, county')
      .like('name', `${name}%`)
      .order('name')
      .throwOnError();
    expect(data).toEqual([
      { name, client_id: client.id, longitude: -10.7969, geofence_radius_m: 350, county: null },
      {
        name: `${name} II`,
        client_id: null,
        longitude: null,
        geofence_radius_m: 200,
        county: 'Maryland',
      },
    ]);
    await page.getByRole('button', { name: 'Import File' }).click();
    await choose('sites.xlsx', both);
    await expect(dialog).toContainText('2 of 2 rows need a correction');
    await expect(dialog).toContainText(`${client.name} has a site ${name} already`);
  } finally {
    await database.from('sites').delete().like('name', `${name}%`).throwOnError();
  }
});
