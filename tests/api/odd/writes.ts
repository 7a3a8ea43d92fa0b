// PROTOCOL.md 2.2, 2.3, 2.8: writing, what of it is shown, and what was honoured.
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';
const csv = { 'content-type': 'text/csv' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const writes: Scenario[] = [
  // POST
  [
    'POST /scraps',
    201,
    undefined,
    {
      body: { text: 'a' },
      has: {
        'content-length': '0',
        'content-type': null,
        'preference-applied': null,
        location: null,
        'content-range': '*/*',
        'content-profile': 'shop',
      },
    },
  ],
  [
    'POST /scraps',
    201,
    undefined,
    {
      body: { text: 'a' },
      prefer: 'return=minimal',
      has: { 'preference-applied': 'return=minimal', 'content-range': '*/*' },
    },
  ],
  [
    'POST /groups',
    201,
    undefined,
    {
      body: { id: 9, title: 'new' },
      prefer: 'return=headers-only',
      has: {
        location: '/groups?id=eq.9',
        'preference-applied': 'return=headers-only',
        'content-range': '*/*',
      },
    },
  ],
  [
    'POST /item_groups',
    201,
    undefined,
    {
      body: { item_id: 3, group_id: 1 },
      prefer: 'return=headers-only',
      has: { location: '/item_groups?item_id=eq.3&group_id=eq.1' },
    },
  ],
  [
    'POST /scraps',
    201,
    undefined,
    { body: { text: 'a' }, prefer: 'return=headers-only', has: { location: null } },
  ],
  [
    'POST /items?select=id,name,state,labels,twice',
    201,
    [{ id: 50, name: 'Pen', state: 'new', labels: [], twice: 4 }],
    {
      body: { id: 50, name: 'Pen', price: 2 },
      prefer: shown,
      has: {
        'preference-applied': 'return=representation',
        'content-range': '*/*',
        'content-type': 'application/json; charset=utf-8',
      },
    },
  ],
  [
    'POST /items?select=id',
    201,
    [{ id: 50 }, { id: 51 }],
    {
      body: [
        { id: 50, name: 'a' },
        { id: 51, name: 'b' },
      ],
      prefer: `${shown}, count=exact`,
      has: { 'content-range': '*/2', 'preference-applied': 'return=representation, count=exact' },
    },
  ],
  [
    'POST /items?select=id,makers(name)',
    201,
    { id: 50, makers: { name: 'Boro' } },
    {
      body: { id: 50, name: 'a', maker_id: 2 },
      prefer: shown,
      accept: 'application/vnd.pgrst.object+json',
    },
  ],
  [
    'POST /items?select=id,sold,sizes,box,boxes,facts,raw,spell',
    201,
    [
      {
        id: 50,
        sold: '[1,3)',
        sizes: [1, 2],
        box: { wide: 1, high: 2 },
        boxes: [{ wide: 3, high: null }],
        facts: { a: [1] },
        raw: { b: null },
        spell: '1 day',
      },
    ],
    {
      body: {
        id: 50,
        name: 'a',
        sold: '[1,2]',
        sizes: [1, 2],
        box: { wide: 1, high: 2 },
        boxes: [{ wide: 3 }],
        facts: { a: [1] },
        raw: { b: null },
        spell: '1 day',
      },
      prefer: shown,
    },
  ],
  [
    'POST /items?select=sizes,box,labels',
    201,
    [{ sizes: [7, 8], box: { wide: 1, high: 2 }, labels: ['x'] }],
    { body: { id: 50, name: 'a', sizes: '{7,8}', box: '(1,2)', labels: '{x}' }, prefer: shown },
  ],
  ['POST /scraps', 201, [], { body: [], prefer: shown }],
  ['POST /scraps', 201, undefined, { body: [] }],
  ['POST /scraps', 201, [{ text: null, number: null }], { body: {}, prefer: shown }],
  ['POST /scraps', 201, [{ text: null, number: null }], { body: [{}], prefer: shown }],
  [
    'POST /scraps?columns=text',
    201,
    [{ text: 'a', number: null }],
    { body: { text: 'a', number: 7, odd: 1 }, prefer: shown },
  ],
  [
    'POST /scraps?columns=text,number',
    201,
    [
      { text: 'a', number: null },
      { text: null, number: 2 },
    ],
    { body: [{ text: 'a' }, { number: 2 }], prefer: shown },
  ],
  [
    'POST /item_groups?columns=item_id,group_id,rank',
    400,
    ANY,
    { body: { item_id: 3, group_id: 1 }, has: { 'proxy-status': 'PostgREST; error=23502' } },
  ],
  [
    'POST /item_groups?columns=item_id,group_id,rank',
    201,
    [{ item_id: 3, group_id: 1, rank: 0 }],
    {
      body: { item_id: 3, group_id: 1 },
      prefer: `${shown}, missing=default`,
      has: { 'preference-applied': 'missing=default, return=representation' },
    },
  ],
  [
    'POST /scraps?select=text,number',
    201,
    [
      { text: 'a,b', number: 1 },
      { text: null, number: null },
    ],
    { text: 'text,number\n"a,b",1\nNULL,NULL\n', headers: csv, prefer: shown },
  ],
  [
    'POST /scraps',
    201,
    [{ text: 'a b', number: 3 }],
    { text: 'text=a+b&number=3', headers: form, prefer: shown },
  ],
  ['POST /wishes', 201, undefined, { body: { id: 2, text: 'more' } }],
  [
    'POST /cheap_items?select=id,price',
    201,
    [{ id: 60, price: 1 }],
    { body: { id: 60, name: 'a', price: 1 }, prefer: shown },
  ],
  [
    'POST /diary?select=id,line',
    201,
    [{ id: 9, line: 'x' }],
    { body: { id: 9, line: 'x' }, prefer: shown },
  ],
  // Upserts
  [
    'POST /groups',
    200,
    [{ id: 1, title: 'lit' }],
    {
      body: { id: 1, title: 'lit' },
      prefer: `${shown}, resolution=merge-duplicates`,
      has: { 'preference-applied': 'resolution=merge-duplicates, return=representation' },
    },
  ],
  [
    'POST /groups',
    201,
    [
      { id: 1, title: 'lit' },
      { id: 9, title: 'new' },
    ],
    {
      body: [
        { id: 1, title: 'lit' },
        { id: 9, title: 'new' },
      ],
      prefer: `${shown}, resolution=merge-duplicates`,
    },
  ],
  [
    'POST /groups',
    201,
    [{ id: 9, title: 'new' }],
    {
      body: [
        { id: 1, title: 'lit' },
        { id: 9, title: 'new' },
      ],
      prefer: `${shown}, resolution=ignore-duplicates`,
      has: { 'preference-applied': 'resolution=ignore-duplicates, return=representation' },
    },
  ],
  ['POST /groups', 200, [], { body: [], prefer: `${shown}, resolution=merge-duplicates` }],
  [
    'POST /makers?on_conflict=name&select=name,country',
    200,
    [{ name: 'Alba', country: 'FR' }],
    { body: { name: 'Alba', country: 'FR' }, prefer: `${shown}, resolution=merge-duplicates` },
  ],
  [
    'POST /makers?on_conflict=country',
    400,
    refusal(
      '42P10',
      'there is no unique or exclusion constraint matching the ON CONFLICT specification',
    ),
    { body: { name: 'x', country: 'FR' }, prefer: 'resolution=merge-duplicates' },
  ],
  [
    'POST /scraps',
    201,
    [{ text: 'a', number: null }],
    {
      body: { text: 'a' },
      prefer: `${shown}, resolution=merge-duplicates`,
      has: { 'preference-applied': 'return=representation' },
    },
  ],
  // PATCH
  [
    'PATCH /groups?id=eq.1',
    204,
    undefined,
    {
      body: { title: 'x' },
      has: { 'content-range': '0-0/*', 'content-type': null, 'content-length': null },
    },
  ],
  [
    'PATCH /groups?id=gt.1&order=id',
    200,
    [
      { id: 2, title: 'x' },
      { id: 3, title: 'x' },
    ],
    {
      body: { title: 'x' },
      prefer: `${shown}, count=exact`,
      has: { 'content-range': '0-1/2', 'preference-applied': 'return=representation, count=exact' },
    },
  ],
  [
    'PATCH /groups?id=eq.99',
    204,
    undefined,
    { body: { title: 'x' }, has: { 'content-range': '*/*' } },
  ],
  [
    'PATCH /groups?id=eq.99',
    200,
    [],
    { body: { title: 'x' }, prefer: shown, has: { 'content-range': '*/*' } },
  ],
  ['PATCH /groups?id=eq.1', 204, undefined, { body: {}, has: { 'content-range': '*/*' } }],
  ['PATCH /groups?id=eq.1', 200, [], { body: {}, prefer: shown, has: { 'content-range': '*/*' } }],
  ['PATCH /groups?id=eq.1', 204, undefined, { body: [], has: { 'content-range': '*/*' } }],
  ['PATCH /groups?id=eq.1', 204, undefined, { body: [{}], has: { 'content-range': '*/*' } }],
  [
    'PATCH /groups?id=eq.1&columns=title',
    200,
    [{ id: 1, title: 'x' }],
    { body: { title: 'x', odd: 1 }, prefer: shown },
  ],
  [
    'PATCH /items?id=eq.1&select=id,makers(name),price',
    200,
    [{ id: 1, makers: { name: 'Cado' }, price: 12.5 }],
    { body: { maker_id: 3 }, prefer: shown },
  ],
  [
    'PATCH /item_groups?item_id=eq.2&columns=rank',
    200,
    [{ item_id: 2, group_id: 2, rank: 0 }],
    { body: {}, prefer: `${shown}, missing=default` },
  ],
  ['PATCH /diary?id=eq.2', 200, [], { body: { line: 'stolen' }, prefer: shown }],
  [
    'PATCH /scraps?number=lt.9',
    204,
    undefined,
    {
      body: { text: 'x' },
      prefer: 'handling=strict, max-affected=2',
      has: { 'preference-applied': 'handling=strict, max-affected=2' },
    },
  ],
  ['PATCH /scraps?number=lt.9', 204, undefined, { body: { text: 'x' }, prefer: 'max-affected=1' }],
  [
    'PATCH /items?id=eq.1',
    400,
    refusal(
      '428C9',
      'column "twice" can only be updated to DEFAULT',
      'Column "twice" is a generated column.',
    ),
    { body: { twice: 1 } },
  ],
  // DELETE
  [
    'DELETE /item_groups?item_id=eq.1',
    204,
    undefined,
    { has: { 'content-range': '*/*', 'content-type': null } },
  ],
  [
    'DELETE /item_groups?item_id=eq.1',
    204,
    undefined,
    { prefer: 'count=exact', has: { 'content-range': '*/2', 'preference-applied': 'count=exact' } },
  ],
  [
    'DELETE /item_groups?item_id=eq.1&select=rank,groups(title)&order=rank',
    200,
    [
      { rank: 1, groups: { title: 'soft' } },
      { rank: 2, groups: { title: 'light' } },
    ],
    { prefer: shown, has: { 'content-range': '*/*' } },
  ],
  ['DELETE /item_groups?item_id=eq.99', 204, undefined],
  ['DELETE /diary?id=eq.2', 200, [], { prefer: shown }],
  // PUT
  ['PUT /groups?id=eq.9', 201, undefined, { body: { id: 9, title: 'nine' } }],
  ['PUT /groups?id=eq.1', 204, undefined, { body: { id: 1, title: 'one' } }],
  [
    'PUT /groups?id=eq.1',
    200,
    [{ id: 1, title: 'one' }],
    { body: { id: 1, title: 'one' }, prefer: shown },
  ],
  [
    'PUT /groups?id=eq.9',
    201,
    [{ id: 9, title: 'nine' }],
    { body: [{ id: 9, title: 'nine' }], prefer: shown },
  ],
  [
    'PUT /item_groups?item_id=eq.1&group_id=eq.1',
    204,
    undefined,
    { body: { item_id: 1, group_id: 1, rank: 5 } },
  ],
  // Preferences
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
];
