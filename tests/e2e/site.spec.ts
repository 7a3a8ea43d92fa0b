// The public landing page, as a visitor meets it.
import { expect, type Page, test } from '@playwright/test';
import { company } from '#company';

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

test.describe('what the page says', () => {
  test('its sections come in order, with every text of the specification', async ({ page }) => {
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

  test('menu and contacts lead where they say', async ({ page }) => {
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

  test('search engines and messengers get a title, a preview and structured data', async ({
    page,
  }) => {
    await page.goto('/');
    await expect(page).toHaveTitle(`${company.name} | ${company.tagline}`);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /^https?:\/\/.+\/$/);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(data ?? '')).toMatchObject({
      name: company.name,
      telephone: company.hotline,
    });
    for (const file of ['/favicon.svg', '/touch-icon.png', '/social-card.png', '/robots.txt']) {
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

  test('Our Services glides to the services', async ({ page }) => {
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
    expect((await positions).length, 'stations on the way').toBeGreaterThan(2);
    expect(await inView(page, '#services')).toBe(true);
  });

  test('the keyboard works both buttons', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Our Services' }).press('Space');
    await expect.poll(() => inView(page, '#services')).toBe(true);
    await page.getByRole('button', { name: 'Request Protection' }).press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('everything can be read, and the buttons lead to their sections', async ({ page }) => {
    await page.goto('/');
    for (const name of SECTIONS) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    }
    await expect(page.locator('noscript p')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Request Consultation' })).toBeDisabled();
    await page.getByRole('button', { name: 'Our Services' }).click();
    await expect(page).toHaveURL(/#services$/);
  });
});
