// Requests rejected before or after the query, with the codes of PostgREST's "Errors" page.
import { ANY, refusal, type Scenario } from './scenario.ts';

export const requestErrors: Scenario[] = [
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
      'Only the following schemas are exposed: shop, Quoted Names',
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
      'Only the following schemas are exposed: shop, Quoted Names',
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
    refusal('22023', 'invalid value for parameter "TimeZone": "Nowhere"'),
    { prefer: 'handling=strict, timezone=Nowhere' },
  ],
  [
    'GET /items?limit=1',
    400,
    refusal('22023', 'invalid value for parameter "TimeZone": "Nowhere"'),
    { prefer: 'timezone=Nowhere' },
  ],
  [
    'GET /items?limit=1',
    400,
    refusal(
      '22023',
      'time zone "05:30:15" appears to use leap seconds',
      'PostgreSQL does not support leap seconds.',
    ),
    { prefer: 'timezone=05:30:15' },
  ],
  [
    'GET /items?limit=1',
    400,
    refusal(
      'PGRST122',
      'Invalid preferences given with handling=strict',
      `Invalid preferences: timezone=${'N'.repeat(25)}`,
    ),
    { prefer: `handling=strict, timezone=${'N'.repeat(25)}` },
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
  // HEAD keeps the status and has no body
  ['HEAD /xyzzy', 404, undefined],
];
