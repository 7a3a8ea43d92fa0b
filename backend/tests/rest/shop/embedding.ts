// What is selected and embedded, and its JSON (PostgREST docs "Resource Embedding").
import { ANY, type Scenario } from './scenario.ts';

export const embedding: Scenario[] = [
  ['GET /items?select=n:name,p:price::text&id=eq.1', 200, '[{"n":"Lamp","p":"12.500"}]'],
  ['GET /items?select=facts->a->b->0,facts->a->b->1->>c&id=eq.1', 200, '[{"b":10,"c":"deep"}]'],
  [
    'GET /items?select=facts->>k,box->wide,boxes->1->>high&id=eq.1',
    200,
    [{ k: 'v', wide: 2, high: '4' }],
  ],
  [
    'GET /items?select=id,full_label&id=lt.3&order=full_label.desc',
    200,
    [
      { id: 2, full_label: 'Rug, red (used)' },
      { id: 1, full_label: 'Lamp (new)' },
    ],
  ],
  [
    'GET /items?select=id,first_group(title)&order=id',
    200,
    [
      { id: 1, first_group: { title: 'soft' } },
      { id: 2, first_group: { title: 'soft' } },
      { id: 3, first_group: null },
      { id: 4, first_group: null },
    ],
  ],
  [
    'GET /items?select=id,siblings(id)&id=lt.4&order=id',
    200,
    [
      { id: 1, siblings: [{ id: 2 }] },
      { id: 2, siblings: [{ id: 1 }] },
      { id: 3, siblings: [] },
    ],
  ],
  [
    'GET /items?select=id,makers(name)&order=makers(name).desc.nullslast,id',
    200,
    [
      { id: 3, makers: { name: 'Boro' } },
      { id: 1, makers: { name: 'Alba' } },
      { id: 2, makers: { name: 'Alba' } },
      { id: 4, makers: null },
    ],
  ],
  ['GET /items?select=id,maker_id(name)&id=eq.1', 200, [{ id: 1, maker_id: { name: 'Alba' } }]],
  [
    'GET /items?select=id,items_maker_id_fkey(name)&id=eq.1',
    200,
    [{ id: 1, items_maker_id_fkey: { name: 'Alba' } }],
  ],
  ['GET /items?select=id,m:makers!maker_id(name)&id=eq.1', 200, [{ id: 1, m: { name: 'Alba' } }]],
  [
    'GET /items?select=id,manuals(pages)&order=id&limit=2',
    200,
    [
      { id: 1, manuals: { pages: 40 } },
      { id: 2, manuals: null },
    ],
  ],
  ['GET /manuals?select=pages,items(name)', 200, [{ pages: 40, items: { name: 'Lamp' } }]],
  [
    'GET /items?select=id,groups(title)&id=eq.1&groups.order=id',
    200,
    [{ id: 1, groups: [{ title: 'light' }, { title: 'soft' }] }],
  ],
  [
    'GET /items?select=id,item_groups(rank,groups(title))&id=eq.2',
    200,
    [{ id: 2, item_groups: [{ rank: 0, groups: { title: 'soft' } }] }],
  ],
  [
    'GET /items?select=id,groups!item_groups(title)&id=eq.2',
    200,
    [{ id: 2, groups: [{ title: 'soft' }] }],
  ],
  ['GET /groups?select=id,items!inner(id)&items.id=eq.2', 200, [{ id: 2, items: [{ id: 2 }] }]],
  ['GET /groups?select=id,items(id)&items=is.null', 200, [{ id: 3, items: [] }]],
  ['GET /groups?select=id&items=is.null', 400, ANY],
  ['GET /groups?select=id,items()&items=not.is.null&order=id', 200, [{ id: 1 }, { id: 2 }]],
  [
    'GET /groups?select=id,items(id,makers!inner(name))&items.makers.name=eq.Boro&id=eq.1',
    200,
    [{ id: 1, items: [] }],
  ],
  [
    'GET /staff?select=name,staff(name)&staff.order=id&id=eq.1',
    200,
    [{ name: 'Ada', staff: [{ name: 'Ben' }, { name: 'Cyd' }] }],
  ],
  [
    'GET /staff?select=name,team:staff!boss_id(name)&id=eq.2',
    200,
    [{ name: 'Ben', team: [{ name: 'Dot' }] }],
  ],
  [
    'GET /staff?select=name,boss_id(name)&id=eq.4',
    200,
    [{ name: 'Dot', boss_id: { name: 'Ben' } }],
  ],
  [
    'GET /staff?select=name,team:staff!staff_boss_id_fkey(name)&id=eq.2',
    200,
    [{ name: 'Ben', team: [{ name: 'Dot' }] }],
  ],
  [
    'GET /trips?select=id,from:places!trips_from_fkey(name),to:places!to_id(name)&id=eq.1',
    200,
    [{ id: 1, from: { name: 'Harbour' }, to: { name: 'Hill' } }],
  ],
  [
    'GET /places?select=name,trips!trips_to_fkey(id)&order=id',
    200,
    [
      { name: 'Harbour', trips: [{ id: 2 }] },
      { name: 'Hill', trips: [{ id: 1 }] },
    ],
  ],
  [
    'GET /spots?select=id,shelves(label)&order=id',
    200,
    [
      { id: 1, shelves: { label: 'low' } },
      { id: 2, shelves: { label: 'high' } },
      { id: 3, shelves: null },
    ],
  ],
  [
    'GET /shelves?select=label,spots(id)&order=level',
    200,
    [
      { label: 'low', spots: [{ id: 1 }] },
      { label: 'high', spots: [{ id: 2 }] },
    ],
  ],
  ['GET /items?select=id,...makers(maker:name)&order=id&limit=1', 200, [{ id: 1, maker: 'Alba' }]],
  ['GET /items?select=id,...makers(name)&id=eq.4', 200, [{ id: 4, name: null }]],
  [
    'GET /makers?select=name,...items(item:name)&items.order=id&order=id',
    200,
    [
      { name: 'Alba', item: ['Lamp', 'Rug, red'] },
      { name: 'Boro', item: ['Chair "X"'] },
      { name: 'Cado', item: [] },
    ],
  ],
  [
    'GET /cheap_items?select=id,name,makers(name)&order=id',
    200,
    [
      { id: 2, name: 'Rug, red', makers: { name: 'Alba' } },
      { id: 4, name: 'Vase', makers: null },
    ],
  ],
  [
    'GET /makers?select=name,cheap_items(name)&id=eq.1',
    200,
    [{ name: 'Alba', cheap_items: [{ name: 'Rug, red' }] }],
  ],
  ['GET /makers_kept?select=name,items(id)&id=eq.2', 200, [{ name: 'Boro', items: [{ id: 3 }] }]],
  [
    'GET /item_totals?select=maker_id,count,total&order=maker_id',
    200,
    [
      { maker_id: 1, count: 2, total: 20.5 },
      { maker_id: 2, count: 1, total: null },
      { maker_id: null, count: 1, total: 3.14 },
    ],
  ],
  [
    'GET /visits?select=id,items(name)&order=id',
    200,
    [
      { id: 1, items: { name: 'Lamp' } },
      { id: 2, items: { name: 'Rug, red' } },
    ],
  ],
  ['GET /diary?select=id,line', 200, [{ id: 1, line: 'mine' }]],
  ['GET /diary?select=id&order=id', 200, [{ id: 1 }, { id: 2 }], { as: 'service' }],
];
