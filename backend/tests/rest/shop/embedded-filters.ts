// Filters, order and select items on embedded resources and columns (PostgREST docs "Resource Embedding").
import { ANY, refusal, type Scenario } from './scenario.ts';

export const embeddedFilters: Scenario[] = [
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
];
