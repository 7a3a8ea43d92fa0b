// Finer points: what goes together, what is ignored, what is suggested.
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';

export const more: Scenario[] = [
  [
    'GET /rpc/gree',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.gree without parameters in the schema cache',
      'Searched for the function shop.gree without parameters, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function shop.greet',
    ),
  ],
  [
    'GET /rpc/items_of?make=1',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.items_of(make) in the schema cache',
      'Searched for the function shop.items_of with parameter make, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function shop.items_of(maker)',
    ),
  ],
  [
    'GET /rpc/area?wide=1&high=2&deep=3',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.area(deep, high, wide) in the schema cache',
      'Searched for the function shop.area with parameters deep, high, wide, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function shop.area(high, wide)',
    ),
  ],
  [
    'POST /rpc/xqzw',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.xqzw in the schema cache',
      'Searched for the function shop.xqzw with a single unnamed text parameter, but no matches were found in the schema cache.',
    ),
    { text: 'plain', headers: { 'content-type': 'text/plain' } },
  ],
  [
    'POST /rpc/xqzw',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.xqzw in the schema cache',
      'Searched for the function shop.xqzw with a single unnamed bytea parameter, but no matches were found in the schema cache.',
    ),
    { text: 'plain', headers: { 'content-type': 'application/octet-stream' } },
  ],
  [
    'POST /rpc/xqzw',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.xqzw in the schema cache',
      'Searched for the function shop.xqzw with a single unnamed xml parameter, but no matches were found in the schema cache.',
    ),
    { text: '<a/>', headers: { 'content-type': 'text/xml' } },
  ],
  [
    'HEAD /rpc/numbers?upto=3',
    200,
    undefined,
    { prefer: 'count=exact', headers: { range: '1-1' }, has: { 'content-range': '0-2/3' } },
  ],
  ['GET /rpc/pi', 200, '3.14', { prefer: 'count=exact', has: { 'content-range': '0-0/1' } }],
  [
    'GET /rpc/one_item?wanted=1&select=id',
    200,
    { id: 1 },
    { prefer: 'count=exact', has: { 'content-range': '0-0/1' } },
  ],
  [
    'GET /rpc/items_of?maker=1&select=id,makers!inner(id)&makers.name=eq.Boro',
    200,
    [],
    { prefer: 'count=exact', has: { 'content-range': '*/0' } },
  ],
  ['POST /rpc/pi', 200, ANY, { body: {}, accept: 'application/vnd.pgrst.object+json' }],
  ['POST /rpc/pi', 406, ANY, { body: {}, accept: 'image/png' }],
  // Windows
  ['HEAD /items', 200, undefined, { headers: { range: '1-2' }, has: { 'content-range': '0-3/*' } }],
  ['GET /items?limit=2', 200, ANY, { headers: { range: 'x' }, has: { 'content-range': '0-1/*' } }],
  ['GET /items?limit=x', 200, ANY, { has: { 'content-range': '0-3/*' } }],
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
      headers: { 'content-profile': 'Odd World' },
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
  // Filters on what is embedded, in several forms
  [
    'GET /items?select=id,groups(id)&groups.or=(id.eq.1,title.eq.none)&id=eq.1',
    200,
    [{ id: 1, groups: [{ id: 1 }] }],
  ],
  [
    'GET /items?select=id,groups(id)&groups.not.or=(id.eq.1,title.eq.none)&id=eq.1',
    200,
    [{ id: 1, groups: [{ id: 2 }] }],
  ],
  [
    'GET /items?select=id,groups(id)&groups.id=eq.2&groups.order=title&groups.limit=1&groups.offset=0&id=eq.1',
    200,
    [{ id: 1, groups: [{ id: 2 }] }],
  ],
  [
    'GET /items?select=id,makers(name)&or=(makers.is.null,id.eq.1)&order=id',
    200,
    [
      { id: 1, makers: { name: 'Alba' } },
      { id: 4, makers: null },
    ],
  ],
  [
    'GET /items?select=id,makers!left(name)&makers.name=eq.Boro&order=id',
    200,
    [
      { id: 1, makers: null },
      { id: 2, makers: null },
      { id: 3, makers: { name: 'Boro' } },
      { id: 4, makers: null },
    ],
  ],
  [
    'GET /items?select=id,makers!inner(name)&makers.name=eq.Boro',
    200,
    [{ id: 3, makers: { name: 'Boro' } }],
  ],
  [
    'GET /items?select=id,makers!items_maker_id_fkey!inner(name)&makers.name=eq.Boro',
    200,
    [{ id: 3, makers: { name: 'Boro' } }],
  ],
  [
    'GET /makers?select=id,items!inner(groups!inner(title))&items.groups.title=eq.light',
    200,
    [{ id: 1, items: [{ groups: [{ title: 'light' }] }] }],
  ],
  [
    'GET /items?select=id,the_maker:makers(name)&the_maker.name=eq.Boro&id=eq.1',
    200,
    [{ id: 1, the_maker: null }],
  ],
  ['GET /items?select=*,makers(*)&id=eq.4&order=makers(name)', 200, ANY],
  ['GET /items?select=makers(name),id&id=eq.1', 200, '[{"id":1,"makers":{"name":"Alba"}}]'],
  ['GET /items?select=name,name&id=eq.1', 200, ANY],
  [
    'GET /items?select=makers(*,items(id))&id=eq.3',
    200,
    [{ makers: { id: 2, name: 'Boro', country: 'CZ', items: [{ id: 3 }] } }],
  ],
  ['GET /items?select=price->x&id=eq.1', 200, [{ x: null }]],
  ['GET /items?select=id::nope&id=eq.1', 400, refusal('42704', 'type "nope" does not exist')],
  ['GET /items?id=eq.1&id=eq.2&select=id', 200, []],
  ['GET /items?select=id&name=eq.', 200, []],
  ['GET /items?select=id&name=like.%25am%25', 200, [{ id: 1 }]],
  ['GET /items?select=id&name=eq.Rug%2C+red', 200, [{ id: 2 }]],
  ['GET /items?select=id&"name"=eq.Lamp', 200, [{ id: 1 }]],
  [
    'GET /items?select=id&limit=1&offset=1&order=id.desc',
    200,
    [{ id: 3 }],
    { has: { 'content-range': '1-1/*' } },
  ],
  [
    'GET /items?select=id&order=name.asc.nullslast,id.desc',
    200,
    [{ id: 3 }, { id: 1 }, { id: 2 }, { id: 4 }],
  ],
  [
    'GET /items?select=id&order=price.desc.nullsfirst',
    200,
    [{ id: 3 }, { id: 1 }, { id: 2 }, { id: 4 }],
  ],
  [
    'GET /items?select=id&order=facts->>k.desc.nullslast,id',
    200,
    [{ id: 2 }, { id: 1 }, { id: 3 }, { id: 4 }],
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
