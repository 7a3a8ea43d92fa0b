// Sound and desktop notices of the operations board. What plays and shows them is replaced in the browser.
import type { Page } from '@playwright/test';
import { guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Hertz of the sounds. */
const SOUND = [784, 1047];
const SOS_TONE = 880;

/** Runs in the page. The user's answer to the browser's question is in the session storage. */
function replaceEdge(): void {
  const edge = { tones: [] as number[], notices: [] as string[] };
  const show = (title: string, options?: NotificationOptions) =>
    void edge.notices.push(`${title}: ${options?.body}`);
  class Audio {
    state = 'suspended';
    currentTime = 0;
    destination = {};
    async resume() {
      this.state = 'running';
    }
  }
  class Sound {
    gain = { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined };
    constructor(
      _context: Audio,
      private readonly options: { frequency?: number },
    ) {}
    connect = <T>(next: T) => next;
    start() {
      if (this.options.frequency) edge.tones.push(this.options.frequency);
    }
    stop() {}
  }
  class Notice {
    static get permission() {
      return sessionStorage.getItem('permission') ?? 'default';
    }
    static async requestPermission() {
      sessionStorage.setItem('permission', sessionStorage.getItem('answer') ?? 'denied');
      return Notice.permission;
    }
    constructor(title: string, options?: NotificationOptions) {
      show(title, options);
    }
  }
  Object.assign(window, {
    edge,
    AudioContext: Audio,
    OscillatorNode: Sound,
    GainNode: Sound,
    Notification: Notice,
  });
  ServiceWorkerRegistration.prototype.showNotification = async (...notice) => show(...notice);
}

const edgeOf = (page: Page) =>
  page.evaluate<{ tones: number[]; notices: string[] }>('structuredClone(edge)');

/** Who hears no other alerts. */
async function supervisorOfOneSite(url: string, dataDir: string) {
  const { session, siteName, assignmentId } = await guardOnShift(url, dataDir);
  const [site] = await ask(dataDir, 'select site_id from assignments where id = $1', [
    assignmentId,
  ]);
  const siteId: string = site?.site_id;
  await (await service(url, dataDir))
    .from('user_roles')
    .insert({ user_id: session.user.id, role: 'supervisor', site_id: siteId })
    .throwOnError();
  return { session, siteName, siteId };
}

test('a new alert sounds and shows once, an old one and a muted one never', async ({
  browser,
  url,
  dataDir,
}) => {
  const { session, siteName, siteId } = await supervisorOfOneSite(url, dataDir);
  const raise = (detail: string) =>
    ask(dataDir, `select private.raise_alert('tour', $2, $1, null, null, null, $2)`, [
      siteId,
      `${detail} at ${siteName}`,
    ]);
  const noticeOf = (detail: string) => `${siteName}: ${detail} at ${siteName}`;

  await raise('An old round');
  const page = await pageIn(browser, url, session, { viewport: { width: 1280, height: 900 } });
  await page.addInitScript(replaceEdge);
  await page.goto('/admin/operations');
  const sound = page.getByRole('button', { name: 'Sound', exact: true });
  const notices = page.getByRole('button', { name: 'Desktop notices', exact: true });
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await expect(alerts.getByText('1 open alert')).toBeVisible();

  await notices.click();
  await expect(page.getByText('Notices are blocked', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Allow notifications for this site in the browser.', { exact: true }),
  ).toBeVisible();
  await expect(notices).toHaveAttribute('aria-pressed', 'false');
  await page.evaluate(() => sessionStorage.setItem('answer', 'granted'));
  await notices.click();
  await expect(notices).toHaveAttribute('aria-pressed', 'true');
  await sound.click();
  // To try it.
  await expect.poll(() => edgeOf(page)).toEqual({ tones: SOUND, notices: [] });

  // The choices stay; browsers let a page sound after the first press.
  await page.reload();
  await expect(alerts.getByText('1 open alert')).toBeVisible();
  await expect(sound).toHaveAttribute('aria-pressed', 'true');
  await alerts.click();
  await raise('A new round');
  const once = { tones: SOUND, notices: [noticeOf('A new round')] };
  await expect.poll(() => edgeOf(page)).toEqual(once);

  await sound.click();
  await notices.click();
  await raise('A muted round');
  await expect(alerts.getByText('3 open alerts')).toBeVisible();
  await notices.click();
  await expect(notices).toHaveAttribute('aria-pressed', 'true');
  await raise('A last round');
  await expect
    .poll(() => edgeOf(page))
    .toEqual({ ...once, notices: [noticeOf('A new round'), noticeOf('A last round')] });
  await page.context().close();
});

test('an SOS is on top and sounds, however many alerts come after it', async ({
  browser,
  url,
  dataDir,
}) => {
  const { session, siteName, siteId } = await supervisorOfOneSite(url, dataDir);
  await ask(
    dataDir,
    `insert into alerts (kind, cause, site_id, detail, raised_at)
     select case when n = 0 then 'sos' else 'tour' end, 'test:' || $1 || n, $1::uuid, 'Alert ' || n,
       now() - interval '1 hour' + n * interval '1 s'
     from generate_series(0, 600) n`,
    [siteId],
  );
  const page = await pageIn(browser, url, session, { viewport: { width: 1280, height: 900 } });
  await page.addInitScript(replaceEdge);
  await page.goto('/admin/operations');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await expect(alerts.getByRole('heading', { name: '601 open alerts' })).toBeVisible();
  await expect(alerts.getByRole('listitem').first()).toContainText('SOS');
  await expect(alerts.getByRole('listitem').first()).toContainText(siteName);

  await page.getByRole('button', { name: 'Sound', exact: true }).click();
  await expect.poll(async () => (await edgeOf(page)).tones).toContain(SOS_TONE);

  await expect(alerts.getByRole('listitem')).toHaveCount(10);
  const more = alerts.getByRole('button', { name: /^Show more/ });
  for (const left of [190, 160, 130, 100, 70, 40, 10]) {
    await expect(more).toHaveText(`Show more (${left})`);
    await more.press('Enter');
  }
  await expect(alerts.getByRole('listitem').nth(190).getByRole('button').first()).toBeFocused();
  await expect(alerts.getByText('The 200 most serious of 601.')).toBeVisible();

  await page.getByRole('button', { name: 'Sound', exact: true }).click();
  await alerts.getByRole('button', { name: /^Acknowledge: SOS/ }).click();
  await expect(alerts.getByRole('listitem').nth(200)).toContainText('Acknowledged by');
  await page.context().close();
});
