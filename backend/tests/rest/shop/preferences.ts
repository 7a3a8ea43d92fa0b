// The Prefer header: what a write returns, and which preferences were applied (PostgREST docs "Prefer Header").
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';

export const preferences: Scenario[] = [
  [
    'GET /items?select=made_at&id=eq.4',
    200,
    '[{"made_at":"2024-06-01T02:00:00+02:00"}]',
    { prefer: 'timezone=Europe/Rome', has: { 'preference-applied': 'timezone=Europe/Rome' } },
  ],
  [
    'GET /items?select=made_at&id=eq.4',
    200,
    '[{"made_at":"2024-06-01T00:00:00+00:00"}]',
    { prefer: `timezone=${'N'.repeat(25)}`, has: { 'preference-applied': null } },
  ],
  [
    'GET /items?select=made_at&id=eq.4',
    200,
    '[{"made_at":"2024-05-31T18:30:00-05:30"}]',
    { prefer: 'timezone=+05:30', has: { 'preference-applied': 'timezone=+05:30' } },
  ],
  [
    'GET /items?select=made_at&id=eq.4',
    200,
    '[{"made_at":"2024-05-31T20:00:00-04:00"}]',
    { prefer: 'timezone=-4', has: { 'preference-applied': 'timezone=-4' } },
  ],
  [
    'GET /items?select=id&limit=1',
    200,
    ANY,
    { prefer: 'anything', has: { 'preference-applied': null } },
  ],
  [
    'POST /scraps',
    201,
    [{ text: 'a', number: null }],
    {
      body: { text: 'a' },
      prefer: 'return=representation, return=minimal',
      has: { 'preference-applied': 'return=representation' },
    },
  ],
  [
    'POST /scraps',
    201,
    [{ text: 'a', number: null }],
    {
      body: { text: 'a' },
      prefer: `${shown}, tx=rollback, handling=lenient`,
      has: { 'preference-applied': 'return=representation, tx=rollback, handling=lenient' },
    },
  ],
  // Representation rules
  ['POST /groups?select=id', 201, undefined, { body: { id: 9, title: 'x' } }],
  [
    'POST /groups',
    201,
    { id: 9, title: 'x' },
    {
      body: { id: 9, title: 'x' },
      prefer: shown,
      accept: 'application/vnd.pgrst.object+json',
      has: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    },
  ],
  [
    'POST /groups',
    201,
    'id,title\n9,x',
    { body: { id: 9, title: 'x' }, prefer: shown, accept: 'text/csv' },
  ],
  [
    'POST /groups',
    406,
    refusal(
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      'The result contains 2 rows',
    ),
    {
      body: [
        { id: 8, title: 'x' },
        { id: 9, title: 'x' },
      ],
      prefer: shown,
      accept: 'application/vnd.pgrst.object+json',
    },
  ],
  [
    'DELETE /groups?id=eq.99',
    406,
    refusal(
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      'The result contains 0 rows',
    ),
    { prefer: shown, accept: 'application/vnd.pgrst.object+json' },
  ],
  [
    'POST /cheap_items?select=id,name',
    201,
    undefined,
    {
      body: { id: 70, name: 'a', price: 1 },
      prefer: 'return=headers-only',
      has: { location: '/cheap_items?id=eq.70' },
    },
  ],
  [
    'POST /visits',
    201,
    undefined,
    {
      body: { id: 7, day: '2024-02-03' },
      prefer: 'return=headers-only',
      has: { location: '/visits?id=eq.7&day=eq.2024-02-03' },
    },
  ],
  [
    'POST /Big Things',
    201,
    undefined,
    {
      body: { 'Id number': 9, 'The Name': 'n' },
      headers: { 'content-profile': 'Quoted Names' },
      prefer: 'return=headers-only',
      has: { location: '/Big%20Things?Id%20number=eq.9' },
    },
  ],
  // Preferences in several headers, and strictly
  [
    'GET /items?select=id&limit=1',
    206,
    [{ id: 1 }],
    {
      prefer: 'count=exact, handling=strict, timezone=Asia/Tokyo',
      has: { 'preference-applied': 'count=exact, handling=strict, timezone=Asia/Tokyo' },
    },
  ],
  [
    'POST /groups',
    201,
    ANY,
    {
      body: [
        { id: 1, title: 'x' },
        { id: 9, title: 'x' },
      ],
      prefer:
        'resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=lenient',
      has: {
        'preference-applied':
          'resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=lenient',
        'content-range': '*/2',
      },
    },
  ],
  [
    'DELETE /item_groups?item_id=eq.1',
    204,
    undefined,
    {
      prefer: 'handling=strict, max-affected=2, return=minimal',
      has: { 'preference-applied': 'return=minimal, handling=strict, max-affected=2' },
    },
  ],
  [
    'POST /scraps',
    201,
    undefined,
    {
      body: { text: 'a' },
      prefer: 'return=minimal, count=planned',
      has: { 'preference-applied': 'return=minimal' },
    },
  ],
];
