import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { addDays, format, parseISO, subDays } from 'date-fns';
import sharp from 'sharp';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { pageIn, visitor } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { today } from '#web/lib/format/dates.ts';

/** Longer than the default, for photos on a two-core machine. */
test.slow();

const PHONE = { viewport: { width: 360, height: 740 } };
const newTitle = () => `Fence cut ${randomUUID().slice(0, 8)}`;
const dayFrom = (days: number) => format(addDays(parseISO(today()), days), 'yyyy-MM-dd');

/** A photo like a phone camera's: large, rotated by EXIF, with GPS data. */
async function photo(name: string) {
  const size = { width: 2400, height: 1800, channels: 3 } as const;
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
  const buffer = await sharp({ create: { ...size, background: '#345', noise } })
    .withExif({
      IFD2: { DateTimeOriginal: '2026:11:20 21:04:05', OffsetTimeOriginal: '+00:00' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '6/1 18/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '10/1 48/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

async function openReport(page: Page) {
  await page.getByRole('button', { name: 'Report Incident' }).click();
  return dialogOf(page, 'Report Incident');
}

async function fillReport(page: Page, title: string) {
  const dialog = dialogOf(page, 'Report Incident');
  await dialog.getByLabel('Site').click();
  await page.getByRole('listbox').getByRole('option').first().click();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Category').selectOption('property');
  await dialog.getByRole('radio', { name: 'High' }).check();
  await dialog.getByLabel('Description').fill('The fence at the back gate was cut in the night.');
}

/** As if the reports that wait on the phone had been written so many milliseconds earlier. */
const letTimePass = (page: Page, ms: number) =>
  page.evaluate(
    (passed) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('outbox');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const work = opening.result.transaction('entries', 'readwrite');
          const reading = work.objectStore('entries').openCursor();
          reading.onsuccess = () => {
            const entry = reading.result;
            entry?.update({ ...entry.value, madeAt: entry.value.madeAt - passed });
            entry?.continue();
          };
          work.oncomplete = () => resolve();
          work.onerror = () => reject(work.error);
        };
      }),
    ms,
  );

const ready = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

/** A new guard's session, so that counts include only their rows. */
async function newGuard(url: string) {
  const client = await visitor(url);
  const tag = randomUUID().slice(0, 8);
  const { data, error } = await client.auth.signUp({
    email: `musu.${tag}@visitor.example`,
    password: `Post-${tag}`,
  });
  if (error) throw error;
  if (!data.session) throw new Error('Signing up gave no session.');
  return { client, session: data.session };
}

test('a report closed and opened again at once has what was typed', async ({ browser, url }) => {
  const { session } = await newGuard(url);
  const page = await pageIn(browser, url, session, PHONE);
  await page.goto('/staff');
  const dialog = await openReport(page);
  await dialog.getByLabel('Title').fill('Broken lamp at the gate');
  // In one task, so that nothing scheduled for later runs in between, as on a slow phone.
  await page.evaluate(async () => {
    const press = (text: string) =>
      [...document.querySelectorAll('button')]
        .find(({ textContent }) => textContent.startsWith(text))
        ?.click();
    press('Close');
    await Promise.resolve();
    press('Report Incident');
  });
  await expect(dialog.getByLabel('Title')).toHaveValue('Broken lamp at the gate');
});

test('a report shows missing fields and refused files, and is kept when its dialog closes', {
  tag: '@long',
}, async ({ browser, url }) => {
  const { client, session } = await newGuard(url);
  const page = await pageIn(browser, url, session, PHONE);
  await page.goto('/staff');
  const dialog = await openReport(page);
  const submit = dialog.getByRole('button', { name: 'Submit Report' });
  await submit.click();
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(page.getByText('Please select a valid site')).toHaveCount(2);
  for (const message of [
    'Title must be at least 5 characters',
    'Description must be at least 20 characters',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  const title = newTitle();
  await fillReport(page, title);

  const files = dialog.getByLabel('Add Files');
  const text = (name: string, size = 20) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(size, 'a'),
  });
  await files.setInputFiles([
    { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    text('long.txt', 10 * 1024 * 1024 + 1),
    text('nothing.txt', 0),
  ]);
  const refused = dialog.getByRole('alert');
  await expect(refused).toContainText('“tool.exe” can’t be attached.');
  await expect(refused).toContainText('“long.txt” has more than 10 MB.');
  await expect(refused).toContainText('“nothing.txt” is empty.');
  await files.setInputFiles(Array.from({ length: 12 }, (_, n) => text(`note-${n}.txt`)));
  await expect(refused).toContainText('A report takes at most 10 files; 2 more were left out.');
  const list = dialog.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  for (let n = 9; n > 0; n -= 1) {
    await dialog.getByRole('button', { name: `Remove note-${n}.txt` }).click();
  }

  await page.keyboard.press('Escape');
  await page.reload();
  await openReport(page);
  await expect(dialog.getByText('Draft restored')).toBeVisible();
  await expect(dialog.getByLabel('Title')).toHaveValue(title);
  await expect(list).toHaveText([/note-0\.txt/]);
  // Sent twice, and from a second tab with the same draft and another file: one record with both files.
  const second = await page.context().newPage();
  await second.goto('/staff');
  const other = await openReport(second);
  await expect(other.getByLabel('Title')).toHaveValue(title);
  await page.context().route(/rest\/v1\/incidents\?.*on_conflict/, (route) => route.abort());
  await submit.dblclick();
  await expect(dialog.getByText('Sending your report')).toBeVisible();
  await other.getByLabel('Add Files').setInputFiles(text('gate.txt'));
  await expect(other.getByRole('button', { name: 'Remove gate.txt' })).toBeVisible();
  await other.getByRole('button', { name: 'Submit Report' }).click();
  await expect(other.getByText('Sending your report')).toBeVisible();
  await page.context().unrouteAll();
  await other.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('Incident Reported', { exact: true })).toBeVisible();
  await expect(second.getByText('Incident Reported', { exact: true })).toBeVisible();
  const { data } = await client.from('incidents').select('title, status, evidence(url)');
  const evidence = ['gate.txt', 'note-0.txt'].map((name) => ({
    url: expect.stringContaining(name),
  }));
  expect(data).toEqual([{ title, status: 'open', evidence: expect.arrayContaining(evidence) }]);
  expect(data?.[0]?.evidence).toHaveLength(2);
  await page.context().close();
});

test('a report with photos is queued offline, survives a closed page and lost responses, and arrives once', {
  tag: '@everyday',
}, async ({ browser, url, dataDir }) => {
  const { client, session } = await newGuard(url);
  const line = await roughLine(url, /rest\/v1\/(incidents|evidence)\?.*on_conflict|object\/upload/);
  const page = await pageIn(browser, line.url, session, { ...PHONE, serviceWorkers: 'allow' });
  await page.goto('/staff');
  await ready(page);
  // The list of sites is cached in advance.
  await openReport(page);
  const title = newTitle();
  await fillReport(page, title);
  await page.context().setOffline(true);
  const dialog = dialogOf(page, 'Report Incident');
  await dialog
    .getByLabel('Add Files')
    .setInputFiles([await photo('gate.jpg'), await photo('fence.jpg')]);
  await expect(dialog.getByRole('button', { name: 'Remove fence.jpg' })).toBeVisible();
  await expect(dialog.getByText(/kB · location saved$/)).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Submit Report' }).click();
  await expect(page.getByText('Incident Reported', { exact: true })).toBeVisible();
  await expect(page.getByText('1 waiting to send')).toBeVisible();
  await letTimePass(page, 4 * 3_600_000);
  await page.close();

  // The responses to the report and the first file are lost.
  let asked = 0;
  line.becomes(() => {
    asked += 1;
    return asked === 1 || asked === 4 ? 'loses answers' : 'good';
  });
  const context = page.context();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto('/staff');
  const stored = async () => {
    const { data } = await client
      .from('incidents')
      .select(
        'title, status, created_at, written_at, evidence(url, type, taken_at, gps, located_by)',
      )
      .throwOnError();
    return data;
  };
  await expect.poll(async () => (await stored())[0]?.evidence.length, SENT_AGAIN).toBe(2);
  await expect(again.getByText('1 waiting to send')).toHaveCount(0, SENT_AGAIN);
  const [incident, ...others] = await stored();
  expect(others).toEqual([]);
  expect(incident?.title).toBe(title);
  const waited = Date.parse(incident?.created_at ?? '') - Date.parse(incident?.written_at ?? '');
  expect(Math.round(waited / 3_600_000)).toBe(4);
  for (const piece of incident?.evidence ?? []) {
    expect(piece).toMatchObject({
      type: 'image/jpeg',
      gps: '6.300000,-10.800000',
      located_by: 'photo',
    });
    expect(new Date(piece.taken_at ?? '').toISOString()).toBe('2026-11-20T21:04:05.000Z');
    const { data } = await client.storage.from('evidence').download(piece.url);
    expect(data?.size).toBeLessThan(400_000);
    const { width = 0, height = 0 } = await sharp(await data?.arrayBuffer()).metadata();
    expect(height).toBeGreaterThan(width);
  }
  const backend = await service(url, dataDir);
  const { data: ids } = await client.from('incidents').select('id').single().throwOnError();
  const { data: objects } = await backend.storage.from('evidence').list(ids.id);
  expect(objects).toHaveLength(2);

  // The reporter adds a photo and a note later.
  await again.getByRole('link', { name: 'Report', exact: true }).click();
  const own = again.getByRole('list', { name: 'My Reports' }).getByRole('button');
  await expect(own.getByRole('time')).toHaveAttribute('datetime', incident?.written_at ?? '');
  await own.click();
  const report = dialogOf(again, 'Incident');
  await expect(report.getByRole('region', { name: 'Progress' }).getByRole('listitem')).toHaveText([
    /^Written/,
    /^Reported/,
  ]);
  await report.getByLabel('Add photos or documents').setInputFiles(await photo('later.jpg'));
  await report.getByLabel('Add a note').fill('The wire is on the other side of the road.');
  await report.getByRole('button', { name: 'Add Note' }).dblclick();
  await expect(again.getByText('Note Added')).toBeVisible();
  await expect(report.getByRole('region', { name: 'Notes' }).getByRole('listitem')).toHaveText([
    /^The wire is on the other side of the road\./,
  ]);
  await expect.poll(async () => (await stored())[0]?.evidence.length).toBe(3);
  await context.close();
  await line.close();
});

test('one of three files is refused and one times out: each shows its state and is retried separately', {
  tag: '@long',
}, async ({ browser, url, dataDir }) => {
  const { client, session } = await newGuard(url);
  const line = await roughLine(url, /evidence\/.*(statement|note)/);
  const page = await pageIn(browser, line.url, session, PHONE);
  await page.goto('/staff');
  const dialog = await openReport(page);
  await fillReport(page, newTitle());
  const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await dialog.getByLabel('Add Files').setInputFiles([
    // Named .pdf, but not a PDF.
    { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<!doctype html><p>') },
    text('statement.txt'),
    text('photos.txt'),
  ]);
  line.becomes('down');
  await dialog.getByRole('button', { name: 'Submit Report' }).click();
  const files = dialog.getByRole('list', { name: 'Files being sent' }).getByRole('listitem');
  await expect(files).toHaveText([
    /plan\.pdf.*Not accepted\./,
    /statement\.txt.*Waiting$/,
    /photos\.txt.*Sent/,
  ]);
  const stored = async () => {
    const { data } = await client.from('incidents').select('id, evidence(url)').throwOnError();
    return data.map(({ evidence }) => evidence.map((piece) => piece.url.replace(/.*-/, '')).sort());
  };
  expect(await stored()).toEqual([['photos.txt']]);
  await page.close();

  const again = await page.context().newPage();
  await again.goto('/staff/waiting');
  const left = again.getByRole('list', { name: /^Files of Incident/ }).getByRole('listitem');
  await expect(left.first()).toContainText('Not accepted.');
  expect(await faultsOf(again)).toEqual([]);
  line.becomes('good');
  await again.getByRole('button', { name: 'Send now' }).click();
  await expect(left.nth(1)).toContainText('Sent');
  await expect(again.getByText('1 not accepted')).toBeVisible();
  const answered = again.waitForResponse(/evidence\/.*plan\.pdf/);
  await again.getByRole('button', { name: 'Send again: plan.pdf' }).click();
  await answered;
  await expect(left.first()).toContainText('Not accepted.');
  await again.getByRole('button', { name: 'Leave out: plan.pdf' }).click();
  const question = dialogOf(again, 'Leave this file out?');
  await question.getByRole('button', { name: 'Leave out' }).click();
  await expect(again.getByText('Everything has been sent.')).toBeVisible();
  expect(await stored()).toEqual([['photos.txt', 'statement.txt']]);
  const { data } = await client.from('incidents').select('id').single().throwOnError();
  const backend = await service(url, dataDir);
  const { data: objects } = await backend.storage.from('evidence').list(data.id);
  expect(objects).toHaveLength(2);
  await again.context().close();
  await line.close();
});

test('leave is requested once despite a lost response, sick leave up to three days back, and cancelled', async ({
  browser,
  url,
  dataDir,
}) => {
  const { client, session } = await newGuard(url);
  const line = await roughLine(url, /rest\/v1\/leave_requests\?.*on_conflict/);
  const page = await pageIn(browser, line.url, session, PHONE);
  await page.goto('/staff');
  const open = async () => {
    await page.getByRole('button', { name: 'Request Leave' }).click();
    return dialogOf(page, 'Request Leave');
  };
  const dialog = await open();
  const submit = dialog.getByRole('button', { name: 'Submit Request' });
  await submit.click();
  for (const name of ['Leave type', 'Start date', 'End date', 'Reason']) {
    await expect(dialog.getByText(`${name} is required`)).toBeVisible();
  }
  const start = dialog.getByLabel('Start Date');
  const end = dialog.getByLabel('End Date');
  await dialog.getByLabel('Leave Type').selectOption('annual');
  await expect(start).toHaveAttribute('min', today());
  await start.fill(dayFrom(10));
  await expect(end).toHaveAttribute('min', dayFrom(10));
  await end.fill(dayFrom(9));
  await dialog.getByLabel('Reason').fill('Family in Gbarnga');
  await submit.click();
  await expect(page.getByText('End date must be after start date')).toHaveCount(2);
  await dialog.getByLabel('Leave Type').selectOption('sick');
  const threeBack = format(subDays(parseISO(today()), 3), 'yyyy-MM-dd');
  await expect(start).toHaveAttribute('min', dayFrom(-7));
  await expect(dialog.getByRole('region', { name: 'Leave balance' })).toContainText(
    /Sick leave, guide10 days left of 10.*Decent Work Act/,
  );
  await start.fill(dayFrom(-8));
  await end.fill(dayFrom(-6));
  const effect = dialog.getByRole('status', { name: 'This request' });
  await expect(effect).toContainText('3 days');
  await expect(effect).toContainText('Touches none of your shifts');
  await end.fill(threeBack);
  await submit.click();
  await expect(dialog.getByText('Sick leave may start up to 7 days back')).toBeVisible();
  await start.fill(threeBack);
  let asked = 0;
  line.becomes(() => {
    asked += 1;
    return asked === 1 ? 'loses answers' : 'good';
  });
  await submit.click();
  await expect(page.getByText('Leave Request Submitted')).toBeVisible();
  const stored = async () =>
    (await client.from('leave_requests').select('type, start_date, status')).data;
  await expect(page.getByText('1 waiting to send')).toHaveCount(0, SENT_AGAIN);
  expect(await stored()).toEqual([{ type: 'sick', start_date: threeBack, status: 'pending' }]);

  await open();
  await dialog.getByRole('tab', { name: 'My Requests' }).click();
  const list = dialog.getByRole('list', { name: 'My requests' });
  await expect(list).toContainText('Pending');
  await dialog.getByRole('button', { name: /^Cancel request for Sick/ }).click();
  const question = dialogOf(page, 'Cancel this request?');
  await expect(question.getByRole('button', { name: 'Keep Request' })).toBeVisible();
  await question.getByRole('button', { name: 'Cancel Request' }).click();
  await expect(page.getByText('Leave Request Cancelled')).toBeVisible();
  await expect(list).toContainText('Cancelled');
  expect((await stored())?.[0]?.status).toBe('cancelled');

  // The decision and its note are shown with the request.
  const backend = await service(url, dataDir);
  await backend
    .from('leave_requests')
    .insert({
      user_id: session.user.id,
      type: 'annual',
      start_date: dayFrom(30),
      end_date: dayFrom(34),
      reason: 'Rest',
      status: 'rejected',
      decision_note: 'Too few guards that week',
    })
    .throwOnError();
  await page.reload();
  await open();
  await dialog.getByRole('tab', { name: 'My Requests' }).click();
  await expect(list).toContainText('Rejected');
  await expect(list).toContainText('Note: Too few guards that week');
  await page.context().close();
  await line.close();
});
