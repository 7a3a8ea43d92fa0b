import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { printedMonth } from '#shared/documents/client-month.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('the monthly report has the incidents of the client, is downloaded, and mailed if wanted', async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('ops');
  const guard = await databaseOf('guard');
  const name = `Harbour ${randomUUID().slice(0, 8)}`;
  const { data: client } = await database
    .from('clients')
    .insert({ name, number_of_guards: 2, monthly_rate: 800, location: 'Buchanan' })
    .select('id')
    .single()
    .throwOnError();
  const { data: site } = await database
    .from('sites')
    .insert({ name: `${name} gate`, client_name: name, client_id: client.id, address: 'Buchanan' })
    .select('id')
    .single()
    .throwOnError();
  const report = async (severity: 'low' | 'critical') => {
    const { data } = await guard
      .from('incidents')
      .insert({
        site_id: site.id,
        title: `Fence cut at ${name}`,
        category: 'vandalism',
        severity,
        description: 'The fence behind the generator was cut during the night.',
      })
      .select('id, created_at')
      .single()
      .throwOnError();
    return data;
  };
  const reviewed = await report('critical');
  await database
    .rpc('review_incident', { p_incident_id: reviewed.id, p_decision: 'accepted' })
    .throwOnError();
  await report('low');
  const call = randomUUID();
  await database
    .rpc('save_call', { p_id: call, p_kind: 'alarm', p_priority: 'urgent', p_site_id: site.id })
    .throwOnError();

  const page = await openAs('ops');
  await page.goto(`/admin/clients?q=${name.slice(8)}`);
  await page.getByRole('button', { name: `Monthly report of ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Monthly report of ${name}` });
  // The last whole month is empty.
  await expect(dialog.getByText('No incident in this month.')).toBeVisible();
  await dialog
    .getByLabel('Month', { exact: true })
    .selectOption(printedMonth(reviewed.created_at.slice(0, 10)));
  await expect(dialog.getByText('The figures leave out 1 incident of this month.')).toBeVisible();
  const row = dialog.getByRole('row').filter({ hasText: 'Critical' });
  // One incident, answered at once by its review, not resolved yet.
  await expect(row.getByRole('cell')).toHaveText(['1', '1 of 1', /^[01] min$/, '-']);
  // Not answered yet, with time left.
  await expect(dialog.getByRole('row').filter({ hasText: 'Urgent' }).getByRole('cell')).toHaveText([
    '1',
    '-',
    '-',
  ]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download PDF' }).click();
  const file = await readFile(await (await download).path(), 'latin1');
  expect(file.slice(0, 5)).toBe('%PDF-');
  expect(file).toContain('By kind: Vandalism 1.');
  expect(file).toContain('Calls for Service');
  await database.rpc('close_call', { p_call_id: call, p_outcome: 'false_alarm' }).throwOnError();

  await dialog.getByLabel(/^Mail it on the first day/).fill('security@client.example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The report is mailed each month')).toBeVisible();
  const { data: stored } = await database
    .from('clients')
    .select('report_email')
    .eq('id', client.id)
    .single()
    .throwOnError();
  expect(stored).toEqual({ report_email: 'security@client.example' });
});
