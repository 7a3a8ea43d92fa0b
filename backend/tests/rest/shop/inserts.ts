// POST and upserts (PostgREST docs "Tables and Views": Insert, Upsert).
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';
const csv = { 'content-type': 'text/csv' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const inserts: Scenario[] = [
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
];
