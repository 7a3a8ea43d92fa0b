// PATCH, DELETE and PUT, and writes to views and computed columns (PostgREST docs "Tables and Views").
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';

export const updates: Scenario[] = [
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
  // Writes through what is computed, and to what may not be written
  ['PATCH /makers_kept?id=eq.1', 405, ANY, { body: { name: 'x' } }],
  ['DELETE /item_totals', 405, ANY],
  [
    'POST /items?columns=name,"state"&select=state',
    201,
    [{ state: 'used' }],
    { body: { name: 'a', state: 'used' }, prefer: shown },
  ],
  [
    'POST /items?select=full_label,first_group(id)',
    201,
    [{ full_label: 'a (new)', first_group: null }],
    { body: { name: 'a' }, prefer: shown },
  ],
  ['PATCH /groups', 204, undefined, { body: { title: 'all' }, has: { 'content-range': '0-2/*' } }],
  ['PATCH /groups?id=eq.1', 400, refusal('PGRST102', 'Empty or invalid json'), { text: 'x' }],
  ['POST /groups', 409, ANY, { body: [{ id: 1, title: 'x' }], prefer: shown }],
  [
    'POST /groups?on_conflict=id',
    201,
    [{ id: 9, title: 'x' }],
    { body: [{ id: 9, title: 'x' }], prefer: `${shown}, resolution=ignore-duplicates` },
  ],
  ['POST /groups?on_conflict=id', 409, ANY, { body: [{ id: 1, title: 'x' }] }],
  [
    'PUT /groups?id=eq.1',
    204,
    undefined,
    {
      body: [
        { id: 1, title: 'x' },
        { id: 2, title: 'y' },
      ],
    },
  ],
  ['PUT /scraps?text=eq.a', 405, ANY, { body: { text: 'a' } }],
];
