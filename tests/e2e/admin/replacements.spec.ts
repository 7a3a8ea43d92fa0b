// A guard does not come: the control room offers the post to two others, and the first to say yes gets it.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type NewGuard, newGuard } from '#tests/e2e/support/new-guard.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

const HOUR_MS = 3_600_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

/** A post whose shift began an hour ago without its guard, and people who could come. */
async function emptyPost(url: string, dataDir: string) {
  const backend = await service(url, dataDir);
  const neighbour = async () => {
    const guard = await newGuard(url, dataDir);
    // They live at the site, so that they come first.
    await backend
      .from('profiles')
      .update({ home_position: '6.3,-10.8', phone: '+231770000001' })
      .eq('id', guard.id)
      .throwOnError();
    return guard;
  };
  const [absent, first, second] = [await neighbour(), await neighbour(), await neighbour()];
  const siteName = `Pier ${randomUUID().slice(0, 8)}`;
  const site = await backend
    .from('sites')
    .insert({
      name: siteName,
      client_name: 'Harbour Client',
      address: 'Freeport, Monrovia',
      ...{ latitude: 6.3, longitude: -10.8 },
    })
    .select('id')
    .single()
    .throwOnError();
  const shift = await backend
    .from('shifts')
    .insert({
      site_id: site.data.id,
      start_time: new Date(Date.now() - HOUR_MS).toISOString(),
      end_time: new Date(Date.now() + 7 * HOUR_MS).toISOString(),
    })
    .select('id')
    .single()
    .throwOnError();
  const shiftId = shift.data.id;
  await backend
    .from('assignments')
    .insert([{ shift_id: shiftId, user_id: absent.id }])
    .throwOnError();
  // Both have worked here, long enough ago.
  for (const [place, { id }] of [first, second].entries()) {
    for (const days of [20, 30, 40, 50]) {
      const start = Date.now() - days * 24 * HOUR_MS + place * 10 * HOUR_MS;
      const past = await backend
        .from('shifts')
        .insert({
          site_id: site.data.id,
          start_time: new Date(start).toISOString(),
          end_time: new Date(start + 8 * HOUR_MS).toISOString(),
        })
        .select('id')
        .single()
        .throwOnError();
      await backend
        .from('assignments')
        .insert({ shift_id: past.data.id, user_id: id, status: 'completed' })
        .throwOnError();
    }
  }
  const staffed = async () => {
    const { data } = await backend
      .from('assignments')
      .select('user_id')
      .eq('shift_id', shiftId)
      .eq('counts_as_staffed', true)
      .throwOnError();
    return data.map(({ user_id }) => user_id);
  };
  return { absent, first, second, siteName, shiftId, staffed };
}

const card = (page: Page, siteName: string) =>
  page
    .getByRole('list', { name: 'Shifts you are asked to come to' })
    .getByRole('listitem')
    .filter({ hasText: siteName });

test('a post is offered to two guards: the first yes gets it, and the second learns that it is too late', async ({
  browser,
  url,
  dataDir,
  openAs,
}) => {
  test.slow();
  const post = await emptyPost(url, dataDir);
  const { absent, first, second } = post;
  const planner = await openAs('dispatcher');
  await planner.goto(`/admin/shifts?open=${post.shiftId}&tab=replacement`);
  const dialog = planner.getByRole('dialog', { name: 'Edit Shift' });
  await expect(dialog).toContainText('Every post of this shift is given');
  await dialog.getByRole('button', { name: `Mark ${absent.name} as no-show` }).click();
  await dialog.getByLabel(`Why ${absent.name} did not come`).fill('Phone is off');
  await dialog.getByRole('button', { name: 'Mark as No-show', exact: true }).click();
  await expect(dialog.getByText('Did not come: Phone is off')).toBeVisible();
  await expect(dialog).toContainText('1 post to fill');

  const candidates = dialog.getByRole('list', { name: 'Guards who can come' });
  const rowOf = ({ name }: NewGuard) => candidates.getByRole('listitem').filter({ hasText: name });
  await expect(rowOf(first)).toContainText('Knows this site: 4 shifts');
  await expect(rowOf(first).getByRole('link', { name: `Call ${first.name}` })).toHaveAttribute(
    'href',
    'tel:+231770000001',
  );
  // By keyboard: the list may still move after the no-show, under a pointer that is already down.
  await rowOf(first).getByRole('button', { name: 'Note a call' }).press('Enter');
  await rowOf(first).getByRole('textbox', { name: 'Note' }).fill('Rang twice');
  await rowOf(first).getByRole('button', { name: 'Save Call' }).click();
  await expect(rowOf(first)).toContainText('(Rang twice)');
  for (const guard of [first, second]) {
    await candidates.getByRole('checkbox', { name: guard.name }).check();
  }
  await dialog.getByLabel('Note to the guards').fill('Bring your raincoat');
  await dialog.getByRole('button', { name: 'Offer Shift' }).click();
  const answers = dialog.getByRole('region', { name: 'Offers' });
  const answerOf = ({ name }: NewGuard) => answers.getByRole('listitem').filter({ hasText: name });
  await expect(answerOf(second)).toContainText('Asked');
  await answerOf(second)
    .getByRole('button', { name: `Withdraw the offer to ${second.name}` })
    .click();
  const withdrawn = await holdToast(planner, 'Offer Withdrawn');
  await expect(answerOf(second)).toContainText('Withdrawn');
  await withdrawn.getByRole('button', { name: 'Undo' }).click();
  await expect(answerOf(second)).not.toContainText('Withdrawn');

  // One phone has no signal when its guard says yes.
  const line = await roughLine(url, /rpc\/answer_offer/);
  const slow = await pageIn(browser, line.url, second.session, PHONE);
  await slow.goto('/staff');
  await expect(card(slow, post.siteName)).toContainText('Can you come?');
  await expect(card(slow, post.siteName)).toContainText('Bring your raincoat');
  line.becomes('down');
  const yes = card(slow, post.siteName).getByRole('button', { name: /^Yes/ });
  expect((await yes.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await yes.tap();
  await expect(card(slow, post.siteName)).toContainText('You said yes. Waiting to send.');

  const fast = await pageIn(browser, url, first.session, PHONE);
  await fast.goto('/staff');
  await card(fast, post.siteName).getByRole('button', { name: /^Yes/ }).tap();
  await expect(card(fast, post.siteName)).toContainText('The shift is yours');
  await expect(fast.getByRole('region', { name: 'My Shifts' })).toContainText(post.siteName);
  await expect(answerOf(first)).toContainText('Said yes');
  await expect(dialog).toContainText('Every post of this shift is given');

  line.becomes('loses answers');
  await expect(answerOf(second)).toContainText('Too late', SENT_AGAIN);
  line.becomes('good');
  await expect(card(slow, post.siteName)).toContainText('Too late', SENT_AGAIN);
  await expect(card(slow, post.siteName)).toContainText('The shift has gone to another guard.');
  expect(await post.staffed()).toEqual([first.id]);
  await slow.context().close();
  await fast.context().close();
  await line.close();
});

test('from the board the row opens, a guard who says yes on the phone gets the seat, and Undo frees it', async ({
  url,
  dataDir,
  openAs,
}) => {
  const { absent, first, second, siteName, staffed } = await emptyPost(url, dataDir);
  const page = await openAs('dispatcher', { viewport: { width: 1440, height: 900 } });
  await page.goto(`/admin/operations?q=${encodeURIComponent(siteName)}`);
  const row = page.getByRole('button', { name: new RegExp(`^${siteName}`) });
  // Anywhere but on its bar.
  const box = await page.getByRole('region', { name: 'Posts' }).getByRole('listitem').boundingBox();
  if (!box) throw new Error('The post has no row.');
  await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
  const dialog = page.getByRole('dialog', { name: siteName });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await row.press('Enter');
  await dialog.getByRole('button', { name: `Mark ${absent.name} as no-show` }).click();
  await dialog.getByLabel(`Why ${absent.name} did not come`).fill('Phone is off');
  await dialog.getByRole('button', { name: 'Mark as No-show', exact: true }).click();

  const candidates = dialog.getByRole('list', { name: 'Guards who can come' });
  const rowOf = ({ name }: NewGuard) => candidates.getByRole('listitem').filter({ hasText: name });
  // The number can be read without a pointer.
  await expect(rowOf(first).getByText('+231 77 000 0001')).toBeVisible();
  await rowOf(first).getByRole('button', { name: 'Note a call' }).press('Enter');
  await rowOf(first).getByLabel('Result').selectOption({ label: 'Is coming' });
  await rowOf(first).getByRole('button', { name: 'Save Call and Assign' }).click();
  const assigned = await holdToast(page, 'Guard Assigned');
  await expect(dialog).toContainText('On the way');
  expect(await staffed()).toEqual([first.id]);
  await assigned.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog).not.toContainText('On the way');
  await expect.poll(staffed).toEqual([]);

  await rowOf(second)
    .getByRole('button', { name: `Assign ${second.name}` })
    .click();
  await expect.poll(staffed).toEqual([second.id]);
});
