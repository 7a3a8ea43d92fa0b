// Values, media types and functions in forms of the database's own: casts of domains, handlers, records, overloads.
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';
const minimal = 'return=headers-only';

const AMBIGUOUS =
  'Try renaming the parameters or the function itself in the database so function overloading can be resolved';

export const formats: Scenario[] = [
  // Casts of domains
  ['GET /paints?select=color&id=eq.2', 200, '[{"color":"#000100"}]'],
  [
    'GET /paints?order=id',
    200,
    [
      { id: 1, name: 'black', color: '#000000', due: '2018-01-02T00:00:00Z', tone: 'soft' },
      { id: 2, name: 'moss', color: '#000100', due: null, tone: 'loud' },
      { id: 3, name: 'none', color: '', due: null, tone: 'soft' },
    ],
  ],
  ['GET /paints?select=c:color&id=eq.2', 200, [{ c: '#000100' }]],
  ['GET /paints?select=c:color::text&id=eq.2', 200, [{ c: '"#000100"' }]],
  [
    'GET /paints?select=due,*&id=eq.1',
    200,
    '[{"due":"2018-01-02T00:00:00Z","id":1,"name":"black","color":"#000000","due":"2018-01-02T00:00:00Z","tone":"soft"}]',
  ],
  ['GET /dark_paints?select=color,dark&id=eq.2', 200, [{ color: '#000100', dark: '#000080' }]],
  [
    'GET /walls?select=id,paints(*)',
    200,
    [{ id: 1, paints: { id: 2, name: 'moss', color: '#000100', due: null, tone: 'loud' } }],
  ],
  ['GET /walls?select=...paints(color)', 200, [{ color: '#000100' }]],
  ['GET /walls?select=id,paints(id)&paints.color=neq.000100', 200, [{ id: 1, paints: null }]],
  ['GET /paints?select=id&color=eq.000100', 200, [{ id: 2 }]],
  ['GET /paints?select=id&color=in.(000100,000000)&order=id', 200, [{ id: 1 }, { id: 2 }]],
  ['GET /paints?select=id&color=not.in.(000000)', 200, [{ id: 2 }]],
  ['GET /paints?select=id&color=in.()', 200, []],
  ['GET /paints?select=id&color=isdistinct.000100&order=id', 200, [{ id: 1 }, { id: 3 }]],
  [
    'GET /paints?select=id&or=(color.eq.000100,color.is.null)&order=id',
    200,
    [{ id: 2 }, { id: 3 }],
  ],
  [
    'GET /paints?select=id&due=eq.Z',
    400,
    refusal('22007', 'invalid input syntax for type timestamp with time zone: "Z"'),
  ],
  ['GET /paints?color=ilike.*1', 404, ANY],
  ['GET /paints?select=id,color&order=color.nullsfirst', 200, ANY],
  [
    'POST /paints?select=id,color,due',
    201,
    [{ id: 9, color: '#001100', due: '2018-01-03T11:00:00Z' }],
    { body: { id: 9, color: '#001100', due: '2018-01-03T11:00:00Z' }, prefer: shown },
  ],
  [
    'POST /paints?columns=id,color&select=id,color,due',
    201,
    [{ id: 9, color: '#001100', due: '2018-01-01T00:00:00Z' }],
    { body: { id: 9, color: '#001100', due: 'ignored' }, prefer: shown },
  ],
  [
    'POST /paints?columns=id,color,tone&select=id,color,tone&order=id',
    201,
    [
      { id: 8, color: '#00FF00', tone: 'soft' },
      { id: 9, color: '#000001', tone: 'loud' },
    ],
    {
      body: [{ id: 8 }, { id: 9, color: '#000001', tone: 'loud' }],
      prefer: `${shown},missing=default`,
    },
  ],
  [
    'PATCH /paints?id=eq.2&select=color,tone',
    200,
    [{ color: '#000003', tone: 'loud' }],
    { body: { color: '#000003', tone: 'loud' }, prefer: shown },
  ],
  [
    'PATCH /dark_paints?color=eq.000100&select=*',
    200,
    [{ id: 2, name: 'moss', color: '#000004', dark: '#000002' }],
    { body: { color: '#000004' }, prefer: shown },
  ],
  [
    'PUT /paints?id=eq.2&select=id,color',
    200,
    [{ id: 2, color: '#000005' }],
    { body: { id: 2, color: '#000005' }, prefer: shown },
  ],
  ['GET /paints?select=id,color&id=eq.2', 200, 'id,color\n2,"""#000100"""', { accept: 'text/csv' }],
  // A type of a schema that no search path names
  ['GET /rpc/tone_of?tone=loud', 200, '"so loud"'],
  ['POST /rpc/tone_of', 200, '"so loud"', { body: { tone: 'loud' } }],

  // Media types
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

  // Calls
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
      'Perhaps you meant to call the function shop.unnamed',
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
      'Perhaps you meant to call the function shop.nullable',
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

  // Views and partitions
  [
    'GET /endless',
    500,
    refusal('42P17', 'infinite recursion detected in rules for relation "endless"'),
  ],
  ['GET /twin_trips?select=id,to_id(name)&id=eq.1', 200, [{ id: 1, to_id: { name: 'Hill' } }]],
  [
    'GET /twin_trips?select=id,places!trips_from_fkey(name)',
    300,
    refusal(
      'PGRST201',
      "Could not embed because more than one relationship was found for 'twin_trips' and 'places'",
      [
        {
          cardinality: 'many-to-one',
          embedding: 'twin_trips with places',
          relationship: 'trips_from_fkey using twin_trips(from_one) and places(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'twin_trips with places',
          relationship: 'trips_from_fkey using twin_trips(from_two) and places(id)',
        },
      ],
      "Try changing 'places' to one of the following: 'places!trips_from_fkey', 'places!trips_from_fkey'. Find the desired relationship in the 'details' key.",
    ),
  ],
  [
    'GET /twin_trips?select=id,places!from_two(name)&id=eq.1',
    200,
    [{ id: 1, places: { name: 'Harbour' } }],
  ],
  [
    'POST /item_manuals',
    201,
    undefined,
    {
      body: { id: 1 },
      prefer: minimal,
      has: { location: '/item_manuals?id=eq.1&manual_id=is.null' },
    },
  ],
  [
    'GET /visits_2024?select=id,items(id)',
    404,
    refusal(
      'PGRST205',
      "Could not find the table 'shop.visits_2024' in the schema cache",
      null,
      "Perhaps you meant the table 'shop.visits'",
    ),
  ],

  // Deferred constraints, although the request is rolled back
  [
    'POST /walls',
    409,
    refusal(
      '23503',
      'insert or update on table "walls" violates foreign key constraint "walls_paint_id_fkey"',
      'Key (paint_id)=(99) is not present in table "paints".',
    ),
    { body: { id: 2, paint_id: 99 } },
  ],
  ['POST /rpc/place_of', 409, ANY, { body: { wall: 2 }, prefer: 'tx=rollback' }],
  ['GET /walls?offset=-4&select=id', 200, [{ id: 1 }]],
  ['GET /walls?select=id,paints(id)&paints.offset=-4', 200, [{ id: 1, paints: { id: 2 } }]],
];
