// Domain representations, types outside the search path, views and partitions (PostgREST docs "Domain Representations").
import { ANY, refusal, type Scenario } from './scenario.ts';

const shown = 'return=representation';
const minimal = 'return=headers-only';

export const customTypes: Scenario[] = [
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
    refusal('PGRST205', "Could not find the table 'shop.visits_2024' in the schema cache"),
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
