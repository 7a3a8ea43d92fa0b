// A call for service: taken by keyboard, answered on the unit's phone, also without a signal, and closed with its outcome.
import { createHmac, randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { codeIsLoaded } from '#tests/e2e/support/loaded-code.ts';
import { type NewGuard, newGuard } from '#tests/e2e/support/new-guard.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { toastOf } from '#tests/e2e/support/toast.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

const phoneOf = (browser: Browser, url: string, { session }: NewGuard) =>
  pageIn(browser, url, session, PHONE);

/** A unit of the guard that no other journey calls. @returns its call sign */
async function addUnit(page: Page, guard: NewGuard): Promise<string> {
  const callSign = `Unit ${randomUUID().slice(0, 6)}`;
  await page.goto('/admin/dispatch?tab=units');
  await page.getByRole('button', { name: 'New Unit' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Unit' });
  await dialog.getByLabel('Call Sign').fill(callSign);
  await dialog.getByLabel(/^Coordinates of the base/).fill('6.3000, -10.7000');
  await choose(dialog.getByLabel('People'), guard.name);
  await dialog.getByRole('button', { name: 'Add Unit' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: callSign })).toContainText('Available');
  return callSign;
}

test('a call is taken by keyboard, assigned with one press, answered on the phone and closed', {
  tag: '@everyday',
}, async ({ openAs, browser, url, dataDir }) => {
  const guard = await newGuard(url, dataDir);
  const page = await openAs('dispatcher');
  const callSign = await addUnit(page, guard);
  const phone = await phoneOf(browser, url, guard);
  await phone.goto('/staff');
  await expect(phone.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();

  const details = `Zone 3 of the store (${randomUUID().slice(0, 6)})`;
  await page.getByRole('tab', { name: 'Calls' }).click();
  await page.getByRole('button', { name: 'New Call' }).click();
  const form = page.getByRole('dialog', { name: 'New Call' });
  await expect(form.getByLabel(/^Site/)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Freeport Container');
  await page.keyboard.press('Enter');
  await expect(form.getByLabel(/^Site/)).toContainText('Freeport Container Yard');
  await form.getByRole('radio', { name: 'Intruder' }).press('Space');
  await form.getByRole('radio', { name: 'Danger' }).press('Space');
  await form.getByLabel(/^Details/).fill(details);
  await form.getByLabel(/^Caller/).press('Enter');

  // The new call opens, with the units by rank.
  const dialog = page.getByRole('dialog', { name: 'Intruder, Freeport Container Yard' });
  await expect(dialog).toContainText(details);
  await expect(dialog.getByText(/^Answer in /)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  const more = dialog.getByRole('button', { name: /^Show all/ });
  if (await more.isVisible()) await more.click();
  await dialog.getByRole('button', { name: `Assign: ${callSign}` }).click();
  await expect(dialog.getByRole('list', { name: 'Assigned units' })).toContainText(callSign);

  const card = phone.getByRole('region', { name: 'Call for your unit' });
  await expect(card).toContainText('Intruder, Freeport Container Yard');
  await expect(card).toContainText(details);
  await expect(card.getByRole('link', { name: 'Show the way' })).toHaveAttribute(
    'href',
    /destination=6\.\d+%2C-10\.\d+/,
  );
  expect(await faultsOf(phone)).toEqual([]);
  const placeOf = async (name: RegExp) =>
    (await card.getByRole('button', { name }).boundingBox())?.y;
  const before = await placeOf(/^On scene/);
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(card.getByRole('button', { name: 'Accepted' })).toBeVisible();
  expect(await placeOf(/^On scene/)).toBe(before);
  await expect(dialog).toContainText('Accepted');

  // Without a signal the steps wait on the phone, each once, whatever is tapped twice.
  await phone.context().setOffline(true);
  await card.getByRole('button', { name: 'On the way' }).dblclick();
  await expect(card).toContainText('On the way: waiting to send.');
  await card.getByRole('button', { name: 'On scene' }).click();
  await expect(card).toContainText('On the way, On scene: waiting to send.');
  await phone.context().setOffline(false);
  await expect(dialog.getByRole('list', { name: 'Assigned units' })).toContainText('On scene');
  await card.getByRole('button', { name: 'Clear' }).click();
  await expect(card).toBeHidden();

  const steps = await ask(
    dataDir,
    `select e.kind from unit_events e join service_calls c on c.id = e.call_id
     where c.details = $1 order by e.sequence`,
    [details],
  );
  expect(steps.map(({ kind }) => kind)).toEqual([
    'received',
    'assigned',
    'accepted',
    'en_route',
    'on_scene',
    'clear',
  ]);
  await dialog.getByRole('button', { name: 'Close Call' }).click();
  const closing = page.getByRole('dialog', { name: 'Close Call' });
  await closing.getByRole('button', { name: 'Close Call' }).click();
  await expect(closing).toContainText('Choose the outcome');
  await closing.getByLabel('Outcome').selectOption('False alarm');
  await closing.getByRole('button', { name: 'Close Call' }).click();
  await expect(toastOf(page, 'Call closed')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await phone.context().close();
});

test('a unit that declines is told of with the next one; an SOS becomes a call with one press', {
  tag: '@long',
}, async ({ openAs, browser, url, dataDir }) => {
  const guard = await newGuard(url, dataDir);
  const page = await openAs('dispatcher');
  const callSign = await addUnit(page, guard);
  const alone = await guardOnShift(url, dataDir);
  const victim = await newPhone(browser, url, alone);
  await victim.goto('/staff');
  await codeIsLoaded(victim, 'sos-dialog');
  await victim.getByRole('button', { name: 'SOS' }).hover();
  await victim.mouse.down();
  await expect(victim.getByRole('dialog')).toBeVisible();
  await victim.mouse.up();

  await page.goto('/admin/operations');
  const alert = page.getByRole('region', { name: 'Alerts' }).getByRole('listitem');
  await alert
    .filter({ hasText: alone.siteName })
    .getByRole('button', { name: /^Call for Service/ })
    .click();
  const dialog = page.getByRole('dialog', { name: `Other, ${alone.siteName}` });
  await expect(dialog).toContainText(`from ${alone.person.fullName}`);
  const more = dialog.getByRole('button', { name: /^Show all/ });
  if (await more.isVisible()) await more.click();
  await dialog.getByRole('button', { name: `Assign: ${callSign}` }).click();

  const phone = await phoneOf(browser, url, guard);
  await phone.goto('/staff');
  const card = phone.getByRole('region', { name: 'Call for your unit' });
  await card.getByRole('button', { name: 'Decline' }).click();
  await expect(card).toBeHidden();
  await expect(dialog.getByRole('region', { name: 'Timeline' })).toContainText(
    `Declined: ${callSign}`,
  );
  const [notice] = await ask(dataDir, `select body from notices where title = $1 limit 1`, [
    `${callSign} declined: Other, ${alone.siteName}`,
  ]);
  expect(notice.body).toMatch(/^Next: |^No other unit/);
  await dialog.getByRole('button', { name: 'Cancel Call' }).click();
  const cancelling = page.getByRole('dialog', { name: 'Cancel Call' });
  await cancelling.getByLabel('Reason').fill('A drill');
  await cancelling.getByRole('button', { name: 'Cancel Call' }).click();
  await expect(toastOf(page, 'Call cancelled')).toBeVisible();
  for (const each of [victim, phone]) await each.context().close();
});

test('a supervisor reads the calls of the own site, and sends nobody', async ({
  openAs,
  dataDir,
}) => {
  const details = `Gate 4 (${randomUUID().slice(0, 6)})`;
  const [{ name }] = await ask(
    dataDir,
    `with own as (
       select t.* from user_roles r join profiles p on p.id = r.user_id join sites t on t.id = r.site_id
       where r.role = 'supervisor' and p.email = 'supervisor@statesman.example' limit 1
     ), made as (
       insert into service_calls (site_id, address, kind, priority, details, answer_due_at, en_route_due_at,
         on_scene_due_at)
       select id, address, 'alarm', 'routine', $1, now(), now(), now() from own returning id
     ), told as (insert into unit_events (call_id, kind) select id, 'received' from made)
     select name from own`,
    [details],
  );
  const page = await openAs('supervisor');
  await page.goto('/admin/dispatch');
  await page.getByRole('button').filter({ hasText: details }).click();
  const dialog = page.getByRole('dialog', { name: `Alarm, ${name}` });
  await expect(dialog.getByRole('region', { name: 'Timeline' })).toContainText('Call received');
  await expect(dialog.getByRole('button', { name: /Close Call|Assign|Add Note/ })).toHaveCount(0);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'New Call' })).toHaveCount(0);
  await ask(
    dataDir,
    `with done as (update service_calls set state = 'cancelled', closed_at = now() where details = $1 returning id)
     insert into unit_events (call_id, kind) select id, 'cancelled' from done`,
    [details],
  );
});

test('a panel is added, and what it signs with its secret becomes a call', {
  tag: '@long',
}, async ({ openAs, url }) => {
  const page = await openAs('ops');
  const name = `Panel ${randomUUID().slice(0, 6)}`;
  await page.goto('/admin/dispatch?tab=panels');
  await page.getByRole('button', { name: 'Add Panel' }).click();
  const form = page.getByRole('dialog', { name: 'Add Panel' });
  await choose(form.getByLabel('Site'), 'Freeport Container Yard');
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Add Panel' }).click();
  const access = page.getByText(/^[0-9a-f]{64}$/);
  await expect(access).toBeVisible();
  const secret = (await access.textContent()) ?? '';
  const address = (await page.getByText(/\/alarms\/in\//).textContent()) ?? '';
  const row = page
    .getByRole('list', { name: 'Alarm panels' })
    .getByRole('listitem')
    .filter({ hasText: name });
  await expect(row).toContainText('Nothing received yet');
  expect(await faultsOf(page)).toEqual([]);

  const send = (event: object) => {
    const body = JSON.stringify(event);
    const time = String(Math.floor(Date.now() / 1000));
    return fetch(`${url}${new URL(address).pathname}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-timestamp': time,
        'x-signature': createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'),
      },
      body,
    });
  };
  const alarm = { id: '1', kind: 'intruder', text: `Back door of ${name}` };
  for (const _ of [1, 2]) expect((await send(alarm)).status).toBe(200);
  await expect(row).toContainText(alarm.text);
  await page.getByRole('tab', { name: 'Calls' }).click();
  await page.getByRole('button').filter({ hasText: alarm.text }).click();
  const dialog = page.getByRole('dialog', { name: 'Intruder, Freeport Container Yard' });
  await expect(dialog).toContainText(`Alarm panel`);
  await expect(dialog).toContainText(`from ${name}`);
  await dialog.getByRole('button', { name: 'Cancel Call' }).click();
  const cancelling = page.getByRole('dialog', { name: 'Cancel Call' });
  await cancelling.getByLabel('Reason').fill('A test');
  await cancelling.getByRole('button', { name: 'Cancel Call' }).click();
  await expect(toastOf(page, 'Call cancelled')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Panels' }).click();
  await row.getByRole('button', { name: `New Secret: ${name}` }).click();
  await page.getByRole('button', { name: 'Make New Secret' }).click();
  await expect(page.getByText(/^[0-9a-f]{64}$/)).not.toHaveText(secret);
  expect((await send({ ...alarm, id: '2' })).status).toBe(401);
  await row.getByRole('button', { name: `Remove: ${name}` }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(toastOf(page, 'Panel removed')).toBeVisible();
  expect((await send({ ...alarm, id: '3' })).status).toBe(404);
});
