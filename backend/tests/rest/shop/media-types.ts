// Media types of responses, custom ones included, and methods (PostgREST docs "Media Type Handlers").
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';

export const mediaTypes: Scenario[] = [
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
  [
    'GET /rpc/page',
    200,
    '<h1>Shop</h1>',
    { accept: 'text/html', has: { 'content-type': 'text/html' } },
  ],
  ['GET /rpc/page', 200, '"<h1>Shop</h1>"', { accept: 'application/json' }],
  ['GET /rpc/page', 406, ANY, { accept: 'text/plain' }],
  [
    'GET /rpc/picture',
    200,
    Buffer.from('89504e47', 'hex').toString(),
    {
      accept: 'text/html,application/xml;q=0.9,image/png,*/*;q=0.8',
      has: { 'content-type': 'image/png' },
    },
  ],
  [
    'GET /rpc/picture?size=3000',
    200,
    Buffer.from('89504e47', 'hex').toString().repeat(3000),
    { accept: 'image/png' },
  ],
  [
    'HEAD /rpc/picture',
    200,
    undefined,
    { accept: 'image/png', has: { 'content-type': 'image/png' } },
  ],
  ['GET /rpc/no_picture', 200, undefined, { accept: 'image/png' }],
  [
    'GET /rpc/pages',
    406,
    refusal('PGRST107', 'None of these media types are available: text/plain'),
    { accept: 'text/plain' },
  ],
  ['GET /rpc/anything', 200, 'any', { has: { 'content-type': 'application/octet-stream' } }],
  ['GET /rpc/anything', 200, 'any', { accept: 'some/thing' }],
  [
    'POST /rpc/echo_plain',
    200,
    'as it is',
    {
      text: 'as it is',
      accept: 'text/plain',
      headers: { 'content-type': 'text/plain' },
      has: { 'content-type': 'text/plain; charset=utf-8' },
    },
  ],
  [
    'POST /rpc/echo_xml',
    200,
    '<a>b</a>',
    { text: '<a>b</a>', accept: 'text/xml', headers: { 'content-type': 'text/xml' } },
  ],
  [
    'GET /groups?id=lt.3&order=id',
    200,
    '1\tlight\n2\tsoft\n',
    { accept: 'text/tab-separated-values', has: { 'content-type': 'text/tab-separated-values' } },
  ],
  ['GET /groups?select=title&id=eq.1', 200, 'light\n', { accept: 'text/tab-separated-values' }],
  ['GET /groups?order=id', 200, '[light][soft][empty]', { accept: 'text/plain' }],
  ['GET /groups?select=*&order=id&limit=1', 200, '[light]', { accept: 'text/plain' }],
  ['GET /rpc/all_groups', 200, '[light][soft][empty]', { accept: 'text/plain' }],
  ['GET /groups?select=id,title', 406, ANY, { accept: 'text/plain' }],
  ['GET /makers', 406, ANY, { accept: 'text/plain' }],
  [
    'PATCH /groups?id=eq.1',
    200,
    '[dim]',
    { accept: 'text/plain', body: { title: 'dim' }, prefer: shown },
  ],
  ['GET /places', 200, { own: true }, { accept: 'application/json' }],
  ['GET /places?id=eq.1', 200, [{ id: 1, name: 'Harbour' }], { accept: '*/*' }],
  [
    'GET /places?id=eq.1',
    200,
    { id: 1, name: 'Harbour' },
    { accept: 'application/vnd.pgrst.object+json' },
  ],
  [
    'GET /groups?id=eq.1',
    200,
    {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { id: 1, title: 'light' } }],
    },
    {
      accept: 'application/geo+json',
      has: { 'content-type': 'application/geo+json; charset=utf-8' },
    },
  ],
  [
    'GET /groups?id=eq.9',
    200,
    { type: 'FeatureCollection', features: [] },
    { accept: 'application/geo+json' },
  ],
];
