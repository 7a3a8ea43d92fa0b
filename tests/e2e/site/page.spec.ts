import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { company } from '#company';
import { expect, test } from '#tests/e2e/support/test.ts';

const SECTIONS = [
  company.headline,
  `About ${company.name}`,
  'Comprehensive Security Solutions',
  'Our Structure',
  'Our Team',
  'Get In Touch',
];

const inView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < innerHeight / 2;
  });

test.describe('content', () => {
  test('its sections are in order with their exact texts', { tag: '@everyday' }, async ({
    page,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(company.headline);
    const headings = await page.locator('h1, h2').allTextContents();
    expect(headings).toEqual(SECTIONS);
    const cards = await page.locator('#about h3').allTextContents();
    expect(cards).toEqual(['Heritage', 'Growth', 'Mission', 'Guiding Principles']);
    expect(await page.locator('#services h3').allTextContents()).toEqual([
      'Facility Protection',
      'VIP and Escort Services',
      'Event Security',
      'Surveillance and CCTV',
      '24/7 Patrol Services',
      'Rapid Response',
    ]);
    const figures = page.getByRole('region', { name: 'The company in figures' });
    expect(await figures.locator('dd').allTextContents()).toEqual(['500+', '24/7', '100%', '5']);
  });

  test('the structure shows the command chain and five management roles', async ({ page }) => {
    await page.goto('/');
    const structure = page.getByRole('region', { name: 'Our Structure' });
    const chain = structure.getByRole('list', { name: 'Command chain, from the top' });
    expect(await chain.getByRole('heading').allTextContents()).toEqual([
      'Regional Supervisors',
      'Shift Commanders',
      'Guards',
    ]);
    for (const text of [
      'GPS tracking',
      'Real-time reporting',
      '24/7 emergency response',
      'CEO/Operations Director',
      'Finance Officer',
      'HR Officer',
      'Training Officer',
      'Admin/IT Support',
    ]) {
      await expect(structure.getByText(text, { exact: true })).toBeVisible();
    }
    const team = page.getByRole('region', { name: 'Our Team' });
    expect(await team.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Management Team',
      'Elite Security Personnel',
      '24/7 Protection',
    ]);
  });

  test('menu and contact links have the right targets', async ({ page }) => {
    await page.goto('/');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await expect(link('Staff Login')).toHaveAttribute('href', '/staff');
    await expect(link('Admin Login')).toHaveAttribute('href', '/admin');
    const dialled = company.hotline.replaceAll(' ', '');
    await expect(link(company.hotline)).toHaveAttribute('href', `tel:${dialled}`);
    await expect(link(company.email)).toHaveAttribute('href', `mailto:${company.email}`);
    await expect(link('Old Road, Liberia')).toHaveAttribute('href', company.mapUrl);
    await expect(page.getByText('24/7 Emergency Response Available')).toBeVisible();
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText('Elite Protection & Security Solutions');
    await expect(footer).toContainText(`© 2025 ${company.name}`);
  });

  test('it has a title, link previews and structured data', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveTitle(`${company.name} | ${company.tagline}`);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /^https?:\/\/.+\/$/);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(data ?? '')).toMatchObject({
      name: company.name,
      telephone: company.hotline,
    });
    for (const file of [
      '/favicon.svg',
      '/favicon.ico',
      '/touch-icon.png',
      '/social-card.png',
      '/robots.txt',
    ]) {
      expect((await page.request.get(file)).status(), file).toBe(200);
    }
    const manifest = await page.request.get('/site.webmanifest');
    expect(await manifest.json()).toMatchObject({ name: company.name });
  });
});

test.describe('the hero', () => {
  test('Request Protection scrolls to the form and puts the cursor in the name field', async ({
    page,
  }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Request Protection' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await expect.poll(() => inView(page, '#contact-form')).toBe(true);
  });

  test('Our Services scrolls smoothly to the services', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    const positions = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const seen: number[] = [];
          addEventListener('scroll', () => seen.push(scrollY));
          addEventListener('scrollend', () => resolve(seen), { once: true });
        }),
    );
    await page.getByRole('button', { name: 'Our Services' }).click();
    // A jump has one. A busy machine draws few.
    expect((await positions).length, 'stations on the way').toBeGreaterThan(1);
    await expect.poll(() => inView(page, '#services')).toBe(true);
  });

  test('both buttons work by keyboard', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Our Services' }).press('Space');
    await expect.poll(() => inView(page, '#services')).toBe(true);
    await page.getByRole('button', { name: 'Request Protection' }).press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the call bar is in reach until the contact form, which it does not cover', async ({
    page,
  }) => {
    await page.goto('/');
    const bar = page.getByRole('navigation', { name: 'Contact' });
    const call = bar.getByRole('link', { name: 'Call the hotline' });
    await expect(call).toHaveAttribute('href', `tel:${company.hotline.replaceAll(' ', '')}`);
    for (const section of ['#about', '#services']) {
      await page.locator(section).scrollIntoViewIfNeeded();
      await expect(bar).toBeInViewport({ ratio: 1 });
    }
    await bar.getByRole('link', { name: 'Request Protection' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await expect(bar).not.toBeInViewport();
  });
});

test('the lighthouse’s beam, at rest and sweeping, is behind no text', async ({ page }) => {
  // Clockwise from straight up, as in site.css.
  const [first, last] = [50, 70 + 18];
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  for (const width of [360, 640, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const lit = await page.evaluate(
      ([from, to]) => {
        const rectangle = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
        const [view, beam] = [rectangle('.site-view'), rectangle('.site-beam')];
        const [x, y] = [beam.x + beam.width / 2, beam.y + beam.height / 2];
        return [...document.querySelectorAll('section:has(.site-view) :is(h1, p, a)')]
          .filter((element) => {
            const text = element.getBoundingClientRect();
            const top = Math.max(text.top, view.top);
            if (text.bottom <= top || text.right <= x) return false;
            const angles = [top, text.bottom].map(
              (height) => (Math.atan2(text.right - x, y - height) * 180) / Math.PI,
            );
            return Math.max(...angles) > from && Math.min(...angles) < to;
          })
          .map(({ textContent }) => textContent);
      },
      [first, last] as const,
    );
    expect(lit, `${width} px`).toEqual([]);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('everything is readable, and the buttons link to their sections', {
    tag: '@everyday',
  }, async ({ page }) => {
    await page.goto('/');
    for (const name of SECTIONS) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Our Services' }).click();
    await expect(page).toHaveURL(/#services$/);
  });

  test('an invalid form returns with its messages, a corrected one is stored', async ({
    page,
    databaseOf,
  }) => {
    const message = `Please call me back about gate ${randomUUID()}.`;
    await page.goto('/');
    await page.getByLabel('Name', { exact: true }).fill('Ama Kollie');
    await page.getByLabel('Email', { exact: true }).fill('ama@');
    await page.getByLabel('Message', { exact: true }).fill(message);
    await page.getByRole('button', { name: 'Request Consultation' }).click();
    await expect(page.getByRole('alert')).toContainText('Validation Error');
    const email = page.getByLabel('Email', { exact: true });
    await expect(email).toHaveAccessibleDescription('Invalid email address');
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue(message);
    await email.fill('ama@visitor.example');
    await page.getByRole('button', { name: 'Request Consultation' }).click();
    await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
    const database = await databaseOf('ops');
    const { data } = await database.from('contact_messages').select().eq('message', message);
    expect(data).toMatchObject([{ name: 'Ama Kollie', company: null, state: 'new' }]);
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(company.headline);
  });
});

test.describe('by keyboard alone', () => {
  test('every link and control is focused in order and visible', async ({ page }) => {
    await page.goto('/');
    const names: string[] = [];
    for (let stop = 0; stop < 15; stop += 1) {
      await page.keyboard.press('Tab');
      const focus = page.locator(':focus');
      await expect(focus).toBeInViewport();
      await expect(focus).not.toHaveCSS('outline-style', 'none');
      names.push(
        await focus.evaluate((element) =>
          element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
            ? element.name
            : (element.textContent ?? '').trim(),
        ),
      );
    }
    expect(names.map((name) => name.replace(/\s+/g, ' '))).toEqual([
      'Skip to content',
      company.name,
      `24/7 hotline${company.hotline}`,
      'Staff Login',
      'Admin Login',
      'Request Protection',
      'Request Protection',
      'Our Services',
      company.hotline,
      company.email,
      company.addressLabel,
      'name',
      'email',
      'company',
      'message',
    ]);
  });
});

test.describe('the response', () => {
  test('is compressed, cacheable, and names its canonical address', async ({ request, url }) => {
    const page = await request.get('/', { headers: { 'accept-encoding': 'br' } });
    expect(page.headers()).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache' });
    const { etag = '' } = page.headers();
    const again = await request.get('/', { headers: { 'if-none-match': etag } });
    expect(again.status()).toBe(304);
    const html = await page.text();
    expect(html).toContain(`<link rel="canonical" href="${url}/">`);
    expect(html).not.toContain('address.invalid');
    for (const encoding of ['br', 'gzip']) {
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
      const asset = await request.get(script, { headers: { 'accept-encoding': encoding } });
      expect(asset.headers()).toMatchObject({
        'content-encoding': encoding,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
    }
    expect(await (await request.get('/robots.txt')).text()).toContain(`${url}/sitemap.xml`);
    expect(await (await request.get('/sitemap.xml')).text()).toContain(`<loc>${url}/</loc>`);
  });
});
