// PROTOCOL.md 2.1: every refusal with its status, code, message, details and hint.
import { ANY, refusal, type Scenario } from './scenario.ts';

export const errors: Scenario[] = [
  // PGRST100
  [
    'GET /items?id=2',
    400,
    refusal(
      'PGRST100',
      '"failed to parse filter (2)" (line 1, column 1)',
      'unexpected "2" expecting "not" or operator (eq, gt, ...)',
    ),
  ],
  [
    'GET /items?id=noop.5',
    400,
    refusal(
      'PGRST100',
      '"failed to parse filter (noop.5)" (line 1, column 1)',
      'unexpected "o" expecting "not" or operator (eq, gt, ...)',
    ),
  ],
  ['GET /items?id=eq', 400, ANY],
  [
    'GET /items?or=)(',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ()()" (line 1, column 3)',
      'unexpected ")" expecting "("',
    ),
  ],
  [
    'GET /items?and=(ord(id.eq.1,id.eq.1),id.eq.2)',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))" (line 1, column 7)',
      'unexpected "d" expecting "("',
    ),
  ],
  [
    'GET /items?or=(id.eq.1,not.xor(id.eq.2,id.eq.3))',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))" (line 1, column 16)',
      'unexpected "x" expecting logic operator (and, or)',
    ),
  ],
  [
    'GET /items?or=()',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree (())" (line 1, column 4)',
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ),
  ],
  [
    'GET /items?or=(id.in.1,2,id.eq.3)',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ((id.in.1,2,id.eq.3))" (line 1, column 10)',
      'unexpected "1" expecting "("',
    ),
  ],
  [
    'GET /items?order=id.asc.nullslasttt',
    400,
    refusal(
      'PGRST100',
      '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
      'unexpected \'t\' expecting "," or end of input',
    ),
  ],
  [
    'GET /items?order=id.asc.nlsfst',
    400,
    refusal(
      'PGRST100',
      '"failed to parse order (id.asc.nlsfst)" (line 1, column 8)',
      'unexpected "l" expecting "nullsfirst" or "nullslast"',
    ),
  ],
  ['GET /items?select=id,', 400, ANY],
  ['GET /items?select=makers(', 400, ANY],
  ['GET /items?select=id::', 400, ANY],
  // PGRST101, 117
  ['DELETE /rpc/pi', 405, refusal('PGRST101', 'Cannot use the DELETE method on RPC')],
  ['PATCH /rpc/pi', 405, refusal('PGRST101', 'Cannot use the PATCH method on RPC'), { body: {} }],
  ['PUT /rpc/pi', 405, refusal('PGRST101', 'Cannot use the PUT method on RPC'), { body: {} }],
  ['POST /', 405, ANY, { body: {} }],
  // PGRST102
  ['POST /scraps', 400, refusal('PGRST102', 'Empty or invalid json'), { text: '' }],
  ['POST /scraps', 400, refusal('PGRST102', 'Empty or invalid json'), { text: '{"text": ' }],
  [
    'POST /scraps',
    400,
    refusal('PGRST102', 'All object keys must match'),
    { body: [{ text: 'a' }, { number: 1 }] },
  ],
  [
    'POST /scraps',
    400,
    refusal('PGRST102', 'All lines must have same number of fields'),
    { text: 'text,number\na\n', headers: { 'content-type': 'text/csv' } },
  ],
  [
    'POST /scraps',
    400,
    refusal('PGRST102', 'Content-Type not acceptable: application/yaml'),
    { text: 'a', headers: { 'content-type': 'application/yaml' } },
  ],
  // PGRST103
  [
    'GET /items?offset=9',
    416,
    refusal(
      'PGRST103',
      'Requested range not satisfiable',
      'An offset of 9 was requested, but there are only 4 rows.',
    ),
    { prefer: 'count=exact', has: { 'content-range': '*/4' } },
  ],
  [
    'GET /items',
    416,
    refusal(
      'PGRST103',
      'Requested range not satisfiable',
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ),
    { headers: { range: '5-2' } },
  ],
  [
    'GET /items?limit=-1',
    416,
    refusal(
      'PGRST103',
      'Requested range not satisfiable',
      'Limit should be greater than or equal to zero.',
    ),
  ],
  ['GET /items?offset=9', 200, [], { has: { 'content-range': '*/*' } }],
  // PGRST105, 114, 115
  [
    'PUT /groups?title=eq.light',
    405,
    refusal(
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ),
    { body: { id: 1, title: 'light' } },
  ],
  [
    'PUT /groups?id=gt.1',
    405,
    refusal(
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ),
    { body: { id: 1, title: 'light' } },
  ],
  [
    'PUT /groups',
    405,
    refusal(
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ),
    { body: { id: 1, title: 'light' } },
  ],
  [
    'PUT /groups?id=eq.1&limit=1',
    400,
    refusal('PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
    { body: { id: 1, title: 'light' } },
  ],
  [
    'PUT /groups?id=eq.1',
    400,
    refusal('PGRST115', 'Payload values do not match URL in primary key column(s)'),
    { body: { id: 2, title: 'light' } },
  ],
  // PGRST106
  [
    'GET /items',
    406,
    refusal(
      'PGRST106',
      'Invalid schema: public',
      null,
      'Only the following schemas are exposed: shop, Odd World',
    ),
    { headers: { 'accept-profile': 'public' } },
  ],
  [
    'POST /items',
    406,
    refusal(
      'PGRST106',
      'Invalid schema: nope',
      null,
      'Only the following schemas are exposed: shop, Odd World',
    ),
    { body: {}, headers: { 'content-profile': 'nope' } },
  ],
  // PGRST107
  [
    'GET /items',
    406,
    refusal('PGRST107', 'None of these media types are available: text/plain'),
    { accept: 'text/plain' },
  ],
  [
    'GET /items',
    406,
    refusal('PGRST107', 'None of these media types are available: image/png, text/html'),
    { accept: 'image/png, text/html' },
  ],
  ['GET /items', 406, ANY, { accept: 'application/vnd.pgrst.plan+json' }],
  // PGRST108, 118, 120
  [
    'GET /items?select=id&makers.name=eq.Alba',
    400,
    refusal(
      'PGRST108',
      "'makers' is not an embedded resource in this request",
      null,
      "Verify that 'makers' is included in the 'select' query parameter.",
    ),
  ],
  [
    'GET /items?order=makers(name)',
    400,
    refusal(
      'PGRST108',
      "'makers' is not an embedded resource in this request",
      null,
      "Verify that 'makers' is included in the 'select' query parameter.",
    ),
  ],
  [
    'GET /items?select=id,groups(title)&order=groups(title)',
    400,
    refusal(
      'PGRST118',
      "A related order on 'groups' is not possible",
      "'items' and 'groups' do not form a many-to-one or one-to-one relationship",
    ),
  ],
  [
    'GET /items?select=id,makers(name)&makers=eq.1',
    400,
    refusal(
      'PGRST120',
      "Bad operator on the 'makers' embedded resource",
      'Only is null or not is null filters are allowed on embedded resources',
    ),
  ],
  // PGRST111, 112, 121
  [
    'POST /rpc/bad_headers',
    500,
    refusal(
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
    { body: {} },
  ],
  [
    'POST /rpc/bad_status',
    500,
    refusal('PGRST112', 'response.status guc must be a valid status code'),
    { body: {} },
  ],
  [
    'POST /rpc/refuse_badly',
    500,
    ANY,
    { body: {}, has: { 'proxy-status': 'PostgREST; error=PGRST121' } },
  ],
  [
    'POST /rpc/refuse_all',
    402,
    refusal('PAY', 'Pay first', 'no card', 'get one'),
    { body: {}, has: { 'x-price': '9' } },
  ],
  // PGRST116
  [
    'GET /items?id=eq.99',
    406,
    refusal(
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      'The result contains 0 rows',
    ),
    { accept: 'application/vnd.pgrst.object+json' },
  ],
  [
    'GET /items',
    406,
    refusal(
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      'The result contains 4 rows',
    ),
    { accept: 'application/vnd.pgrst.object+json' },
  ],
  [
    'PATCH /groups?id=gt.0',
    406,
    refusal(
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      'The result contains 3 rows',
    ),
    {
      body: { title: 'x' },
      prefer: 'return=representation',
      accept: 'application/vnd.pgrst.object+json',
    },
  ],
  // PGRST122, 124, 128
  [
    'GET /items?limit=1',
    400,
    refusal(
      'PGRST122',
      'Invalid preferences given with handling=strict',
      'Invalid preferences: anything, count=roughly',
    ),
    { prefer: 'handling=strict, anything, count=roughly' },
  ],
  [
    'GET /items?limit=1',
    400,
    refusal(
      'PGRST122',
      'Invalid preferences given with handling=strict',
      'Invalid preferences: timezone=Nowhere',
    ),
    { prefer: 'handling=strict, timezone=Nowhere' },
  ],
  [
    'DELETE /scraps?number=lt.9',
    400,
    refusal(
      'PGRST124',
      'Query result exceeds max-affected preference constraint',
      'The query affects 2 rows',
    ),
    { prefer: 'handling=strict, max-affected=1' },
  ],
  [
    'POST /rpc/add_scraps',
    400,
    refusal(
      'PGRST124',
      'Query result exceeds max-affected preference constraint',
      'The query affects 3 rows',
    ),
    { body: { notes: ['a', 'b', 'c'] }, prefer: 'handling=strict, max-affected=2' },
  ],
  [
    'POST /rpc/add_scrap',
    400,
    refusal(
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    ),
    { body: { note: 'a' }, prefer: 'handling=strict, max-affected=2' },
  ],
  // PGRST123, 127
  [
    'GET /items?select=id.sum()',
    400,
    refusal('PGRST123', 'Use of aggregate functions is not allowed'),
  ],
  [
    'GET /items?select=count()',
    400,
    refusal('PGRST123', 'Use of aggregate functions is not allowed'),
  ],
  // PGRST125
  ['GET /items/1', 404, refusal('PGRST125', 'Invalid path specified in request URL')],
  ['GET /rpc/a/b', 404, refusal('PGRST125', 'Invalid path specified in request URL')],
  // PGRST200, 201
  [
    'GET /items?select=places(id)',
    400,
    refusal(
      'PGRST200',
      "Could not find a relationship between 'items' and 'places' in the schema cache",
      "Searched for a foreign key relationship between 'items' and 'places' in the schema 'shop', but no matches were found.",
      "Perhaps you meant 'makers' instead of 'places'.",
    ),
  ],
  [
    'GET /items?select=maker(id)',
    400,
    refusal(
      'PGRST200',
      "Could not find a relationship between 'items' and 'maker' in the schema cache",
      "Searched for a foreign key relationship between 'items' and 'maker' in the schema 'shop', but no matches were found.",
      "Perhaps you meant 'makers' instead of 'maker'.",
    ),
  ],
  [
    'GET /items?select=makers!nope(id)',
    400,
    refusal(
      'PGRST200',
      "Could not find a relationship between 'items' and 'makers' in the schema cache",
      "Searched for a foreign key relationship between 'items' and 'makers' using the hint 'nope' in the schema 'shop', but no matches were found.",
    ),
  ],
  [
    'GET /trips?select=places(name)',
    300,
    {
      code: 'PGRST201',
      message:
        "Could not embed because more than one relationship was found for 'trips' and 'places'",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'trips with places',
          relationship: 'trips_from_fkey using trips(from_id) and places(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'trips with places',
          relationship: 'trips_to_fkey using trips(to_id) and places(id)',
        },
      ],
      hint: "Try changing 'places' to one of the following: 'places!trips_from_fkey', 'places!trips_to_fkey'. Find the desired relationship in the 'details' key.",
    },
  ],
  [
    'GET /places?select=trips(id)',
    300,
    {
      code: 'PGRST201',
      message:
        "Could not embed because more than one relationship was found for 'places' and 'trips'",
      details: [
        {
          cardinality: 'one-to-many',
          embedding: 'places with trips',
          relationship: 'trips_from_fkey using places(id) and trips(from_id)',
        },
        {
          cardinality: 'one-to-many',
          embedding: 'places with trips',
          relationship: 'trips_to_fkey using places(id) and trips(to_id)',
        },
      ],
      hint: "Try changing 'trips' to one of the following: 'trips!trips_from_fkey', 'trips!trips_to_fkey'. Find the desired relationship in the 'details' key.",
    },
  ],
  // PGRST202, 203
  [
    'POST /rpc/xqzw',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.xqzw without parameters in the schema cache',
      'Searched for the function shop.xqzw without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    ),
    { body: {} },
  ],
  [
    'POST /rpc/xqzw',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.xqzw(a, b) in the schema cache',
      'Searched for the function shop.xqzw with parameters a, b or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    ),
    { body: { b: 1, a: 2 } },
  ],
  [
    'POST /rpc/area',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.area(sides) in the schema cache',
      'Searched for the function shop.area with parameter sides or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function shop.area(side)',
    ),
    { body: { sides: 2 } },
  ],
  [
    'GET /rpc/xqzw?a=1',
    404,
    refusal(
      'PGRST202',
      'Could not find the function shop.xqzw(a) in the schema cache',
      'Searched for the function shop.xqzw with parameter a, but no matches were found in the schema cache.',
    ),
  ],
  [
    'POST /rpc/same',
    300,
    refusal(
      'PGRST203',
      'Could not choose the best candidate function between: shop.same(a => integer), shop.same(a => text)',
      null,
      'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    ),
    { body: { a: 1 } },
  ],
  ['POST /rpc/take_wish', 404, ANY, { body: {} }],
  // PGRST204, 205
  [
    'POST /scraps',
    400,
    refusal('PGRST204', "Could not find the 'nope' column of 'scraps' in the schema cache"),
    { body: { nope: 1 } },
  ],
  [
    'POST /scraps?columns=text,nope',
    400,
    refusal('PGRST204', "Could not find the 'nope' column of 'scraps' in the schema cache"),
    { body: { text: 'a' } },
  ],
  [
    'PATCH /scraps',
    400,
    refusal('PGRST204', "Could not find the 'nope' column of 'scraps' in the schema cache"),
    { body: { nope: 1 } },
  ],
  [
    'GET /itens',
    404,
    refusal(
      'PGRST205',
      "Could not find the table 'shop.itens' in the schema cache",
      null,
      "Perhaps you meant the table 'shop.items'",
    ),
  ],
  [
    'GET /xyzzy',
    404,
    refusal('PGRST205', "Could not find the table 'shop.xyzzy' in the schema cache"),
  ],
  [
    'DELETE /xyzzy',
    404,
    refusal('PGRST205', "Could not find the table 'shop.xyzzy' in the schema cache"),
  ],
  // PostgreSQL's own
  ['GET /items?xqzw=eq.1', 400, refusal('42703', 'column items.xqzw does not exist')],
  ['GET /items?select=xqzw', 400, refusal('42703', 'column items.xqzw does not exist')],
  [
    'GET /items?order=nam',
    400,
    refusal(
      '42703',
      'column items.nam does not exist',
      null,
      'Perhaps you meant to reference the column "items.name".',
    ),
  ],
  [
    'GET /items?state=eq.broken',
    400,
    refusal('22P02', 'invalid input value for enum item_state: "broken"'),
  ],
  ['GET /items?mark=eq.x', 400, refusal('22P02', 'invalid input syntax for type uuid: "x"')],
  [
    'POST /makers',
    409,
    refusal(
      '23505',
      'duplicate key value violates unique constraint "makers_name_key"',
      'Key (name)=(Alba) already exists.',
    ),
    { body: { name: 'Alba' } },
  ],
  [
    'POST /items',
    409,
    refusal(
      '23503',
      'insert or update on table "items" violates foreign key constraint "items_maker_id_fkey"',
      'Key (maker_id)=(99) is not present in table "makers".',
    ),
    { body: { name: 'a', maker_id: 99 } },
  ],
  [
    'DELETE /makers?id=eq.1',
    409,
    refusal(
      '23503',
      'update or delete on table "makers" violates foreign key constraint "items_maker_id_fkey" on table "items"',
      'Key (id)=(1) is still referenced from table "items".',
    ),
  ],
  [
    'POST /items',
    400,
    ANY,
    { body: { id: 50 }, has: { 'proxy-status': 'PostgREST; error=23502' } },
  ],
  [
    'POST /items',
    400,
    ANY,
    { body: { name: 'a', ratio: 101 }, has: { 'proxy-status': 'PostgREST; error=23514' } },
  ],
  [
    'POST /items',
    400,
    refusal('23514', 'value for domain sku violates check constraint "sku_check"'),
    { body: { name: 'a', code: 'x' } },
  ],
  [
    'POST /items',
    400,
    refusal('22001', 'value too long for type character varying(40)'),
    { body: { name: 'x'.repeat(41) } },
  ],
  [
    'POST /items',
    400,
    refusal(
      '428C9',
      'cannot insert a non-DEFAULT value into column "twice"',
      'Column "twice" is a generated column.',
    ),
    { body: { name: 'a', twice: 1 } },
  ],
  [
    'POST /cheap_items',
    400,
    ANY,
    { body: { id: 60, name: 'a', price: 11 }, has: { 'proxy-status': 'PostgREST; error=44000' } },
  ],
  [
    'PATCH /item_totals',
    500,
    ANY,
    { body: { total: 1 }, has: { 'proxy-status': 'PostgREST; error=55000' } },
  ],
  [
    'GET /vault',
    401,
    refusal('42501', 'permission denied for table vault'),
    { as: 'visitor', has: { 'www-authenticate': 'Bearer' } },
  ],
  [
    'GET /vault',
    403,
    refusal('42501', 'permission denied for table vault'),
    { has: { 'www-authenticate': null } },
  ],
  [
    'POST /scraps',
    401,
    refusal('42501', 'permission denied for table scraps'),
    { as: 'visitor', body: { text: 'a' } },
  ],
  [
    'POST /diary',
    403,
    refusal('42501', 'new row violates row-level security policy for table "diary"'),
    { body: { id: 9, owner: 'aaaaaaaa-0000-4000-8000-00000000000b' } },
  ],
  [
    'POST /rpc/hidden',
    403,
    refusal('42501', 'permission denied for function hidden'),
    { body: {} },
  ],
  [
    'POST /rpc/hidden',
    401,
    refusal('42501', 'permission denied for function hidden'),
    { as: 'visitor', body: {} },
  ],
  [
    'GET /rpc/add_scrap?note=a',
    405,
    refusal('25006', 'cannot execute INSERT in a read-only transaction'),
  ],
  ...(
    [
      ['P0001', 400],
      ['P0002', 500],
      ['PT409', 409],
      ['PT418', 418],
      ['23505', 409],
      ['23503', 409],
      ['23514', 400],
      ['22P02', 400],
      ['42883', 404],
      ['42P01', 404],
      ['42P17', 500],
      ['28000', 403],
      ['0LP01', 403],
      ['0P000', 403],
      ['08006', 503],
      ['09000', 500],
      ['25001', 500],
      ['21000', 500],
      ['40001', 500],
      ['54001', 500],
      ['55000', 500],
      ['57014', 500],
      ['58000', 500],
      ['F0000', 500],
      ['HV000', 500],
      ['38000', 500],
      ['39000', 500],
      ['3B000', 500],
      ['2D000', 500],
      ['53400', 500],
      ['53100', 503],
      ['57P01', 503],
      ['42501', 403],
      ['22012', 400],
      ['XX000', 400],
      ['72000', 400],
    ] satisfies [string, number][]
  ).map(
    ([state, status]): Scenario => [
      'POST /rpc/refuse',
      status,
      refusal(state, 'refused', 'the detail', 'the hint'),
      { body: { state } },
    ],
  ),
  // Tokens
  [
    'GET /items',
    401,
    refusal('PGRST301', 'Expected 3 parts in JWT; got 1'),
    {
      as: 'visitor',
      headers: { authorization: 'Bearer x' },
      has: {
        'www-authenticate':
          'Bearer error="invalid_token", error_description="Expected 3 parts in JWT; got 1"',
      },
    },
  ],
  [
    'GET /items',
    401,
    refusal('PGRST301', 'Empty JWT is sent in Authorization header'),
    { as: 'visitor', headers: { authorization: 'Bearer ' } },
  ],
  [
    'GET /items?select=id&limit=1',
    200,
    [{ id: 1 }],
    { as: 'visitor', headers: { authorization: 'Basic abc' } },
  ],
  // HEAD keeps the status and says nothing
  ['HEAD /xyzzy', 404, undefined],
];
