// Which function a call means: suggestions, overloads, unnamed parameters, records (PostgREST docs "Functions as RPC").
import { ANY, refusal, type Scenario } from './scenario.ts';

const AMBIGUOUS =
  'Try renaming the parameters or the function itself in the database so function overloading can be resolved';

export const callResolution: Scenario[] = [
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
  ['POST /rpc/any_record', 200, { id: 1, title: 'light' }],
  [
    'POST /rpc/any_records',
    200,
    [
      { id: 1, title: 'light' },
      { id: 2, title: 'soft' },
    ],
  ],
  ['GET /rpc/letters?one=abc&many={de,f}&bits=101', 200, ['abc', ['de', 'f'], '101']],
  [
    'POST /rpc/letters',
    200,
    ['abc', ['de', 'f'], '101'],
    { body: { one: 'abc', many: ['de', 'f'], bits: '101' } },
  ],
  ['GET /rpc/groups_below?id=3&id=gt.1', 200, [{ id: 2, title: 'soft' }]],
  ['GET /rpc/groups_below?id=3&id=not.gt.1&select=id', 200, [{ id: 1 }]],
  ['GET /rpc/greet?name=in.a.word', 200, '"hi in.a.word;"'],
  ['POST /rpc/greet?columns=name', 200, '"hi A;"', { body: { name: 'A', zz: 1 } }],
  ['POST /rpc/unnamed', 200, '"text {\\"\\":\\"test\\"}"', { body: { '': 'test' } }],
  ['POST /rpc/unnamed', 200, '"text x"', { text: 'x', headers: { 'content-type': 'text/plain' } }],
  ['POST /rpc/body', 200, { '': { a: 1 } }, { body: { '': { a: 1 } } }],
  ['POST /rpc/unclear', 200, '"foo"', { body: { '': 'given' } }],
  [
    'POST /rpc/unclear',
    300,
    refusal(
      'PGRST203',
      'Could not choose the best candidate function between: shop.unclear(), shop.unclear( => text)',
      null,
      AMBIGUOUS,
    ),
    { body: {} },
  ],
  [
    'POST /rpc/either',
    300,
    refusal(
      'PGRST203',
      'Could not choose the best candidate function between: shop.either( => json), shop.either( => jsonb)',
      null,
      AMBIGUOUS,
    ),
    { body: { a: 1 } },
  ],
  [
    'GET /rpc/vague?a=1',
    300,
    refusal(
      'PGRST203',
      'Could not choose the best candidate function between: shop.vague(a => integer), shop.vague(a => text), shop.vague(a => text, b => integer)',
      null,
      AMBIGUOUS,
    ),
  ],
  [
    'POST /rpc/unnamed_int',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.unnamed_int() in the schema cache',
      'Searched for the function shop.unnamed_int with parameter  or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    ),
    { body: { '': 1 } },
  ],
  [
    'POST /rpc/full_label',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.full_label without parameters in the schema cache',
      'Searched for the function shop.full_label without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    ),
  ],
  [
    'POST /rpc/body',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.body(a, b) in the schema cache',
      'Searched for the function shop.body with parameters a, b, but no matches were found in the schema cache.',
    ),
    { text: 'a,b\n1,2', headers: { 'content-type': 'text/csv' } },
  ],
  [
    'POST /rpc/unnamd',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.unnamd in the schema cache',
      'Searched for the function shop.unnamd with a single unnamed xml parameter, but no matches were found in the schema cache.',
    ),
    { text: '<a/>', headers: { 'content-type': 'text/xml' } },
  ],
  ['POST /rpc/refuse', 500, ANY, { body: { state: 'PT40A' } }],
  [
    'POST /rpc/refuse_oddly',
    500,
    refusal(
      'PGRST121',
      'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error',
      'DETAIL is missing in the RAISE statement',
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    ),
    { body: { message: '{"code": "1", "message": "m"}' } },
  ],
];
