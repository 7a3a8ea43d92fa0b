// Tables, columns, relationships and functions that are unknown or ambiguous (PostgREST docs "Errors").
import { ANY, refusal, type Scenario } from './scenario.ts';

export const unknownNames: Scenario[] = [
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
];
