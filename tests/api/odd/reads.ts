// PROTOCOL.md 2.2, 2.4 to 2.7: reading, in every type, name and window.
import { ANY, type Scenario } from './scenario.ts';

const ODD = { 'accept-profile': 'Odd World' };

export const values: Scenario[] = [
  [
    'GET /items?id=eq.1&select=sold,period',
    200,
    '[{"sold":"[1,5)","period":"[\\"2024-01-01 00:00:00+00\\",\\"2024-02-01 00:00:00+00\\")"}]',
  ],
  [
    'GET /items?id=eq.1&select=sizes,labels,boxes',
    200,
    '[{"sizes":[1,2,3],"labels":["red","a b"],"boxes":[{"wide":1,"high":2},{"wide":3,"high":4}]}]',
  ],
  [
    'GET /items?id=eq.1&select=box,facts',
    200,
    '[{"box":{"wide":2,"high":3.5},"facts":{"a": {"b": [10, {"c": "deep"}]}, "k": "v", "n": null}}]',
  ],
  [
    'GET /items?id=eq.1&select=raw,bytes,big',
    200,
    '[{"raw":{"z": 1,  "a": [ ]},"bytes":"\\\\xdead","big":9007199254740993}]',
  ],
  [
    'GET /items?id=eq.1&select=price,twice,ratio,flag',
    200,
    '[{"price":12.500,"twice":25.000,"ratio":0.5,"flag":true}]',
  ],
  [
    'GET /items?id=eq.1&select=day,made_at,local_at',
    200,
    '[{"day":"2024-01-31","made_at":"2024-01-31T10:20:30.123456+00:00","local_at":"2024-01-31T10:20:30"}]',
  ],
  [
    'GET /items?id=eq.2&select=day,made_at,ratio,spell',
    200,
    '[{"day":"infinity","made_at":"-infinity","ratio":"-Infinity","spell":"-3 mons"}]',
  ],
  [
    'GET /items?id=eq.1&select=spell,doc,mark,code,state',
    200,
    `[{"spell":"1 day 02:03:00","doc":"'bright':1 'lamp':2","mark":"aaaaaaaa-0000-4000-8000-000000000001","code":"LA-1","state":"new"}]`,
  ],
  [
    'GET /items?id=eq.3&select=sold,facts,sizes,labels,box',
    200,
    '[{"sold":"empty","facts":null,"sizes":null,"labels":["c"],"box":null}]',
  ],
  [
    'GET /items?select=id&order=id',
    200,
    '[{"id":1}, \n {"id":2}, \n {"id":3}, \n {"id":4}]',
    {
      has: {
        'content-type': 'application/json; charset=utf-8',
        'content-range': '0-3/*',
        'content-location': '/items?order=id&select=id',
        'content-profile': 'shop',
      },
    },
  ],
  ['GET /items?select=id&id=eq.99', 200, '[]', { has: { 'content-range': '*/*' } }],
];

export const names: Scenario[] = [
  [
    'GET /Big Things?select=The Name&order=Id number',
    200,
    [{ 'The Name': 'whale' }, { 'The Name': 'oak, old' }, { 'The Name': 'the "big" one' }],
    { headers: ODD, has: { 'content-profile': 'Odd World' } },
  ],
  [
    'GET /Big Things?select="a.b","select"&"a.b"=eq.dotted',
    200,
    [{ 'a.b': 'dotted', select: 'chosen' }],
    { headers: ODD },
  ],
  [
    'GET /Big Things?select="say \\"hi\\""&Id number=eq.1',
    200,
    [{ 'say "hi"': 'hello' }],
    { headers: ODD },
  ],
  ['GET /Big Things?select=größe&größe=gt.2', 200, [{ größe: 7 }], { headers: ODD }],
  ['GET /Big Things?select=g:größe::text&Id number=eq.1', 200, [{ g: '1.50' }], { headers: ODD }],
  [
    'GET /Big Things?select=Id number&The Name=in.("oak, old","the \\"big\\" one")&order=Id number.desc',
    200,
    [{ 'Id number': 3 }, { 'Id number': 2 }],
    { headers: ODD },
  ],
  [
    'GET /Big Things?select=Id number&mood=eq."quoted"',
    200,
    [{ 'Id number': 3 }],
    { headers: ODD },
  ],
  [
    'GET /Big Things?select=Id number&or=(mood.eq."so, so",The Name.eq.whale)&order=Id number',
    200,
    [{ 'Id number': 1 }, { 'Id number': 2 }],
    { headers: ODD },
  ],
  [
    'GET /Sub Things?select=order,Big Things(The Name)&order=order',
    200,
    [
      { order: 1, 'Big Things': { 'The Name': 'whale' } },
      { order: 2, 'Big Things': { 'The Name': 'whale' } },
      { order: 3, 'Big Things': null },
    ],
    { headers: ODD },
  ],
  [
    'GET /Big Things?select=Id number,Sub Things(order)&Sub Things.order=order.desc&Id number=eq.1',
    200,
    [{ 'Id number': 1, 'Sub Things': [{ order: 2 }, { order: 1 }] }],
    { headers: ODD },
  ],
  ['GET /rpc/Do It?Arg One=7', 200, '"7/two"', { headers: ODD }],
  [
    'POST /rpc/Do It',
    200,
    '"7/zwei"',
    { headers: { 'content-profile': 'Odd World' }, body: { 'Arg One': 7, 'arg.two': 'zwei' } },
  ],
  [
    'POST /Big Things?select=The Name,"a.b",mood',
    201,
    [{ 'The Name': 'new', 'a.b': 'c', mood: 'very glad' }],
    {
      headers: { 'content-profile': 'Odd World' },
      body: { 'The Name': 'new', 'a.b': 'c' },
      prefer: 'return=representation',
      has: { 'content-profile': 'Odd World' },
    },
  ],
  ['GET /items?limit=1&select=id', 200, [{ id: 1 }], { headers: { 'accept-profile': 'shop' } }],
  ['GET /Big Things', 404, ANY],
];

export const windows: Scenario[] = [
  [
    'GET /items?select=id&limit=2',
    206,
    [{ id: 1 }, { id: 2 }],
    {
      prefer: 'count=exact',
      has: { 'content-range': '0-1/4', 'preference-applied': 'count=exact' },
    },
  ],
  [
    'GET /items?select=id&limit=2&offset=3',
    206,
    [{ id: 4 }],
    { prefer: 'count=exact', has: { 'content-range': '3-3/4' } },
  ],
  ['GET /items?select=id', 200, ANY, { prefer: 'count=exact', has: { 'content-range': '0-3/4' } }],
  ['GET /items?select=id&limit=0', 200, [], { has: { 'content-range': '*/*' } }],
  [
    'GET /items?select=id&id=eq.99',
    200,
    [],
    { prefer: 'count=exact', has: { 'content-range': '*/0' } },
  ],
  [
    'GET /items?select=id',
    200,
    [{ id: 2 }, { id: 3 }],
    { headers: { range: '1-2', 'range-unit': 'items' }, has: { 'content-range': '1-2/*' } },
  ],
  [
    'GET /items?select=id&limit=1',
    200,
    [{ id: 1 }],
    { headers: { range: '0-2' }, has: { 'content-range': '0-0/*' } },
  ],
  [
    'GET /items?select=id',
    200,
    [{ id: 4 }],
    { headers: { range: '3-' }, has: { 'content-range': '3-3/*' } },
  ],
  [
    'GET /items?select=id&limit=1',
    206,
    ANY,
    {
      prefer: 'count=estimated',
      has: { 'content-range': '0-0/4', 'preference-applied': 'count=estimated' },
    },
  ],
  [
    'HEAD /items?select=id&limit=1',
    206,
    undefined,
    {
      prefer: 'count=exact',
      has: { 'content-range': '0-0/4', 'content-type': 'application/json; charset=utf-8' },
    },
  ],
  [
    'GET /rpc/numbers?upto=30',
    200,
    Array.from({ length: 20 }, (_, at) => at + 1),
    { has: { 'content-range': '0-19/*' } },
  ],
  [
    'GET /rpc/numbers?upto=30',
    206,
    ANY,
    { prefer: 'count=exact', has: { 'content-range': '0-19/30' } },
  ],
  [
    'GET /groups?select=id,items(id)&items.limit=1&items.order=id.desc&order=id',
    200,
    [
      { id: 1, items: [{ id: 1 }] },
      { id: 2, items: [{ id: 2 }] },
      { id: 3, items: [] },
    ],
  ],
];

export const filters: Scenario[] = (
  [
    ['sold=cs.[3,3]', [1]],
    ['sold=cd.[0,6)', [1, 3]],
    ['sold=ov.[4,6)', [1, 2]],
    ['sold=sl.[5,9)', [1]],
    ['sold=sr.[1,5)', [2]],
    ['sold=nxr.[1,5)', [1]],
    ['sold=nxl.[5,9)', [2]],
    ['sold=adj.[1,5)', [2]],
    ['period=cs.[2024-01-15,2024-01-15]', [1]],
    ['sizes=cs.{1,2}', [1]],
    ['sizes=cd.{4,5}', [2, 4]],
    ['sizes=ov.{3,4}', [1, 4]],
    ['sizes=eq.{1,2,3}', [1]],
    ['labels=cs.{"a b"}', [1]],
    ['labels=cs.{red}', [1, 4]],
    ['state=eq.worn out', [3]],
    ['state=in.(new,"worn out")', [1, 3, 4]],
    ['state=gt.new', [2, 3]],
    ['code=like.LA*', [1]],
    ['code=is.null', [3]],
    ['code=not.is.null', [1, 2, 4]],
    ['flag=is.true', [1, 4]],
    ['flag=is.unknown', [3]],
    ['flag=is.not_null', [1, 2, 4]],
    ['flag=not.is.true', [2, 3]],
    ['flag=is.NULL', [3]],
    ['price=gte.8', [1, 2]],
    ['big=eq.9007199254740993', [1]],
    ['bytes=eq.\\xdead', [1]],
    ['facts->a->b->0=eq.10', [1]],
    ['facts->a->b->1->>c=eq.deep', [1]],
    ['facts->>k=in.(v,w)', [1, 2]],
    ['facts->>k=ilike.V', [1]],
    ['facts->1=eq.2', [4]],
    ['facts->-1=eq.3', [4]],
    ['facts=cs.{"k":"v"}', [1]],
    ['doc=fts.lamp', [1]],
    ['doc=fts(simple).red', [2]],
    ['doc=wfts.bright or red', [1, 2]],
    ['doc=not.plfts.lamp', [2]],
    ['name=match.^L', [1]],
    ['name=imatch.^l', [1]],
    ['name=ilike.*"x"*', [3]],
    ['name=like(any).{L*,V*}', [1, 4]],
    ['name=ilike(all).{*a*,*p}', [1]],
    ['id=eq(any).{1,3}', [1, 3]],
    ['id=gt(all).{1,2}', [3, 4]],
    ['id=not.eq(any).{1,3}', [2, 4]],
    ['id=isdistinct.1', [2, 3, 4]],
    ['maker_id=isdistinct.1', [3, 4]],
    ['maker_id=not.isdistinct.2', [3]],
    ['id=gt.1&id=lt.4', [2, 3]],
    ['made_at=gt.2024-05-01', [4]],
    ['day=eq.infinity', [2]],
    ['spell=lt.0', [2]],
    ['mark=eq.AAAAAAAA-0000-4000-8000-000000000001', [1]],
    ['full_label=eq.Lamp (new)', [1]],
    ['or=(id.eq.1,and(state.eq.used,flag.is.false))', [1, 2]],
    ['not.and=(id.gt.1,id.lt.4)', [1, 4]],
    ['or=(name.eq."Rug, red",name.eq."Chair \\"X\\"")', [2, 3]],
    ['and=(or(id.eq.1,id.eq.2),not.or(id.eq.2,id.eq.3))', [1]],
    ['or=(sizes.cs.{1,2},sizes.eq.{4})', [1, 4]],
    ['or=(id.not.in.(1,2,3))', [4]],
    ['id=in.(1, 2)', [1, 2]],
    ['id=in.()', []],
    ['name=eq.Lamp&order=name', [1]],
    ['box->>wide=eq.2', [1]],
    ['box->high=gt.3', [1]],
  ] satisfies [string, number[]][]
).map(([query, ids]) => [
  `GET /items?select=id&order=id&${query.replaceAll('+', '%2B')}`,
  200,
  ids.map((id) => ({ id })),
]);

export const shapes: Scenario[] = [
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

export const media: Scenario[] = [
  [
    'GET /items?id=eq.1&select=id,name',
    200,
    { id: 1, name: 'Lamp' },
    {
      accept: 'application/vnd.pgrst.object+json',
      has: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    },
  ],
  [
    'GET /items?id=eq.3&select=id,price,box',
    200,
    [{ id: 3 }],
    {
      accept: 'application/vnd.pgrst.array+json;nulls=stripped',
      has: { 'content-type': 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8' },
    },
  ],
  [
    'GET /items?id=eq.3&select=id,price',
    200,
    { id: 3 },
    {
      accept: 'application/vnd.pgrst.object+json;nulls=stripped',
      has: { 'content-type': 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8' },
    },
  ],
  [
    'GET /items?select=id,name,price,labels&id=lt.4&order=id',
    200,
    'id,name,price,labels\n1,Lamp,12.500,"{red,""a b""}"\n2,"Rug, red",8.000,{}\n3,"Chair ""X""",,{c}',
    { accept: 'text/csv', has: { 'content-type': 'text/csv; charset=utf-8' } },
  ],
  [
    'GET /items?select=id&limit=1',
    200,
    [{ id: 1 }],
    { accept: '*/*', has: { 'content-type': 'application/json; charset=utf-8' } },
  ],
  [
    'GET /items?select=id&limit=1',
    200,
    [{ id: 1 }],
    {
      accept: 'text/html, application/json;q=0.5',
      has: { 'content-type': 'application/json; charset=utf-8' },
    },
  ],
  [
    'GET /items?select=id&limit=1',
    200,
    'id\n1',
    {
      accept: 'application/json;q=0.1, text/csv',
      has: { 'content-type': 'text/csv; charset=utf-8' },
    },
  ],
  ['GET /', 200, ANY, { has: { 'content-type': 'application/openapi+json; charset=utf-8' } }],
  ['OPTIONS /items', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' } }],
  ['OPTIONS /scraps', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD,POST,PATCH,DELETE' } }],
  ['OPTIONS /item_totals', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD' } }],
  ['OPTIONS /wishes', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD,POST' } }],
  [
    'OPTIONS /cheap_items',
    200,
    undefined,
    { has: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' } },
  ],
  ['OPTIONS /makers_kept', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD' } }],
  ['OPTIONS /visits', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' } }],
  ['OPTIONS /rpc/pi', 200, undefined, { has: { allow: 'OPTIONS,GET,HEAD,POST' } }],
  ['OPTIONS /rpc/nothing', 200, undefined, { has: { allow: 'OPTIONS,POST' } }],
  ['OPTIONS /xyzzy', 404, ANY],
];
