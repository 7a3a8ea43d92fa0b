import { describe, expect, it } from 'vitest';
import { cameIn, changeWords, type PostPage } from './post-page.ts';
import { postPagePdf } from './post-page-pdf.ts';

const line = { post_name: 'Gate', author: 'James', step: null };
const page: PostPage = {
  day: '2026-11-29',
  version: 2,
  released_at: '2026-11-30T06:00:00Z',
  are_visits_kept: true,
  facts: {
    ...{ site: 'Freeport', address: 'Bushrod Island', client: 'Harbour Works' },
    ...{ timezone: 'Africa/Monrovia', visitors: 2, vehicles: 1 },
    ...{ visitors_listed: false, vehicles_listed: true },
    guards: [
      {
        ...{ name: 'James', post: 'Gate' },
        ...{ since: '2026-11-28T19:00:00Z', until: '2026-11-29T07:00:00Z' },
      },
      { name: 'Musu', post: 'Gate', since: '2026-11-29T19:00:00Z', until: null },
    ],
  },
  changes: [{ change: 'struck', at: '2026-11-29T09:00:00Z', kind: 'observation', step: null }],
  lines: [
    {
      ...{ ...line, source: 'entry', id: '1', kind: 'observation', at: '2026-11-29T08:15:00Z' },
      words: 'Light is out.\nTold the engineer.',
    },
    {
      ...{ ...line, source: 'incident', id: '2', kind: 'incident', at: '2026-11-29T10:00:00Z' },
      ...{ author: null, words: 'Report ABCDEF12' },
    },
  ],
};
const printed = (of: PostPage) => postPagePdf(of).pdf.output();

describe('the PDF of a page', () => {
  it('says the day, who was on post over midnight, what changed and what happened', () => {
    const text = printed(page);
    for (const words of [
      'Book of the post, Sunday, November 29, 2026',
      'Version 2',
      'Harbour Works',
      // Of another year with the year.
      'Nov 28, ',
      '7:00 AM',
      'Still on post',
      '9:00 AM Observation: struck through',
      '8:15 AM',
      'Light is out. Told the engineer.',
      'Report ABCDEF12',
    ])
      expect(text).toContain(words);
  });

  it('names nobody if clock-ins are withheld, and says that it is a preview', () => {
    const text = printed({
      ...page,
      facts: { ...page.facts, guards: null },
      version: undefined,
      released_at: undefined,
      changes: [],
    });
    expect(text).toContain('Preview, not released');
    expect(text).not.toContain('On post');
    expect(text).not.toContain('Changed since');
  });
});

it('counts who came in, and says why nobody is listed', () => {
  expect(cameIn(page)).toBe('2 visitors, 1 vehicle; visitors are not listed');
  expect(cameIn({ ...page, are_visits_kept: false })).toBe(
    '2 visitors, 1 vehicle; who they were is no longer kept',
  );
  const change = {
    change: 'added',
    at: '2026-11-29T09:00:00Z',
    kind: 'observation',
    step: null,
  } as const;
  expect(changeWords(change, 'Africa/Monrovia')).toBe('9:00 AM Observation: added');
});
