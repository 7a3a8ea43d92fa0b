import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Coverage } from './coverage.tsx';
import { CallBar } from './frame.tsx';
import { CareersSection, Credentials, Leaders, References, Sectors } from './slots.tsx';
import { Team } from './team.tsx';

test('an empty slot leaves nothing on the page', () => {
  const parts = [
    createElement(Sectors, { sectors: [] }),
    createElement(Credentials, { licences: [], insurance: [] }),
    createElement(Leaders, { leaders: [] }),
    createElement(References, { references: [] }),
    createElement(CareersSection, {}),
    createElement(Coverage, { regions: [] }),
  ];
  expect(parts.map((part) => renderToStaticMarkup(part))).toEqual(parts.map(() => ''));
});

test('a filled slot shows what it was filled with', () => {
  const credentials = renderToStaticMarkup(
    createElement(Credentials, {
      licences: [
        {
          name: 'Private security',
          issuer: 'Ministry of Justice',
          number: 'PS-12',
          validUntil: '2027',
        },
      ],
      insurance: [{ cover: 'Public liability', insurer: 'Coast Insurance' }],
    }),
  );
  for (const text of ['Ministry of Justice', 'No. PS-12, valid until 2027', 'Coast Insurance']) {
    expect(credentials).toContain(text);
  }
  const careers = { text: 'We hire.', requirements: ['Age 21'], email: 'jobs@firm.example' };
  const page = renderToStaticMarkup(createElement(CareersSection, { careers }));
  expect(page).toContain('mailto:jobs@firm.example');
  expect(page).toContain('Age 21');
});

test('a WhatsApp number adds a link to the call bar', () => {
  const bars = [createElement(CallBar, {}), createElement(CallBar, { whatsapp: '+231 88 000' })];
  const [without, withLink] = bars.map((bar) => renderToStaticMarkup(bar));
  expect(without).not.toContain('WhatsApp');
  expect(withLink).toContain('href="https://wa.me/23188000"');
});

test('counties that no region covers stay pale', () => {
  const regions = [{ name: 'Capital', counties: ['Montserrado' as const] }];
  const coverage = renderToStaticMarkup(createElement(Coverage, { regions }));
  expect(coverage.match(/text-line"/g)).toHaveLength(14);
  expect(coverage).toContain('Montserrado');
});

test('a photograph replaces the drawing of its card only', () => {
  const photographs = { personnel: { file: '/photographs/parade.jpg', alt: 'Our parade' } };
  const team = renderToStaticMarkup(createElement(Team, { photographs }));
  const files = [...team.matchAll(/src="([^"]+)" alt="([^"]+)"/g)].map(([, file]) => file);
  expect(files).toEqual([
    expect.stringMatching(/team-management.*svg/),
    '/photographs/parade.jpg',
    expect.stringMatching(/team-night.*svg/),
  ]);
  expect(team).toContain('alt="Our parade"');
});
