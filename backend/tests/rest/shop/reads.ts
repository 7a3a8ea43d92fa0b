// Values of every type, names that need quoting, and ranges of rows (PostgREST docs "Tables and Views", "Pagination and Count").
import { ANY, type Scenario } from './scenario.ts';

const QUOTED = { 'accept-profile': 'Quoted Names' };

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
    { headers: QUOTED, has: { 'content-profile': 'Quoted Names' } },
  ],
  [
    'GET /Big Things?select="a.b","select"&"a.b"=eq.dotted',
    200,
    [{ 'a.b': 'dotted', select: 'chosen' }],
    { headers: QUOTED },
  ],
  [
    'GET /Big Things?select="say \\"hi\\""&Id number=eq.1',
    200,
    [{ 'say "hi"': 'hello' }],
    { headers: QUOTED },
  ],
  ['GET /Big Things?select=größe&größe=gt.2', 200, [{ größe: 7 }], { headers: QUOTED }],
  [
    'GET /Big Things?select=g:größe::text&Id number=eq.1',
    200,
    [{ g: '1.50' }],
    { headers: QUOTED },
  ],
  [
    'GET /Big Things?select=Id number&The Name=in.("oak, old","the \\"big\\" one")&order=Id number.desc',
    200,
    [{ 'Id number': 3 }, { 'Id number': 2 }],
    { headers: QUOTED },
  ],
  [
    'GET /Big Things?select=Id number&mood=eq."quoted"',
    200,
    [{ 'Id number': 3 }],
    { headers: QUOTED },
  ],
  [
    'GET /Big Things?select=Id number&or=(mood.eq."so, so",The Name.eq.whale)&order=Id number',
    200,
    [{ 'Id number': 1 }, { 'Id number': 2 }],
    { headers: QUOTED },
  ],
  [
    'GET /Sub Things?select=order,Big Things(The Name)&order=order',
    200,
    [
      { order: 1, 'Big Things': { 'The Name': 'whale' } },
      { order: 2, 'Big Things': { 'The Name': 'whale' } },
      { order: 3, 'Big Things': null },
    ],
    { headers: QUOTED },
  ],
  [
    'GET /Big Things?select=Id number,Sub Things(order)&Sub Things.order=order.desc&Id number=eq.1',
    200,
    [{ 'Id number': 1, 'Sub Things': [{ order: 2 }, { order: 1 }] }],
    { headers: QUOTED },
  ],
  ['GET /rpc/Do It?Arg One=7', 200, '"7/two"', { headers: QUOTED }],
  [
    'POST /rpc/Do It',
    200,
    '"7/zwei"',
    { headers: { 'content-profile': 'Quoted Names' }, body: { 'Arg One': 7, 'arg.two': 'zwei' } },
  ],
  [
    'POST /Big Things?select=The Name,"a.b",mood',
    201,
    [{ 'The Name': 'new', 'a.b': 'c', mood: 'very glad' }],
    {
      headers: { 'content-profile': 'Quoted Names' },
      body: { 'The Name': 'new', 'a.b': 'c' },
      prefer: 'return=representation',
      has: { 'content-profile': 'Quoted Names' },
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
  ['HEAD /items', 200, undefined, { headers: { range: '1-2' }, has: { 'content-range': '0-3/*' } }],
  ['GET /items?limit=2', 200, ANY, { headers: { range: 'x' }, has: { 'content-range': '0-1/*' } }],
  ['GET /items?limit=x', 200, ANY, { has: { 'content-range': '0-3/*' } }],
];
